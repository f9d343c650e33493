// The records under review: what file (code) and state (applied) say of each, joined by id.
import {
  type Inputs,
  type Kind,
  formatId,
  parentAddress,
  pathAddress,
  recordBy,
  COMPUTED,
  kindToken,
  parseId,
  parseUrn,
  scopeOfId,
  SERVICE,
  secretIn,
} from '../../provider';
import { kinds } from '../../provider/kinds';
import type { State } from '../../provider/lifecycle';
import { withOwnNames } from '../../provider/kinds/settled';
import {
  changedInside,
  coversPath,
  isPlainObject,
  type PropertyPath,
  holdsUnknown,
  parsePropertyPath,
  textAt,
  UNKNOWN,
  defined,
} from '../../provider/values';
import {
  type FilePlace,
  type Range,
  loadStack,
  knownCarrier,
  secretsOf,
  resolve,
  resourceKey,
  type Carrier,
  type ResourceDeclaration,
  type StackPlan,
  type StackSource,
} from '../../stack';
import { type ArgumentPath, hide, holdsHidden, unhidden, split, someIn } from './compare';
import { plural, WrongInput } from '../../api/errors';

/** One resource in a source. Values known only in a run are the provider's sentinel. */
export interface SourceRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly logicalName: string;
  readonly inputs: Inputs;
  /** Places in `inputs` that are secret because the source says so. */
  readonly hidden: readonly ArgumentPath[];
  readonly at?: FilePlace;
}

/** A resource of the file. */
export interface CodeRecord extends SourceRecord {
  /** Places of arguments in the file, by path joined with dots. */
  readonly places: ReadonlyMap<string, FilePlace>;
  /** Paths whose changes the program lets the engine ignore. */
  readonly ignored: readonly PropertyPath[];
}

export interface AppliedRecord extends SourceRecord {
  readonly urn: string;
  /** Outputs of the last run that are no arguments: `revision`, `ciId`, … */
  readonly computed: Inputs;
  /** URNs of the resources whose outputs each argument is made of, where the engine says so. */
  readonly madeOf: Inputs;
  /** The service of the last run, as its outputs note it; empty where they do not. */
  readonly service: string;
}

/** The state of a stack, as Pulumi keeps it. */
export interface StackState {
  readonly stack?: string;
  readonly project?: string;
  readonly records: readonly AppliedRecord[];
  /** One sentence each, for the review's notes. */
  readonly notes: readonly string[];
}

export type Place = Pick<SourceRecord, 'kind' | 'id'>;

/** `Component acme/shop/web/tomcat` */
export const keyOf = ({ kind, id }: Place): string => `${kind.token} ${id}`;

type Address = { readonly [name: string]: string };

/** The address in an id, by names of arguments; empty where the id has another form. */
export const addressIn = ({ kind, id }: Place): Address => parseId(kind, id)?.address ?? {};

/** The same by names in paths: `{ assembly: 'shop', environment: 'prod' }`. */
export function pathTo(place: Place): Address {
  const { organization: _, ...path } = pathAddress(place.kind, '', addressIn(place));
  return path;
}

export interface EnvironmentAt {
  readonly [parameter: string]: string;
  readonly assembly: string;
  readonly environment: string;
}

/** The address of the environment that a record is, or is in. */
export function environmentOf(place: Place): EnvironmentAt {
  const { assembly = '', environment = '' } = pathTo(place);
  return { assembly, environment };
}

/** The record that contains another one; undefined below the organization. */
export function around({ kind, id }: Place): Place | undefined {
  const { organization = '', address = {} } = parseId(kind, id) ?? {};
  const above = parentAddress(kind, address);
  return kind.within && above && { kind: kind.within, id: formatId(kind.within, organization, above) };
}

/** Where a range of a file begins. */
export const startOf = ({ file, start }: Range): FilePlace => ({ file, line: start.line, column: start.column });

/** The place of the argument at a path, or of what contains it; undefined where none has a place. */
export const nearestPlace = <P>(path: ArgumentPath, placeOf: (argument: string) => P | undefined): P | undefined =>
  path.map((_, index) => placeOf(path.slice(0, path.length - index).join('.'))).find((place) => place !== undefined);

/** The id of a record below its organization, as drift.yaml and policies name it. */
export const recordPath = ({ address }: { readonly address: string }): string =>
  address.slice(address.indexOf('/') + 1);

/** One record, and what each source says of it. At least one of them says something. */
export interface Subject extends Place {
  readonly code?: CodeRecord;
  readonly applied?: AppliedRecord;
}

export interface ReadRecord {
  readonly subject: Subject;
  /** Undefined when it no longer exists. */
  readonly live: State | undefined;
}

/** Whether a program refers to the record, which is another stack's. */
export const isReferred = ({ code, applied }: Subject): boolean =>
  (code?.inputs['existing'] ?? applied?.inputs['existing']) === true;

/** Whether this stack created the record, or has it to itself: others explain their additions. */
export const createdByUs = ({ applied }: Subject): boolean =>
  ['own', 'created'].includes(String(applied?.computed['origin']));

/** Whether the program makes the engine ignore changes at this path, or above it. */
export const isIgnored = ({ code }: Subject, path: readonly string[]): boolean =>
  code?.ignored.some((each) => coversPath(each, path)) ?? false;

/** Paths below the attribute at `path` that the engine ignores, seen from the attribute. */
export const ignoredBelow = ({ code }: Subject, path: readonly string[]): readonly PropertyPath[] =>
  (code?.ignored ?? [])
    .filter((each) => each.length > path.length && coversPath(each.slice(0, path.length), path))
    .map((each) => each.slice(path.length));

/** Every record of file and state, once; those of the state first, parents before children. */
export function subjectsOf(code: readonly CodeRecord[] | undefined, state: StackState | undefined): readonly Subject[] {
  const declared = new Map((code ?? []).map((each) => [keyOf(each), each]));
  const applied = new Map((state?.records ?? []).map((each) => [keyOf(each), each]));
  const keys = new Set([...applied.keys(), ...declared.keys()]);
  return [...keys].map((key) => {
    const own = { code: declared.get(key), applied: applied.get(key) };
    const { kind, id } = (own.applied ?? own.code) as SourceRecord;
    return { kind, id, ...defined(own) };
  });
}

/** The known values for a read: declared, applied and computed, without the revision. */
export function knownOf({ kind, code, applied }: Subject): Inputs {
  const inputs: { [name: string]: unknown } = { ...applied?.inputs };
  for (const [name, value] of Object.entries(code?.inputs ?? {})) {
    const before = inputs[name];
    if (before === undefined || before === null) inputs[name] = value;
    else if (kind.fields[name]?.shape.type === 'open' && isPlainObject(before) && isPlainObject(value))
      inputs[name] = { ...value, ...before };
  }
  const { revision: _, ...computed } = { ...applied?.computed };
  // Of a record that no run of ours wrote, the read must not look up the origin.
  return { ...inputs, ...(applied ? {} : { origin: 'created' }), ...computed };
}

interface CodeSource extends StackSource {
  readonly organization: string;
}

/** The mistakes in files, as text for a terminal, and with one line for each error. */
interface Unusable {
  readonly problem: string;
  readonly lines: readonly string[];
}

/** The files of a stack cannot be used. The message is for a terminal, with lines of the files. */
export class UnusableCode extends WrongInput {
  /** The same on one line, for a list of stacks. */
  readonly short: string;

  /** `unread`: why the configuration was not read: what the file lacks of it may be set. */
  constructor({ problem, lines: [first = '', ...more] }: Unusable, files: readonly string[], unread?: string) {
    const reason = unread === undefined ? [] : [unread];
    super([...reason, problem].join('\n'));
    this.short = [
      ...reason,
      `${files.join(', ')} cannot be used: ${first}`,
      ...(more.length === 0 ? [] : [`and ${more.length} more`]),
    ].join('; ');
  }
}

/** The declared records of a stack file with warnings, or its mistakes. The state has outputs. */
export function readCode(
  source: CodeSource,
  state?: StackState,
): { readonly code: readonly CodeRecord[]; readonly warnings: readonly string[] } | Unusable {
  const stack = source.stack ?? state?.stack;
  const loaded = loadStack({ ...source, ...defined({ stack }) });
  if ('problem' in loaded) return loaded;
  const { plan, config, lines } = loaded;
  return { code: declaredCode(plan, config, source, state), warnings: lines };
}

export function declaredCode(
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  source: CodeSource,
  state?: StackState,
): readonly CodeRecord[] {
  const carrier = carrierOf(source, plan, config, state);
  return plan.resources.flatMap((each) => declaredOf(each, carrier, source));
}

function declaredOf(
  declaration: ResourceDeclaration,
  carrier: Carrier<unknown>,
  { organization }: CodeSource,
): readonly CodeRecord[] {
  const { logicalName, args, secrets, options, places } = declaration;
  const { plain, hidden } = split(
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value, carrier)])),
  );
  const inputs = plain as Inputs;
  const record = recordBy(declaration.kind, organization, inputs);
  // A record whose name is not known before the run cannot be looked for.
  if (record === undefined) return [];
  return [
    {
      ...record,
      logicalName,
      inputs,
      hidden: [...hidden, ...secrets.map((steps) => steps.map(String))],
      at: startOf(declaration.at),
      places: new Map(places.map(({ path, key }) => [path.join('.'), startOf(key)])),
      ignored: (options.ignoreChanges ?? []).flatMap((each) =>
        [parsePropertyPath(each)].filter((path) => path !== undefined),
      ),
    },
  ];
}

/** Values carried as plain data: secrets marked, what is known only in a run as the sentinel. */
function carrierOf(
  source: CodeSource,
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  state: StackState | undefined,
): Carrier<unknown> {
  const applied = new Map(
    (state?.records ?? []).map((each) => [resourceKey(each.kind.token, each.logicalName), each] as const),
  );
  const hidden = secretsOf(plan, source.secretConfig);
  return knownCarrier(plan, {
    config: { ...config, ...Object.fromEntries([...hidden].map((name) => [name, hide(config[name] ?? UNKNOWN)])) },
    pulumi: { stack: source.stack ?? state?.stack, project: source.project, cwd: source.directory },
    output: (key, name) => applied.get(key)?.computed[name],
    combine: (value, compute) => {
      const plain = unhidden(value);
      const combined = holdsUnknown(plain) ? UNKNOWN : compute(plain);
      return holdsHidden(value) ? hide(combined) : combined;
    },
    secret: hide,
  });
}

/** Reads an export: its JSON, parsed. Throws Error for what is no export of a stack. */
export function readState(exported: unknown, stack?: string): StackState {
  const deployment = isPlainObject(exported) ? exported['deployment'] : undefined;
  if (!isPlainObject(deployment)) throw new Error('it is not an export of a stack: it has no member "deployment"');
  const { resources = [], pending_operations: pending = [] } = deployment;
  if (!Array.isArray(resources))
    throw new Error('it is not an export of a stack: "deployment.resources" is not a list');
  const written = (resources as readonly unknown[]).filter(isPlainObject);
  const leaving = written.filter((resource) => resource['delete'] === true && kindOf(resource));
  const interrupted = Array.isArray(pending) ? pending.length : 0;
  const names = written.map((resource) => parseUrn(String(resource['urn']))).find((each) => each !== undefined);
  return {
    ...defined({ stack: stack ?? names?.stack, project: names?.project }),
    records: written.flatMap((resource) => (resource['delete'] === true ? [] : appliedOf(resource))),
    notes: [
      ...(interrupted > 0
        ? [
            `${plural(interrupted, 'operation')} of an earlier run never ended: pulumi up, then pulumi refresh --clear-pending-creates`,
          ]
        : []),
      ...(leaving.length > 0 ? [`${plural(leaving.length, 'resource')} still to be deleted by the next run`] : []),
    ],
  };
}

/** A resource as the engine writes it. */
type WrittenResource = { readonly [member: string]: unknown };

const kindOf = ({ type }: WrittenResource): Kind | undefined =>
  kinds.find(({ token }) => token === kindToken(String(type)));

function appliedOf(resource: WrittenResource): readonly AppliedRecord[] {
  const { urn, id, inputs, outputs, sourcePosition, propertyDependencies } = resource;
  const of = kindOf(resource);
  if (of === undefined || typeof id !== 'string' || typeof urn !== 'string') return [];
  const kind = scopeOfId(of, id) ?? of;
  const given = split(revealed(isPlainObject(inputs) ? withOwnNames(kind, inputs) : inputs));
  const kept = split(revealed(outputs));
  const { __provider: _, __kept: __, ...declared } = given.plain as Inputs;
  // Where a check failed after a roll-out, the engine keeps the inputs of the run before.
  const { state, stamps, checks } = withOwnNames(kind, kept.plain as Inputs);
  const isRolledOut = state !== undefined && state === kind.fills?.['state'] && stamps !== '';
  const at = placeOf(sourcePosition);
  return [
    {
      kind,
      id,
      urn,
      logicalName: parseUrn(urn)?.name ?? '',
      // An input may lack what followed from a parent.
      inputs: { ...addressIn({ kind, id }), ...declared, ...(isRolledOut ? defined({ stamps, checks }) : {}) },
      hidden: [...given.hidden, ...kept.hidden],
      computed: Object.fromEntries(
        [...Object.keys(COMPUTED), ...Object.keys(kind.computed), ...Object.keys(kind.fills ?? {})].flatMap((name) =>
          name in (kept.plain as Inputs) ? [[name, (kept.plain as Inputs)[name]]] : [],
        ),
      ),
      service: textAt(kept.plain as Inputs, SERVICE),
      madeOf: isPlainObject(propertyDependencies) ? withOwnNames(kind, propertyDependencies) : {},
      ...(at ? { at } : {}),
    },
  ];
}

/** The value with its secrets marked; the same object without any, as a fleet has many states. */
function revealed(value: unknown): unknown {
  if (!holdsSecret(value)) return value;
  const secret = secretIn(value);
  if (secret !== undefined) return hide(secret === 'encrypted' ? UNKNOWN : revealed(secret.value));
  return changedInside(value, revealed);
}

/** Whether the engine marked a value as a secret, or anything in it. */
const holdsSecret = (value: unknown): boolean => secretIn(value) !== undefined || someIn(value, holdsSecret);

/** `project:///oneops.yaml#4,3`: the engine's word for a place below the project's folder. */
function placeOf(position: unknown): FilePlace | undefined {
  const [, file, line, column] = /^project:\/\/\/(.+)#(\d+)(?:,(\d+))?$/.exec(String(position)) ?? [];
  if (file === undefined || line === undefined) return undefined;
  return { file: decodeURIComponent(file), line: Number(line), column: Number(column ?? 1) };
}
