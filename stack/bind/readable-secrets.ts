// Which values of a file are secret, and warnings about those that are where the service keeps them readable.
// It must not know which kinds there are.
import { camelCase, openName, readableSecret, type Kind, SECRET_WORD } from '../../provider';
import type { Entry, Placed } from '../reader/tree';
import {
  holdsExpression,
  holdsSecret,
  isExpression,
  referencesIn,
  type Mention,
  type Reference,
  type Steps,
} from '../values/value';
import { checkable, type Draft } from './draft';
import type { BindScope } from './scope';

/** A resource as far as its values are read. */
interface Read {
  readonly kind: Kind;
  readonly args: { readonly [name: string]: Draft };
  readonly entries: { readonly [name: string]: Entry };
  readonly own: Placed;
}

/** Whether a value is declared secret, or made of something that is: configuration, a secret argument of another resource. */
export function isSecretValue(scope: BindScope, value: Draft): boolean {
  if (holdsSecret<Mention | Reference>(value)) return true;
  return referencesIn<Mention | Reference>(value).some((reference) => {
    if (!('steps' in reference) || 'target' in reference) return false;
    const [first, name] = reference.steps;
    if (first === 'config') return scope.secretConfig?.has(String(name)) === true;
    const last = String(reference.steps.at(-1));
    return camelCase(last) === 'encryptedValue' || SECRET_WORD.test(last);
  });
}

/**
 * Warns of every secret in an argument that the service keeps readable. `spread`: entries next to the fields that belong into the open map; `kept`:
 * places in the arguments that are kept as secrets already.
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
    const places: readonly (readonly [readonly string[], Draft, Placed])[] =
      name === open && !isExpression(value) && typeof value === 'object' && value !== null
        ? Object.entries(value as { readonly [name: string]: Draft }).map(([entry, inner]) => [
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
