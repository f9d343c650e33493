// What is known before a program runs: plain configuration, and the names of stack and project; as plain data, and as nodes of the tree.
// It must not know what asks for it.
import { entryOf, type MapNode, type Node, type Placed } from '../reader/tree';
import { configValue } from '../values/config-value';
import { formatSteps, splitText } from '../values/interpolation';
import type { Steps } from '../values/value';
import type { Composition } from './composition';

/** A value, or why there is none, in the words of a finding. */
export type Known = { readonly value: unknown; readonly allowed?: readonly unknown[] } | Unknown;

/** Why something is not known before the run. */
interface Unknown {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The value of `${config.x}` or `${pulumi.stack}`, before the run. `root` contains the declarations. */
export function knownValue({ choices, secretConfig }: Composition, root: MapNode, steps: Steps): Known {
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
  const config = entryOf(root, 'config')?.value;
  const declared = config?.form === 'map' ? entryOf(config, name)?.value : undefined;
  if (declared?.form !== 'map')
    return {
      code: 'unknown-reference',
      message: `"config.${name}" is nothing this file declares`,
      hint: 'declare it under config',
    };
  if (secretConfig.has(name) || plainValue(entryOf(declared, 'secret')?.value) === true)
    return {
      code: 'secret-decides',
      message: `"config.${name}" is a secret: it cannot decide what the file declares`,
      hint: 'use a configuration value that is not secret',
    };
  const given = choices.config?.[name];
  const value =
    given === undefined
      ? plainValue(entryOf(declared, 'default')?.value)
      : configValue(plainValue(entryOf(declared, 'type')?.value), given);
  if (value === undefined)
    return {
      code: 'config-required',
      message: `config "${name}" is not set, and decides what the file declares`,
      hint: `set it with: pulumi config set ${name}; and name the stack: --stack NAME`,
    };
  const allowed = rest.length === 0 ? plainValue(entryOf(declared, 'allowed')?.value) : undefined;
  return { ...inside(value, rest, written), ...(Array.isArray(allowed) ? { allowed: allowed as unknown[] } : {}) };
}

/** A value inside another one. */
function inside(value: unknown, steps: Steps, written: string): Known {
  let found: unknown = value;
  for (const step of steps) {
    const isIn = typeof found === 'object' && found !== null && Object.hasOwn(found, step);
    found = isIn ? (found as { readonly [key: string]: unknown })[step] : undefined;
  }
  return found === undefined
    ? { code: 'unknown-reference', message: `"${written}" is not in the configuration` }
    : { value: found };
}

/** A node as plain data; undefined for nothing, and for what contains a reference or the call of a function. */
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

/** Whether a text contains a `${…}`. */
export const hasReference = (text: string): boolean =>
  text.includes('${') && splitText(text).some((part) => typeof part !== 'string');

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
  const source = known === null ? '' : String(known).replace(/(?<!\$)\$+(?=\{)/g, (run) => run + run);
  return { form: 'scalar', value: typeof known === 'string' ? source : known, source, raw: '', path, at };
}

/** The steps of a text that is one reference. */
export function onlyReference(text: string): Steps | undefined {
  const [only, ...others] = splitText(text);
  return typeof only === 'object' && others.length === 0 ? only.steps : undefined;
}
