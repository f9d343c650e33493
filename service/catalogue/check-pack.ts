// What a pack must keep to, so that every platform made from it is a valid one.
import { attributeFault, type ClassLookup, defaultAttributes, type Path, registeredClass } from '../../api/contract';
import type { EdgeFile, TemplateFile } from './files';
import { type CatalogueFinding, finding } from './findings';
import { type TemplateEdge, MODES, type PackMode, type Pack, type PackTemplate } from './pack';
import type { ResolvedPack } from './resolve-packs';

type Say = (code: string, path: Path, message: string) => void;

/** A pack under judgement, the classes that it may name, and where findings go. */
interface Judging {
  readonly pack: Pack;
  readonly classes: ClassLookup;
  readonly say: Say;
}

const quote = (text: string): string => JSON.stringify(text);

function has(classes: ClassLookup, className: string, attribute: string): boolean {
  return classes(className)?.attributes[attribute] !== undefined;
}

/** A component born from a required template takes no value from anybody: its defaults must be valid. */
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
  for (const attribute of Object.keys(own.defaults ?? {})) {
    if (has(classes, template.class, attribute)) continue;
    say('unknown-attribute', [...path, 'defaults', attribute], `class ${template.class} has no attribute ${attribute}`);
  }
  for (const attribute of Object.keys(own.dropped ?? {})) {
    if (!has(classes, template.class, attribute)) continue;
    say(
      'known-attribute',
      [...path, 'dropped', attribute],
      `class ${template.class} has ${attribute}: put it under defaults`,
    );
  }
  for (const [monitor, values] of Object.entries(own.monitors ?? {})) {
    for (const attribute of Object.keys(values)) {
      if (has(classes, 'catalog.Monitor', attribute)) continue;
      say('unknown-attribute', [...path, 'monitors', monitor, attribute], `a monitor has no attribute ${attribute}`);
    }
  }
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

/** Templates on a cycle or above one: what is left when those that depend on nothing left are removed again and again. */
function cyclic(all: readonly TemplateEdge[]): readonly string[] {
  const left = new Set(all.map((edge) => edge.from));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const name of left) if (!all.some((edge) => edge.from === name && left.has(edge.to))) left.delete(name);
  }
  return [...left];
}

/** What is wrong with the statements of a pack's own file; those it inherits are judged in theirs. */
export function checkPack({ document, pack }: ResolvedPack, classes: ClassLookup): readonly CatalogueFinding[] {
  const findings: CatalogueFinding[] = [];
  const say: Say = (code, path, message) => {
    findings.push(finding(document.file, code, path, message));
  };
  const judging: Judging = { pack, classes, say };
  document.content.templates.forEach((own, index) => {
    const template = pack.templates.find((each) => each.name === own.name);
    if (template !== undefined) checkTemplate(judging, own, template, ['templates', index]);
  });
  document.content.dependsOn.forEach((own, index) => checkEdge(judging, own, ['dependsOn', index]));
  for (const attribute of Object.keys(document.content.platform)) {
    if (has(classes, 'manifest.Platform', attribute)) continue;
    say('unknown-attribute', ['platform', attribute], `a platform has no attribute ${attribute}`);
  }
  const entry = pack.templates.find((template) => template.name === pack.entrypoint);
  if (entry === undefined || entry.modes.length < MODES.length || entry.min === 0) {
    say(
      'no-entrypoint',
      ['entrypoint'],
      `the entrypoint must be a required template of every mode, not ${quote(pack.entrypoint)}`,
    );
  }
  for (const mode of MODES) {
    const names = cyclic(pack.edges[mode]);
    if (names.length > 0)
      say(
        'circular-edges',
        ['dependsOn'],
        `dependencies go in a circle in mode ${mode}, at or above ${names.join(', ')}`,
      );
  }
  return findings;
}
