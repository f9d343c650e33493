// Configuration a stack declares.
// It must not know its values, nor who refers to them.
import { checkShape, type Shape } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { allowedFault, typeFault, type ValueFault } from '../values/value-fault';
import { CONFIG_TYPES, type ConfigDeclaration, type ConfigType } from '../values/plan';
import { holdsExpression } from '../values/value';
import { isFailed, type Draft } from './draft';
import { findPlace } from './place';
import { expectMap, reportUnknownKey, type BindScope } from './scope';
import { bindValue } from './values';

const OPEN: Shape = { type: 'open' };
const TEXT: Shape = { type: 'text' };

/** How a value of each type is read; whether it is one is said by `configFault`. */
const SHAPES: { readonly [T in ConfigType]: Shape } = {
  string: TEXT,
  integer: { type: 'int' },
  number: TEXT,
  boolean: { type: 'flag' },
  list: { type: 'list', items: OPEN, encoding: 'json', unordered: false },
  map: OPEN,
};

const KEYS = ['type', 'default', 'secret', 'description', 'allowed'];

/** Reads the declarations under `config`. */
export function readConfig(scope: BindScope, root: MapNode): readonly ConfigDeclaration[] {
  const map = expectMap(scope, entryOf(root, 'config')?.value, 'a map of configuration by name');
  return (map?.entries ?? []).map((own) => readDeclaration(scope, own));
}

function readDeclaration(scope: BindScope, own: Entry): ConfigDeclaration {
  const hint = `${own.key}: { type: string }`;
  if (!/^[A-Za-z][\w-]*$/.test(own.key)) {
    scope.report.error(
      own,
      'bad-name',
      `"${own.key}" is not a name: must be a letter, then letters, digits, "-" and "_"`,
    );
  }
  const body = expectMap(scope, own.value, 'a map', hint);
  for (const entry of body?.entries ?? []) if (!KEYS.includes(entry.key)) reportUnknownKey(scope, entry, KEYS);
  const fact = (key: string, shape: Shape): unknown => {
    const entry = entryOf(body, key);
    const value = entry && plainValue(scope, entry, shape);
    if (entry === undefined || value === undefined) return undefined;
    const findings = checkShape(shape, value, []);
    for (const finding of findings) scope.report.add(finding, findPlace(entry, finding));
    return findings.length > 0 ? undefined : value;
  };
  const named = fact('type', { type: 'text', allowed: CONFIG_TYPES });
  if (body && !entryOf(body, 'type')) scope.report.error(own, 'required', '"type" is required', hint);
  const description = fact('description', TEXT);
  const declaration: ConfigDeclaration = {
    name: own.key,
    type: CONFIG_TYPES.find((each) => each === named) ?? 'string',
    secret: fact('secret', { type: 'flag' }) === true,
    ...(typeof description === 'string' ? { description } : {}),
    at: own.at,
  };
  return named === undefined ? declaration : withValues(scope, declaration, body);
}

/** The declaration with the values it allows, and its default: both are of its type. */
function withValues(scope: BindScope, declaration: ConfigDeclaration, body: MapNode | undefined): ConfigDeclaration {
  const { name, secret } = declaration;
  const list = entryOf(body, 'allowed');
  const items = list?.value.form === 'list' ? list.value.items : undefined;
  if (list && !items && list.value.form !== 'failed') scope.report.error(list.value, 'wrong-type', 'must be a list');
  const allowed = items?.map((item) => typedValue(scope, { ...item, key: 'allowed', value: item }, declaration));
  const whole = allowed ? { ...declaration, allowed } : declaration;
  const entry = entryOf(body, 'default');
  if (!entry) return whole;
  if (secret) {
    const hint = `pulumi config set --secret ${name}`;
    scope.report.warning(
      entry,
      'secret-in-file',
      `the default of the secret "${name}" is in clear text in the file`,
      hint,
    );
  }
  const value = typedValue(scope, entry, whole);
  return value === undefined ? whole : { ...whole, default: value };
}

function typedValue(scope: BindScope, entry: Entry, declaration: ConfigDeclaration): unknown {
  const { type, secret } = declaration;
  const written = plainValue(scope, entry, SHAPES[type], secret);
  if (written === undefined) return undefined;
  // Read by its text, so that 7.0 is a number as well.
  const isNumber = type === 'number' && typeof written === 'string' && written.trim() !== '';
  const value = isNumber && Number.isFinite(Number(written)) ? Number(written) : written;
  const fault = configFault(declaration, value);
  if (fault) scope.report.error(entry.value, fault.code, fault.message);
  return fault ? undefined : value;
}

function plainValue(scope: BindScope, entry: Entry, shape: Shape, secret = false): Draft | undefined {
  const value = bindValue(scope, entry.value, shape, secret);
  if (value === undefined || !holdsExpression(value)) return value;
  const why = 'a declaration is plain: it cannot contain a reference or a secret';
  if (!isFailed(value)) scope.report.error(entry.value, 'no-reference', why);
  return undefined;
}

/** What is wrong with a value; values of secrets are not shown. */
export function configFault({ type, allowed, secret }: ConfigDeclaration, value: unknown): ValueFault | undefined {
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
  if (!fits[type]()) return typeFault(type, shown);
  return allowed && allowedFault(allowed, value, shown);
}
