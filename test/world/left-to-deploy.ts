// What the service itself finds to do in an environment: nothing, when it has the design, and the
// machines have the environment.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';

/** Everything that is left to do, a line each. Pulls and commits; `tick` lets time pass while a job runs. */
export async function leftToDeploy(
  api: Api,
  at: { readonly assembly: string; readonly environment: string },
  tick: () => void,
): Promise<readonly string[]> {
  const found: string[] = [];
  const settled = async (): Promise<void> => {
    let live = await api.call(routes.environments.read, { address: at });
    while (live.ciState !== 'default') {
      tick();
      live = await api.call(routes.environments.read, { address: at });
    }
    if (live.comments?.startsWith('ERROR')) found.push(`${at.environment}: ${live.comments}`);
  };
  const latest = await api
    .call(routes.environmentReleases.bom, { address: at, query: { latest: 'true' } })
    .catch(() => undefined);
  if (latest?.releaseState === 'open') found.push(`${at.environment}: a bom release is open`);
  const dummy = { platform_availability: { none: 'default' }, async: 'true' };
  await api.call(routes.environments.pull, { address: at, body: dummy });
  await settled();
  await api.call(routes.environments.commit, { address: at, body: {} });
  await settled();
  const bom = await api
    .call(routes.environmentReleases.bom, { address: at, query: { include_rfcs: 'cis' } })
    .catch(() => undefined);
  if (bom?.releaseState !== 'open') return found;
  const left = (bom.rfc_cis ?? []).map(
    ({ rfcAction, ciName, nsPath }) => `${rfcAction} ${nsPath.split('/')[5]}/${ciName}`,
  );
  return [...found, `${at.environment}: the machines lack ${left.join(', ')}`];
}

/** The same of all environments of all assemblies, where time passes by itself. */
export async function leftEverywhere(api: Api): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { ciName: assembly } of await api.call(routes.assemblies.list, {}))
    for (const { ciName: environment } of await api.call(routes.environments.list, { address: { assembly } }))
      found.push(...(await leftToDeploy(api, { assembly, environment }, () => undefined)));
  return found;
}
