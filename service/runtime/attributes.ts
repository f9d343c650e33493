// Sent attributes against the rules of their class: what a new record holds, what an update writes,
// and every reason to refuse (service-facts §2.1.3).
import type * as z from 'zod';
import {
  type attachmentBody,
  attributeFault,
  type AttributeMetadata,
  type ClassMetadata,
  defaultAttributes,
  type DialectRules,
  ENCRYPTED,
  type Expectation,
  expectationFault,
  expectationWords,
  holdsReference,
  type SentRecord,
  withoutPrototype,
} from '../../api/contract';
import type { Catalogue } from '../catalogue';
import { refused } from './handler';
import { isSameSecret, seal } from './secrets';
import type { AttributeLocks, Values } from '../store';

/** Attributes as a body carries them. */
export type SentAttributes = { readonly [name: string]: string | number | boolean | null };

const asText = (value: string | number | boolean | null): string => (value === null ? '' : String(value));

/** A rule whose expectation counts as well. */
interface EnforcedRule extends AttributeMetadata {
  readonly enforced?: Expectation;
}

/** Why a value is not what an enforced expectation says. */
function expectedOf(name: string, { description, enforced }: EnforcedRule, text: string): string | undefined {
  if (enforced === undefined || holdsReference(text) || expectationFault(enforced, text) === undefined)
    return undefined;
  return `${description === '' ? name : description} [${name}] must be ${expectationWords(enforced)}`;
}

/** Every reason to refuse one attribute; never its value, which may be a secret. */
function faultOf(name: string, rule: EnforcedRule, sent: string | number | boolean | null): string | undefined {
  const says = rule.description === '' ? name : rule.description;
  const blank = `${says} [${name}] must be present`;
  // Numbers and booleans are looked at before they become text (service-facts §2.1.3).
  if (sent === false && rule.required) return blank;
  if (typeof sent === 'number' && rule.pattern !== undefined) return `${says} [${name}] must be sent as text`;
  switch (attributeFault(rule, asText(sent))) {
    case 'blank':
      return blank;
    case 'unparsable':
      return `${says} [${name}] must be the JSON text of ${rule.dataType === 'array' ? 'an array' : 'an object'}`;
    case 'mismatch':
      return `${says} [${name}] has a form that is not allowed: it must match ${rule.pattern ?? ''}`;
    case undefined:
      return expectedOf(name, rule, asText(sent));
  }
}

/** Throws a RefusedRequest (422) for attributes that a class does not have. */
function checkKnown(metadata: ClassMetadata, className: string, sent: SentAttributes): void {
  const unknown = Object.keys(sent).filter((name) => metadata.attributes[name] === undefined);
  if (unknown.length > 0)
    throw refused(...unknown.map((name) => `attribute ${name} is not defined for class ${className} (400)`));
}

/** Metadata of a class the service itself works with. Throws where a catalogue lacks it. */
export function knownClass(catalogue: Catalogue, className: string): ClassMetadata {
  const metadata = catalogue.classMetadata(className);
  if (metadata === undefined) throw new Error(`the catalogue has no class ${className}`);
  return metadata;
}

/** Classes of records whose values the API's documentation describes. */
const DESCRIBED = /\.(Environment|Platform|Attachment)$/;

/** Attributes that are part of paths, so that none may be blank. */
const IN_PATHS: readonly string[] = ['major_version'];

/** Metadata of a class as a dialect enforces it: with expectations, where values are checked. */
export function enforcedClass(
  { catalogue, rules }: { readonly catalogue: Catalogue; readonly rules: Pick<DialectRules, 'valuesChecked'> },
  className: string,
): ClassMetadata {
  const metadata = knownClass(catalogue, className);
  if (!rules.valuesChecked || !DESCRIBED.test(className)) return metadata;
  return withRules(metadata, (name, rule) =>
    rule.expects === undefined
      ? rule
      : { ...rule, enforced: rule.expects, required: rule.required || IN_PATHS.includes(name) },
  );
}

/** Class metadata with other rules. */
function withRules(
  metadata: ClassMetadata,
  ruleOf: (name: string, rule: AttributeMetadata) => EnforcedRule,
): ClassMetadata {
  const rules = Object.entries(metadata.attributes).map(([name, rule]) => [name, ruleOf(name, rule)] as const);
  return { ...metadata, attributes: withoutPrototype(rules) };
}

/** The required attributes of a body. Throws a RefusedRequest (422) where a dialect asks. */
export function requiredAttributes<T extends object>(
  rules: Pick<DialectRules, 'valuesChecked'>,
  wrapper: 'cms_ci' | 'cms_dj_ci',
  sent: T | undefined,
): T | undefined {
  if (rules.valuesChecked && sent === undefined) throw refused(`${wrapper}.ciAttributes must be present`);
  return sent;
}

/** A record as it was sent, whose hashes may be such instead of their JSON text. */
type SentWithHashes = z.output<typeof attachmentBody>['cms_dj_ci'];

/** The same with the JSON text of each hash. Throws a RefusedRequest (422). */
export function withTexts(
  { catalogue, rules }: { readonly catalogue: Catalogue; readonly rules: Pick<DialectRules, 'valuesChecked'> },
  className: string,
  { ciAttributes: sent, ...record }: SentWithHashes,
): SentRecord {
  if (sent === undefined) return record;
  const { attributes } = knownClass(catalogue, className);
  const texts = Object.entries(sent).map(([name, value]): [string, SentAttributes[string]] => {
    if (typeof value !== 'object' || value === null) return [name, value];
    if (!rules.valuesChecked || attributes[name]?.dataType !== 'hash')
      throw refused(`cms_dj_ci.ciAttributes.${name}: a text is needed, not a hash`);
    return [name, JSON.stringify(value)];
  });
  return { ...record, ciAttributes: Object.fromEntries(texts) };
}

/** Class metadata with some attributes no longer required: what a dialect does not ask for. */
export const relaxed = (metadata: ClassMetadata, names: readonly string[]): ClassMetadata =>
  withRules(metadata, (name, rule) => (names.includes(name) ? { ...rule, required: false } : rule));

/** Rules for attachments; a dialect may require path, events and priority (dialect row 7). */
export function attachmentMetadata(
  context: {
    readonly catalogue: Catalogue;
    readonly rules: Pick<DialectRules, 'valuesChecked' | 'attachmentFieldsRequired'>;
  },
  className: string,
): ClassMetadata {
  const metadata = enforcedClass(context, className);
  return context.rules.attachmentFieldsRequired ? metadata : relaxed(metadata, ['path', 'run_on', 'priority']);
}

/**
 * All attributes of a new record: class defaults with the sent ones over them, secrets sealed.
 * Throws a RefusedRequest (422) with one message for each unknown, blank, unparsable or mismatching
 * attribute.
 */
export function newValues(metadata: ClassMetadata, className: string, sent: SentAttributes): Values {
  checkKnown(metadata, className, sent);
  const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asText(value)]));
  const values = defaultAttributes(metadata, texts);
  const faults = Object.entries(metadata.attributes).flatMap(([name, rule]) => {
    const given = Object.hasOwn(sent, name) ? (sent[name] ?? null) : (values[name] ?? '');
    if (rule.encrypted && given === ENCRYPTED) return [`attribute ${name} needs its value, not ${ENCRYPTED} (400)`];
    return faultOf(name, rule, given) ?? [];
  });
  if (faults.length > 0) throw refused(...faults);
  return sealedValues(metadata, values);
}

/** The same values with sealed secrets. */
export function sealedValues(metadata: ClassMetadata, values: { readonly [name: string]: string }): Values {
  const sealed = Object.entries(values).map(([name, value]) => [
    name,
    metadata.attributes[name]?.encrypted === true ? seal(value) : value,
  ]);
  return Object.fromEntries(sealed) as Values;
}

/** The sent attributes of an update, checked and sealed. Throws a RefusedRequest (422). */
export function patchValues(metadata: ClassMetadata, className: string, current: Values, sent: SentAttributes): Values {
  checkKnown(metadata, className, sent);
  const faults = Object.entries(sent).flatMap(([name, value]) => {
    const rule = metadata.attributes[name];
    return rule === undefined || (rule.encrypted && value === ENCRYPTED) ? [] : (faultOf(name, rule, value) ?? []);
  });
  if (faults.length > 0) throw refused(...faults);
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const text = asText(value);
      if (metadata.attributes[name]?.encrypted !== true) return [[name, text]];
      return isSameSecret(current[name] ?? '', text) ? [] : [[name, seal(text)]];
    }),
  );
}

/** A body's owners, without empty ones; undefined: it keeps them (service-facts §2.1.5). */
export function sentOwners(properties: SentRecord['ciAttrProps']): AttributeLocks | undefined {
  if (properties === null || properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(properties.owner ?? {}).flatMap(([name, owner]) =>
      owner === null || owner === '' ? [] : [[name, owner] as const],
    ),
  );
}
