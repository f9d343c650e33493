// Whether attributes of a component are those of its class, with values that the class takes.
// It must not know packs, nor how findings are shown. No message contains a value: any of them may be a secret.
import {
  attributeFault,
  expectationFault,
  expectationWords,
  holdsReference,
  problem,
  warning,
  type AttributeMetadata,
  type ClassMetadata,
  type Diagnostic,
} from '../../api/contract';
import { nearest } from '../values/nearest';
import { isPlainObject } from '../values/plain-object';
import { holdsUnknown } from '../values/unknown';
import { PACKAGED, type KnownCatalogue } from './known';

type Judging = Pick<KnownCatalogue, 'says' | 'isOfService' | 'isEmbedded'>;

const FORMS = { text: 'text', hash: 'a map', array: 'a list' } as const;

/** How many known names a finding lists when none is near. */
const LISTED = 12;

/** Findings about the attributes of a component of a class, each at `[name]`. `others`: words that are next to attributes, for hints. `known`: the catalogue that describes the class. */
export function judgeAttributes(
  metadata: ClassMetadata,
  attributes: { readonly [name: string]: unknown },
  others: readonly string[] = [],
  known: Judging = PACKAGED,
): Diagnostic[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const attribute = metadata.attributes[name];
    const finding =
      attribute === undefined
        ? unknownAttribute(metadata, name, value, { others, says: known.says })
        : judgeValue(name, attribute, value, known);
    return finding === undefined ? [] : [finding];
  });
}

/** What the catalogue knows of a class may be older than the service: only a name that looks like a mistake is an error. */
function unknownAttribute(
  metadata: ClassMetadata,
  name: string,
  value: unknown,
  { others, says }: { readonly others: readonly string[]; readonly says: string },
): Diagnostic {
  const known = [...Object.keys(metadata.attributes), ...others];
  const near = nearest(name, known);
  const message = `${metadata.name} has no attribute "${name}"`;
  if (near !== undefined) return problem('unknown-attribute', [name], message, `did you mean "${near}"?`);
  if (isPlainObject(value)) {
    const hint = 'a component of that name belongs below its template, not next to attributes';
    return problem('unknown-attribute', [name], message, hint);
  }
  const more = known.length > LISTED ? ` and ${known.length - LISTED} more` : '';
  const hint = `known are ${known.slice(0, LISTED).join(', ')}${more}`;
  return warning('unknown-attribute', [name], `${message} that ${says} knows; it is sent as it is`, hint);
}

/** A list is advice everywhere but in the embedded service; a number or a truth value is one wherever the catalogue is the service's own. */
function judgeValue(
  name: string,
  attribute: AttributeMetadata,
  value: unknown,
  { isOfService, isEmbedded }: Judging,
): Diagnostic | undefined {
  if (value === undefined || value === null || holdsUnknown(value)) return undefined;
  if (typeof value === 'string' && holdsReference(value)) return undefined;
  const { dataType, expects } = attribute;
  const isStructured = typeof value === 'object';
  if (dataType === 'text' && isStructured) {
    const form = Array.isArray(value) ? 'a list' : 'a map';
    const hint = 'a text attribute takes structured values as JSON text';
    return problem('wrong-type', [name], `"${name}" must be text, not ${form}`, hint);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const fault = attributeFault(attribute, text);
  if (fault === 'blank') return problem('required', [name], `"${name}" cannot be empty`);
  if (fault === 'unparsable') return problem('wrong-type', [name], `"${name}" must be ${FORMS[dataType]}`);
  if (fault === 'mismatch') return problem('bad-format', [name], `"${name}" must be ${patternWords(attribute)}`);
  const unexpected = expects === undefined ? undefined : expectationFault(expects, text);
  if (expects === undefined || unexpected === undefined) return undefined;
  const near = nearest(text, attribute.encrypted ? [] : (expects.allowed ?? []));
  const hint = near === undefined ? undefined : `did you mean "${near}"?`;
  const isCertain = unexpected === 'not-allowed' ? isEmbedded : isOfService;
  return (isCertain ? problem : warning)(unexpected, [name], `"${name}" must be ${expectationWords(expects)}`, hint);
}

/** A pattern in words; an own class of somebody's has none. */
const patternWords = ({ says, pattern = '' }: AttributeMetadata): string => says ?? `of the form ${pattern}`;
