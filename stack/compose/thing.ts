// One thing: the layers of what it extends and uses, below its own.
// It must not know what is done with a thing, nor files.
import { nearest } from '../../provider';
import type { Entry, MapNode, Node } from '../reader/tree';
import { formatSteps, parseSteps } from '../values/interpolation';
import type { Steps } from '../values/value';
import { refusePart } from './composition';
import { childrenOf, type LoopScope } from './each';
import { hasReference } from './known';
import { counting, giftsOf, mergedEntry, type Layers } from './layers';
import { without } from './merge';
import { WORDS } from './misplaced-words';
import { substitute } from './substitute';
import { instantiate, type StackTemplates } from './template';

/** What carrying out the words of a thing needs. `root`: the layers of the complete file, before anything is carried out. */
export interface ThingScope extends LoopScope {
  readonly root: Layers;
  readonly templates: StackTemplates;
  /** It is inside of a thing that is partial. */
  readonly isPartial: boolean;
  /** Something is laid over something else here: `append` adds to nothing where the layers below have no list. */
  readonly isLayered: boolean;
}

interface Thing {
  readonly layers: Layers;
  /** Something below its own keys could not be found, which was reported. */
  readonly isPartial: boolean;
  readonly conditions: readonly Entry[];
}

/** A thing with what it extends and uses, its own keys over both. `trail`: what is being extended on the way here. */
export function thingOf(walk: ThingScope, own: Layers, trail: readonly string[] = []): Thing {
  const [use, given, extended, when] = ['use', 'with', 'extends', 'when'].map((word) =>
    mergedEntry(giftsOf(own, word), walk.listOf),
  );
  if (use === undefined && given)
    refusePart(walk.composition, given, { code: 'use-missing', message: '"with" needs "use"', hint: 'use: TEMPLATE' });
  const conditions = when ? [when] : [];
  if ([use, given, extended, when].every((word) => word === undefined))
    return { layers: own, conditions, isPartial: false };
  const layers: MapNode[] = [];
  let isPartial = use === undefined && given !== undefined;
  for (const base of [
    ...(extended ? basesOf(walk, extended, trail) : []),
    ...(use ? [bodyOf(walk, use, { given, trail })] : []),
  ]) {
    const inner = base && thingOf(walk, base.layers, base.trail);
    conditions.push(...(inner?.conditions ?? []));
    layers.push(...(inner?.layers ?? []));
    isPartial ||= inner?.isPartial !== false;
  }
  return { layers: [...layers, ...own.map((map) => without(map, WORDS))], conditions, isPartial };
}

/** What a thing is made of, and what was extended on the way there. */
interface Base {
  readonly layers: Layers;
  readonly trail: readonly string[];
}

/** The body of a template, with its arguments. */
function bodyOf(
  walk: ThingScope,
  use: Entry,
  { given, trail }: { readonly given: Entry | undefined; readonly trail: readonly string[] },
): Base | undefined {
  const body = usedTemplate(walk, use, given);
  return body?.form === 'map' ? { layers: [body], trail } : undefined;
}

function usedTemplate({ composition, templates }: ThingScope, use: Entry, given: Entry | undefined): Node | undefined {
  const { value } = use;
  const fail = (code: string, message: string, hint?: string): undefined =>
    void refusePart(composition, value, { code, message, ...(hint === undefined ? {} : { hint }) });
  if (value.form === 'failed') return undefined;
  const name = value.form === 'scalar' ? value.source : '';
  if (hasReference(name))
    return fail('no-reference', '"use" takes the name of a template, which cannot contain a reference');
  const template = templates.get(name);
  if (template === undefined && templates.has(name)) return undefined;
  if (template === undefined) {
    const near = nearest(name, [...templates.keys()]);
    const hint = near ? `did you mean "${near}"?` : `declare it: templates: { NAME: { body: { … } } }`;
    return name === ''
      ? fail('wrong-type', '"use" takes the name of a template')
      : fail('no-template', `there is no template "${name}"`, hint);
  }
  const isRing = use.via?.some((each) => each.how === 'template' && each.name === name);
  if (isRing === true) return fail('template-cycle', `template "${name}" uses itself`);
  return instantiate(composition, template, use, given);
}

/** Copies of the things that `extends` names. */
function basesOf(walk: ThingScope, extended: Entry, trail: readonly string[]): readonly (Base | undefined)[] {
  const names = extended.value.form === 'list' ? extended.value.items : [extended.value];
  return names.map((name) => baseOf(walk, extended, name, trail));
}

function baseOf(walk: ThingScope, extended: Entry, node: Node, trail: readonly string[]): Base | undefined {
  const { composition } = walk;
  const steps = node.form === 'scalar' ? parseSteps(node.source) : undefined;
  const fail = (code: string, message: string, hint?: string): undefined =>
    void refusePart(composition, node, { code, message, ...(hint === undefined ? {} : { hint }) });
  if (steps === undefined) return fail('wrong-type', '"extends" takes the path of a thing', 'extends: platforms.base');
  const name = formatSteps(steps);
  const isRing = trail.includes(name) || extended.via?.some((each) => each.how === 'extends' && each.name === name);
  if (isRing === true) return fail('extends-cycle', `"${name}" extends itself`);
  composition.extended.add(steps.join('.'));
  const found = layersAt(walk, steps);
  if (typeof found === 'string') return fail('unknown-reference', `"${name}" ${found}`);
  const via = [{ how: 'extends' as const, name, at: node.at }, ...(extended.via ?? [])];
  const copies = found.map((map) => substitute(composition, without(map, ['when', 'each']), { bindings: {}, via }));
  const layers = copies.flatMap((copy) => (copy.form === 'map' ? [copy] : []));
  // Its own bases come with it: a ring among them is found by the copies' way here.
  return layers.length < copies.length ? undefined : { layers, trail: [...trail, name] };
}

/** The layers of the thing at a path of the file, or why there are none. */
function layersAt(walk: ThingScope, steps: Steps): readonly MapNode[] | string {
  let layers = walk.root;
  for (const step of steps) {
    const gifts = counting(childrenOf(walk, layers).get(String(step)) ?? [], walk.listOf);
    if (gifts.length === 0) return 'is nothing this file declares';
    layers = gifts.flatMap(({ entry }) => (entry.value.form === 'map' ? [entry.value] : []));
    if (layers.length === 0) return 'is not a map';
  }
  return layers;
}
