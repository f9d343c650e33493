// The scope of binding, for every part of it: the report of findings, facts from outside the text,
// and the places of findings.
import type { Diagnostic } from '../../api/contract';
import type { KnownCatalogue } from '../../provider/kinds/catalogue';
import { camelCase } from '../../provider';
import type { CatalogueLevel } from '../../provider/session/settings';
import { nearest, UNKNOWN, unknownKey } from '../../provider/values';
import type { Choices, SwitchedOff } from '../compose/composition';
import type { Report } from '../findings/finding';
import { placesOf } from '../layout';
import type { SourceFile } from '../yaml/source';
import type { FileContent } from '../yaml/text-file';
import { resolve, type Carrier } from '../values/resolve';
import { holdsExpression, type Value } from '../values/value';
import {
  entriesIn,
  isNull,
  partOf,
  valueBelow,
  type Entry,
  type MapNode,
  type Node,
  type Placed,
  type ScalarNode,
} from '../yaml/tree';

/** Facts from outside the text that reading a stack needs. */
export interface StackEnvironment {
  /** Reads a file that a function names. `from`: name of the file with the function. */
  readFile(path: string, from: string): FileContent;
  /** Environment variables; default none. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** How findings of the packaged catalogue count; default `auto`. */
  readonly catalogue?: CatalogueLevel | undefined;
  /** What packs and arguments are judged by; default: the packaged catalogue. */
  readonly known?: KnownCatalogue | undefined;
  /** Names of configuration values that are kept as secrets, declared so or not. */
  readonly secretConfig?: ReadonlySet<string>;
  /** The choices that composing the files depends on. */
  readonly choices?: Choices;
}

/** The same with other texts of the included files that can be read. `note` gets each of these. */
export function withTexts<E extends StackEnvironment>(
  environment: E,
  textOf: (name: string) => string | undefined,
  note: (file: SourceFile) => void = () => undefined,
): E {
  const { choices } = environment;
  if (choices?.include === undefined) return environment;
  const include: typeof choices.include = (pattern, from) => {
    const found = choices.include?.(pattern, from) ?? { problem: 'files cannot be included here' };
    if ('problem' in found) return found;
    const files = found.files.map(({ name, content }) => {
      if ('problem' in content) return { name, content };
      const text = textOf(name) ?? content.text;
      note({ name, text });
      return { name, content: { text } };
    });
    return { files };
  };
  return { ...environment, choices: { ...choices, include } };
}

export interface BindScope extends StackEnvironment {
  readonly report: Report;
  readonly known: KnownCatalogue;
  /** Names of the environment variables that the file declares. */
  readonly declaredEnv?: ReadonlySet<string>;
  /** The parts that conditions of the file switched off. */
  readonly off?: readonly SwitchedOff[];
}

const FORMS = { scalar: 'a single value', list: 'a list', map: 'a map', failed: '' } as const;

/** The form of a node, in a finding's words. */
export const formOf = (node: Node): string => (isNull(node) ? 'nothing' : FORMS[node.form]);

/** The node as a map; undefined for nothing. After an earlier finding, the map is partial. */
export function expectMap(scope: BindScope, node: Node | undefined, what: string, hint?: string): MapNode | undefined {
  if (node === undefined || isNull(node)) return undefined;
  if (node.form === 'map') return node;
  const partial: MapNode = { form: 'map', entries: [], path: node.path, at: node.at, isPartial: true };
  if (node.form === 'failed') return partial;
  const isFile = node.form === 'scalar' && node.path.at(-1) === 'include';
  const keys = node.form === 'list' ? 'write each entry as "NAME: …", without the "-" of a list' : undefined;
  const meant = isFile ? `files are included as a list: include: [${node.source}]` : (hint ?? keys);
  scope.report.error(node, 'wrong-type', `must be ${what}, not ${formOf(node)}`, meant);
  return isFile ? partial : undefined;
}

/** The entries of the map under a key of a body. */
export const entriesBelow = (
  scope: BindScope,
  body: MapNode | undefined,
  key: string,
  ...form: readonly [what: string, hint?: string]
): readonly Entry[] => entriesIn(expectMap(scope, valueBelow(body, key), ...form));

/** Reports an unknown key, with the nearest known one, or the places where it is known. */
export function reportUnknownKey(scope: BindScope, entry: Entry, known: readonly string[]): void {
  const finding = unknownKey(entry.key, known, []);
  scope.report.misspelt(entry, known);
  const places = nearest(entry.key, known) === undefined ? placesOf(entry.key) : [];
  // More than two places say nothing.
  const elsewhere = [1, 2].includes(places.length) ? `"${entry.key}" belongs in ${places.join(' and ')}; ` : '';
  scope.report.add({ ...finding, hint: `${elsewhere}${finding.hint}` }, entry);
}

/** A value for checks: expressions, also secrets, are unknown. Plain data is the same object. */
export const checkable = (value: Value): unknown => (holdsExpression(value) ? resolve(value, UNKNOWN_YET) : value);

const UNKNOWN_YET: Carrier<unknown> = {
  lookup: () => UNKNOWN,
  combine: () => UNKNOWN,
  secret: () => UNKNOWN,
  invoke: () => UNKNOWN,
};

/** Codes of findings that are reported at the key, not at the value. */
const OF_KEYS = ['unknown-key', 'unknown-attribute', 'required', 'idle-setting'];

/** The place of a finding whose path leads from the value of an entry. */
export function findPlace(entry: Entry, finding: Diagnostic): Placed {
  const last = finding.path.length - 1;
  let place: Placed = entry.value;
  let node: Node = entry.value;
  for (const [index, step] of finding.path.entries()) {
    if (node.form === 'list' && typeof step === 'number') {
      const item: Node | undefined = node.items[step];
      if (!item) return place;
      [place, node] = [item, item];
    } else if (node.form === 'map') {
      const found: Entry | undefined = node.entries.find(({ key }) => key === step || camelCase(key) === step);
      if (!found) return place;
      place = index === last && OF_KEYS.includes(finding.code) ? found : found.value;
      node = found.value;
    } else if (node.form === 'scalar' && typeof step === 'number') return itemInText(node, step);
    else return place;
  }
  return place;
}

function itemInText(node: ScalarNode, index: number): Placed {
  const found = [...node.source.matchAll(/[^,]+/g)].filter(([item]) => item.trim() !== '')[index];
  if (found === undefined) return node;
  const start = found.index + found[0].search(/\S/);
  return { ...node, at: partOf(node, start, start + found[0].trim().length) };
}
