// The door of the pack catalogue: what platforms, clouds and a fresh database are made from.
// Loads the catalogue, shipped and brought by users, and answers look-ups in it: packs, classes,
// locations, offerings, seed.
import { resolve } from 'node:path';
import { classMetadata, type ClassLookup, readComponentClasses } from '../../api/contract';
import { checkPack, identify, type Pack, type ResolvedPack, resolvePacks } from './packs';
import { CatalogueError, type CatalogueFinding, type ClassesFile, type Document, readFolders, sayIn } from './files';
import { type Location, readLocations, readSeed } from './locations';

export { CatalogueError, type CatalogueFinding, formatFinding, MODES } from './files';
export type { Location, Offering, ServiceTemplate } from './locations';
export {
  edgeAttributes,
  edges,
  type PackMode,
  type Pack,
  requirementOf,
  requiredTemplates,
  type PackTemplate,
  templates,
  type TextValues,
} from './packs';

/** Look-ups, all of them pure; nothing changes after loading. */
export type Catalogue = ReturnType<typeof loadCatalogue>;

/** The pack version that a platform is of, by its values; undefined where there is none. */
export const packOfPlatform = (
  catalogue: Pick<Catalogue, 'pack'>,
  { source, pack, version }: { readonly [attribute: string]: string | null },
): Pack | undefined => catalogue.pack(source ?? '', pack ?? '', version ?? '');

/** The folder shipped next to this one, in the sources and in `dist`. */
const SHIPPED = resolve(__dirname, '..', 'packs');

/** The shipped classes with those of the documents. */
function readClasses(documents: readonly Document<ClassesFile>[], findings: CatalogueFinding[]): ClassLookup {
  const lookups: ClassLookup[] = [classMetadata];
  const classes: ClassLookup = (className) =>
    lookups.reduce<ReturnType<ClassLookup>>((found, lookup) => found ?? lookup(className), undefined);
  for (const { file, content } of documents) {
    const repeated = Object.keys(content).filter((name) => classes(name) !== undefined);
    for (const name of repeated) sayIn(file, findings)('class-twice', [name], `there is a class ${name} already`);
    lookups.push(readComponentClasses(content));
  }
  return classes;
}

/** Findings of a pack whose ancestors have none: theirs are reported in their own files. */
function checkPacks(resolved: readonly ResolvedPack[], classes: ClassLookup): readonly CatalogueFinding[] {
  const byFile = new Map(resolved.map((each) => [each.document.file, checkPack(each, classes)]));
  return resolved
    .filter((each) => each.ancestors.every((ancestor) => byFile.get(ancestor.file)?.length === 0))
    .flatMap((each) => byFile.get(each.document.file) ?? []);
}

const byText = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/**
 * Reads the shipped folder and folders of the same format: every `.json` is a pack, besides
 * `locations.json`, `seed.json` (the last one counts) and `classes.json`. Later folders add to
 * earlier ones; what exists cannot be replaced. Throws CatalogueError with all findings, each
 * naming its file and the path in it.
 */
export function loadCatalogue(extraFolders: readonly string[] = []) {
  const content = readFolders([SHIPPED, ...extraFolders]);
  const findings = [...content.findings];
  const classes = readClasses(content.classes, findings);
  const resolved = resolvePacks(content.packs, findings);
  // With a file missing, what refers to it would be reported as well.
  const judged = content.findings.length === 0 ? findings : [];
  judged.push(...checkPacks(resolved, classes));
  const locations = readLocations(content.locations, classes, judged);
  const seedDocument = content.seeds.at(-1);
  const seed = seedDocument && readSeed(seedDocument, locations, classes, judged);
  if (findings.length > 0 || seed === undefined) throw new CatalogueError(findings);

  const packs = resolved
    .filter((each) => !each.document.content.buildingBlock)
    .map((each) => each.pack)
    .sort((left, right) => byText(identify(left), identify(right)));
  const byIdentity = new Map(packs.map((pack) => [identify(pack), pack]));
  const sorted = [...locations].sort((left, right) => byText(left.name, right.name));
  const services = sorted.flatMap((location) => location.services);
  return {
    /** A pack version by exact names; undefined where there is none. Building blocks are no packs. */
    pack: (source: string, name: string, version: string): Pack | undefined =>
      byIdentity.get(identify({ source, name, version })),
    /** All pack versions, sorted by source, name and version. */
    packs: (): readonly Pack[] => packs,
    /** Metadata of a class, users' own classes included (service-facts §4.9). */
    classMetadata: classes,
    locations: (): readonly Location[] => sorted,
    /** Service templates of all locations (service-facts §4.2 `services/available`). */
    locationServices: () => services,
    /** What a fresh database holds. */
    seed: () => seed,
  };
}
