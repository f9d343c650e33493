// Whether a pack, its version and its templates are in a catalogue. A live service may have others than the packaged one, so these are
// warnings; a name beside one that the service's own catalogue has is an error.
// It must not know attributes, nor how findings are shown.
import { problem, registeredClass, warning, type Diagnostic, type KnownPack } from '../../api/contract';
import { nearest } from '../values/nearest';
import { oncePer } from '../values/once-per';
import { isPlainObject } from '../values/plain-object';
import { knownText } from './judge';
import type { KnownCatalogue } from './known';

interface Values {
  readonly [name: string]: unknown;
}

const SEE = 'see pulumi-oneops packs';

const OWN = 'set oneops:catalogue to off if the service has other packs';

/** Findings about the pack of a platform: its source, its name or its version, whichever is the first that is not known. */
export function judgePack(args: Values, _: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const [source, name, version] = ['source', 'pack', 'version'].map((argument) => knownText(args[argument]));
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

/** The version of a platform's pack in the catalogue; undefined when it is not known or not there. */
export function knownPackOf(platform: Values | undefined, known: KnownCatalogue): KnownPack | undefined {
  if (platform === undefined) return undefined;
  const source = knownText(platform['source']);
  const name = knownText(platform['pack']);
  const version = knownText(platform['version']);
  const found = known.packs.find((pack) => pack.source === source && pack.name === name && pack.version === version);
  return found !== undefined && hasTemplates(found) ? found : undefined;
}

/** Whether the catalogue is known not to contain a platform's pack: nothing can be said of its templates then. */
export const isForeignPack = (platform: Values | undefined, known: KnownCatalogue): boolean =>
  platform !== undefined &&
  ['source', 'pack', 'version'].every((argument) => knownText(platform[argument]) !== undefined) &&
  knownPackOf(platform, known) === undefined;

/** Findings about the template of a component. Without a pack of the catalogue, a template that any pack has passes. */
export function judgeTemplate(args: Values, platform: Values | undefined, catalogue: KnownCatalogue): Diagnostic[] {
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
  const other = catalogue.packs.find((each) => each.templates[template]?.design);
  const alike = packs
    .flatMap((each) => templatesWith(each, args['attributes'], catalogue))
    .find((name) => known.includes(name));
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : other !== undefined
        ? `pack ${identity(other)} has it, and a platform has one pack: declare another platform`
        : alike !== undefined
          ? `its attributes are those of template "${alike}", below which its components are`
          : see;
  return [unknown(catalogue, 'template', ['type'], { subject, hint, isNear: near !== undefined })];
}

const identity = ({ source, name, version }: KnownPack): string => `${source}/${name}:${version}`;

const designTemplates = ({ templates }: KnownPack): readonly string[] =>
  Object.keys(templates).filter((name) => templates[name]?.design);

/** Templates of a pack whose class has every one of some attributes; none for no attributes. */
function templatesWith(pack: KnownPack, attributes: unknown, { classMetadata }: KnownCatalogue): readonly string[] {
  const names = isPlainObject(attributes) ? Object.keys(attributes) : [];
  if (names.length === 0) return [];
  return designTemplates(pack).filter((template) => {
    const known = classMetadata(registeredClass('catalog', pack.templates[template]?.class ?? ''))?.attributes;
    return known !== undefined && names.every((name) => known[name] !== undefined);
  });
}

const unknown = (
  { says, isOfService }: KnownCatalogue,
  what: string,
  path: readonly string[],
  { subject, hint, isNear = false }: Unknown,
): Diagnostic =>
  (isOfService && isNear ? problem : warning)(`unknown-${what}`, path, `${subject} is not in ${says}`, hint);

/** What is not in a catalogue, and what to do; `isNear`: a known name is near. */
interface Unknown {
  readonly subject: string;
  readonly hint: string;
  readonly isNear?: boolean;
}

function hintFor(word: string, known: readonly string[]): Pick<Unknown, 'hint' | 'isNear'> {
  const near = nearest(word, known);
  return near === undefined ? { hint: knownWords(known) } : { hint: `did you mean "${near}"?`, isNear: true };
}

function knownWords(known: readonly string[]): string {
  const names = [...new Set(known)];
  return `${names.length === 1 ? 'the only known one is' : 'known are'} ${names.join(', ')}; ${SEE}; ${OWN}`;
}
