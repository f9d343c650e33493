// Commits an environment, and deploys what that planned.
import type { Deployment } from '../../api/contract';
import { commitEnvironment } from '../commit/commit-environment';
import type { Work } from '../kind';
import { alongText } from './along';
import { awaitDeployment, failureReasons } from './follow';
import { incomplete, keptWith, type Outcome } from './outcome';
import { openBom, planEnabled, startDeployment } from './plan';

/** Commits, and deploys what the plan contains. No open bom release means that nothing is to be deployed, which is success. */
export async function commitAndDeploy(
  work: Work,
  before: Deployment | undefined,
  comment: string,
  emptying = false,
): Promise<Outcome> {
  const { environment, release } = emptying
    ? { environment: await commitEnvironment(work, comment), release: await openBom(work) }
    : await planEnabled(work, comment);
  const along = emptying ? undefined : alongText(work.session.stages.along(work.id), release?.rfc_cis);
  if (along !== undefined) work.notice(along);
  work.session.stages.forgetAlong(work.id);
  if (release === undefined) return { deployment: before, release: undefined, environment };
  const started = await startDeployment(work, release, comment);
  const deployment = await keptWith(work, started, () => awaitDeployment(work, started, release));
  if (deployment.deploymentState !== 'complete')
    throw incomplete(work, deployment, await failureReasons(work, deployment, release));
  return { deployment, release, environment };
}
