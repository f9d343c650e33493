// Deployment verbs: a roll-out, and the tear-down.
import { routes } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { orNone } from '../../../api/errors';
import { newestDeployment } from '../../commit/commit-environment';
import { liveAt } from '../../deploy/outcome';
import { deploysAfterDeletes, firstRollOut, rollOut } from '../../deploy/roll-out';
import { stateNow } from '../../deploy/running';
import { tearDown } from '../../deploy/tear-down';
import type { Address, FoundRecord } from '../../kind';
import type { Verbs } from '../../model';
import { textAt } from '../../values/plain';
import { act } from '../../verbs/act';
import { changesIn, touchedText, unfinishedText } from './plan';

/** Verbs of the Deployment kind. */
export const deploymentVerbs: Verbs = act({
  run: firstRollOut,
  again: rollOut,
  undo: tearDown,
  unchanged: deploysAfterDeletes,

  async observe(work, environment) {
    const newest = await newestDeployment(work);
    const state = await stateNow(work, newest, environment.comments ?? '');
    const deployment = work.known === undefined ? newest : undefined;
    const { outputs, ...live } = liveAt(work, { deployment, release: undefined, environment });
    return { ...live, outputs: { ...outputs, taken: textAt(work.known, 'taken') }, fills: { state } };
  },

  plan: (olds, now) => {
    const environment = String(now.args['environment']);
    const parts = changesIn(now).join(' ');
    const left = olds['state'] === now.args['state'] ? undefined : unfinishedText(olds['state']);
    const touched = parts === '' ? undefined : touchedText(olds, now);
    const line = [`will deploy: ${parts}`, ...(touched === undefined ? [] : [touched])].join(' ');
    if (left === undefined) return parts === '' ? undefined : line;
    return parts === '' ? `will deploy ${environment}: ${left}` : `${line}; ${left}`;
  },
});

/** An environment that was never deployed has no deployment. */
export async function searchDeployment(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const latest = await orNone(api.call(routes.deployments.latest, { address: at }));
  return latest === undefined ? [] : [{ address: {}, isGiven: false }];
}
