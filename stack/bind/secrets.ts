// Secrets in a file: which values are secret, and warnings about those that are in clear text, or
// where the service keeps them readable. No finding shows one.
import { camelCase, openName, type Kind } from '../../provider';
import {
  assignedSecretIn,
  isSecretText,
  mayBeSecret,
  mayNameSecret,
  namedSecretsOf,
  nameInOption,
  readableSecret,
  SECRET_NAME,
  SECRET_WORD,
  secretInText,
  SURE_NAMES,
} from '../../provider/secrets';
import {
  holdsExpression,
  holdsSecret,
  isExpression,
  isFailed,
  referencesIn,
  type Steps,
  type Value,
} from '../values/value';
import type { Entry, ListNode, MapNode, Node, Placed, ScalarNode } from '../yaml/tree';
import { checkable, type BindScope } from './scope';

const HINT = 'set it with pulumi config set --secret NAME, and write ${config.NAME}';

/** Masks of the service in place of secrets: written back, they would overwrite the secret. */
const MASKED = new Set(['::ENCRYPTED::', '--ENCRYPTED--']);

export const isMasked = (node: Node): boolean => node.form === 'scalar' && MASKED.has(node.source);

/** A text that is what it says: neither a reference of the file nor one of the service. */
const isLiteral = (text: string): boolean => text.trim() !== '' && !/\$\{|\$OO_[A-Z]+\{/.test(text);

/** Whether a value can be a secret that is written as it is. */
const isClearSecret = (value: unknown): boolean => typeof value === 'string' && isLiteral(value) && isSecretText(value);

/** Warns when the value of something that is kept as a secret is written in the file. */
export function reportSecretInFile(scope: BindScope, { key, value }: Entry): void {
  if (value.form !== 'scalar' || value.value === null || isMasked(value) || !isLiteral(value.source)) return;
  // As in conversions: a value that is a secret because of its name alone can be something else.
  if (mayNameSecret(key) && !mayBeSecret(value.source, key)) return;
  scope.report.warning(value, 'secret-in-file', `"${key}" is a secret, but it is in clear text in the file`, HINT);
}

/** Warns of a private key, an address with a password, or a named secret in a readable text. */
export function reportSecretInside(scope: BindScope, node: ScalarNode): void {
  const name = assignedSecretIn(node.source);
  const found = secretInText(node.source) ?? (name === undefined ? undefined : `the value of "${name}"`);
  if (found === undefined) return;
  scope.report.hide(node.at);
  scope.report.warning(node, 'secret-in-file', `the text contains ${found} in clear`, HINT);
}

/** Warns of secrets in a list or a map that a key, or a text next to or before them, names. */
export function reportNamedSecrets(scope: BindScope, node: ListNode | MapNode): void {
  const values = node.form === 'list' ? node.items : node.entries.map(({ value }) => value);
  const texts = values.map((value) => (value.form === 'scalar' ? value.source : ''));
  const keys = node.form === 'list' ? values.map((_, index) => String(index)) : node.entries.map(({ key }) => key);
  // Most lists and maps have no name of a secret, whose last characters decide: they are not copied.
  if (![...texts, ...keys].some((text) => SECRET_NAME.test(text.slice(-20)))) return;
  const plain = values.map((value) => (value.form === 'scalar' ? value.value : value.form === 'list' ? [] : {}));
  const secretUnder = namedSecretsOf(
    node.form === 'list' ? plain : Object.fromEntries(keys.map((key, index) => [key, plain[index]])),
    SURE_NAMES,
  );
  values.forEach((value, index) => {
    if (value.form !== 'scalar' || isMasked(value) || !isClearSecret(value.value)) return;
    const name = secretUnder(keys[index] ?? '');
    if (name === undefined) return;
    scope.report.hide(value.at);
    const message = `the value of "${nameInOption(name)}" is in clear text in the file`;
    scope.report.warning(value, 'secret-in-file', message, HINT);
  });
}

/** Warns about a readable variable whose name says that it is a secret. */
export function reportReadableVariable(scope: BindScope, { key }: Entry, place: Node, value: Value): void {
  if (!SECRET_NAME.test(key) || isFailed(value)) return;
  if (isExpression(value)) {
    const hint = 'declare the configuration with "secret: true", or write { fn::secret: … }';
    scope.report.warning(
      place,
      'readable-variable',
      `"${key}" is readable, although its name says it is a secret`,
      hint,
    );
  } else if (isClearSecret(value))
    scope.report.warning(place, 'secret-in-file', `"${key}" has its value in clear text in the file`, HINT);
}

interface Read {
  readonly kind: Kind;
  readonly args: { readonly [name: string]: Value };
  readonly entries: { readonly [name: string]: Entry };
  readonly own: Placed;
}

/** Whether a value is declared secret, or made of secret configuration or arguments. */
export function isSecretValue(scope: BindScope, value: Value): boolean {
  if (holdsSecret(value)) return true;
  return referencesIn(value).some((reference) => {
    if (reference.target.of !== 'name') return false;
    const [first, name] = reference.steps;
    if (first === 'config') return scope.secretConfig?.has(String(name)) === true;
    const last = String(reference.steps.at(-1));
    return camelCase(last) === 'encryptedValue' || SECRET_WORD.test(last);
  });
}

/**
 * Warns of every secret in an argument that the service keeps readable. `spread`: entries next to
 * the fields that belong into the open map; `kept`: places in the arguments that are kept as
 * secrets already.
 */
export function reportReadableSecrets(
  scope: BindScope,
  { kind, args, entries, own }: Read,
  spread: readonly Entry[],
  kept: readonly Steps[],
): void {
  const open = openName(kind);
  if (!holdsExpression(args)) return;
  for (const [name, value] of Object.entries(args)) {
    if (!isSecretValue(scope, value)) continue;
    const inputs = Object.fromEntries(Object.entries(args).map(([each, given]) => [each, checkable(given)]));
    const places: readonly (readonly [readonly string[], Value, Placed])[] =
      name === open && !isExpression(value) && typeof value === 'object' && value !== null
        ? Object.entries(value as { readonly [name: string]: Value }).map(([entry, inner]) => [
            [name, entry],
            inner,
            spread.find(({ key }) => key === entry) ?? entries[name] ?? own,
          ])
        : [[[name], value, entries[name] ?? own]];
    for (const [path, inner, place] of places) {
      if (kept.some((steps) => steps.join('.') === path.join('.')) || !isSecretValue(scope, inner)) continue;
      const finding = readableSecret(kind, path, inputs);
      if (finding) scope.report.add(finding, place);
    }
  }
}
