// Shared parts of the verbs of a lifecycle: the work of one run or record, and failures.
import { remembering } from '../session/answers';
import { opening } from '../session/opening';
import type { Api } from '../../api/client';
import { describe, NotFound } from '../../api/errors';
import { formatId, parseId, pathAddress } from '../address/ids';
import { Incomplete, type Live } from '../address/live';
import { parseMemberPath } from '../address/member-path';
import type { Inputs } from './check';
import { PartialFailure, LifecycleError } from '../errors';
import { addressOf, type Kind, type Address, type Work } from '../kind';
import { memoryOf, type Session, stageKey, subjectKey } from '../session';
import { textsOf } from '../values/wire';
import { noting } from './own-writes';
import { stateOf } from './state';
import { asMap, entryNames, isPlainObject, wordsAt } from '../values/plain';

// Arguments that are work of one run, such as records that left the file. No state has them.

const picked = (inputs: Inputs, isMeant: (name: string) => boolean): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => isMeant(name)));

export const pendingIn = (of: Kind, inputs: Inputs): Inputs =>
  picked(inputs, (name) => of.fields[name]?.pending === true);

export const withoutPending = (of: Kind, inputs: Inputs): Inputs =>
  picked(inputs, (name) => of.fields[name]?.pending !== true);

/** Whether anything of it is left to do. */
export const isPending = (of: Kind, session: Session, inputs: Inputs): boolean =>
  Object.values(memoryOf(session, of, addressOf(of, inputs)).pending ?? {}).some(
    (value) => entryNames(value).length > 0,
  );

/** Where a resource's messages go. */
export interface Row {
  /** The resource's logical name, where the engine shows it. */
  readonly logicalName?: string;
  /** What is going on; shown live, not kept. */
  progress(message: string): void;
  /** What a person must see after the run. */
  notice(message: string): void;
}

/** For work whose messages nobody reads. */
export const SILENT: Row = { progress: () => undefined, notice: () => undefined };

export interface Managed {
  readonly of: Kind;
  readonly connect: () => Promise<Api>;
  readonly session: Session;
  readonly isSurvey?: boolean;
}

/** One record: its place, its declaration, and its outputs of the last run as `known`. */
interface Subject {
  readonly address: Address;
  readonly inputs: Inputs;
  readonly known?: Inputs | undefined;
  /** Whether writes make the record's open changes this run's own. Default: true. */
  readonly isNoted?: boolean;
}

/** The work on one record. Connects, and sends nothing. */
export async function workOn(managed: Managed, subject: Subject, row: Row): Promise<Work> {
  const { of, session } = managed;
  const { address, inputs, known, isNoted = true } = subject;
  const connected = await managed.connect();
  const sending = opening(isNoted ? noting(connected, session.own) : connected, session.openings);
  const api = remembering(sending, session.answers);
  return {
    api,
    session,
    address,
    at: pathAddress(of, api.organization, address),
    id: formatId(of, api.organization, address),
    args: { ...inputs, ...memoryOf(session, of, address).pending },
    wire: textsOf(of, inputs),
    ...(known ? { known } : {}),
    ...row,
  };
}

/** Whether a record was created or given back meanwhile: what was written to it is lost. */
export function isRenewed({ of, session }: Managed, id: string, olds: Inputs): boolean {
  const { address = {} } = parseId(of, id) ?? {};
  const { assembly, environment, platform, component, cloud, name = component } = address;
  if (of.stage !== 'environment' || of.verbs.isAction === true || platform === undefined) return false;
  const holder = component && parseMemberPath(session.kinds, 'design', `${platform}/${component}`)?.of;
  if (holder && session.memory.of(subjectKey(holder, ['', assembly, platform, component].join('/'))).replaced)
    return true;
  const { renewed = [], inputs, last } = session.memory.of(stageKey('environment', { assembly, environment }));
  // A cloud that comes back has the values of its environment, also where a failed run had taken it.
  if (
    isPlainObject(last?.['clouds']) &&
    !(String(cloud) in last['clouds']) &&
    String(cloud) in asMap(inputs?.['clouds'])
  )
    return true;
  // A removal that failed has given the values of a cloud back with its environment.
  const isGivenBack = (argument: string): boolean =>
    wordsAt(inputs, 'configured').includes(`${platform}/${cloud}/${argument}`) &&
    !wordsAt(last, 'configured').includes(`${platform}/${cloud}/${argument}`);
  if (cloud !== undefined && last !== undefined && Object.keys(olds).some(isGivenBack)) return true;
  return renewed.some((path) => path === platform || path === `${platform}/${name}`);
}

/** An incomplete record is kept: the failure carries its state (architecture §3). */
export async function kept(of: Kind, work: Work, job: () => Promise<Live>): Promise<Live> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error;
    const { outputs } = stateOf(work.id, withoutPending(of, work.args), error.live);
    throw new PartialFailure({ id: work.id, outputs, reasons: error.reasons });
  }
}

// A failure says what was attempted, on what, and what was left undone.

const GONE_ABOVE =
  'if something it belongs to was deleted in the service since the last run, run pulumi up --refresh: it finds what was deleted, and creates it again; what this run does not declare has to be created by its owner first';

/** Runs a verb; what fails says what was attempted, on what. */
export async function describingFailure<T>(attempt: string, of: Kind, id: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    // Only create and update can keep an incomplete record: a delete is continued by the next run.
    const failure = error instanceof Incomplete ? new LifecycleError(error.reasons.join('\n')) : error;
    // A record without a parent belongs to the organization, which no refresh creates.
    const isBelow = of.within !== undefined && (attempt === 'create' || attempt === 'update');
    if (failure instanceof NotFound && isBelow) failure.advised(GONE_ABOVE);
    throw describe(failure, { attempt, subject: subjectOf(of, id) });
  }
}

/** `cloud configuration acme/shop/prod/web/east`. */
export const subjectOf = (of: Kind, id: string): string =>
  `${of.token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()} ${id}`;
