// Configuration a stack declares.
// It must not know its values, nor who refers to them.
import { checkShape, type Shape } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { CONFIG_TYPES, type ConfigDeclaration, type ConfigType } from '../values/plan';
import { holdsExpression } from '../values/value';
import { findPlace } from './place';
import { expectMap, tellUnknownKey, type Scope } from './scope';
import { bindValue, isFailed, type Draft } from './values';

const NUMBER: Shape = { type: 'text', lenient: true };
const MAP: Shape = { type: 'open' };

const SHAPES: { readonly [T in ConfigType]: Shape } = {
  string: { type: 'text', lenient: true },
  integer: { type: 'int' },
  number: NUMBER,
  boolean: { type: 'flag' },
  list: { type: 'list', items: { type: 'open' }, encoding: 'json', unordered: false },
  map: MAP,
};

const KEYS = ['type', 'default', 'secret', 'description', 'allowed'];

/** Reads the declarations under `config`. */
export function readConfig(scope: Scope, root: MapNode): readonly ConfigDeclaration[] {
  const map = expectMap(scope, entryOf(root, 'config')?.value, 'a map of configuration by name');
  return (map?.entries ?? []).map((entry) => readDeclaration(scope, entry));
}

function isSecret(body: MapNode | undefined): boolean {
  const node = entryOf(body, 'secret')?.value;
  return node?.form === 'scalar' && node.value === true;
}

function readDeclaration(scope: Scope, own: Entry): ConfigDeclaration {
  const hint = `${own.key}: { type: string }`;
  if (!/^[A-Za-z][\w-]*$/.test(own.key))
    scope.report.error(
      own,
      'bad-name',
      `"${own.key}" is not a name: must be a letter, then letters, digits, "-" and "_"`,
    );
  const body = expectMap(scope, own.value, 'a map', hint);
  for (const entry of body?.entries ?? []) if (!KEYS.includes(entry.key)) tellUnknownKey(scope, entry, KEYS);
  const read = (key: string, shape: Shape): unknown => {
    const entry = entryOf(body, key);
    const value = entry && bindValue(scope, entry.value, shape);
    if (value === undefined || entry === undefined) return undefined;
    if (holdsExpression(value)) {
      if (!isFailed(value))
        scope.report.error(
          entry.value,
          'no-reference',
          'a declaration is plain: it cannot hold a reference or a secret',
        );
      return undefined;
    }
    const findings = checkShape(shape, value, [], key === 'default' && isSecret(body));
    for (const finding of findings) scope.report.tell(finding, findPlace(entry, finding));
    return findings.length > 0 ? undefined : asNumber(shape, value);
  };
  const named = read('type', { type: 'text', allowed: CONFIG_TYPES });
  const type = CONFIG_TYPES.find((each) => each === named) ?? 'string';
  if (body && named === undefined && !entryOf(body, 'type'))
    scope.report.error(own, 'required', '"type" is required', hint);
  read('secret', { type: 'flag' });
  const secret = isSecret(body);
  const description = read('description', { type: 'text' });
  const allowed = read('allowed', { type: 'list', items: SHAPES[type], encoding: 'json', unordered: false });
  const declaration: ConfigDeclaration = {
    name: own.key,
    type,
    secret,
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(allowed) ? { allowed } : {}),
    at: own.at,
  };
  const standard = entryOf(body, 'default');
  if (!standard || named === undefined) return declaration;
  if (secret) {
    scope.report.hide(standard.value.at);
    scope.report.warning(
      standard,
      'secret-in-file',
      `the default of the secret "${own.key}" stands in clear in the file`,
      `pulumi config set --secret ${own.key}`,
    );
  }
  const value = read('default', SHAPES[type]);
  const fault = value === undefined ? undefined : configFault(declaration, value);
  if (fault) scope.report.error(standard.value, 'wrong-type', fault);
  return value === undefined ? declaration : { ...declaration, default: value };
}

/** A number is read by its text, so that 7.0 is one as well. */
function asNumber(shape: Shape, value: Draft): unknown {
  return shape === NUMBER && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** What is wrong with a value, as a sentence; values of secrets are not shown. */
export function configFault({ type, allowed, secret }: ConfigDeclaration, value: unknown): string | undefined {
  const shown = secret ? '' : `, not ${JSON.stringify(value)}`;
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fits: { readonly [T in ConfigType]: () => boolean } = {
    string: () => typeof value === 'string',
    integer: () => Number.isSafeInteger(value),
    number: () => typeof value === 'number' && Number.isFinite(value),
    boolean: () => typeof value === 'boolean',
    list: () => Array.isArray(value),
    map: () => isMap,
  };
  const article = type === 'integer' ? 'an' : 'a';
  if (!fits[type]()) return `must be ${article} ${type}${shown}`;
  if (!allowed || allowed.some((each) => JSON.stringify(each) === JSON.stringify(value))) return undefined;
  return `must be one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}${shown}`;
}
