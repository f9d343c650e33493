// The state of an environment for its Deployment: `complete`, or a text that says how what runs differs from the last roll-out.
import type { Deployment } from '../../../api/contract';
import { isOurs } from '../../commit/commit-environment';
import { mayBeRefresh } from '../../verbs/records';
import type { Work } from '../../model';
import { missingSince } from './missing';
import { lookAtRunning, openPlan, runningIn, type Look } from './running';

const UNPLANNED = 'what was committed could not be planned';

/** `complete` when everything declared runs as it was deployed; otherwise a text that says what does not. */
export async function stateNow(work: Work, newest: Deployment | undefined, comments: string): Promise<string> {
  const { known } = work;
  const isKnown = newest?.deploymentId === known?.['deploymentId'];
  // One we canceled, or found canceled with nothing left to deploy, is no difference: it was the newest when we recorded success.
  const settled = known?.['state'] === 'complete' && isKnown;
  const state = settled ? 'complete' : (newest?.deploymentState ?? 'complete');
  if (state !== 'complete' || known === undefined || newest === undefined || !mayBeRefresh(work)) return state;
  const planned = await openPlan(work);
  if (planned !== undefined) return planned;
  if (comments.startsWith('ERROR:BOM')) return UNPLANNED;
  const look = await lookAtRunning(work);
  // A newer deployment of this stack changed what runs, and its outcome was not recorded: the counts before it do not apply.
  const before = runningIn(isKnown || !isOurs(work, newest) ? known['running'] : undefined);
  const idle = look.idle.map(({ ciName }) => ciName).sort();
  const missing = await missingSince(work, look, before);
  const all = [...(idle.length === 0 ? [] : [`nothing runs of ${idle.join(', ')}`]), ...missing];
  const since = isKnown ? '' : ` since deployment ${newest.deploymentId} of ${newest.createdBy ?? 'somebody'}`;
  return all.length === 0 ? state : `${all.join('; ')}${since}`;
}

/** Reports what ran before and does not run although everything is deployed: a setting that is not declared prevents it, and is kept. */
export async function reportMissing(work: Work, look: Look): Promise<void> {
  const state = work.known?.['state'];
  // Only a refresh of this run writes a state of several words.
  if (typeof state !== 'string' || !state.includes(' ')) return;
  const missing = await missingSince(work, look, runningIn(work.known?.['running']));
  if (missing.length > 0)
    work.notice(
      `${missing.join('; ')}: nothing is left to deploy, so this stays as it is; "pulumi-oneops drift" shows who set what is not declared`,
    );
}
