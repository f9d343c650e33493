// What every verb of a lifecycle starts from: a kind in one scope, a connection and one run's memory; and the work on one record.
import type { Api } from '../../api/client';
import { remembering } from '../session/answers';
import { opening } from '../session/opening';
import { PartialFailure } from '../errors';
import { formatId, parseId, pathAddress } from '../address/ids';
import type { Address, Kind } from '../kind';
import { parseMemberPath } from '../address/member-path';
import { noting } from './own-writes';
import { withoutPending } from './pending';
import type { Inputs } from '../check';
import { declaredKey, subjectKey, type Session } from '../session';
import { stateOf } from './state';
import { Incomplete, type Live } from '../address/live';
import { type Work } from '../model';
import { textsOf } from '../values/wire';

/** Where a resource's messages go. */
export interface Row {
  /** The resource's logical name, where the engine shows it. */
  readonly logicalName?: string;
  /** What is going on; shown live, not kept. */
  progress(message: string): void;
  /** What a person must see after the run. */
  notice(message: string): void;
}

/** A kind in the scope of one record, over one connection and one run's memory. */
export interface Managed {
  readonly of: Kind;
  readonly connect: () => Promise<Api>;
  readonly session: Session;
  /** Whether records that nobody declares yet are read like those of a refresh: nothing is written. */
  readonly isSurvey?: boolean;
}

/** One record: where it is, what is declared of it, and, as `known`, its outputs of the last run. */
interface Subject {
  readonly address: Address;
  readonly inputs: Inputs;
  readonly known?: Inputs | undefined;
  /** Whether writes make the record's open changes this run's own; otherwise they stay those of their user. Default: true. */
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
    args: { ...inputs, ...session.declarations.pendingOf(declaredKey(of, address)) },
    wire: textsOf(of, inputs),
    ...(known ? { known } : {}),
    ...row,
  };
}

/** Whether a pull created a record again, or its platform, or this run replaces its component in the design: what was written to it is lost. */
export function isRenewed({ of, session }: Managed, id: string): boolean {
  const { organization, address = {} } = parseId(of, id) ?? {};
  const { assembly, environment, platform, component, name = component } = address;
  if (of.stage !== 'environment' || of.verbs.isAction === true || platform === undefined) return false;
  const holder = component && parseMemberPath(session.kinds, 'design', `${platform}/${component}`)?.of;
  const isReplaced =
    holder && session.records.isReplaced(subjectKey(holder, ['', assembly, platform, component].join('/')));
  const inside = [organization, assembly, environment, platform].join('/');
  return isReplaced === true || [inside, `${inside}/${name}`].some((place) => session.stages.isRenewed(place));
}

/** A record that exists but not right is kept: the failure carries its state (architecture §3, partial failure). */
export async function kept(of: Kind, work: Work, job: () => Promise<Live>): Promise<Live> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error;
    const { outputs } = stateOf(work.id, withoutPending(of, work.args), error.live);
    throw new PartialFailure({ id: work.id, outputs, reasons: error.reasons });
  }
}
