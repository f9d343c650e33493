// `each`: one entry of a map for each element of a list or map. The elements give the names, so
// that adding one renames no other.
import { hasReference, onlyReference, splitText } from '../values/interpolation';
import type { Entry, MapNode, Node } from '../yaml/tree';
import { emptyMap, refuse, spend, THING, type Composition } from './composition';
import { knownValue, nodeOf } from './known';
import {
  byKey,
  counting,
  isPlainMap,
  mergedEntry,
  reportTwice,
  without,
  writtenAs,
  type Layered,
  type Layers,
} from './layers';
import { isLoopName, loopOf, substituteEntry } from './substitute';

interface Element {
  readonly key: Node & { readonly form: 'scalar' };
  readonly value: Node;
}

/** Facts at the place where a word is carried out: `known` contains the configuration. */
export interface LoopScope {
  readonly composition: Composition;
  readonly known: MapNode;
}

/** The children of layers by name, with every `each` carried out below what layers say. */
export function childrenOf(scope: LoopScope, layers: Layers): ReadonlyMap<string, Layered> {
  const written = byKey(layers);
  if (![...written.keys()].some(isLoopName)) return written;
  const { composition } = scope;
  const made = new Map<string, Layered>();
  for (const [key, layered] of written) {
    for (const [name, own] of isLoopName(key) ? repeat(scope, layered) : [[key, layered] as const]) {
      const other = made.get(name);
      if (composition.budget < 0) return made;
      const [first, second] = [other?.[0], own[0]];
      if (other === undefined) made.set(name, own);
      else if (first && second && first.layer === second.layer)
        reportTwice(composition.report, first.entry, second.entry);
      else made.set(name, lowestFirst(isLoopName(key) ? [...own, ...other] : [...other, ...own]));
    }
  }
  return made;
}

const lowestFirst = (layered: Layered): Layered => [...layered].sort((left, right) => left.layer - right.layer);

/** The values of the layers for each name that `each` makes. */
function repeat(scope: LoopScope, layered: Layered): readonly (readonly [string, Layered])[] {
  const { composition } = scope;
  const bodies = counting(layered);
  const entry = writtenAs(bodies.map((given) => given.entry));
  if (entry === undefined) return [];
  const each = mergedEntry(
    bodies.flatMap(({ entry: { value }, layer }) => {
      const own = loopOf(value);
      return own ? [{ entry: own, layer }] : [];
    }),
  );
  if (each === undefined || !hasKey(entry.key)) {
    reportNoName(composition, entry, each);
    return [];
  }
  return elementsOf(scope, each.value).flatMap((element) => {
    if (!spend(composition, THING, entry)) return [];
    const bound = { ...emptyMap(each), entries: [bind(each, 'key', element.key), bind(each, 'value', element.value)] };
    const via = [{ how: 'each' as const, name: element.key.source, at: element.key.at }];
    const own = bodies.map(({ entry: { value, ...rest }, layer }) => {
      const body = { ...rest, value: value.form === 'map' ? without(value, ['each']) : value };
      return { layer, entry: substituteEntry(composition, body, { bindings: { each: bound }, via }) };
    });
    return own[0] ? [[own[0].entry.key, own] as const] : [];
  });
}

/** Maps of a thing without an `each` whose key its name lacks, which is reported. */
export function withoutEach(composition: Composition, { key, ...place }: Entry, maps: Layers): Layers {
  const each = maps.flatMap((map) => loopOf(map) ?? []).at(-1);
  if (each === undefined) return maps;
  reportNoName(composition, { key, ...place }, each);
  return maps.map((map) => without(map, ['each']));
}

const hasKey = (key: string): boolean =>
  splitText(key).some((part) => typeof part === 'object' && part.steps?.[1] === 'key');

function reportNoName(composition: Composition, entry: Entry, each: Entry | undefined): void {
  const { key } = entry;
  const [message, hint] =
    each === undefined
      ? [`"${key}" needs "each": the names it is made for`, `${key}: { each: [one, two], … }`]
      : ['the key does not contain ${each.key}: all entries would have one name', "'${each.key}': { each: …, … }"];
  refuse(composition, entry, 'each-missing', message, hint);
}

const bind = (each: Entry, key: string, value: Node): Entry => ({ key, value, path: each.path, at: each.at });

function elementsOf(scope: LoopScope, node: Node): readonly Element[] {
  const { composition } = scope;
  if (node.form === 'list') return node.items.flatMap((item) => itemElement(composition, item));
  if (isPlainMap(node))
    return node.entries.map(({ key, value, path, at, via }) => ({
      key: { form: 'scalar', value: key, source: key, raw: '', path, at, ...(via ? { via } : {}) },
      value,
    }));
  const steps = node.form === 'scalar' ? onlyReference(node.source)?.steps : undefined;
  const known = steps && knownValue(composition, scope.known, steps);
  if (known && 'value' in known && typeof known.value === 'object') return elementsOf(scope, nodeOf(known.value, node));
  if (known === undefined || 'value' in known) {
    const message = '"each" takes a list of names, or a map by name';
    return refuseElements(composition, node, message, 'each: [orders, carts], or each: { orders: { … } }');
  }
  refuse(composition, node, known.code, known.message, known.hint);
  return [];
}

function refuseElements(composition: Composition, node: Node, message: string, hint: string): readonly Element[] {
  composition.incomplete = true;
  if (node.form !== 'failed') refuse(composition, node, 'wrong-type', message, hint);
  return [];
}

function itemElement(composition: Composition, item: Node): readonly Element[] {
  if (item.form === 'scalar' && item.value !== null && !hasReference(item.source)) return [{ key: item, value: item }];
  const isReference = item.form === 'scalar' && item.value !== null;
  const message = isReference ? 'a name must be known before the run: it cannot contain a reference' : 'must be a name';
  return refuseElements(composition, item, message, 'write a map by name: each: { orders: { size: L } }');
}
