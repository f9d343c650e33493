// Lays packs over what they extend: from files to packs with everything they inherit.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { EdgeFile, PackFile, TemplateFile } from './files';
import { type CatalogueFinding, finding, formatFinding } from './findings';
import type { Document } from './folder';
import { type TemplateEdge, type PackMode, MODES, type Pack, type PackTemplate } from './pack';

type PackDocument = Document<PackFile>;

/** A pack and the file it was read from. */
export interface ResolvedPack {
  readonly document: PackDocument;
  /** Files it extends, directly or not, without itself. */
  readonly ancestors: readonly PackDocument[];
  readonly pack: Pack;
}

/** `source/name:version` */
export function identify({ source, name, version }: Pick<Pack, 'source' | 'name' | 'version'>): string {
  return `${source}/${name}:${version}`;
}

interface Lineage {
  /** Ancestors first, each once, the file itself last. */
  readonly documents: readonly PackDocument[];
  readonly findings: readonly CatalogueFinding[];
}

/**
 * Files that a reference may mean: of one source, name and version; else of the name, those next to the file first, since a folder of packs that
 * adds a version of `custom` must not change what `custom` means in other folders.
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
    const say = (code: string, message: string): void => {
      findings.push(finding(document.file, code, ['extends', index], message));
    };
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

function readEdge(file: EdgeFile): TemplateEdge {
  return {
    from: file.from,
    to: file.to,
    flex: file.flex,
    converge: file.converge,
    propagateTo: file.propagate_to,
    min: file.min,
    current: file.current,
    max: file.max,
    stepUp: file.step_up,
    stepDown: file.step_down,
    pctDpmt: file.pct_dpmt,
  };
}

function edgesIn(mode: PackMode, files: readonly PackFile[], all: readonly PackTemplate[]): readonly TemplateEdge[] {
  const present = new Set(all.filter((template) => template.modes.includes(mode)).map((template) => template.name));
  const merged = new Map<string, TemplateEdge>();
  for (const edge of files.flatMap((file) => file.dependsOn)) {
    const between = present.has(edge.from) && present.has(edge.to);
    if (between && edge.modes.includes(mode)) merged.set(`${edge.from} ${edge.to}`, readEdge(edge));
  }
  return [...merged.values()];
}

function build(files: readonly PackFile[], own: PackFile): Pack {
  const all = mergeTemplates(files).map(readTemplate);
  const variables = new Map(files.flatMap((file) => file.variables).map((each) => [each.name, each]));
  const procedures = new Map(files.flatMap((file) => file.procedures).map((each) => [each.name, each]));
  const content = {
    source: own.source,
    name: own.name,
    version: own.version,
    description: own.description,
    category: own.category,
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

function twice(documents: readonly PackDocument[]): CatalogueFinding[] {
  const first = new Map<string, PackDocument>();
  return documents.flatMap((document) => {
    const identity = identify(document.content);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, document);
    return earlier === undefined
      ? []
      : [finding(document.file, 'pack-twice', ['name'], `${identity} is in ${earlier.file} already`)];
  });
}

/** All packs and building blocks with what they inherit. Where there are findings, the packs concerned are left out. */
export function resolvePacks(documents: readonly PackDocument[]): {
  readonly resolved: readonly ResolvedPack[];
  readonly findings: readonly CatalogueFinding[];
} {
  const lineages = documents.map((document) => ({ document, ...lineageOf(document, documents) }));
  const resolved = lineages
    .filter((lineage) => lineage.findings.length === 0)
    .map((lineage) => ({
      document: lineage.document,
      ancestors: lineage.documents.slice(0, -1),
      pack: build(
        lineage.documents.map((each) => each.content),
        lineage.document.content,
      ),
    }));
  // A fault of an ancestor is found once for each heir.
  const findings = new Map(lineages.flatMap((lineage) => lineage.findings).map((each) => [formatFinding(each), each]));
  return { resolved, findings: [...twice(documents), ...findings.values()] };
}
