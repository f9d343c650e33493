// The attributes of a component, by what the catalogue knows of its class.
// It must not know components, platforms or how a class was found.
import { attributeFault, type AttributeMetadata, type ClassMetadata } from '../../api/contract';
import { nearest } from '../../provider';
import { SECRET_WORD } from '../findings/finding';
import { isNull, type Entry } from '../reader/tree';
import { holdsExpression, type Steps } from '../values/value';
import { formOf, type Scope } from './scope';
import { bindValue, hideSecret, type Draft } from './values';

/** Attributes by name, and which of them are secret. */
export interface BoundAttributes {
  readonly attributes: { readonly [name: string]: Draft };
  readonly secrets: readonly Steps[];
}

const FORMS = { text: 'text', hash: 'a map', array: 'a list' } as const;

/** How many known names a finding lists when none is near. */
const LISTED = 12;

/** Binds attributes. A class the catalogue does not hold takes any; words that look like secrets are then kept as secrets. */
export function bindAttributes(
  scope: Scope,
  entries: readonly Entry[],
  metadata: ClassMetadata | undefined,
  ours: readonly string[],
): BoundAttributes {
  const bound = entries.map((entry): readonly [string, Draft | undefined, boolean] => {
    const attribute = metadata?.attributes[entry.key];
    if (metadata && !attribute) {
      tellUnknown(scope, entry, metadata, ours);
      return [entry.key, undefined, false];
    }
    const secret = attribute ? attribute.encrypted : SECRET_WORD.test(entry.key) && entry.value.form === 'scalar';
    const value = attribute
      ? bindKnown(scope, entry, attribute)
      : bindValue(scope, entry.value, { type: 'open' }, secret);
    return [entry.key, value, secret];
  });
  const given = bound.filter((each): each is readonly [string, Draft, boolean] => each[1] !== undefined);
  return {
    attributes: Object.fromEntries(given.map(([name, value]) => [name, value])),
    secrets: given.filter(([, , secret]) => secret).map(([name]) => [name]),
  };
}

function bindKnown(scope: Scope, entry: Entry, attribute: AttributeMetadata): Draft | undefined {
  const { value: node } = entry;
  const { encrypted, dataType, pattern } = attribute;
  const value = bindValue(scope, node, { type: 'open' }, encrypted);
  if (value === undefined || holdsExpression(value)) return value;
  const structured = typeof value === 'object';
  if (dataType === 'text' && structured) {
    scope.report.error(
      node,
      'wrong-type',
      `must be text, not ${formOf(node)}`,
      'a text attribute takes structured values as JSON text',
    );
    return value;
  }
  const fault = attributeFault(attribute, structured || typeof value !== 'string' ? JSON.stringify(value) : value);
  const shown = encrypted || structured ? '' : `, not ${JSON.stringify(value)}`;
  if (fault === 'blank') scope.report.error(node, 'required', `"${entry.key}" cannot be empty`);
  else if (fault === 'unparsable') scope.report.error(node, 'wrong-type', `must be ${FORMS[dataType]}${shown}`);
  else if (fault === 'mismatch') scope.report.error(node, 'bad-format', `must look like ${pattern ?? ''}${shown}`);
  return value;
}

function tellUnknown(scope: Scope, entry: Entry, metadata: ClassMetadata, ours: readonly string[]): void {
  const known = [...Object.keys(metadata.attributes), ...ours];
  const near = nearest(entry.key, known);
  if (!isNull(entry.value) && near !== undefined && metadata.attributes[near]?.encrypted)
    hideSecret(scope, entry.value);
  const listed =
    known.length > LISTED ? `${known.slice(0, LISTED).join(', ')} and ${known.length - LISTED} more` : known.join(', ');
  const hint =
    entry.value.form === 'map'
      ? `a component of that name stands below its template, not beside attributes`
      : `known are ${listed}`;
  const message = `${metadata.name} has no attribute "${entry.key}"`;
  if (near === undefined && entry.value.form !== 'map') {
    // What the catalogue knows of a class may be older than the service: only what looks like a mistake is one.
    scope.report.warning(entry, 'unknown-attribute', `${message} that we know of; it is sent as it is`, hint);
    return;
  }
  scope.report.error(entry, 'unknown-attribute', message, near ? `did you mean "${near}"?` : hint);
}
