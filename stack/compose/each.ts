// `each`: one entry of a map for each element of a list or map. The elements give the names, so that adding one renames no other.
// It must not know what an entry means.
import { entryOf, isNull, type Entry, type MapNode, type Node } from '../reader/tree';
import { splitText } from '../values/interpolation';
import { emptyMap, refuse, spend, THING, type Composition } from './composition';
import { hasReference, knownValue, nodeOf } from './known';
import { appended, isOverlay, mergeEntries, reportTwice, without } from './merge';
import { substituteEntry } from './substitute';

/** One element: its name, its value, and where it is written. */
interface Element {
  readonly key: Node & { readonly form: 'scalar' };
  readonly value: Node;
}

const isName = (key: string): boolean => key.includes('${each.');

/** The entries of a map with every `each` of it carried out, and what overlays say about the entries that came of it. `root` contains the configuration. */
export function eachEntry(composition: Composition, root: MapNode, { entries }: MapNode): readonly Entry[] {
  if (!entries.some((entry) => isName(entry.key) || isOverlay(entry))) return entries;
  const made = new Map<string, Entry>();
  for (const entry of entries) {
    const all = isName(entry.key) ? repeat(composition, root, entry) : [entry];
    for (const each of all) place(composition, made, each);
  }
  for (const [key, entry] of made) {
    const { value } = entry;
    const more = isOverlay(value) ? appended(value) : undefined;
    if (more) made.set(key, { ...entry, value: more });
    else if (isNull(value) && isOverlay(value)) {
      composition.report.error(
        entry,
        'nothing-to-remove',
        `there is no "${key}" that the overlay could remove`,
        `write "${key}: {}" for an empty map`,
      );
      made.delete(key);
    }
  }
  return [...made.values()];
}

/** Puts an entry among the others. What an overlay says about a name is laid over what makes the name. */
function place(composition: Composition, made: Map<string, Entry>, entry: Entry): void {
  const other = made.get(entry.key);
  if (other === undefined) {
    made.set(entry.key, entry);
    return;
  }
  const [base, over] = isOverlay(other) && !isOverlay(entry) ? [entry, other] : [other, entry];
  if (composition.budget < 0) return;
  if (isOverlay(base) || !isOverlay(over)) reportTwice(composition.report, other, entry);
  else if (isNull(over.value)) made.delete(entry.key);
  else made.set(entry.key, mergeEntries(base, over, 'base'));
}

function repeat(composition: Composition, root: MapNode, entry: Entry): readonly Entry[] {
  const { value, key } = entry;
  const each = value.form === 'map' ? entryOf(value, 'each') : undefined;
  if (each === undefined || value.form !== 'map') {
    const hint = `${key}: { each: [one, two], … }`;
    refuse(composition, entry, {
      code: 'each-missing',
      message: `"${key}" needs "each": the names it is made for`,
      hint,
    });
    return [];
  }
  if (!splitText(key).some((part) => typeof part === 'object' && part.steps?.[1] === 'key')) {
    const message = 'the key does not contain ${each.key}: all entries would have one name';
    refuse(composition, entry, { code: 'each-missing', message, hint: "'${each.key}': { each: …, … }" });
    return [];
  }
  const body = { ...entry, value: without(value, ['each']) };
  return elementsOf(composition, root, each.value).flatMap((element) => {
    if (!spend(composition, THING, entry)) return [];
    const bound = { ...emptyMap(each), entries: [bind(each, 'key', element.key), bind(each, 'value', element.value)] };
    const via = [{ how: 'each' as const, name: element.key.source, at: element.key.at }];
    return substituteEntry(composition, body, { bindings: { each: bound }, via });
  });
}

const bind = (each: Entry, key: string, value: Node): Entry => ({ key, value, path: each.path, at: each.at });

function elementsOf(composition: Composition, root: MapNode, node: Node): readonly Element[] {
  if (isNull(node)) return [];
  if (node.form === 'list') return node.items.flatMap((item) => itemElement(composition, item));
  if (node.form === 'map')
    return node.entries.map(({ key, value, path, at, via }) => ({
      key: { form: 'scalar', value: key, source: key, raw: '', path, at, ...(via ? { via } : {}) },
      value,
    }));
  const steps = node.form === 'scalar' ? onlyReference(node.source) : undefined;
  if (steps === undefined) {
    refuseElements(composition, node);
    return [];
  }
  const known = knownValue(composition, root, steps);
  if ('value' in known && typeof known.value === 'object')
    return elementsOf(composition, root, nodeOf(known.value, node));
  if ('value' in known) refuseElements(composition, node);
  else refuse(composition, node, known);
  return [];
}

function refuseElements(composition: Composition, node: Node): void {
  composition.incomplete = true;
  if (node.form === 'failed') return;
  const message = '"each" takes a list of names, or a map by name';
  refuse(composition, node, { code: 'wrong-type', message, hint: 'each: [orders, carts], or each: { orders: { … } }' });
}

function itemElement(composition: Composition, item: Node): readonly Element[] {
  if (item.form === 'scalar' && item.value !== null && !hasReference(item.source)) return [{ key: item, value: item }];
  composition.incomplete = true;
  if (item.form === 'failed') return [];
  const message =
    item.form === 'scalar' ? 'a name must be known before the run: it cannot contain a reference' : 'must be a name';
  refuse(composition, item, {
    code: 'wrong-type',
    message,
    hint: 'write a map by name: each: { orders: { size: L } }',
  });
  return [];
}

/** The steps of a text that is one reference. */
function onlyReference(text: string): readonly (string | number)[] | undefined {
  const [only, ...others] = splitText(text);
  return typeof only === 'object' && others.length === 0 ? only.steps : undefined;
}
