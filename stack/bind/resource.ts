// Binds one resource of any kind from its map in the file: address, arguments, options, and the
// findings of the kind's own check.
import { parametersOf, type Diagnostic } from '../../api/contract';
import { judge } from '../../provider/kinds/catalogue';
import {
  addressNames,
  argumentFor,
  check,
  camelCase,
  declaredName,
  fieldOf,
  formatId,
  idleSettings,
  openName,
  scopeNaming,
  type Kind,
} from '../../provider';
import { withSettledUnknown } from '../../provider/kinds/settled';
import { atLevel } from '../../provider/session/settings';
import { nearest, oncePer } from '../../provider/values';
import { argumentOf, keysOf, keysTo, WORDS } from '../layout';
import type { ResourceDeclaration } from '../plan';
import { type Reference, type ResourceKey, resourceKey, type Steps, type Value } from '../values/value';
import { entriesIn, type Entry, type MapNode, type Placed } from '../yaml/tree';
import { bindOptions, type RelatedOption } from './options';
import { checkable, findPlace, reportUnknownKey, type BindScope } from './scope';
import { reportReadableSecrets, reportSecretInFile } from './secrets';
import { bindValue, hideSecret } from './value';

/** A resource that another one comes after. `place`: where a person wrote it, for findings. */
export interface Edge {
  readonly to: ResourceKey;
  /** The output that a reference of the file names. */
  readonly output?: string;
  readonly place?: Placed;
}

/** A resource before its references are resolved. */
export interface DraftResource extends Omit<ResourceDeclaration, 'after' | 'kept' | 'related' | 'at' | 'places'> {
  /** All address words, outermost first; none is the organization. */
  readonly address: { readonly [name: string]: string };
  /** The entry of each argument; several may share one (`pack: oneops/tomcat:1`). */
  readonly entries: { readonly [name: string]: Entry };
  /** Entries that are next to the fields and belong below `attributes`. */
  readonly attributeEntries: readonly Entry[];
  readonly related: { readonly [R in RelatedOption]?: readonly Reference[] };
  readonly edges: readonly Edge[];
  /** Its own key, or, of what the file does not name, what it follows from. */
  readonly own: Placed;
  /** The map that contains what is said of it, when there is one. */
  readonly body?: MapNode;
}

interface ResourceSource {
  readonly kind: Kind;
  readonly within?: DraftResource | undefined;
  /** Words of its address besides those of what it is in. */
  readonly address: { readonly [name: string]: string };
  /** Where references find it; default: its keys in the file. */
  readonly names?: readonly string[];
  readonly own: Placed;
  readonly body: MapNode | undefined;
  /** Keys in `body` that are not this kind's to read. */
  readonly structure?: readonly string[];
  /** Arguments that come from elsewhere: read here already, or filled in. */
  readonly given?: { readonly [name: string]: Value | undefined };
  readonly givenEntries?: { readonly [name: string]: Entry | undefined };
  /** Entries next to the fields that belong into the kind's open map. */
  readonly spread?: readonly Entry[];
  readonly secrets?: readonly Steps[];
  readonly edges?: readonly Edge[];
  /** Arguments of the record it is in, for the catalogue to judge by. */
  readonly parent?: { readonly [name: string]: Value };
  /** The catalogue's findings in the arguments that need facts of the file. */
  readonly judged?: readonly Diagnostic[];
  /** Names that are next to the fields but belong below `attributes`. */
  readonly isAttribute?: (name: string) => boolean;
}

/** Binds one resource and shows everything wrong with it. */
export function bindResource(scope: BindScope, source: ResourceSource): DraftResource {
  const { within, body, own, given = {}, structure = [], spread = [], edges = [] } = source;
  const address = { ...(within && addressBelow(within)), ...source.address };
  const kind = scopeNaming(source.kind, Object.keys(address)) ?? source.kind;
  const logicalName = declaredName({ of: kind, id: formatId(kind, '', address) });
  const args = defined(given);
  const entries = defined(source.givenEntries ?? {});
  for (const entry of body?.entries ?? []) {
    if (entry.key === 'pulumi' || structure.includes(entry.key)) continue;
    const name = argumentOf(kind, entry.key);
    const before = name === undefined ? undefined : entries[name];
    if (name === undefined) reportUnknownArgument(scope, kind, structure, entry);
    else if (before) {
      const isSame = entry.key === before.key;
      const message = isSame ? `"${entry.key}" is given twice` : `"${entry.key}" and "${before.key}" are the same`;
      scope.report.error(entry, 'given-twice', message, 'leave one out');
    } else {
      entries[name] = entry;
      const field = fieldOf(kind, name);
      const value = field && bindValue(scope, entry.value, field.shape, field.secret);
      if (field?.secret) reportSecretInFile(scope, entry);
      if (value !== undefined) args[name] = value;
    }
  }
  const { options, related, trigger } = bindOptions(scope, kind, body, source.isAttribute);
  const draft: Building<DraftResource> = {
    key: resourceKey(kind.token, logicalName),
    kind,
    logicalName,
    address,
    names: source.names ?? keysTo(kind, address, (_, words, part) => [words[part] ?? '']) ?? [],
    args,
    entries,
    secrets: source.secrets ?? [],
    options,
    related,
    edges: within === undefined ? edges : [...edges, { to: within.key }],
    attributeEntries: spread,
    own,
  };
  if (trigger !== undefined) draft.trigger = trigger;
  if (within !== undefined) draft.within = within.key;
  if (body !== undefined) draft.body = body;
  reportChecks(scope, draft, source);
  if (args.existing === true) reportWithoutEffect(scope, draft);
  reportReadableSecrets(scope, draft, spread, draft.secrets);
  return draft;
}

function defined<T>(map: { readonly [name: string]: T | undefined }): { [name: string]: T } {
  const found: { [name: string]: T } = {};
  for (const [name, value] of Object.entries(map)) if (value !== undefined) found[name] = value;
  return found;
}

/** The last words of the addresses of resources. */
export const namesOfDrafts = (drafts: readonly DraftResource[]): readonly string[] =>
  drafts.map(({ address }) => address.name ?? '');

/** The address words that a resource gives to what is in it. */
export function addressBelow({ kind, address: { name = '', ...outer } }: DraftResource): {
  readonly [name: string]: string;
} {
  return { ...outer, [argumentFor(kind)]: name };
}

function reportUnknownArgument(scope: BindScope, kind: Kind, structure: readonly string[], entry: Entry): void {
  const known = [...new Set([...keysOf(kind), ...structure, ...WORDS, 'pulumi'])];
  const near = argumentOf(kind, nearest(entry.key, known) ?? '');
  // A misspelt secret is one still.
  if (near !== undefined && fieldOf(kind, near)?.secret) hideSecret(scope, entry.value);
  reportUnknownKey(scope, entry, known);
}

/** Everything the kind's own check and the catalogue find, each at its place in the file. */
function reportChecks(scope: BindScope, draft: DraftResource, { parent, judged = [] }: ResourceSource): void {
  const { kind, args, address, entries, own, attributeEntries: spread } = draft;
  // The name of what it is in is reported there.
  const isOfParent = ({ code, path: [name] }: Diagnostic): boolean =>
    ['bad-name', 'reserved-name'].includes(code) && name !== 'name' && entries[String(name)] === undefined;
  const inputs = withSettledUnknown(kind, { ...checkableArguments(args), ...address });
  const level = scope.catalogue ?? 'auto';
  const surroundings = { level, parent: parent && argumentsOfParent(parent), known: scope.known };
  const ofCatalogue = [...judge(kind, inputs, surroundings), ...atLevel(level, judged)];
  const isPartial = draft.body?.isPartial === true;
  const ofRules = check(kind, inputs).filter(({ code }) => !isPartial || code !== 'required');
  const idle = ofRules.length === 0 && !isPartial ? idleSettings(kind, inputs) : [];
  for (const finding of [...ofRules, ...idle, ...ofCatalogue]) {
    if (isOfParent(finding)) continue;
    const [name, inner, ...rest] = finding.path;
    const entry = entries[String(name)];
    const spreadEntry = entry || name !== openName(kind) ? undefined : spread.find(({ key }) => key === inner);
    if (spreadEntry && finding.code === 'unknown-attribute') scope.report.add(finding, spreadEntry);
    else if (spreadEntry) scope.report.add(finding, findPlace(spreadEntry, { ...finding, path: rest }));
    else if (entry && inner === undefined && finding.code === 'idle-setting') scope.report.add(finding, entry);
    else if (!entry) scope.report.add(finding, own);
    else {
      const named = withSubject(entry, finding);
      scope.report.add(named, findPlace(entry, { ...named, path: finding.path.slice(1) }));
    }
  }
}

/** Says which key a value belongs to: the innermost, as it is written. */
function withSubject(entry: Entry, finding: Diagnostic): Diagnostic {
  const { message, path } = finding;
  if (!message.startsWith('must be ')) return finding;
  let own = entry;
  for (const step of path.slice(1)) {
    own = entriesIn(own.value).find(({ key }) => key === step || camelCase(key) === step) ?? own;
  }
  return { ...finding, message: `${JSON.stringify(own.key)} ${message}` };
}

/** Warns of settings of a record of others: a run does not write them. */
function reportWithoutEffect(scope: BindScope, { kind, entries, attributeEntries }: DraftResource): void {
  const idle = Object.entries(entries).filter(([name]) => {
    const field = fieldOf(kind, name);
    return name !== 'existing' && field && !field.required && field.channel !== 'control';
  });
  for (const entry of [...idle.map(([, each]) => each), ...attributeEntries])
    scope.report.warning(
      entry,
      'no-effect',
      `"${entry.key}" has no effect: with "existing: true" the record is only referred to`,
      'leave it out, or leave out "existing"',
    );
}

/** Arguments as checks may see them. */
export const checkableArguments = (args: { readonly [name: string]: Value }): { readonly [name: string]: unknown } =>
  checkable(args) as { readonly [name: string]: unknown };

/** Those of a record that is bound: all records in it ask for them. */
const argumentsOfParent = oncePer(checkableArguments);

/** The address argument that is an output of the parent, so that the engine sees the edge. */
export const parentArgument: (of: Kind) => string | undefined = oncePer((of) => {
  const parameter = of.within && parametersOf(of.within.path).at(-1);
  return parameter !== undefined && addressNames(of).includes(parameter) ? parameter : undefined;
});

/**
 * A record while it is made: optional members are set afterwards, each where there is a value.
 * Spreading them into the literal costs several times as much, which counts where a stack has
 * thousands of records.
 */
export type Building<T> = { -readonly [Member in keyof T]: T[Member] };
