// Whether a pack, its version and its templates are in the packaged catalogue. A live service may have others, so these are warnings.
// It must not know attributes, nor how findings are shown.
import {
  classMetadata,
  knownPacks,
  registeredClass,
  warning,
  type Diagnostic,
  type KnownPack,
} from '../../api/contract';
import { nearest } from '../nearest';
import { isPlainObject } from '../plain-object';
import { knownText } from './judge';

interface Values {
  readonly [name: string]: unknown;
}

const SEE = 'see pulumi-oneops packs';

const OWN = 'set oneops:catalogue to off if the service has other packs';

/** Findings about the pack of a platform: its source, its name or its version, whichever is the first that is not known. */
export function judgePack(args: Values): Diagnostic[] {
  const [source, name, version] = ['source', 'pack', 'version'].map((argument) => knownText(args[argument]));
  if (source === undefined || name === undefined) return [];
  const ofSource = knownPacks.filter((pack) => pack.source === source);
  if (ofSource.length === 0) {
    const sources = knownPacks.map((pack) => pack.source);
    return [unknown('pack', ['source'], `pack source "${source}"`, hintFor(source, sources))];
  }
  const ofName = ofSource.filter((pack) => pack.name === name);
  if (ofName.length === 0) {
    const names = ofSource.map((pack) => pack.name);
    return [unknown('pack', ['pack'], `pack "${source}/${name}"`, hintFor(name, names))];
  }
  if (version === undefined || ofName.some((pack) => pack.version === version)) return [];
  const versions = ofName.map((pack) => pack.version);
  return [unknown('version', ['version'], `version "${version}" of pack ${source}/${name}`, knownWords(versions))];
}

/** The packaged version of a platform's pack; undefined when it is not known or not packaged. */
export function packOf(platform: Values | undefined): KnownPack | undefined {
  if (platform === undefined) return undefined;
  const [source, name, version] = ['source', 'pack', 'version'].map((argument) => knownText(platform[argument]));
  return knownPacks.find((pack) => pack.source === source && pack.name === name && pack.version === version);
}

/** Whether a platform's pack is known not to be packaged: nothing can be said of its templates then. */
export const isForeignPack = (platform: Values | undefined): boolean =>
  platform !== undefined &&
  ['source', 'pack', 'version'].every((argument) => knownText(platform[argument]) !== undefined) &&
  packOf(platform) === undefined;

/** Findings about the template of a component. Without a packaged pack, a template that any pack has passes. */
export function judgeTemplate(args: Values, platform: Values | undefined): Diagnostic[] {
  const template = knownText(args['type']);
  if (template === undefined || isForeignPack(platform)) return [];
  const pack = packOf(platform);
  const packs = pack === undefined ? knownPacks : [pack];
  if (packs.some(({ templates }) => templates[template]?.design)) return [];
  const known = [...new Set(packs.flatMap(designTemplates))];
  const subject = `template "${template}" of ${pack === undefined ? 'any pack' : `pack ${identity(pack)}`}`;
  const see = pack === undefined ? SEE : `${SEE} ${pack.name}`;
  if (packs.some((each) => each.templates[template] !== undefined)) {
    const message = `${subject} is made in environments, not in a design`;
    return [warning('unknown-template', ['type'], message, `leave the component out; ${see}`)];
  }
  const near = nearest(template, known);
  const alike = packs.flatMap((each) => templatesWith(each, args['attributes'])).find((name) => known.includes(name));
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : alike !== undefined
        ? `its attributes are those of template "${alike}", below which its components are`
        : see;
  return [unknown('template', ['type'], subject, hint)];
}

const identity = ({ source, name, version }: KnownPack): string => `${source}/${name}:${version}`;

const designTemplates = ({ templates }: KnownPack): readonly string[] =>
  Object.keys(templates).filter((name) => templates[name]?.design);

/** Templates of a pack whose class has every one of some attributes; none for no attributes. */
function templatesWith(pack: KnownPack, attributes: unknown): readonly string[] {
  const names = isPlainObject(attributes) ? Object.keys(attributes) : [];
  if (names.length === 0) return [];
  return designTemplates(pack).filter((template) => {
    const known = classMetadata(registeredClass('catalog', pack.templates[template]?.class ?? ''))?.attributes;
    return known !== undefined && names.every((name) => known[name] !== undefined);
  });
}

const unknown = (what: string, path: readonly string[], subject: string, hint: string): Diagnostic =>
  warning(`unknown-${what}`, path, `${subject} is not in the packaged catalogue`, hint);

function hintFor(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? knownWords(known) : `did you mean "${near}"?`;
}

const knownWords = (known: readonly string[]): string => `known are ${[...new Set(known)].join(', ')}; ${SEE}; ${OWN}`;
