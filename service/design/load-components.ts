// Laying the components of a written design over a platform: each of them, what they depend on, and what the document leaves out
// (service-facts §4.5.5, §14). It must not know how the document is read, nor what comes of refusals.
import { templates } from '../catalogue';
import { refused } from '../handler';
import { isComponentClass } from '../locate';
import { isLeaving, type StoredRecord } from '../store';
import { removeComponent, setDependencies } from './components';
import { templateOf } from './from-template';
import { type Laying, layComponent } from './load-component';
import { packOf } from './make-platform';
import { type DocumentNode, membersAt, textOf } from './read-document';

/** Carries out a part of the load; what it refuses is noted at its path, and the rest goes on. */
export type Part = <T>(path: readonly string[], work: () => T) => T | undefined;

interface Laid {
  readonly component: StoredRecord;
  readonly node: DocumentNode;
  readonly path: readonly string[];
}

/**
 * Lays the components of a document over a platform, then what they depend on, which may come later in the document. Optional components that
 * the document does not mention go when the platform was there before and the document has components for it.
 */
export function layComponents(
  base: Omit<Laying, 'pack'>,
  part: Part,
  node: DocumentNode | undefined,
  path: readonly string[],
  wasThere: boolean,
): void {
  const { context, place } = base;
  const pack = packOf(context.catalogue, place.platform.values);
  if (pack === undefined) throw refused(`the pack of platform ${place.platform.name} is not in the catalogue`);
  const laying: Laying = { ...base, pack };
  const groups = membersAt(node, 'components');
  const laid: Laid[] = [];
  for (const [key, group] of groups) {
    for (const [name, written] of part([...path, key], () => membersAt(group, `components of ${key}`)) ?? []) {
      const component = part([...path, key, name], () => layComponent(laying, key, name, written));
      if (component !== undefined) laid.push({ component, node: written, path: [...path, key, name] });
    }
  }
  for (const each of laid) part([...each.path, 'depends'], () => layDependencies(laying, laid, each));
  if (wasThere && groups.size > 0) removeOthers(laying, laid);
}

/** What a component depends on: components of the same class by name, whichever template they are of. */
function layDependencies({ context, stage, place }: Laying, laid: readonly Laid[], { component, node }: Laid): void {
  const depends = node.kind === 'map' ? node.entries.get('depends') : undefined;
  if (depends?.kind !== 'list') return;
  const { className } = component;
  const targets = depends.items.map((item) => {
    const name = textOf(item);
    const written = laid.find((each) => each.component.name === name && each.component.className === className);
    const target = written?.component ?? context.store.records.byName(place.inside, className, name);
    if (target === undefined || isLeaving(target) || target.id === component.id)
      throw refused(`${name} is no other component of class ${className} in platform ${place.platform.name}`);
    return target.id;
  });
  setDependencies(context.store, stage, place, component, targets);
}

/** Deletes the optional components of a platform that are not among these. */
function removeOthers({ context, stage, place, pack }: Laying, laid: readonly Laid[]): void {
  const { store } = context;
  const mentioned = new Set(laid.map(({ component }) => component.id));
  const optional = new Set(templates(pack, 'design').flatMap(({ name, min }) => (min === 0 ? [name] : [])));
  const others = store.records
    .list({ namespace: place.inside })
    .filter((record) => isComponentClass(record.className) && !isLeaving(record) && !mentioned.has(record.id));
  for (const component of others) {
    const template = templateOf(store, component);
    if (template !== undefined && optional.has(template)) removeComponent(store, stage, component);
  }
}
