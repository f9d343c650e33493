// The newer way to deploy: a plan that is only shown, and plan and deployment in one go from what
// is committed (service-facts §4.7.4, §3.8).
import { routes } from '../../api/contract';
import { mergedRecord, recordChangeAnswer, relationChangeAnswer, releaseAnswer } from '../runtime/answers';
import { type Context, handlersOf, type HandlerTable, refused } from '../runtime/handler';
import type { Catalogue } from '../catalogue';
import { stage } from '../store';
import { checkUnlocked, closeManifest, planCommitted, previewPlan, startJob } from '../transition/background-jobs';
import { checkReadyToPlan, environmentAnswer, idsIn } from '../transition/environments';
import { locatePlace, placeById, type EnvironmentPlace } from '../transition/place';
import { locateComponentPlace } from '../transition/platforms';
import { TOUCH } from '../transition/planning';
import { beginDeployment, type DeploymentFacts } from './run';
import type { Runners, Slices } from '../runtime/work';

const NAME = 'environment.deploy';

interface Payload {
  readonly facts: DeploymentFacts;
  /** ciIds of manifest platforms that shall stay as they are. */
  readonly exclude: readonly number[];
  /** Commits the manifest before. */
  readonly commit: boolean;
  readonly user: string;
}

/** Plans and deploys in the background; answers the locked environment. */
export function deployCommitted(
  context: Context,
  place: EnvironmentPlace,
  facts: DeploymentFacts,
  { exclude, commits }: { readonly exclude: string | null | undefined; readonly commits: boolean },
): object {
  const { store, user } = context;
  checkReadyToPlan(store, place);
  const payload: Payload = { facts, exclude: idsIn(exclude), commit: commits, user };
  startJob(store, place, { as: 'locked', name: NAME, payload }, context);
  return environmentAnswer(context, place.environment.id);
}

/** Plans and deploys in one go. The environment's comments say why there is no plan. */
export function deployCommittedJobs(catalogue: Catalogue): Runners {
  return {
    *[NAME]({ store, now, job }): Slices {
      const place = placeById(store, job.subject);
      if (place === undefined) return;
      const { facts, exclude, commit, user } = job.payload as Payload;
      const author = { user, now };
      const request = { description: facts.comments, exclude, keepManifest: !commit };
      yield* planCommitted({ store, catalogue, place, author }, request);
      const release = store.releases.open(place.bom);
      if (release !== undefined) beginDeployment(store, release, facts, author);
    },
  };
}

const NOTHING = { release: null, rfcs: { cis: [], relations: [] } };

/** A plan that is not stored. Throws a RefusedRequest (422) when there is none. */
function preview(
  context: Context,
  place: EnvironmentPlace,
  description: string | null,
  exclude: readonly number[],
): object {
  const { store, catalogue } = context;
  // Planning removes records that wait to vanish: a preview takes that back.
  const plan = store.attempt(() => previewPlan({ store, catalogue, place, author: context }, exclude, description));
  if (plan.records.length === 0) return NOTHING;
  return {
    release: releaseAnswer(context, plan.release),
    rfcs: {
      cis: plan.records.map((change) => recordChangeAnswer(context, change)),
      relations: plan.relations.map((change) => relationChangeAnswer(context, change)),
    },
  };
}

const isTrue = (sent: string | boolean | null | undefined): boolean => sent === true || sent === 'true';

export const deployCommittedHandlers: HandlerTable = {
  ...handlersOf(routes.deployments, {
    preview: (context) => {
      const place = locatePlace(context);
      checkUnlocked(place);
      return preview(context, place, null, idsIn(context.query['exclude_platforms']));
    },
    plan: (context) => {
      const { store, body } = context;
      const place = locatePlace(context);
      checkReadyToPlan(store, place);
      if (isTrue(body?.commit)) closeManifest(store, place, body?.desc ?? null, context);
      const answer = preview(context, place, body?.desc ?? null, idsIn(body?.exclude_platforms));
      // Something waits to be deployed (service-facts §3.1).
      if (answer !== NOTHING) store.records.setState(place.environment.id, 'replace');
      return answer;
    },
  }),
  ...handlersOf(routes.environmentPlatforms, {
    deployComponent: (context) => {
      const { place, component } = locateComponentPlace(context);
      if (place.environment.values['codpmt'] !== 'true')
        throw refused('Continuous deployment is not turned on for this environment');
      const touched = stage(context.store, place.manifest, context).touch(component, { hint: TOUCH });
      const comments = `deployment of component ${component.name}`;
      const facts = { description: null, comments, continueOnFailure: false, autoPauseExecOrders: [] };
      deployCommitted(context, place, facts, { exclude: undefined, commits: true });
      return mergedRecord(context, touched);
    },
  }),
};
