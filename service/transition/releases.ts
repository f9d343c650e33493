// Handlers of an environment's releases: history, the bom to deploy, the newest manifest, discard, restore (service-facts §4.7.3).
import { routes } from '../../api/contract';
import { releaseAnswer } from '../runtime/answers';
import { type Context, handlersOf, notFound, refused, RefusedRequest } from '../runtime/handler';
import { checkRestorable, pageOf, restore, withChanges } from '../runtime/releases';
import type { StoredRelease } from '../store';
import { checkUnlocked } from './background-jobs';
import { type EnvironmentPlace, locatePlace } from './place';
import { manifestWriter } from './manifest-writer';

/** Handlers of routes.environmentReleases. */
export const releaseHandlers = handlersOf(routes.environmentReleases, {
  list: (context) => {
    const { manifest, bom } = locatePlace(context);
    const ended = [manifest, bom]
      .flatMap((namespace) => context.store.releases.list(namespace))
      .filter((release) => release.state !== 'open')
      .sort((one, other) => other.id - one.id);
    return pageOf(context.query, ended).map((release) => releaseAnswer(context, release));
  },
  read: (context) => withChanges(context, releaseNamed(context, locatePlace(context), context.address.release)),
  restore: (context) => {
    const { store } = context;
    const place = locatePlace(context);
    const release = releaseNamed(context, place, context.address.release);
    checkUnlocked(place);
    if (release.namespace !== place.manifest)
      throw refused(`release ${release.id} is none of the manifest: only those can be brought back`);
    checkRestorable(store, release);
    const writer = manifestWriter(store, place, context);
    const warnings = restore({ store, stage: writer.stage, releaseId: release.id, remove: writer.remove });
    return { release: releaseAnswer(context, store.releases.latest(place.manifest) ?? release), warnings };
  },
  bom: (context) => bomAnswer(context, locatePlace(context)),
  latest: (context) => {
    const place = locatePlace(context);
    if (!context.rules.latestIsManifest) return bomAnswer(context, place);
    const release = context.store.releases.latest(place.manifest, ['open', 'closed']);
    if (release === undefined) throw notFound();
    return withChanges(context, release);
  },
  discard: (context) => {
    const { store, user, now } = context;
    const place = locatePlace(context);
    const release = context.rules.discardIgnoresId
      ? store.releases.open(place.bom)
      : releaseNamed(context, place, context.address.release);
    if (release === undefined) throw new RefusedRequest(404, ['no bom release is open'], 'nothing-open');
    if (release.state !== 'open')
      throw refused(`release ${release.id} is ${release.state}: only an open one can be discarded (2006)`);
    if (release.namespace === place.bom) checkNotDeploying(context, place);
    return releaseAnswer(context, store.releases.cancel(release.id, { user, now }));
  },
});

/** The open bom release, or, where the dialect or `latest=true` asks for it, the newest of any state. */
function bomAnswer(context: Context, place: EnvironmentPlace): object {
  const { store, query, rules } = context;
  const release =
    rules.bomOnlyOpen && query['latest'] !== 'true' ? store.releases.open(place.bom) : store.releases.latest(place.bom);
  if (release === undefined) throw notFound();
  return withChanges(context, release);
}

/** Design, manifest or bom release of this environment by number (flows §2 row 15). */
function releaseNamed({ store }: Context, place: EnvironmentPlace, identifier: string): StoredRelease {
  const release = /^\d+$/.test(identifier) ? store.releases.byId(Number(identifier)) : undefined;
  if (release === undefined || ![place.design, place.manifest, place.bom].includes(release.namespace)) {
    throw new RefusedRequest(
      404,
      [`no release ${identifier} of environment ${place.environment.name}`],
      'unknown-number',
    );
  }
  return release;
}

function checkNotDeploying({ store }: Context, place: EnvironmentPlace): void {
  const state = store.deployments.latest(place.bom)?.state;
  if (state === 'active' || state === 'failed' || state === 'paused') {
    throw refused(
      `the latest deployment of environment ${place.environment.name} is ${state}: its release cannot be discarded (6001)`,
    );
  }
}
