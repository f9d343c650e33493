// The packs of the packaged catalogue and the templates of each: what a design can be made from.
import { withoutPrototype } from './class-metadata';
import packs from './packs.json';
import serviceTemplates from './service-templates.json';
import shippedTemplates from './templates.json';

interface KnownTemplate {
  /** Last part of the class its components have, such as `Compute`. */
  readonly class: string;
  /** How many components a platform has of it: `1..1`, `0..*`. */
  readonly constraint: string;
  /** Whether a design can have components of it; the others are made in environments. */
  readonly design: boolean;
  /** Whether a platform that is redundant has several instances of it, so that it can be scaled. */
  readonly scaled: boolean;
  /** Required attributes for which neither the class nor the template has a value. */
  readonly needs: readonly string[];
}

export interface KnownPack {
  readonly source: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Templates by name. Has no prototype: any text is safe as a key. */
  readonly templates: { readonly [name: string]: KnownTemplate };
}

/** The text of a template in the generated file: `User 0..* environment scaled needs=username`. */
export const templateText = ({ class: className, constraint, design, scaled, needs }: KnownTemplate): string =>
  [
    className,
    constraint,
    ...(design ? [] : ['environment']),
    ...(scaled ? ['scaled'] : []),
    ...(needs.length > 0 ? [`${NEEDS}${needs.join(',')}`] : []),
  ].join(' ');

const NEEDS = 'needs=';

function templateFromText(text: string): KnownTemplate {
  const [className = '', constraint = '', ...facts] = text.split(' ');
  return {
    class: className,
    constraint,
    design: !facts.includes('environment'),
    scaled: facts.includes('scaled'),
    needs: facts.flatMap((fact) => (fact.startsWith(NEEDS) ? fact.slice(NEEDS.length).split(',') : [])),
  };
}

/** Templates of texts, without the names of a prototype. */
export const templatesFromTexts = (templates: { readonly [name: string]: string }): KnownPack['templates'] =>
  withoutPrototype(Object.entries(templates).map(([name, text]) => [name, templateFromText(text)] as const));

/** Every version of every pack of the packaged catalogue, sorted by source, name and version. */
export const knownPacks: readonly KnownPack[] = (packs as readonly PackDocument[]).map((pack) => ({
  ...pack,
  templates: templatesFromTexts(pack.templates),
}));

interface PackDocument extends Omit<KnownPack, 'templates'> {
  readonly templates: { readonly [name: string]: string };
}

/** Template → class's last part; or pack → last part, where packs disagree. */
interface TemplateTable {
  readonly [template: string]: string | { readonly [pack: string]: string };
}

/** The class of a template. Unknown without a pack, if it depends on the pack. */
export function classInTable(table: TemplateTable, template: string, pack?: string): string | undefined {
  const entry = Object.hasOwn(table, template) ? table[template] : undefined;
  if (entry === undefined || typeof entry === 'string') return entry;
  return pack !== undefined && Object.hasOwn(entry, pack) ? entry[pack] : undefined;
}

/**
 * Last part of the class a template makes, such as `Fqdn` for `hostname`; `pack` decides where
 * packs disagree. Undefined for a template that no shipped pack has. Users bring their own packs:
 * it does not say whether a pack has the template.
 */
export function templateClass(template: string, pack?: string): string | undefined {
  return classInTable(shippedTemplates, template, pack);
}

/** The same for a template of a cloud's services; a test compares it with the packaged locations. */
export const serviceTemplateClass = (template: string): string | undefined => classInTable(serviceTemplates, template);

/** Templates that make a class (`User`), with those whose class depends on the pack. */
export function templatesOfClass(tail: string): readonly string[] {
  return Object.entries(shippedTemplates as TemplateTable)
    .filter(([, made]) => (typeof made === 'string' ? made === tail : Object.values(made).includes(tail)))
    .map(([name]) => name);
}
