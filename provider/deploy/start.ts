// What a commit planned, and the start of the deployment that carries it out (service-facts §4.7.3, §4.7.4).
// It must not know why something is deployed, nor how a deployment is followed.
import { routes, type Deployment, type Release } from '../../api/contract';
import { orNone } from '../../api/errors';
import { mayBeThere } from '../verbs/presence';
import type { Work } from '../model';
import { newestDeployment, OUR_MARK } from '../commit/commit-environment';

/** The plan that waits to be deployed, with its changes of records; none when there is nothing to deploy. */
export async function openBom(work: Work): Promise<Release | undefined> {
  const query = { include_rfcs: 'cis' };
  const release = await orNone(work.api.call(routes.environmentReleases.bom, { address: work.at, query }));
  return release?.releaseState === 'open' ? release : undefined;
}

/** Starts the deployment. A lost answer is settled by looking for it, never by asking again (architecture §3). */
export async function startDeployment(work: Work, release: Release, comment: string): Promise<Deployment> {
  const nsPath = `/${work.api.organization}/${work.at['assembly']}/${work.at['environment']}/bom`;
  const continueOnFailure = work.args['continueOnFailure'] === true;
  try {
    return await work.api.call(routes.deployments.create, {
      address: work.at,
      body: {
        cms_deployment: {
          releaseId: String(release.releaseId),
          nsPath,
          comments: comment,
          description: OUR_MARK,
          ...(continueOnFailure ? { continueOnFailure } : {}),
        },
      },
    });
  } catch (error) {
    if (!mayBeThere(error)) throw error;
    const newest = await newestDeployment(work);
    if (newest?.releaseId === release.releaseId) return newest;
    throw error;
  }
}
