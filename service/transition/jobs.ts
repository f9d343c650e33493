// Handlers that start jobs of an environment and write on its manifest as a whole: pull, commit, discard, enable, disable (service-facts §4.7.2).
import { routes } from '../../api/contract';
import { releaseAnswer } from '../answers';
import { handlersOf, RefusedRequest, refused, type Context } from '../handler';
import { stage, type Store } from '../store';
import { checkAvailability, committedPlatforms } from './availability';
import { checkUnlocked, blocksCommits, startCommit, startPull } from './background-jobs';
import { environmentAnswer, isAsync } from './environments';
import { manifestPlatforms } from './manifest';
import { locatePlace, type EnvironmentPlace } from './place';
import { newPlatforms } from './pull';

/** Handlers of routes.environments that move an environment on. */
export const jobHandlers = handlersOf(routes.environments, {
  pull: (context) => {
    const { store, body } = context;
    const place = locatePlace(context);
    checkUnlocked(place);
    if (context.rules.designStaged && store.releases.latest(place.design, ['closed']) === undefined) {
      throw refused('failed to pull the design: there is no committed design');
    }
    const availability = body?.platform_availability ?? {};
    checkAvailability(context, availability, newPlatforms(store, place, committedPlatforms(store, place.design)));
    startPull(context, place, availability, isAsync(body?.async));
    return environmentAnswer(context, place.environment.id);
  },
  commit: (context) => planIn(context, context.body, { keepManifest: false }),
  forceDeploy: (context) => planIn(context, context.body, { keepManifest: true }),
  discard: (context) => {
    const { store } = context;
    const place = locatePlace(context);
    const release = stage(store, place.manifest, context).discard();
    if (release === undefined) throw new RefusedRequest(404, ['no manifest release is open'], 'nothing-open');
    store.records.update(place.environment.id, { comments: '' }, context);
    return releaseAnswer(context, release);
  },
  disable: (context) => setEnabled(context, locatePlace(context), context.body?.platformCiIds ?? [], 'false'),
  enable: (context) => setEnabled(context, locatePlace(context), context.body?.platformCiIds ?? [], 'true'),
});

/** Throws a RefusedRequest (422) while a job has the environment, or a deployment has a say over its release (service-facts §12a). */
export function checkReadyToPlan(store: Store, place: EnvironmentPlace): void {
  checkUnlocked(place);
  const latest = store.deployments.latest(place.bom);
  if (latest !== undefined && blocksCommits(latest.state)) {
    throw refused(
      `deployment ${latest.id} of environment ${place.environment.name} is ${latest.state}: finish or cancel it first (6001)`,
    );
  }
}

/** Starts building a plan in the background, with or without committing the manifest before. */
function planIn(
  context: Context<{ readonly assembly: string; readonly environment: string }>,
  body:
    | { readonly desc?: string | null | undefined; readonly exclude_platforms?: string | null | undefined }
    | null
    | undefined,
  { keepManifest }: { readonly keepManifest: boolean },
): object {
  const { store } = context;
  const place = locatePlace(context);
  checkReadyToPlan(store, place);
  const request = { description: body?.desc ?? null, exclude: idsIn(body?.exclude_platforms), keepManifest };
  startCommit(store, place, request, context);
  return environmentAnswer(context, place.environment.id);
}

/** Writes the enabled flag of platforms, as changes of the manifest release (service-facts §3.10). */
function setEnabled(
  context: Context,
  place: EnvironmentPlace,
  ids: readonly (string | number)[],
  enabled: 'true' | 'false',
): object {
  const { store } = context;
  // An empty list arrives as "not given", and without ids the live service fails (service-facts §0.2).
  if (ids.length === 0) throw refused('platformCiIds is missing: the ids of the platforms');
  const platforms = manifestPlatforms(store, place);
  const manifest = stage(store, place.manifest, context);
  for (const id of ids) {
    const platform = platforms.find(({ record }) => String(record.id) === String(id));
    if (platform === undefined)
      throw refused(`no platform of environment ${place.environment.name} has id ${id} (6006)`);
    manifest.updateRelation(platform.composition, { values: { enabled } });
  }
  return environmentAnswer(context, place.environment.id);
}

/** `"8101,8102"` as numbers. */
export function idsIn(text: string | null | undefined): number[] {
  return (text ?? '').split(',').flatMap((each) => (/^\s*\d+\s*$/.test(each) ? [Number(each)] : []));
}
