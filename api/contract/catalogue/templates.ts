// Which class a template of the shipped packs makes (service-facts §12.2, §12.3); a test of the service compares the table with the packs.
import shippedTemplates from './templates.json';

/** Template → class's last part; or pack → last part, where packs disagree. */
interface TemplateTable {
  readonly [template: string]: string | { readonly [pack: string]: string };
}

/** The class of a template by a table. Without a pack, a template whose class depends on the pack is not known. */
export function classInTable(table: TemplateTable, template: string, pack?: string): string | undefined {
  const entry = Object.hasOwn(table, template) ? table[template] : undefined;
  if (entry === undefined || typeof entry === 'string') return entry;
  return pack !== undefined && Object.hasOwn(entry, pack) ? entry[pack] : undefined;
}

/**
 * Last part of the class a template makes, such as `Fqdn` for `hostname`; `pack` (its bare name) decides where packs disagree.
 * Undefined for a template that no shipped pack has. It does not say whether this pack has it: users bring their own packs.
 */
export function templateClass(template: string, pack?: string): string | undefined {
  return classInTable(shippedTemplates, template, pack);
}

/** Templates that make a class, by its last word (`User`); those whose class depends on the pack are listed too. */
export function templatesOfClass(tail: string): readonly string[] {
  return Object.entries(shippedTemplates as TemplateTable)
    .filter(([, made]) => (typeof made === 'string' ? made === tail : Object.values(made).includes(tail)))
    .map(([name]) => name);
}
