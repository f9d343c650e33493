// The releases that a saved plan brings to its environments, although its start does not know them: whether the approval covers them.
import type { Api } from '../../api/client';
import { newLiveReader, plural, type Unread, waitingKey, type WaitingRelease } from '../../drift';
import { waitingFor } from '../live';
import type { Plan } from '../plan';
import type { StaleReason } from './verification';

/** What comes along with a plan, and what could not be read of it. */
export interface PlanWaiting {
  readonly waiting: readonly WaitingRelease[];
  readonly unread: readonly Unread[];
}

/** Asks the service what comes along with a plan; GETs only. */
export async function planWaiting(plan: Plan, api: Api): Promise<PlanWaiting> {
  const reader = newLiveReader();
  const waiting = await waitingFor(plan, api, reader);
  const { unread, authentication } = reader;
  const address = 'what comes along';
  return {
    waiting,
    unread: unread.map((reason) => ({
      kind: 'Release',
      address,
      reason,
      ...(authentication ? { authentication } : {}),
    })),
  };
}

/** What a digest contains of the releases that come along. */
export const waitingKeys = (waiting: readonly WaitingRelease[]): readonly string[] => waiting.map(waitingKey).sort();

/** Members of a release that one reason names. */
const SHOWN = 12;

/** Why releases that come along keep a plan from being applied: nobody approved them. */
export const waitingReasons = (waiting: readonly WaitingRelease[]): readonly StaleReason[] =>
  waiting.map(({ address, releaseId, environments, members, who, when }) => ({
    of: 'release',
    address,
    message: `release ${releaseId} comes along to ${environments.join(', ')}, and the approved digest does not cover it: ${membersText(members)}`,
    ...(who === undefined ? {} : { who }),
    ...(when === undefined ? {} : { when }),
  }));

function membersText(members: WaitingRelease['members']): string {
  if (members === undefined) return 'what it changes is not known';
  const left = members.length - SHOWN;
  return [...members.slice(0, SHOWN), ...(left > 0 ? [`and ${plural(left, 'change')} more`] : [])].join(' ');
}
