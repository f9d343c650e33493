// One kind as the SDK's dynamic host takes it: a `pulumi.dynamic.ResourceProvider`.
import { formatPath, type Path, type Diagnostic } from '../../../api/contract';
import type { dynamic } from '@pulumi/pulumi';
import { diff, type Inputs } from '../../lifecycle/check';
import { PartialFailure } from '../../errors';
import type { Field } from '../../values/field';
import { addressOf, fieldOf, type Kind } from '../../kind';
import { lifecycle, type Lifecycle } from '../../lifecycle';
import { IGNORED, ignoredPaths, rulesSaid } from '../../lifecycle/ignored';
import { KEPT, SERVICE } from '../../lifecycle/leaving';
import { isPending } from '../../lifecycle/managed';
import { isReference } from '../../lifecycle/refer';
import { PLACES } from '../../lifecycle/registration';
import type { State } from '../../lifecycle/state';
import { secretPathsIn } from '../../secrets/attributes';
import { textsIn } from '../../secrets/mask';
import { declaredKey, type Session } from '../../session';
import type { GivenKeys } from '../../session/settings';
import { hiddenName, settledNames, withHiddenNames, withoutHiddenNames, withOwnNames } from '../../kinds/settled';
import { sameValue } from '../../values/shape';
import type { Connection, FaceRow } from './connection';
import { CleanError, givenKeysOf, inputsOf, urnOf, withInputs, withUrn } from './sdk-host';
import { valueIn, type Values } from '../../values/plain';

// The last look at values for the engine: what its encoding cannot carry (engine-facts A §0-1).

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** A copy without `undefined`. Throws TypeError, with the place, for Date, Map, functions etc. */
export function plain(value: Values): { [key: string]: Plain } {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, plainValue(item, [key])] as const],
    ),
  );
}

function plainValue(value: unknown, path: Path): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (item === undefined ? [] : [plainValue(item, [...path, index])]));
  }
  if (isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [[key, plainValue(item, [...path, key])] as const],
      ),
    );
  }
  throw new TypeError(`${formatPath(path)} is a ${nameOf(value)}, which cannot be kept in Pulumi's state`);
}

function isPlainObject(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? ((value.constructor as { readonly name: string } | undefined)?.name ?? 'object')
    : typeof value;

/** What the face needs of its process. */
export interface Host {
  /** Takes the configuration of a kind's provider; returns immediately. */
  configure(token: string, configuration: (key: string) => unknown, given: GivenKeys): void;
  connection(token: string): Connection;
}

type Properties = Values;

/** All six verbs, each ending in an answer the engine can keep or in one clean error. */
export type Face = Required<dynamic.ResourceProvider<Properties, Properties>>;

const PROVIDER = '__provider';
/** Stands in outputs after a partial failure: the next update is a retry, whatever else changed. */
const INCOMPLETE = '__incomplete';

/** What a verb is given: the lifecycle, its connection, and the row of the resource. */
interface Entered {
  readonly life: Lifecycle;
  readonly connection: Connection;
  readonly row: FaceRow;
}

/** Runs a verb. `request`: properties with the request's URN; `id`: missing before a create. */
type Enter = <T>(request: Properties, id: string | undefined, job: (entered: Entered) => T | Promise<T>) => Promise<T>;

/** Runs the verbs of a kind, and turns every error into one clean message. */
const entrance =
  (of: Kind, host: Host): Enter =>
  async (request, id, job) => {
    const connection = host.connection(of.token);
    const name = id ?? request['name'];
    const subject = typeof name === 'string' ? `${of.token} ${name}` : of.token;
    remember(of, connection, request);
    try {
      const life = lifecycle(of, connection.connect, connection.session);
      return await job({ life, connection, row: connection.row(urnOf(request), subject) });
    } catch (error) {
      throw clean(connection, subject, request, error);
    }
  };

/** Properties of requests and answers with arguments under hidden names, and under their own. */
function renaming(of: Kind) {
  const opened = <P extends Properties>(properties: P, rename = withOwnNames): P => {
    const inputs = inputsOf(properties);
    const own = { ...rename(of, properties) } as unknown as P;
    const tagged = withUrn(own, urnOf(properties) ?? '');
    return inputs === undefined ? tagged : withInputs(tagged, rename(of, inputs));
  };
  const hiddenIn = (request: Properties): readonly string[] =>
    settledNames(of).filter((name) => hiddenName(name) in request);
  const isHiddenChange = (olds: Properties, news: Properties, request: Properties): boolean =>
    hiddenIn(request).some((name) => !sameValue((of.fields[name] as Field).shape, olds[name], news[name]));
  const closed = (values: Properties = {}, request: Properties): Properties =>
    withHiddenNames(of, values, hiddenIn(request));
  const failing = async <T>(request: Properties, job: Promise<T>): Promise<T> => {
    try {
      return await job;
    } catch (error) {
      if (!(error instanceof CleanError) || !('properties' in error)) throw error;
      throw Object.assign(error, { properties: closed(error.properties as Properties, request) });
    }
  };
  return { opened, closed, failing, hiddenIn, isHiddenChange };
}

/** The face of a kind in a process. Arguments under hidden names are renamed, and renamed back. */
export function face(of: Kind, host: Host): Face {
  const inner = faceOf(of, host);
  if (settledNames(of).length === 0) return inner;
  const { opened, closed, failing, hiddenIn, isHiddenChange } = renaming(of);
  return {
    configure: inner.configure,
    async check(olds, news) {
      const { inputs, ...rest } = await inner.check(opened(olds), opened(news));
      return { ...rest, inputs: closed(inputs, news) };
    },
    async diff(id, olds, news) {
      // A program without our SDK gives no such argument: what an import wrote is not compared.
      const isGiven = hiddenIn(news).length > 0 || settledNames(of).some((name) => name in news);
      const [before, now] = [opened(olds, isGiven ? withOwnNames : withoutHiddenNames), opened(news)];
      const answer = await inner.diff(id, before, now);
      // The engine shows hidden differences too; if it hears of a change, it shows what is not
      // hidden.
      return answer.changes === undefined && isHiddenChange(before, now, news) ? { ...answer, changes: true } : answer;
    },
    async create(inputs) {
      const { id, outs } = await failing(inputs, inner.create(opened(inputs)));
      return { id, outs: closed(outs, inputs) };
    },
    async read(id, properties = {}) {
      const answer = await inner.read(id, opened(properties));
      if (answer.id === undefined) return answer;
      const { props, inputs } = answer;
      if (isImport(properties))
        return { ...answer, props: withHiddenNames(of, props ?? {}), inputs: withHiddenNames(of, inputs ?? {}) };
      return {
        ...answer,
        props: closed(props, properties),
        inputs: closed(inputs, inputsOf(properties) ?? properties),
      };
    },
    async update(id, olds, news) {
      const { outs } = await failing(news, inner.update(id, opened(olds), opened(news)));
      return { outs: closed(outs, news) };
    },
    delete: (id, properties) => inner.delete(id, opened(properties)),
  };
}

/** Whether a read is that of an import: it brings no argument of the record. */
const isImport = (properties: Properties): boolean => Object.keys(properties).every((name) => name.startsWith('__'));

function faceOf(of: Kind, host: Host): Face {
  const enter = entrance(of, host);
  return {
    configure: async ({ config }) => host.configure(of.token, (key) => config.get(key), givenKeysOf(config)),

    check: (olds, news) => enter(news, undefined, (entered) => checked(of, entered, olds, news)),

    diff: (id, olds, news) =>
      enter(news, id, (entered) => {
        remember(of, entered.connection, olds);
        return compared(of, entered, { id, olds, news });
      }),

    create: (inputs) =>
      enter(inputs, undefined, async ({ life, connection, row }) => {
        const state = await life.create(plain(withoutProvider(inputs)), row);
        return { id: state.id, outs: keptOutputs(state.outputs, inputs, connection) };
      }),

    read: (id, properties = {}) =>
      enter(properties, id, async ({ life, connection, row }) => {
        const known = knownOf(properties);
        const state = await life.read(id, known && withSilent(of, known, properties), row);
        return state === undefined ? {} : readAnswer(state, properties, connection);
      }),

    update: (id, olds, news) =>
      enter(news, id, async ({ life, connection, row }) => {
        remember(of, connection, olds);
        if (isQuiet(of, connection.session, olds, news))
          return { outs: keptOutputs({ ...withoutQuiet(of, olds), ...news }, news, connection) };
        const state = await life.update(
          id,
          withoutProvider(olds),
          plain(withoutProvider(news)),
          row,
          ignoredPaths(news),
        );
        return { outs: keptOutputs(state.outputs, news, connection) };
      }),

    delete: (id, properties) =>
      enter(properties, id, ({ life, row }) =>
        life.delete(id, withSilent(of, withoutProvider(properties), properties), row, urnOf(properties)),
      ),
  };
}

/** What is wrong with the arguments of a resource, also by what the service says before a run. */
async function checked(
  of: Kind,
  { life, connection, row }: Entered,
  olds: Properties,
  news: Properties,
): Promise<dynamic.CheckResult> {
  connection.settled();
  const isKnown = Object.keys(olds).length > 0;
  const { inputs, findings } = life.check(withoutProvider(news), isKnown, urnOf(news));
  findings.filter(({ severity }) => severity === 'warning').forEach((finding) => row.warn(sentence(finding)));
  for (const { text, warns } of isKnown ? rulesSaid(olds, news) : []) {
    if (warns) row.warn(text);
    else row.notice(text);
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isAsked = errors.length === 0 && (await connection.admitted());
  const foreseen = isAsked ? await life.foresee(withoutProvider(olds), inputs, row) : [];
  const failures = [...errors, ...foreseen.map((finding) => placed(finding, news))].map((finding) =>
    failureOf(of, inputs, finding),
  );
  return { inputs: kept(inputs, news), failures };
}

/** Whether an update is needed, or a replacement, in the words of the SDK. */
async function compared(
  of: Kind,
  { life, connection, row }: Entered,
  { id, olds, news }: { readonly id: string; readonly olds: Properties; readonly news: Properties },
): Promise<dynamic.DiffResult> {
  const key = declaredKey(of, addressOf(of, news));
  connection.session.memory.note(key, { ignored: ignoredPaths(news) });
  const answer = await life.diff(id, withoutProvider(olds), withoutProvider(news));
  const { changes, replaces, refusal, warning, plan } = answer;
  if (refusal !== undefined) throw new CleanError(connection.hide(refusal));
  if (warning !== undefined) row.warn(connection.hide(warning));
  if (plan !== undefined) row.progress(plan);
  if (changes.some(({ path }) => path.length > 0)) return { replaces: [...replaces], deleteBeforeReplace: true };
  // The engine sees no difference in the arguments, so the answer names it.
  if (changes.length > 0) return { changes: true };
  // Without the provider text, refresh and destroy fail (engine-facts B §12).
  if (olds[PROVIDER] === undefined || olds[INCOMPLETE] === true || isKeptOtherwise(olds, news))
    return { changes: true };
  return quietly(of, olds, news) ? {} : { changes: false };
}

const withoutProvider = ({
  [PROVIDER]: _,
  [INCOMPLETE]: __,
  [KEPT]: ___,
  [SERVICE]: ____,
  [IGNORED]: _____,
  [PLACES]: ______,
  ...rest
}: Properties): Inputs => rest;

const kept = (values: Inputs, request: Properties): Properties =>
  plain({ ...values, [PROVIDER]: request[PROVIDER], [KEPT]: request[KEPT], [IGNORED]: request[IGNORED] });

/** The same for outputs, with the service of the record. */
const keptOutputs = (values: Inputs, request: Properties, { service }: Connection): Properties =>
  plain({ ...kept(values, request), [SERVICE]: service });

/** Arguments that steer our own work and need no request when they change. */
const quietNames = (of: Kind): readonly string[] => Object.keys(of.fields).filter((name) => of.fields[name]?.quiet);

/** Outputs with what only the inputs of the last run show: a change of it alone is no update. */
function withSilent(of: Kind, known: Inputs, request: Properties): Inputs {
  const inputs = inputsOf(request);
  const names = Object.keys(of.fields).filter((name) => of.fields[name]?.silent);
  if (inputs === undefined || names.length === 0) return known;
  const others = Object.entries(known).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(others), ...Object.fromEntries(names.map((name) => [name, inputs[name]])) };
}

/** Whether the record is kept otherwise than before. An import needs no update for it. */
const isKeptOtherwise = (olds: Properties, news: Properties): boolean =>
  olds[KEPT] !== undefined && news[KEPT] !== undefined && olds[KEPT] !== news[KEPT];

const quietly = (of: Kind, olds: Properties, news: Properties): boolean =>
  isKeptOtherwise(olds, news) ||
  quietNames(of).some(
    (name) => !of.fields[name]?.silent && !sameValue((of.fields[name] as Field).shape, olds[name], news[name]),
  );

/** Whether an update only changes the state. Another stack's record was never written. */
function isQuiet(of: Kind, session: Session, olds: Properties, news: Properties): boolean {
  const becomesOurs = isReference(olds) && !isReference(news);
  if (olds[PROVIDER] === undefined || olds[INCOMPLETE] === true || becomesOurs || isPending(of, session, news))
    return false;
  return quietly(of, olds, news) && diff(of, withoutProvider(olds), withoutProvider(news)).length === 0;
}

const withoutQuiet = (of: Kind, properties: Properties): Properties =>
  Object.fromEntries(Object.entries(withoutProvider(properties)).filter(([name]) => !quietNames(of).includes(name)));

const readAnswer = (state: State, request: Properties, connection: Connection) => ({
  id: state.id,
  props: keptOutputs(state.outputs, request, connection),
  inputs: kept(state.inputs, request),
});

/** Outputs of the last run; none when the engine reads a record that was never declared. */
function knownOf(properties: Properties): Inputs | undefined {
  const known = withoutProvider(properties);
  return Object.keys(known).length > 0 ? known : undefined;
}

/** Values of secret arguments are masked in every later message of this process. */
function remember(of: Kind, connection: Connection, properties: Properties): void {
  const values = secretPathsIn(of, properties).map((path) => valueIn(properties, path));
  values.flatMap(textsIn).forEach((text) => connection.secrets.add(text));
}

/** A finding that begins with its place in the file, where that is known. */
function placed(finding: Diagnostic, { [PLACES]: places }: Properties): Diagnostic {
  const place = isPlainObject(places) ? places[finding.path.join('.')] : undefined;
  return typeof place === 'string' ? { ...finding, path: [], message: `${place}: ${finding.message}` } : finding;
}

const sentence = ({ message, hint }: Diagnostic): string => (hint === undefined ? message : `${message}: ${hint}`);

/**
 * The engine prints the value of a property that a failure names: only plain top-level arguments
 * are named, and secrets without a value (engine-facts A §5). The reason has the place of the
 * others.
 */
function failureOf(of: Kind, inputs: Inputs, finding: Diagnostic): dynamic.CheckFailure {
  const [name] = finding.path;
  const field = finding.path.length === 1 && typeof name === 'string' ? fieldOf(of, name) : undefined;
  const isShown = field?.secret === false || (field !== undefined && inputs[name as string] === undefined);
  if (isShown && typeof name === 'string') return { property: name, reason: sentence(finding) };
  const place = formatPath(finding.path);
  return {
    property: '',
    reason: place === '' || finding.message.includes(place) ? sentence(finding) : `${place}: ${sentence(finding)}`,
  };
}

function clean(connection: Connection, subject: string, properties: Properties, error: unknown): Error {
  if (error instanceof PartialFailure) {
    const reasons = error.reasons.map((reason) => connection.hide(reason));
    return Object.assign(new CleanError(connection.hide(error.message)), {
      id: error.id,
      properties: keptOutputs({ ...error.outputs, [INCOMPLETE]: true }, properties, connection),
      reasons: reasons.length > 0 ? reasons : [connection.hide(error.message)],
    });
  }
  return error instanceof CleanError ? error : new CleanError(connection.tell(error, subject));
}
