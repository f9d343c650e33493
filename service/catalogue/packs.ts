// Packs: templates, dependencies and settings, seen in each mode (service-facts §12.1), with
// everything they inherit from the packs they extend; and what a pack must keep to, so that every
// platform made from it is a valid one.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import {
  type CatalogueFinding,
  type Document,
  type EdgeFile,
  formatFinding,
  MODES,
  type PackFile,
  type Say,
  sayIn,
  type TemplateFile,
} from './files';
import { attributeFault, type ClassLookup, defaultAttributes, type Path, registeredClass } from '../../api/contract';
import { depthsOf } from '../plan';

export type PackMode = (typeof MODES)[number];

export interface TextValues {
  readonly [name: string]: string;
}

/** A template: what a component of the platform is made from. */
export interface PackTemplate {
  /** Name of the template, and of the component born with the platform. */
  readonly name: string;
  /** Last part of the class, such as `Compute`. */
  readonly class: string;
  /** Modes the template exists in. */
  readonly modes: readonly PackMode[];
  /** As written, such as `1..*`: attribute `constraint` of the Requires relation. */
  readonly constraint: string;
  readonly min: number;
  /** 999 means no limit, as the service answers it (service-facts §4.5.1 component_types). */
  readonly max: number;
  /** Types of cloud services; those with a leading `*` are optional (service-facts §12.1). */
  readonly services: readonly string[];
  /** Values laid over the class defaults in a component made from the template. */
  readonly defaults: TextValues;
  /** Monitors born with the component, by name: values laid over the defaults of class Monitor. */
  readonly monitors: { readonly [name: string]: TextValues };
  /** Template of the machine an instance runs on (`bom.ManagedVia`). */
  readonly managedVia: string | undefined;
  /** Template of the key pair an instance is reached with (`bom.SecuredBy`). */
  readonly securedBy: string | undefined;
  readonly help: string;
}

type TemplateEdge = Readonly<Omit<EdgeFile, 'modes'>>;

/** A pack version with all it inherits. */
export interface Pack extends Readonly<Omit<PackFile, 'buildingBlock' | 'extends' | 'templates' | 'dependsOn'>> {
  /** Digest of the content, in hex: attribute `pack_digest` of platforms (service-facts §2.2.5). */
  readonly digest: string;
  /** Template of the component the platform is reached by. */
  readonly entrypoint: string;
  /** All templates in document order, whatever their modes. */
  readonly templates: readonly PackTemplate[];
  /** Dependencies by mode; both ends exist in that mode. */
  readonly edges: { readonly [M in PackMode]: readonly TemplateEdge[] };
}

export function templates(pack: Pack, mode: PackMode): readonly PackTemplate[] {
  return pack.templates.filter((template) => template.modes.includes(mode));
}

/** Templates that a platform begins with, in document order (service-facts §4.5.1-4). */
export function requiredTemplates(pack: Pack, mode: PackMode): readonly PackTemplate[] {
  return templates(pack, mode).filter((template) => template.min > 0);
}

export function edges(pack: Pack, mode: PackMode): readonly TemplateEdge[] {
  return pack.edges[mode];
}

/** A template as attributes of its components' Requires relation (service-facts §2.1.9). */
export function requirementOf({ name, constraint, services, help }: PackTemplate): TextValues {
  return { template: name, constraint, services: services.join(','), priority: '1', help };
}

/** An edge as the attributes of a DependsOn relation (service-facts §2.1.9). */
export function edgeAttributes({ from: _from, to: _to, ...values }: TemplateEdge): TextValues {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(texts), source: '' };
}

type PackDocument = Document<PackFile>;

export interface ResolvedPack {
  readonly document: PackDocument;
  /** Files it extends, directly or not, without itself. */
  readonly ancestors: readonly PackDocument[];
  readonly pack: Pack;
}

export function identify({ source, name, version }: Pick<Pack, 'source' | 'name' | 'version'>): string {
  return `${source}/${name}:${version}`;
}

interface Lineage {
  /** Ancestors first, each once, the file itself last. */
  readonly documents: readonly PackDocument[];
  readonly findings: readonly CatalogueFinding[];
}

/**
 * Files that a reference may mean: of one source, name and version; else of the name, those next to
 * the file first, since a folder of packs that adds a version of `custom` must not change what
 * `custom` means in other folders.
 */
function parentsOf(document: PackDocument, reference: string, all: readonly PackDocument[]): readonly PackDocument[] {
  const exact = all.filter((each) => identify(each.content) === reference);
  if (exact.length > 0) return exact;
  const named = all.filter((each) => each.content.name === reference);
  const others = named.length > 1 ? named.filter((each) => each !== document) : named;
  const beside = others.filter((each) => dirname(each.file) === dirname(document.file));
  return beside.length > 0 ? beside : others;
}

function lineageOf(document: PackDocument, all: readonly PackDocument[], trail: readonly PackDocument[] = []): Lineage {
  const findings: CatalogueFinding[] = [];
  const ancestors: PackDocument[] = [];
  document.content.extends.forEach((reference, index) => {
    const say = (code: string, message: string): void =>
      sayIn(document.file, findings)(code, ['extends', index], message);
    const found = parentsOf(document, reference, all);
    const [parent] = found;
    if (parent === undefined) return say('unknown-parent', `no file contains ${JSON.stringify(reference)}`);
    if (found.length > 1)
      return say('ambiguous-parent', `several files contain ${reference}: write source/name:version`);
    if (parent === document || trail.includes(parent)) return say('circular-parent', `${reference} extends this file`);
    const above = lineageOf(parent, all, [...trail, document]);
    ancestors.push(...above.documents);
    findings.push(...above.findings);
  });
  return { documents: [...new Set([...ancestors, document])], findings };
}

function mergeTemplates(files: readonly PackFile[]): readonly TemplateFile[] {
  const merged = new Map<string, TemplateFile>();
  for (const template of files.flatMap((file) => file.templates)) {
    const inherited = merged.get(template.name);
    merged.set(template.name, {
      ...inherited,
      ...template,
      defaults: { ...inherited?.defaults, ...template.defaults },
      monitors: { ...inherited?.monitors, ...template.monitors },
    });
  }
  return [...merged.values()];
}

function readTemplate(file: TemplateFile): PackTemplate {
  // Requires' own default (service-facts §2.1.9).
  const constraint = file.constraint ?? '1..1';
  const [least, most] = constraint.split('..');
  return {
    name: file.name,
    class: file.class ?? '',
    modes: file.modes ?? MODES,
    constraint,
    min: Number(least),
    max: most === '*' ? 999 : Number(most),
    services: file.services ?? [],
    defaults: file.defaults ?? {},
    monitors: file.monitors ?? {},
    managedVia: file.managedVia,
    securedBy: file.securedBy,
    help: file.help ?? '',
  };
}

function edgesIn(mode: PackMode, files: readonly PackFile[], all: readonly PackTemplate[]): readonly TemplateEdge[] {
  const present = new Set(all.filter((template) => template.modes.includes(mode)).map((template) => template.name));
  const merged = new Map<string, TemplateEdge>();
  for (const { modes, ...edge } of files.flatMap((file) => file.dependsOn)) {
    const between = present.has(edge.from) && present.has(edge.to);
    if (between && modes.includes(mode)) merged.set(`${edge.from} ${edge.to}`, edge);
  }
  return [...merged.values()];
}

function build(files: readonly PackFile[], own: PackFile): Pack {
  const all = mergeTemplates(files).map(readTemplate);
  const variables = new Map(files.flatMap((file) => file.variables).map((each) => [each.name, each]));
  const procedures = new Map(files.flatMap((file) => file.procedures).map((each) => [each.name, each]));
  const { source, name, version, description, category } = own;
  const content = {
    ...{ source, name, version, description, category },
    entrypoint: files.findLast((file) => file.entrypoint !== undefined)?.entrypoint ?? '',
    platform: Object.assign({}, ...files.map((file) => file.platform)) as PackFile['platform'],
    templates: all,
    edges: {
      design: edgesIn('design', files, all),
      single: edgesIn('single', files, all),
      redundant: edgesIn('redundant', files, all),
    },
    variables: [...variables.values()],
    procedures: [...procedures.values()],
  };
  return { ...content, digest: createHash('sha1').update(JSON.stringify(content)).digest('hex') };
}

/** All packs and building blocks with what they inherit, without those that have findings. */
export function resolvePacks(
  documents: readonly PackDocument[],
  findings: CatalogueFinding[],
): readonly ResolvedPack[] {
  const first = new Map<string, PackDocument>();
  for (const document of documents) {
    const identity = identify(document.content);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, document);
    else sayIn(document.file, findings)('pack-twice', ['name'], `${identity} is in ${earlier.file} already`);
  }
  const lineages = documents.map((document) => ({ document, ...lineageOf(document, documents) }));
  // A fault of an ancestor is found once for each heir.
  const faults = new Map(lineages.flatMap((lineage) => lineage.findings).map((each) => [formatFinding(each), each]));
  findings.push(...faults.values());
  return lineages
    .filter((lineage) => lineage.findings.length === 0)
    .map((lineage) => ({
      document: lineage.document,
      ancestors: lineage.documents.slice(0, -1),
      pack: build(
        lineage.documents.map((each) => each.content),
        lineage.document.content,
      ),
    }));
}

/** A pack under judgement, the classes that it may name, and where findings go. */
interface Judging {
  readonly pack: Pack;
  readonly classes: ClassLookup;
  readonly say: Say;
}

const quote = (text: string): string => JSON.stringify(text);

/** The attributes of a class among those named. */
const known = (classes: ClassLookup, className: string, named: object = {}): readonly string[] =>
  Object.keys(named).filter((attribute) => classes(className)?.attributes[attribute] !== undefined);

function sayUnknown({ classes, say }: Judging, className: string, called: string, named: object, path: Path): void {
  const all = known(classes, className, named);
  for (const attribute of Object.keys(named).filter((each) => !all.includes(each)))
    say('unknown-attribute', [...path, attribute], `${called} has no attribute ${attribute}`);
}

/** A component of a required template takes no value from anybody: its defaults must be valid. */
function checkBirth({ classes, say }: Judging, template: PackTemplate, mode: PackMode, path: Path): void {
  const metadata = classes(registeredClass(mode === 'design' ? 'catalog' : 'manifest', template.class));
  if (metadata === undefined || template.min === 0) return;
  const values = defaultAttributes(metadata, template.defaults);
  for (const [attribute, rule] of Object.entries(metadata.attributes)) {
    const fault = attributeFault(rule, values[attribute] ?? '');
    if (fault === undefined) continue;
    say(
      'invalid-default',
      [...path, 'defaults', attribute],
      `required template ${template.name} has a ${fault} ${attribute}`,
    );
  }
}

function checkTemplate(judging: Judging, own: TemplateFile, template: PackTemplate, path: Path): void {
  const { pack, classes, say } = judging;
  const className = registeredClass('catalog', template.class);
  if (classes(className) === undefined) {
    say(
      'unknown-class',
      [...path, 'class'],
      `template ${template.name} is of no known class: ${quote(template.class)}`,
    );
    return;
  }
  const called = `class ${template.class}`;
  sayUnknown(judging, template.class, called, own.defaults ?? {}, [...path, 'defaults']);
  for (const attribute of known(classes, template.class, own.dropped))
    say('known-attribute', [...path, 'dropped', attribute], `${called} has ${attribute}: put it under defaults`);
  for (const [monitor, values] of Object.entries(own.monitors ?? {}))
    sayUnknown(judging, 'catalog.Monitor', 'a monitor', values, [...path, 'monitors', monitor]);
  for (const relation of ['managedVia', 'securedBy'] as const) {
    const target = own[relation];
    if (target === undefined || pack.templates.some((each) => each.name === target)) continue;
    say('unknown-template', [...path, relation], `no template is called ${target}`);
  }
  for (const mode of template.modes) checkBirth(judging, template, mode, path);
}

function checkEdge({ pack, say }: Judging, own: EdgeFile, path: Path): void {
  const unknown = (['from', 'to'] as const).filter((end) => !pack.templates.some((each) => each.name === own[end]));
  for (const end of unknown) say('unknown-template', [...path, end], `no template is called ${own[end]}`);
  if (unknown.length > 0) return;
  const alive = own.modes.some((mode) => pack.edges[mode].some((edge) => edge.from === own.from && edge.to === own.to));
  if (!alive) say('dead-edge', path, `${own.from} and ${own.to} exist together in none of ${own.modes.join(', ')}`);
}

/** Findings in the statements of a pack's own file; inherited ones are judged in theirs. */
export function checkPack({ document, pack }: ResolvedPack, classes: ClassLookup): readonly CatalogueFinding[] {
  const findings: CatalogueFinding[] = [];
  const say = sayIn(document.file, findings);
  const judging: Judging = { pack, classes, say };
  document.content.templates.forEach((own, index) => {
    const template = pack.templates.find((each) => each.name === own.name);
    if (template !== undefined) checkTemplate(judging, own, template, ['templates', index]);
  });
  document.content.dependsOn.forEach((own, index) => checkEdge(judging, own, ['dependsOn', index]));
  sayUnknown(judging, 'manifest.Platform', 'a platform', document.content.platform, ['platform']);
  const entry = pack.templates.find((template) => template.name === pack.entrypoint);
  if (entry === undefined || entry.modes.length < MODES.length || entry.min === 0) {
    say(
      'no-entrypoint',
      ['entrypoint'],
      `the entrypoint must be a required template of every mode, not ${quote(pack.entrypoint)}`,
    );
  }
  for (const mode of MODES) {
    const all = pack.edges[mode];
    const { cyclic: names } = depthsOf([...new Set(all.map(({ from }) => from))], all);
    if (names.length > 0)
      say(
        'circular-edges',
        ['dependsOn'],
        `dependencies go in a circle in mode ${mode}, at or above ${names.join(', ')}`,
      );
  }
  return findings;
}
