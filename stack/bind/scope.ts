// What every part of the binding is handed: where to report findings, and what the world outside
// the text offers; and the places of findings.
import type { ClassLookup, Diagnostic } from '../../api/contract';
import { camelCase, nearest, UNKNOWN, unknownKey, type CatalogueLevel, type KnownCatalogue } from '../../provider';
import type { Choices, SwitchedOff } from '../compose/composition';
import type { Report } from '../findings/finding';
import { placesOf } from '../layout';
import type { FileContent } from '../text-file';
import { holdsExpression, isExpression, type Value } from '../values/value';
import { partOf } from '../yaml/source';
import { isNull, type Entry, type MapNode, type Node, type Placed, type ScalarNode } from '../yaml/tree';

/** What reading a stack needs of the world. */
export interface StackEnvironment {
  /** Reads a file that a function names: `path` as written, `from` the name of the file that wrote it. */
  readFile(path: string, from: string, where: 'project' | 'anywhere'): FileContent;
  /** Environment variables; default none. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Attributes of a class, by full name or last part. */
  readonly classMetadata: ClassLookup;
  /** Last part of the class that a template of a pack makes. */
  templateClass(template: string, pack?: string): string | undefined;
  /** How findings of the packaged catalogue count; default `auto`. */
  readonly catalogue?: CatalogueLevel;
  /** What packs and arguments are judged by; default: the packaged catalogue. */
  readonly known?: KnownCatalogue;
  /** Names of configuration values that are kept as secrets, declared so or not. */
  readonly secretConfig?: ReadonlySet<string>;
  /** What composing the files depends on. */
  readonly choices?: Choices;
}

/** One reading of a stack. */
export interface BindScope extends StackEnvironment {
  readonly report: Report;
  /** Names of the environment variables that the file declares. */
  readonly declaredEnv?: ReadonlySet<string>;
  /** What conditions of the file switched off. */
  readonly off?: readonly SwitchedOff[];
}

const FORMS = { scalar: 'a single value', list: 'a list', map: 'a map', failed: '' } as const;

/** What a node is, in a finding's words. */
export const formOf = (node: Node): string => (isNull(node) ? 'nothing' : FORMS[node.form]);

/** The node as a map; nothing is an empty one. Anything else is reported, unless it was already: then the map is partial. */
export function expectMap(scope: BindScope, node: Node | undefined, what: string, hint?: string): MapNode | undefined {
  if (node === undefined || isNull(node)) return undefined;
  if (node.form === 'map') return node;
  if (node.form === 'failed') return { form: 'map', entries: [], path: node.path, at: node.at, isPartial: true };
  scope.report.error(node, 'wrong-type', `must be ${what}, not ${formOf(node)}`, hint);
  return undefined;
}

/** Reports a key that is not known here, with the nearest known one, or with the place where it stands. */
export function reportUnknownKey(scope: BindScope, entry: Entry, known: readonly string[]): void {
  const finding = unknownKey(entry.key, known, []);
  const near = nearest(entry.key, known);
  if (near !== undefined) scope.report.misspelt(entry, near);
  const elsewhere = near === undefined ? standsElsewhere(entry.key) : undefined;
  scope.report.add(elsewhere === undefined ? finding : { ...finding, hint: `${elsewhere}; ${finding.hint}` }, entry);
}

/** More places than these say nothing. */
const MOST = 2;

/** The places of a key, in the words of a hint; undefined where it stands nowhere, or in too many places. */
function standsElsewhere(key: string): string | undefined {
  const places = placesOf(key);
  return places.length === 0 || places.length > MOST ? undefined : `"${key}" stands in ${places.join(' and ')}`;
}

/** What `check` may see: everything that is not known yet, and every secret, as unknown. A value without expressions is the same object. */
export const checkable = (value: Value): unknown => (holdsExpression(value) ? withUnknown(value) : value);

function withUnknown(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isExpression(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map((item: Value) => withUnknown(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withUnknown(item)]));
}

/** Codes of findings about a key, not its value, and about a value that does not exist: they are reported at the key. */
const OF_KEYS = ['unknown-key', 'unknown-attribute', 'required', 'idle-setting'];

/** The place of a finding about an entry's value: its path leads from that value; keys are those of the file or argument names. */
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

/** The k-th item of a list written as comma-separated text, where the text is in the file as it is. */
function itemInText(node: ScalarNode, index: number): Placed {
  const start = node.raw.indexOf(node.source);
  const items = [...node.source.matchAll(/[^,]+/g)].filter(([item]) => item.trim() !== '');
  const found = items[index];
  if (start < 0 || !found || node.raw.includes('\n')) return node;
  const [text] = found;
  const from = start + found.index + (text.length - text.trimStart().length);
  const at = partOf(node.at, from, from + text.trim().length);
  return { path: node.path, at, ...(node.via ? { via: node.via } : {}) };
}
