// Classes and relations: attributes with defaults and rules, actions (service-facts §2, §12.4).
import cloudServices from './cloud-services.json';
import machineComponents from './components-machine.json';
import softwareComponents from './components-software.json';
import records from './records.json';
import relations from './relations.json';

/** Expectations of a value. The service stores others; a deployment fails on or ignores them. */
export interface Expectation {
  readonly type?: 'boolean' | 'integer';
  /** Smallest and largest integer, both allowed. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only values there are. */
  readonly allowed?: readonly string[];
  /** Matches the whole text; `says` completes the sentence "must be …". */
  readonly pattern?: string;
  readonly says?: string;
}

/** Why a value is not as expected, as a code of a finding. */
type ExpectationFault = 'wrong-type' | 'out-of-range' | 'not-allowed' | 'bad-format';

const BOOLEANS: readonly string[] = ['true', 'false'];

/** Why a text is not as expected. A blank text leaves the choice to the service. */
export function expectationFault(expectation: Expectation, text: string): ExpectationFault | undefined {
  const { type, minimum = -Infinity, maximum = Infinity, allowed, pattern } = expectation;
  if (text.trim() === '') return undefined;
  if (type === 'boolean' && !BOOLEANS.includes(text)) return 'wrong-type';
  if (type === 'integer') {
    if (!/^-?\d+$/.test(text)) return 'wrong-type';
    if (Number(text) < minimum || Number(text) > maximum) return 'out-of-range';
  }
  if (allowed !== undefined && !allowed.includes(text)) return 'not-allowed';
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return 'bad-format';
  return undefined;
}

/** How many allowed values a sentence lists in full. */
const LISTED = 12;

/** An expectation in words that complete the sentence "must be …". */
export function expectationWords({ type, minimum, maximum, allowed, says }: Expectation): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `a whole number${rangeWords(minimum, maximum)}`;
  if (says !== undefined) return says;
  const words = allowed ?? [];
  const more = words.length > LISTED ? ` and ${words.length - LISTED} more` : '';
  return `one of ${words.slice(0, LISTED).join(', ')}${more}`;
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
}

/** `hash` and `array` values are JSON text of that shape (service-facts §2.1.3). */
type DataType = 'text' | 'hash' | 'array';

/** Where an attribute exists: in all packages, or in one (service-facts §12.4 "manifest only"). */
type AttributeScope = 'all' | 'manifest' | 'bom';

/** One attribute of a class (service-facts §2.1.3). */
export interface AttributeMetadata {
  /** Value of a new record that names none; `''` when the class has none. */
  readonly default: string;
  readonly required: boolean;
  /** Whether reads answer `--ENCRYPTED--` (service-facts §2.1.4). */
  readonly encrypted: boolean;
  /** False where the service's own page does not let a person change it; the API does. */
  readonly editable: boolean;
  /** Anchored at its start only, unless it has a `$` of its own (`attributeFault`). */
  readonly pattern?: string;
  /** The pattern in words that complete the sentence "must be …". */
  readonly says?: string;
  /** What the value must be to be of use. The service does not check it. */
  readonly expects?: Expectation;
  readonly dataType: DataType;
  readonly scope: AttributeScope;
  readonly description: string;
}

/** A class or relation. `attributes` has no prototype: any text is safe as a key. */
export interface ClassMetadata {
  readonly name: string;
  readonly description: string;
  readonly attributes: { readonly [name: string]: AttributeMetadata };
  /** Names of the actions instances offer (service-facts §4.8). */
  readonly actions: readonly string[];
}

/** What is true of most attributes. */
const USUAL = {
  default: '',
  required: false,
  encrypted: false,
  editable: true,
  dataType: 'text',
  scope: 'all',
} as const;

/** An attribute as written in a file of classes: what is left out is as usual. */
type AttributeDocument = Pick<AttributeMetadata, 'description'> & {
  readonly [N in keyof AttributeMetadata]?: AttributeMetadata[N] | undefined;
};

/** A class as written in a file of classes. */
interface ClassDocument {
  readonly description: string;
  readonly packages?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly attributes: { readonly [name: string]: AttributeDocument };
}

/** Classes by name; a name such as `mgmt.Cloud` distinguishes two classes with one last part. */
interface ClassDocuments {
  readonly [name: string]: ClassDocument;
}

/** Takes a full name (`catalog.oneops.1.Tomcat`), or the last part for all packages. */
export type ClassLookup = (className: string) => ClassMetadata | undefined;

/** Register and major version in component and service class names (service-facts §2.1.8). */
const COMPONENT_REGISTER = 'oneops.1';

/** Packages that component classes exist in (service-facts §2.1.8). */
export const COMPONENT_PACKAGES = ['catalog', 'manifest', 'bom', 'mgmt.catalog', 'mgmt.manifest'] as const;

/** Packages that cloud service classes exist in (service-facts §2.1.8). */
export const CLOUD_SERVICE_PACKAGES = ['cloud.service', 'mgmt.cloud.service'] as const;

/** `registeredClass('catalog', 'Tomcat')` is `catalog.oneops.1.Tomcat`. */
export function registeredClass(
  packageName: (typeof COMPONENT_PACKAGES)[number] | (typeof CLOUD_SERVICE_PACKAGES)[number],
  name: string,
): string {
  return `${packageName}.${COMPONENT_REGISTER}.${name}`;
}

interface ClassGroup {
  readonly packages: readonly string[];
  readonly register?: string;
  readonly classes: ClassDocuments;
}

/** An object in which any text is safe as a key. */
export function withoutPrototype<T>(entries: readonly (readonly [string, T])[]): { readonly [name: string]: T } {
  return Object.assign(Object.create(null) as { [name: string]: T }, Object.fromEntries(entries));
}

/** An attribute whose default is `true` or `false` is a switch. */
function readAttribute(document: AttributeDocument): AttributeMetadata {
  const isSwitch = document.expects === undefined && BOOLEANS.includes(document.default ?? '');
  return { ...USUAL, ...document, ...(isSwitch && { expects: { type: 'boolean' } }) } as AttributeMetadata;
}

function scopeOf(packageName: string): AttributeScope {
  if (packageName === 'bom') return 'bom';
  return packageName === 'manifest' || packageName === 'mgmt.manifest' ? 'manifest' : 'all';
}

function narrow(metadata: ClassMetadata, packageName: string): ClassMetadata {
  const scope = scopeOf(packageName);
  const visible = Object.entries(metadata.attributes).filter(
    ([, each]) => each.scope === 'all' || each.scope === scope,
  );
  return { ...metadata, attributes: withoutPrototype(visible) };
}

function readClass(key: string, document: ClassDocument): ClassMetadata {
  const attributes = Object.entries(document.attributes).map(([name, each]) => [name, readAttribute(each)] as const);
  return {
    name: key.slice(key.lastIndexOf('.') + 1),
    description: document.description,
    attributes: withoutPrototype(attributes),
    actions: document.actions ?? [],
  };
}

/** A class by one of its names, with or without a package. */
interface NamedClass {
  readonly key: string;
  readonly document: ClassDocument;
  readonly packageName?: string;
}

function* namesOf(key: string, document: ClassDocument, group: ClassGroup): Generator<readonly [string, NamedClass]> {
  const name = key.slice(key.lastIndexOf('.') + 1);
  const named = { key, document };
  yield [name, named];
  for (const packageName of document.packages ?? group.packages) {
    yield [`${packageName}.${name}`, { ...named, packageName }];
    if (group.register !== undefined) yield [`${packageName}.${group.register}.${name}`, { ...named, packageName }];
  }
}

/** Reads a class when it is looked up: a run needs few of them. */
function indexClasses(groups: readonly ClassGroup[]): ClassLookup {
  const classes = groups.flatMap((group) =>
    Object.entries(group.classes).flatMap(([key, document]) => [...namesOf(key, document, group)]),
  );
  // Of two classes with one last part the first in the files answers to it.
  const byName = new Map([...classes].reverse());
  const read = new Map<string, ClassMetadata>();
  return (className) => {
    const [named, known] = [byName.get(className), read.get(className)];
    if (named === undefined || known !== undefined) return known;
    const { key, document, packageName } = named;
    const metadata = readClass(key, document);
    const found = packageName === undefined ? metadata : narrow(metadata, packageName);
    read.set(className, found);
    return found;
  };
}

/** A lookup over component classes that a person adds, in the shape of this folder's files. */
export function readComponentClasses(classes: ClassDocuments): ClassLookup {
  return indexClasses([{ packages: COMPONENT_PACKAGES, register: COMPONENT_REGISTER, classes }]);
}

const componentDocuments = { ...machineComponents, ...softwareComponents } as ClassDocuments;

/** Last parts of all component classes, such as `Compute` (service-facts §12.4). */
export const componentClasses: readonly string[] = Object.keys(componentDocuments);

/** Last parts of all cloud service classes, such as `Ec2` (service-facts §2.2.3). */
export const cloudServiceClasses: readonly string[] = Object.keys(cloudServices);

/**
 * Attributes and actions of a class. Takes a full name, old form or new (`catalog.Tomcat`,
 * `catalog.oneops.1.Tomcat`, `account.Assembly`), and answers the attributes of that package; or
 * the last part (`Tomcat`) for all attributes. Undefined for a class that the catalogue does not
 * have (service-facts §2.2, §4.9, §12.4).
 */
export const classMetadata: ClassLookup = indexClasses([
  { packages: COMPONENT_PACKAGES, register: COMPONENT_REGISTER, classes: componentDocuments },
  { packages: [], classes: records as ClassDocuments },
  { packages: CLOUD_SERVICE_PACKAGES, register: COMPONENT_REGISTER, classes: cloudServices as ClassDocuments },
]);

/** The class of a component of a design, by its name with the register or without. */
export const componentClass = (name: string | undefined, lookup = classMetadata): ClassMetadata | undefined =>
  name === undefined ? undefined : lookup(`catalog.${name}`);

/** Attributes of a relation, by full name or last part (service-facts §2.1.9). */
export const relationMetadata: ClassLookup = indexClasses([{ packages: [], classes: relations as ClassDocuments }]);

// The values that the service accepts, and those of a new record (service-facts §2.1.3).

/** Required and blank, JSON that does not parse to the type, or not of the pattern. */
type AttributeFault = 'blank' | 'unparsable' | 'mismatch';

// No brace inside: a value full of open ones must not cost a scan to its end for each.
const VARIABLE_REFERENCE = /\$OO_(GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/;

/** Deepest JSON text that is taken: a walk through deeper text fails. */
const DEEPEST = 64;

/** JSON text of a hash or array as its values; undefined when it is neither, or nested too deep. */
function elements(dataType: 'hash' | 'array', text: string): readonly unknown[] | undefined {
  if (measureJson(text).depth > DEEPEST) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (dataType === 'array') return Array.isArray(parsed) ? parsed : undefined;
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? Object.values(parsed) : undefined;
}

/** Whether a text contains a reference to a variable, whose value only the service knows. */
export const holdsReference = (text: string): boolean => VARIABLE_REFERENCE.test(text);

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** How far into a text of many lines a form is looked for, in characters. */
const LOOKED_THROUGH = 4000;

/**
 * The lines that end within the first 4,000 characters; at least the first line. A pattern that
 * runs over line ends is tried from the start of every line to the end of the text, which takes too
 * long with many lines.
 */
function firstLines(text: string): string {
  if (text.length <= LOOKED_THROUGH) return text;
  const last = text.lastIndexOf('\n', LOOKED_THROUGH);
  const end = last < 0 ? text.indexOf('\n') : last;
  return end < 0 ? text : text.slice(0, end);
}

/**
 * Whether a text fits a pattern as the service tests it: anchored at the start, per line; a
 * variable reference always fits. Only the first lines of a long text are looked at.
 */
function fits(pattern: string, text: string): boolean {
  return holdsReference(text) || new RegExp(`^(?:${pattern})`, 'm').test(firstLines(text));
}

/**
 * The fault of a value. Blank values of attributes that are not required pass; each element of an
 * array and each value of a hash is compared with the pattern (service-facts §2.1.3).
 */
export function attributeFault(attribute: AttributeMetadata, value: string | null): AttributeFault | undefined {
  if (value === null || value.trim() === '') return attribute.required ? 'blank' : undefined;
  const { dataType, pattern } = attribute;
  const texts = dataType === 'text' ? [value] : elements(dataType, value);
  if (texts === undefined) return 'unparsable';
  return pattern === undefined || texts.every((each) => fits(pattern, asText(each))) ? undefined : 'mismatch';
}

/**
 * Attributes of a new record: the class defaults, then `given`. Attributes that the class does not
 * have are dropped, as by the live service (service-facts §12.4 Postgresql).
 */
export function defaultAttributes(
  metadata: ClassMetadata,
  given: { readonly [name: string]: string } = {},
): { [name: string]: string } {
  const values = Object.entries(metadata.attributes).map(([name, attribute]): [string, string] => [
    name,
    (Object.hasOwn(given, name) ? given[name] : undefined) ?? attribute.default,
  ]);
  return Object.fromEntries(values);
}

/** Size of JSON text, without what is in quotes. For other text the numbers mean nothing. */
interface JsonMeasure {
  /** Deepest nesting of brackets: 1 for `[]`. */
  readonly depth: number;
  /** Members and elements of all levels together, at most: commas and opening brackets. */
  readonly members: number;
}

/** Measures JSON text in one pass, without recursion. */
export function measureJson(text: string): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') members += 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      members += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth: deepest, members };
}

// Scalars of YAML 1.1 as the live service reads them: `yes` is `true`, `1.10` is `1.1`, `7.0`
// stays `7.0` (service-facts §4.5.5, §14).

/** Whether YAML 1.1 takes a scalar for a boolean or number that the live service reads as text. */
export const isPlainText = (source: string): boolean =>
  /^[yn]$/i.test(source) || /^[-+]?[\d_]+e[-+]?\d+$/i.test(source);

/** A number as text; a fraction that is written stays one. */
export function numberText(value: number, source: string): string {
  const isFraction = /^[-+]?[\d_]*\.[\d_]*$/.test(source);
  return isFraction && Number.isInteger(value) ? `${value}.0` : String(value);
}
