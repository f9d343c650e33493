// A release that waits, in one line for people.
import { timeText } from '../report/words';
import type { WaitingRelease } from './waiting-releases';

const SHOWN = 5;

/** `release 42 of acme/shop by maria, 2026-01-05 00:01 UTC`. */
export function waitingText({ address, releaseId, who = 'somebody', when }: WaitingRelease): string {
  const at = when === undefined ? '' : `, ${timeText(when)}`;
  return `release ${releaseId} of ${address} by ${who}${at}`;
}

/** Members of a release, the first of them; undefined where the service does not list them. */
export function changesText(members: readonly string[] | undefined): string {
  if (members === undefined) return 'the service does not list its changes';
  const left = members.length - SHOWN;
  return [...members.slice(0, SHOWN), ...(left > 0 ? [`and ${left} more`] : [])].join(' ');
}
