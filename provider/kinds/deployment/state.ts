// The state of an environment as its Deployment sees it: `complete`, or in words what of the last roll-out is not what runs now.
// It must not know how that is put right.
import type { Deployment } from '../../../api/contract';
import { isOurs } from '../../releases/commit-environment';
import { mayBeRefresh } from '../../verbs/records';
import type { Work } from '../../verbs/verbs';
import { missingSince } from './missing';
import { lookAtRunning, openPlan, runningIn, type Look } from './running';

const UNPLANNED = 'what was committed could not be planned';

/** `complete` when all that is declared runs as it was deployed; else what is not so. */
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
  // A newer deployment of ours changed what runs as it was declared, and nobody recorded what came of it.
  const before = runningIn(isKnown || !isOurs(work, newest) ? known['running'] : undefined);
  const idle = look.idle.map(({ ciName }) => ciName).sort();
  const missing = await missingSince(work, look, before);
  const all = [...(idle.length === 0 ? [] : [`nothing runs of ${idle.join(', ')}`]), ...missing];
  const since = isKnown ? '' : ` since deployment ${newest.deploymentId} of ${newest.createdBy ?? 'somebody'}`;
  return all.length === 0 ? state : `${all.join('; ')}${since}`;
}

/** Says what ran before and does not run although everything is deployed: something that nobody declares stands against it, and stays as it is. */
export async function tellMissing(work: Work, look: Look): Promise<void> {
  const state = work.known?.['state'];
  // In words where a refresh of this run looked.
  if (typeof state !== 'string' || !state.includes(' ')) return;
  const missing = await missingSince(work, look, runningIn(work.known?.['running']));
  if (missing.length > 0)
    work.notice(
      `${missing.join('; ')}: nothing is left to deploy, so this stays as it is; "pulumi-oneops drift" tells who set what nobody declares`,
    );
}
