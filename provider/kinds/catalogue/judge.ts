// Compares the arguments of a resource with a catalogue, for programs, stack files and every face.
import { firstNamed } from '../../../api/errors';
import {
  attributeFault,
  type AttributeMetadata,
  type ClassMetadata,
  classMetadata,
  componentClass,
  type Diagnostic,
  expectationFault,
  expectationWords,
  holdsReference,
  type KnownPack,
  knownPacks,
  problem,
  registeredClass,
  serviceTemplateClass,
  warning,
} from '../../../api/contract';
import type { Kind } from '../../kind';
import { asUsed } from '../../lifecycle/refer';
import { atLevel, type CatalogueLevel } from '../../session/settings';
import { nearest } from '../../values/text';
import { asMap, oncePer, holdsUnknown, isPlainObject, UNKNOWN, valueIn, type Values } from '../../values/plain';
import { type KnownCatalogue, PACKAGED } from './known';

interface Surroundings {
  readonly level: CatalogueLevel;
  /** Arguments of the record it is in, where they are known. */
  readonly parent?: Values | undefined;
  /** Default: the packaged catalogue. */
  readonly known?: KnownCatalogue | undefined;
}

/**
 * Findings of a catalogue about a resource's arguments; none for another stack's records. Unknown
 * values pass. No message contains a value of an argument: it may be a secret.
 */
export function judge(
  of: Kind,
  inputs: Values,
  { level, parent, known = PACKAGED }: Surroundings,
): readonly Diagnostic[] {
  if (level === 'off') return [];
  const used = asUsed(of, inputs);
  if (used.judge === undefined) return [];
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  const all = used.judge(Object.fromEntries(given), parent, known);
  const findings = all.filter((finding) => !concernsUnknown(finding, inputs));
  return atLevel(level, findings);
}

const concernsUnknown = ({ path }: Diagnostic, inputs: Values): boolean => {
  const value = valueIn(inputs, path.map(String));
  return value !== undefined && holdsUnknown(value);
};

/** An argument as text; undefined when it is not known, or is nothing of the kind. */
function knownText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && !value.includes(UNKNOWN) ? value : undefined;
}

// Packs, versions and templates that a catalogue lacks. A live service may have others, so these
// are warnings. In the service's own catalogue, a name beside a known one is an error, and so is a
// template that a known pack lacks.

const SEE = 'see pulumi-oneops packs';

const OWN = 'set oneops:catalogue to off if the service has other packs';

/** The first of source, name and version of a pack that is not known. */
export function judgePack(args: Values, _: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const [source, name, version] = identityOf(args);
  if (source === undefined || name === undefined) return [];
  const ofSource = known.packs.filter((pack) => pack.source === source);
  if (ofSource.length === 0) {
    const sources = known.packs.map((pack) => pack.source);
    return [unknown(known, 'pack', ['source'], { subject: `pack source "${source}"`, ...hintFor(source, sources) })];
  }
  const ofName = ofSource.filter((pack) => pack.name === name);
  if (ofName.length === 0) {
    const names = ofSource.map((pack) => pack.name);
    return [unknown(known, 'pack', ['pack'], { subject: `pack "${source}/${name}"`, ...hintFor(name, names) })];
  }
  if (version === undefined || ofName.some((pack) => pack.version === version)) return [];
  const versions = ofName.map((pack) => pack.version);
  const subject = `version "${version}" of pack ${source}/${name}`;
  return [unknown(known, 'version', ['version'], { subject, hint: knownWords(versions) })];
}

/** Asked for every component. */
const hasTemplates: (pack: KnownPack) => boolean = oncePer(({ templates }) => Object.keys(templates).length > 0);

/** Source, name and version of a platform's pack, as far as they are known. */
const identityOf = (platform: Values | undefined): readonly (string | undefined)[] =>
  ['source', 'pack', 'version'].map((argument) => knownText(platform?.[argument]));

function knownPackOf(platform: Values | undefined, known: KnownCatalogue): KnownPack | undefined {
  const [source, name, version] = identityOf(platform);
  const found = known.packs.find((pack) => pack.source === source && pack.name === name && pack.version === version);
  return found !== undefined && hasTemplates(found) ? found : undefined;
}

/** Whether the catalogue lacks a platform's pack: nothing is known of its templates then. */
const isForeignPack = (platform: Values | undefined, known: KnownCatalogue): boolean =>
  !identityOf(platform).includes(undefined) && knownPackOf(platform, known) === undefined;

/** Findings about the template of a component. Without a known pack, any known template passes. */
function judgeTemplate(args: Values, platform: Values | undefined, catalogue: KnownCatalogue): Diagnostic[] {
  const template = knownText(args['type']);
  if (template === undefined || isForeignPack(platform, catalogue)) return [];
  const pack = knownPackOf(platform, catalogue);
  const packs = pack === undefined ? catalogue.packs : [pack];
  if (packs.some(({ templates }) => templates[template]?.design)) return [];
  const known = [...new Set(packs.flatMap(designTemplates))];
  const subject = `template "${template}" of ${pack === undefined ? 'any pack' : `pack ${identity(pack)}`}`;
  const see = pack === undefined ? SEE : `${SEE} ${pack.name}`;
  if (packs.some((each) => each.templates[template] !== undefined)) {
    const message = `${subject} is made in environments, not in a design`;
    return [warning('unknown-template', ['type'], message, `leave the component out; ${see}`)];
  }
  const near = nearest(template, known);
  const other = [...catalogue.packs, ...knownPacks].find((each) => each.templates[template]?.design);
  const { type, template: named, ...attributes } = asMap(args['attributes']);
  const alike = [type, named, ...packs.flatMap((each) => templatesWith(each, attributes, catalogue))]
    .map(String)
    .find((name) => known.includes(name));
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : other !== undefined
        ? `pack ${identity(other)} has it, and a platform has one pack: declare another platform`
        : alike !== undefined
          ? `declare it below template "${alike}": ${alike}: { ${template}: { … } }`
          : see;
  return [
    unknown(catalogue, 'template', ['type'], { subject, hint, isCertain: pack !== undefined || near !== undefined }),
  ];
}

const identity = ({ source, name, version }: KnownPack): string => `${source}/${name}:${version}`;

const designTemplates = ({ templates }: KnownPack): readonly string[] =>
  Object.keys(templates).filter((name) => templates[name]?.design);

/** Templates of a pack whose class has every one of some attributes; none for no attributes. */
function templatesWith(pack: KnownPack, attributes: Values, { classMetadata }: KnownCatalogue): readonly string[] {
  const names = Object.keys(attributes);
  if (names.length === 0) return [];
  return designTemplates(pack).filter((template) => {
    const known = componentClass(pack.templates[template]?.class, classMetadata)?.attributes;
    return known !== undefined && names.every((name) => known[name] !== undefined);
  });
}

const unknown = (
  { says, isOfService }: KnownCatalogue,
  what: string,
  path: readonly string[],
  { subject, hint, isCertain = false }: Unknown,
): Diagnostic =>
  (isOfService && isCertain ? problem : warning)(`unknown-${what}`, path, `${subject} is not in ${says}`, hint);

/** What is not in a catalogue, and what to do; `isCertain`: the service lacks it, too. */
interface Unknown {
  readonly subject: string;
  readonly hint: string;
  readonly isCertain?: boolean;
}

function hintFor(word: string, known: readonly string[]): Pick<Unknown, 'hint' | 'isCertain'> {
  const near = nearest(word, known);
  return near === undefined ? { hint: knownWords(known) } : { hint: `did you mean "${near}"?`, isCertain: true };
}

function knownWords(known: readonly string[]): string {
  const names = [...new Set(known)];
  return `${names.length === 1 ? 'the only known one is' : 'known are'} ${names.join(', ')}; ${SEE}; ${OWN}`;
}

// Whether a component's attributes are those of its class, with values that the class takes.

type Judging = Pick<KnownCatalogue, 'says' | 'isOfService' | 'isEmbedded'>;

const FORMS = { text: 'text', hash: 'a map', array: 'a list' } as const;

/** How many known names a finding lists when none is near. */
const LISTED = 12;

/** Findings about attributes, each at `[name]`. */
export function judgeAttributes(metadata: ClassMetadata, attributes: Values, known: Judging = PACKAGED): Diagnostic[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const attribute = metadata.attributes[name];
    const finding =
      attribute === undefined
        ? unknownAttribute(metadata, name, value, known.says)
        : judgeValue(name, attribute, value, known);
    return finding === undefined ? [] : [finding];
  });
}

/** The catalogue may be older than the service: only a likely mistake is an error. */
function unknownAttribute(metadata: ClassMetadata, name: string, value: unknown, says: string): Diagnostic {
  const known = Object.keys(metadata.attributes);
  const near = nearest(name, known);
  const message = `${metadata.name} has no attribute "${name}"`;
  if (near !== undefined) return problem('unknown-attribute', [name], message, `did you mean "${near}"?`);
  if (isPlainObject(value)) {
    const hint = 'a component of that name belongs below its template, not next to attributes';
    return problem('unknown-attribute', [name], message, hint);
  }
  const hint = `known are ${firstNamed(known, LISTED)}`;
  return warning('unknown-attribute', [name], `${message} that ${says} knows; it is sent as it is`, hint);
}

/** A list is advice, except in the embedded service; types count with a service's own catalogue. */
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

/** Required attributes for which the templates of services have values. */
const OF_TEMPLATES: readonly string[] = ['location', 'region', 'path', 'mirrors', 'servers'];

/** Findings about a service at `attributes.NAME`; none where its template is not known. */
export function judgeCloudService(args: Values): Diagnostic[] {
  const className = serviceTemplateClass(knownText(args['name']) ?? '');
  const metadata = className === undefined ? undefined : classMetadata(registeredClass('cloud.service', className));
  const needs = Object.entries(metadata?.attributes ?? {}).flatMap(([name, { required, default: text }]) =>
    required && text === '' && !OF_TEMPLATES.includes(name) ? [name] : [],
  );
  return [...judgeOpen(metadata, args['attributes']), ...missing(args, metadata, needs, warning)];
}

/** Findings about the attributes of a record, each at `attributes.NAME`. */
const judgeOpen = (metadata: ClassMetadata | undefined, attributes: unknown, known?: KnownCatalogue): Diagnostic[] =>
  metadata === undefined || !isPlainObject(attributes)
    ? []
    : judgeAttributes(metadata, attributes, known).map((finding) => ({
        ...finding,
        path: ['attributes', ...finding.path],
      }));

// What a catalogue knows of a component: its template and the attributes of its class.

/** Findings about a component: its template, and each of its attributes at `attributes.NAME`. */
export function judgeComponent(args: Values, platform: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const metadata = classOf(args, platform, known);
  const { attributes } = args;
  const placed = judgeOpen(metadata, attributes, known);
  // A pack that the catalogue lacks may make another class from a template of the same name.
  const certain = isForeignPack(platform, known)
    ? placed.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : placed;
  return [...judgeTemplate(args, platform, known), ...certain, ...missingAttributes(args, platform, known)];
}

/** Attributes that a component must be given. */
function missingAttributes(args: Values, platform: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const template = knownPackOf(platform, known)?.templates[knownText(args['type']) ?? ''];
  if (template === undefined || !template.constraint.startsWith('0')) return [];
  const metadata = componentClass(template.class, known.classMetadata);
  return missing(args, metadata, template.needs, known.isOfService ? problem : warning);
}

/** Those of the needed attributes that are not given. An existing record has them already. */
function missing(
  { attributes = {}, adopt }: Values,
  metadata: ClassMetadata | undefined,
  needs: readonly string[],
  report: typeof warning,
): Diagnostic[] {
  if (!isPlainObject(attributes) || adopt === true || holdsUnknown(adopt)) return [];
  const names = Object.keys(metadata?.attributes ?? {});
  // A required attribute that is only misspelt is not missing.
  const meant = Object.keys(attributes).flatMap((name) => (names.includes(name) ? [] : (nearest(name, names) ?? [])));
  return needs
    .filter((name) => !meant.includes(name) && (attributes[name] === undefined || attributes[name] === null))
    .map((name) => report('required', ['attributes', name], `"${name}" is required`, `${name}: …`));
}

/** The class that the template makes in the platform's pack, or else in every pack. */
function classOf(args: Values, platform: Values | undefined, known: KnownCatalogue): ClassMetadata | undefined {
  const template = knownText(args['type']);
  if (template === undefined) return undefined;
  const name =
    knownPackOf(platform, known)?.templates[template]?.class ??
    known.templateClass(template, knownText(platform?.['pack']));
  return componentClass(name, known.classMetadata);
}
