// What every part of the binding is handed: where to report findings, and what the world outside the text offers.
// It must not know any key of the file.
import type { ClassLookup } from '../../api/contract';
import { nearest, unknownKey, type CatalogueLevel, type KnownCatalogue } from '../../provider';
import type { Choices, SwitchedOff } from '../compose/composition';
import type { Report } from '../findings/finding';
import { standsElsewhere } from './elsewhere';
import type { FileContent } from '../text-file';
import { isNull, type Entry, type MapNode, type Node } from '../reader/tree';

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
