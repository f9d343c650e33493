// The attributes of a component as values: which of them are secret, and what to do with names its class does not have.
// It must not know components, platforms or how a class was found; whether values are right is the catalogue's to judge.
import type { ClassMetadata } from '../../api/contract';
import { nearest, SECRET_WORD } from '../../provider';
import { isNull, type Entry } from '../reader/tree';
import type { Steps } from '../values/value';
import { reportSecretInFile } from './clear-secrets';
import type { Draft } from './draft';
import type { BindScope } from './scope';
import { bindValue, hideSecret } from './values';

/** Attributes by name, and which of them are secret. */
interface BoundAttributes {
  readonly attributes: { readonly [name: string]: Draft };
  readonly secrets: readonly Steps[];
}

/**
 * Binds attributes. Of a class the catalogue does not hold, words that look like secrets are kept as secrets. `ours`: words that are next to
 * attributes; what looks like one of them is reported and left out.
 */
export function bindAttributes(
  scope: BindScope,
  entries: readonly Entry[],
  metadata: ClassMetadata | undefined,
  ours: readonly string[],
): BoundAttributes {
  const bound = entries.map((entry): readonly [string, Draft | undefined, boolean] => {
    const attribute = metadata?.attributes[entry.key];
    if (metadata && !attribute && isMisspelt(scope, entry, metadata, ours)) return [entry.key, undefined, false];
    const looksSecret = SECRET_WORD.test(entry.key) && entry.value.form === 'scalar';
    const secret = attribute ? attribute.encrypted : looksSecret;
    if (secret && (attribute || !metadata)) reportSecretInFile(scope, entry);
    return [entry.key, bindValue(scope, entry.value, { type: 'open' }, secret), secret];
  });
  const given = bound.filter((each): each is readonly [string, Draft, boolean] => each[1] !== undefined);
  return {
    attributes: Object.fromEntries(given.map(([name, value]) => [name, value])),
    secrets: given.filter(([, , secret]) => secret).map(([name]) => [name]),
  };
}

/** Whether a name was meant to be a word of ours, which is reported. A misspelt secret is hidden: it is one still. */
function isMisspelt(scope: BindScope, entry: Entry, metadata: ClassMetadata, ours: readonly string[]): boolean {
  const near = nearest(entry.key, [...Object.keys(metadata.attributes), ...ours]);
  if (near === undefined) return false;
  if (!isNull(entry.value) && metadata.attributes[near]?.encrypted) hideSecret(scope, entry.value);
  if (!ours.includes(near)) return false;
  const message = `${metadata.name} has no attribute "${entry.key}"`;
  scope.report.error(entry, 'unknown-attribute', message, `did you mean "${near}"?`);
  scope.report.misspelt(entry, near);
  return true;
}
