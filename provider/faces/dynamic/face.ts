// One kind as the SDK's dynamic host takes it: a `pulumi.dynamic.ResourceProvider`.
import { isDeepStrictEqual } from 'node:util';
import { formatPath, inOneSentence, type Diagnostic } from '../../../api/contract';
import type { dynamic } from '@pulumi/pulumi';
import { saysLeft } from '../../commit/own-records';
import { diff, type Inputs } from '../../lifecycle/check';
import { PartialFailure } from '../../errors';
import type { Field } from '../../values/field';
import { addressOf, fieldOf, type Kind, scopeAt } from '../../kind';
import { lifecycle, type Lifecycle } from '../../lifecycle';
import { IGNORED, ignoredPaths, OPTIONS, rulesSaid } from '../../lifecycle/ignored';
import { KEPT, SERVICE } from '../../lifecycle/leaving';
import { isPending } from '../../lifecycle/managed';
import { isReference } from '../../lifecycle/refer';
import { PLACES } from '../../lifecycle/registration';
import { BEFORE, type State } from '../../lifecycle/state';
import { secretPathsIn } from '../../secrets/attributes';
import { textsIn } from '../../secrets/mask';
import { declaredKey, type Session } from '../../session';
import type { RecordOptions } from '../../session/memory';
import type { GivenKeys } from '../../session/settings';
import { hiddenName, settledNames, withHiddenNames, withOwnNames } from '../../kinds/settled';
import { parsePropertyPath, withValuesAt } from '../../values/property-path';
import { sameValue } from '../../values/shape';
import type { Connection, FaceRow } from './connection';
import { CleanError, givenKeysOf, inputsOf, urnOf } from './sdk-host';
import { isPlainObject, oncePer, valueIn, type Values } from '../../values/plain';

/** A copy of values from the engine without `undefined`, which its encoding cannot carry. */
export const plain = (values: Values): { [key: string]: unknown } =>
  JSON.parse(JSON.stringify(values)) as { [key: string]: unknown };

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

/** Runs a verb, and turns every error into one clean message. `id`: missing before a create. */
const entrance =
  (of: Kind, host: Host) =>
  async <T>(request: Properties, id: string | undefined, job: (entered: Entered) => T | Promise<T>): Promise<T> => {
    const connection = host.connection(of.token);
    const name = id ?? request['name'];
    const subject = typeof name === 'string' ? `${of.token} ${name}` : of.token;
    remember(of, connection, request);
    try {
      const life = lifecycle(of, connection.connect, connection.session);
      return await job({ life, connection, row: connection.row(urnOf(request), subject) });
    } catch (error) {
      throw clean(of, connection, { subject, request, error });
    }
  };

/** Whether a read is that of an import: it brings no argument of the record. */
const isImport = (properties: Properties): boolean => Object.keys(properties).every((name) => name.startsWith('__'));

/** The face of a kind in a process. Arguments that nobody writes have hidden names in requests. */
export function face(of: Kind, host: Host): Face {
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
        await refuseNewElsewhere(of, connection, inputs);
        const state = await life.create(plain(argumentsIn(of, inputs)), row);
        return { id: state.id, outs: keptOutputs(of, state.outputs, inputs, connection) };
      }),

    read: (id, properties = {}) =>
      enter(properties, id, async ({ life, connection, row }) => {
        await connection.refuseElsewhere(`${of.token} ${id}`, properties[SERVICE]);
        if (isImport(properties)) await connection.look();
        const state = await life.read(id, isImport(properties) ? undefined : withSilent(of, properties), row);
        return state === undefined ? {} : readAnswer(of, state, properties, connection);
      }),

    update: (id, olds, news) =>
      enter(news, id, async ({ life, connection, row }) => {
        remember(of, connection, olds);
        await connection.refuseElsewhere(`${of.token} ${id}`, olds[SERVICE]);
        const noted = { ...news, [SERVICE]: olds[SERVICE] };
        const [before, now] = [argumentsIn(of, olds), argumentsIn(of, news)];
        if (isQuiet(of, connection.session, olds, news))
          return { outs: keptOutputs(of, { ...withoutQuiet(of, before), ...now }, noted, connection) };
        const state = await life.update(id, before, plain(now), row, ignoredPaths(news));
        return { outs: keptOutputs(of, state.outputs, noted, connection) };
      }),

    delete: (id, properties) =>
      enter(properties, id, async ({ life, connection, row }) => {
        const known = { ...withSilent(of, properties), [KEPT]: properties[KEPT] };
        await connection.refuseElsewhere(`${of.token} ${id}`, properties[SERVICE]);
        return life.delete(id, known, row, urnOf(properties));
      }),
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
  const given = (news[OPTIONS] ?? {}) as RecordOptions;
  // What a refresh found is there: somebody discarded the delete, or it came with a pack.
  const options = connection.session.memory.of(keyIn(of, news)).isRead ? { ...given, takenId: undefined } : given;
  const isKnown = Object.keys(olds).length > 0 && options.takenId === undefined;
  if (options.takenId !== undefined)
    row.notice('an earlier run that failed took it away, and this file declares it: it is made again');
  const { inputs, findings } = life.check(argumentsIn(of, news), isKnown, urnOf(news));
  findings.filter(({ severity }) => severity === 'warning').forEach((finding) => row.warn(inOneSentence(finding)));
  for (const { text, warns } of isKnown ? rulesSaid(olds, news) : []) {
    if (warns) row.warn(text);
    else row.notice(text);
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  connection.session.memory.note(keyIn(of, inputs), { options });
  // Whether a new record without a parent exists is asked next.
  const list = of.found !== undefined && 'list' in of.found ? of.found.list.route : undefined;
  const isTop = !isKnown && of.within === undefined && !isReference(inputs);
  const isAsked = errors.length === 0 && (await connection.admitted(isTop ? list : undefined));
  if (isAsked) await refuseNewElsewhere(of, connection, inputs);
  const foreseen = isAsked ? await life.foresee(isKnown ? argumentsIn(of, olds) : {}, inputs, row) : [];
  const failures = [...errors, ...foreseen.map((finding) => placed(finding, news))].map((finding) =>
    failureOf(of, inputs, finding),
  );
  return { inputs: kept(of, inputs, news), failures };
}

/** Whether an update is needed, or a replacement, in the words of the SDK. */
async function compared(
  of: Kind,
  { life, connection, row }: Entered,
  { id, olds, news }: { readonly id: string; readonly olds: Properties; readonly news: Properties },
): Promise<dynamic.DiffResult> {
  const key = keyIn(of, news);
  connection.session.memory.note(key, { ignored: ignoredPaths(news) });
  // A program without our SDK gives no settled argument: what an import wrote is not compared.
  const hidden = hiddenIn(of, news);
  const isGiven = hidden.length > 0 || settledNames(of).some((name) => name in news);
  const before = isGiven ? argumentsIn(of, olds) : withoutOurs(olds);
  const now = argumentsIn(of, news);
  await connection.refuseElsewhere(`${of.token} ${id}`, olds[SERVICE], () => connection.admitted());
  const { changes, replaces, refusal, warning, plan } = await life.diff(
    id,
    before,
    now,
    [olds, news].some((values) => values[KEPT] === 'retain'),
  );
  if (refusal !== undefined) throw new CleanError(connection.hide(refusal));
  if (warning !== undefined) row.warn(connection.hide(warning));
  if (plan !== undefined) row.progress(plan);
  // The engine shows hidden differences too; if it hears of a change, it shows what is not hidden.
  // What is filled in is the same in all inputs: only the outputs say otherwise.
  const gone = quietNames(of).filter((name) => hiddenName(name) in olds);
  const filled = [...hidden, ...gone, ...Object.keys(of.fills ?? {})];
  const isHidden = [KEPT, IGNORED].some((name) => !isDeepStrictEqual(olds[name], news[name]));
  const shown = isHidden || saysLeft(before) || differIn(of, filled, before, now) ? { changes: true } : {};
  if (changes.some(({ path }) => path.length > 0)) {
    const { replaceOnChanges = [] } = connection.session.memory.of(key).options ?? {};
    const paths = replaceOnChanges.map((path) => parsePropertyPath(path) ?? [path]);
    const taken = withValuesAt(olds, news, paths) as Values;
    const chosen = changes.flatMap(({ path: [name = ''] }) =>
      isDeepStrictEqual(taken[name], olds[name]) ? [] : [name],
    );
    return { replaces: [...new Set([...replaces, ...chosen])], deleteBeforeReplace: true, ...shown };
  }
  // The engine sees no difference in the arguments, so the answer names it.
  if (changes.length > 0) return { changes: true };
  // Without the provider text, refresh and destroy fail (engine-facts B §12).
  if (olds[PROVIDER] === undefined || olds[INCOMPLETE] === true || isKeptOtherwise(olds, news))
    return { changes: true };
  return differIn(of, quietNames(of), before, now) ? shown : { changes: false };
}

/** Throws for a new name where all of the state is at another service: its write may be the first. */
async function refuseNewElsewhere(of: Kind, connection: Connection, inputs: Properties): Promise<void> {
  const { session } = connection;
  const { services = [] } = session.memory.of(keyIn(of, inputs)).options ?? {};
  await connection.refuseElsewhere('the state', services.find(session.isHere) ?? services[0]);
}

/** The key of a record in the memory of the run. */
function keyIn(of: Kind, inputs: Properties): string {
  const scope = scopeAt(of, inputs) ?? of;
  return declaredKey(scope, addressOf(scope, inputs));
}

/** Properties without the face's own, whose names begin with two underscores. */
const withoutOurs = (properties: Properties): Inputs =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name === BEFORE || !name.startsWith('__')));

/** The arguments or outputs in a request, each under its own name. */
const argumentsIn = (of: Kind, request: Properties): Inputs => withoutOurs(withOwnNames(of, request));

/** Arguments that a request has under hidden names. An answer has the same. */
const hiddenIn = (of: Kind, request: Properties): readonly string[] =>
  settledNames(of).filter((name) => hiddenName(name) in request);

const kept = (of: Kind, values: Inputs, request: Properties, hidden = hiddenIn(of, request)): Properties =>
  plain({
    ...withHiddenNames(of, values, hidden),
    [PROVIDER]: request[PROVIDER],
    [KEPT]: request[KEPT],
    [IGNORED]: request[IGNORED],
  });

/** The same for outputs, with the service of the record. */
const keptOutputs = (
  of: Kind,
  values: Inputs,
  request: Properties,
  connection: Connection,
  hidden = hiddenIn(of, request),
): Properties => ({ ...kept(of, values, request, hidden), [SERVICE]: connection.note(request[SERVICE]) });

const namesOf = (fits: (field: Field) => boolean | undefined): ((of: Kind) => readonly string[]) =>
  oncePer(({ fields }) => Object.keys(fields).filter((name) => fits(fields[name] as Field)));

/** Arguments that steer our own work and need no request when they change. */
const quietNames = namesOf(({ quiet, silent }) => quiet && !silent);

/** Arguments of which a change is no difference. */
const silentNames = namesOf(({ silent }) => silent);

/** Outputs with what only the inputs of the last run show: a change of it alone is no update. */
function withSilent(of: Kind, request: Properties): Inputs {
  const known = argumentsIn(of, request);
  const inputs = inputsOf(request);
  if (inputs === undefined) return known;
  const own = withOwnNames(of, inputs);
  const silent = silentNames(of).map((name) => [name, own[name]] as const);
  return { ...known, ...Object.fromEntries(silent) };
}

/** Whether the record is kept otherwise than before. An import needs no update for it. */
const isKeptOtherwise = (olds: Properties, news: Properties): boolean =>
  olds[KEPT] !== undefined && news[KEPT] !== undefined && olds[KEPT] !== news[KEPT];

const differIn = (of: Kind, names: readonly string[], olds: Inputs, news: Inputs): boolean =>
  names.some((name) => !sameValue((of.fields[name] as Field).shape, olds[name], news[name]));

/** Whether an update only changes the state. Another stack's record was never written. */
function isQuiet(of: Kind, session: Session, olds: Properties, news: Properties): boolean {
  const [before, now] = [argumentsIn(of, olds), argumentsIn(of, news)];
  const becomesOurs = isReference(before) && !isReference(now);
  const isLeft = isPending(of, session, now) || session.memory.of(keyIn(of, news)).options?.takenId !== undefined;
  if (olds[PROVIDER] === undefined || olds[INCOMPLETE] === true || becomesOurs || isLeft) return false;
  const isOther = isKeptOtherwise(olds, news) || differIn(of, quietNames(of), before, now);
  return isOther && diff(of, before, now).length === 0;
}

const withoutQuiet = (of: Kind, values: Inputs): Inputs =>
  Object.fromEntries(Object.entries(values).filter(([name]) => of.fields[name]?.quiet !== true));

/** An import brings no argument of the record, so that what nobody writes is hidden. */
function readAnswer(of: Kind, state: State, request: Properties, connection: Connection) {
  const hidden = (values: Properties): readonly string[] =>
    isImport(request) ? settledNames(of) : hiddenIn(of, values);
  const inputs = kept(of, state.inputs, request, hidden(inputsOf(request) ?? request));
  return {
    id: state.id,
    props: keptOutputs(of, state.outputs, request, connection, hidden(request)),
    // The engine keeps its own where an answer has none.
    ...(isDeepStrictEqual(inputs, inputsOf(request)) ? {} : { inputs }),
  };
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

/**
 * The engine prints the value of a property that a failure names: only plain top-level arguments
 * are named, and secrets without a value (engine-facts A §5). The reason has the place of the
 * others.
 */
function failureOf(of: Kind, inputs: Inputs, finding: Diagnostic): dynamic.CheckFailure {
  const [name] = finding.path;
  const field = finding.path.length === 1 && typeof name === 'string' ? fieldOf(of, name) : undefined;
  const isShown = field?.secret === false || (field !== undefined && inputs[name as string] === undefined);
  if (isShown && typeof name === 'string') return { property: name, reason: inOneSentence(finding) };
  const place = formatPath(finding.path);
  return {
    property: '',
    reason:
      place === '' || finding.message.includes(place) ? inOneSentence(finding) : `${place}: ${inOneSentence(finding)}`,
  };
}

function clean(
  of: Kind,
  connection: Connection,
  { subject, request, error }: { readonly subject: string; readonly request: Properties; readonly error: unknown },
): Error {
  if (error instanceof PartialFailure) {
    const reasons = error.reasons.map((reason) => connection.hide(reason));
    return Object.assign(new CleanError(connection.hide(error.message)), {
      id: error.id,
      properties: keptOutputs(of, { ...error.outputs, [INCOMPLETE]: true }, request, connection),
      reasons: reasons.length > 0 ? reasons : [connection.hide(error.message)],
    });
  }
  return error instanceof CleanError ? error : new CleanError(connection.tell(error, subject));
}
