// Facts that are known before a program runs: plain configuration, and the names of stack and
// project; as plain data, and as nodes of the tree.
import { SECRET_WORD } from '../../provider/secrets';
import { didYouMean } from '../../provider/values';
import { firstAt } from '../findings/finding';
import { configValue } from '../plan';
import {
  formatSteps,
  hasReference,
  onlyReference,
  splitText,
  withoutReferences,
  replaceReferences,
  type Interpolation,
} from '../values/interpolation';
import { valueAt } from '../values/resolve';
import type { Steps } from '../values/value';
import {
  entriesIn,
  entryOf,
  valueBelow,
  type Entry,
  type MapNode,
  type Node,
  type Placed,
  type ScalarNode,
} from '../yaml/tree';
import { failedNode, refuse, type Choices, type Composition } from './composition';

/** A value, or why there is none, in the words of a finding. */
export type Known =
  | { readonly value: unknown; readonly allowed?: readonly unknown[] }
  | { readonly code: string; readonly message: string; readonly hint?: string };

type Judging = Pick<Composition, 'choices' | 'secretConfig'>;

/** The value of `${config.x}` or `${pulumi.stack}`. `root` contains the declarations. */
export function knownValue({ choices, secretConfig }: Judging, root: MapNode, steps: Steps): Known {
  const [part, name, ...rest] = steps;
  const written = formatSteps(steps);
  if (part === 'pulumi' && (name === 'stack' || name === 'project') && rest.length === 0) {
    const value = choices[name];
    if (value !== undefined) return { value };
    return { code: 'not-known-yet', message: `"${written}" is not known here`, hint: 'name a stack: --stack NAME' };
  }
  if (part !== 'config' || typeof name !== 'string') {
    const message = `"${written}" is not known before the run`;
    return { code: 'not-known-yet', message, hint: 'only ${config.NAME} and ${pulumi.stack} can be used here' };
  }
  const config = valueBelow(root, 'config');
  const declared = valueBelow(config, name);
  const type = plainValue(valueBelow(declared, 'type'));
  const ofType = (key: string): unknown => plainOfType(type, valueBelow(declared, key));
  if (declared?.form !== 'map') {
    const known = entriesIn(config).map(({ key }) => key);
    return {
      code: 'unknown-reference',
      message: `"config.${name}" is nothing this file declares`,
      hint: didYouMean(name, known, 'declare it under config', (near) => `config.${near}`),
    };
  }
  if (secretConfig.has(name) || plainValue(valueBelow(declared, 'secret')) === true)
    return {
      code: 'secret-decides',
      message: `"config.${name}" is a secret: it cannot decide what the file declares`,
      hint: 'use a configuration value that is not secret',
    };
  const given = choices.config?.[name];
  const value = given === undefined ? ofType('default') : configValue(type, given);
  if (value === undefined)
    return {
      code: 'config-required',
      message: `config "${name}" is not set, and decides what the file declares`,
      hint: `set it with: pulumi config set ${name}; and name the stack: --stack NAME`,
    };
  const allowed = rest.length === 0 ? ofType('allowed') : undefined;
  const found = valueAt(value, rest);
  if (found === undefined) return { code: 'unknown-reference', message: `"${written}" is not in the configuration` };
  return { value: found, ...(Array.isArray(allowed) ? { allowed: allowed as unknown[] } : {}) };
}

/** A node as plain data; undefined for nothing, and where a reference or a function is in it. */
export function plainValue(node: Node | undefined): unknown {
  switch (node?.form) {
    case 'scalar':
      if (node.value === null) return undefined;
      if (typeof node.value !== 'string') return node.value;
      return hasReference(node.source) ? undefined : splitText(node.source).map(String).join('');
    case 'list': {
      const items = node.items.map(plainValue);
      return items.includes(undefined) ? undefined : items;
    }
    case 'map': {
      if (node.entries.some(({ key }) => key.startsWith('fn::'))) return undefined;
      const entries = node.entries.map(({ key, value }) => [key, plainValue(value)] as const);
      return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}

/** A node as a value of a declared type: the text of a number or `true` without quotes. */
export const asType = (type: unknown, node: Node): Node =>
  type === 'string' && node.form === 'scalar' && node.value !== null ? { ...node, value: node.source } : node;

/** A value of a declared type, or a list of such values, as plain data. */
export function plainOfType(type: unknown, node: Node | undefined): unknown {
  if (node?.form !== 'list') return plainValue(node && asType(type, node));
  return plainValue({ ...node, items: node.items.map((item) => asType(type, item)) });
}

/** Plain data as a node, at the place where it is used. */
export function nodeOf(value: unknown, place: Placed): Node {
  const { path, at } = place;
  if (Array.isArray(value)) return { form: 'list', items: value.map((item) => nodeOf(item, place)), path, at };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => ({ key, value: nodeOf(item, place), path, at }));
    return { form: 'map', entries, path, at };
  }
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  // The text of configuration is text: nothing in it is a reference.
  const source = known === null ? '' : withoutReferences(String(known));
  return { form: 'scalar', value: typeof known === 'string' ? source : known, source, raw: '', path, at };
}

/**
 * The composed tree with the names of the assembly and its environments as this stack has them.
 * Names are part of every address: references in them are known before the run, or reported.
 */
export function withKnownNames(composition: Composition, root: MapNode): MapNode {
  const entries = root.entries.map((entry): Entry => {
    const { key, value } = entry;
    if (value.form !== 'map') return entry;
    if (key === 'assembly') return { ...entry, value: withName(composition, root, value) };
    return key === 'environments' ? { ...entry, value: withKnownKeys(composition, root, value) } : entry;
  });
  return entries.every((entry, index) => entry.value === root.entries[index]?.value) ? root : { ...root, entries };
}

function withName(composition: Composition, root: MapNode, body: MapNode): MapNode {
  const named = entryOf(body, 'name');
  if (named?.value.form !== 'scalar' || !hasReference(named.value.source)) return body;
  const { value } = named;
  const text = knownText(composition, root, value.source, value);
  const name: Node = text === undefined ? failedNode(value) : { ...value, value: text, source: text };
  return { ...body, entries: body.entries.map((entry) => (entry === named ? { ...named, value: name } : entry)) };
}

function withKnownKeys(composition: Composition, root: MapNode, map: MapNode): MapNode {
  if (!map.entries.some(({ key }) => hasReference(key))) return map;
  const entries: Entry[] = [];
  for (const entry of map.entries) {
    const key = hasReference(entry.key) ? knownText(composition, root, entry.key, entry) : entry.key;
    const before = entries.find((each) => each.key === key);
    if (before) {
      const message = `an environment "${key}" is in the assembly already`;
      refuse(composition, entry, 'duplicate-name', message, firstAt(before.at, entry.at));
    } else if (key !== undefined) entries.push({ ...entry, key });
    // What an environment without a name declares cannot be judged.
    else composition.incomplete = true;
  }
  return { ...map, entries };
}

/** A text with known values in place of references; undefined after a finding. */
function knownText(composition: Composition, root: MapNode, source: string, place: Placed): string | undefined {
  const parts = splitText(source).map((part) => {
    if (typeof part === 'string') return part;
    const known = knownValue(composition, root, part.steps ?? []);
    if (!('value' in known)) composition.report.error(place, known.code, known.message, known.hint);
    else if (typeof known.value === 'string' || typeof known.value === 'number') return String(known.value);
    else composition.report.error(place, 'wrong-type', 'a name takes a text or a number');
    return undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

const MASK = '(secret)';

/** A value in place of a reference; undefined for one that is known only in the run. */
type ValueOf = (reference: Interpolation, place: ScalarNode) => Node | undefined;

/** The tree with known values for references. `secretConfig`: names never shown. */
export function withKnownValues(root: MapNode, choices: Choices, secretConfig: ReadonlySet<string>): MapNode {
  const valueOf: ValueOf = ({ steps = [] }, place) => {
    const known = knownValue({ choices, secretConfig }, root, steps);
    if ('value' in known)
      return nodeOf(steps[0] === 'config' && SECRET_WORD.test(String(steps[1])) ? MASK : known.value, place);
    return known.code === 'secret-decides' ? nodeOf(MASK, place) : undefined;
  };
  const entries = root.entries.map((entry) =>
    entry.key === 'config' ? entry : { ...entry, value: replaced(entry.value, valueOf) },
  );
  return { ...root, entries };
}

function replaced(node: Node, valueOf: ValueOf): Node {
  switch (node.form) {
    case 'map':
      return { ...node, entries: node.entries.map((each) => ({ ...each, value: replaced(each.value, valueOf) })) };
    case 'list':
      return { ...node, items: node.items.map((item) => replaced(item, valueOf)) };
    case 'scalar':
      return typeof node.value === 'string' ? replacedText(node, valueOf) : node;
    default:
      return node;
  }
}

/** A text that is one reference becomes the value; otherwise values become part of the text. */
function replacedText(node: ScalarNode, valueOf: ValueOf): Node {
  const only = onlyReference(node.source);
  if (only !== undefined) return valueOf(only, node) ?? node;
  const text = replaceReferences(node.source, (reference) => {
    const value = valueOf(reference, node);
    return value?.form === 'scalar' ? value.source : undefined;
  });
  return { ...node, value: text, source: text };
}
