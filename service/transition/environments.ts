// Handlers of environments, and of what moves one on (service-facts §4.7.1, §4.7.2).
import type * as z from 'zod';
import { type commitBody, defaultAttributes, environmentBody, routes } from '../../api/contract';
import { environmentProfilesOf } from '../account/organizations';
import { committedRecord, committedRecords, deletedAnswer, releaseAnswer, templateAnswer } from '../runtime/answers';
import { enforcedClass, knownClass } from '../runtime/attributes';
import { createIn, updateSent } from '../runtime/collection';
import { type Context, handlersOf, malformed, notFound, refused, RefusedRequest, unreadable } from '../runtime/handler';
import { cloudsIn, locate, locateAssembly, locateNumber } from '../runtime/locate';
import { stage, type Store, type StoredRecord, type Values, type StoredRelease } from '../store';
import { type Availability, checkAvailability, committedPlatforms, newPlatforms, manifestWriter } from './pull';
import { changeClouds, cloudsOf, linkEnvironment, wantedClouds } from './links';
import { type EnvironmentAddress, type EnvironmentPlace, locatePlace, manifestPlatforms, placeOf } from './place';
import { blocksCommits, checkUnlocked, startCommit, startPull } from './background-jobs';
import { addDefaultRelay } from './collections';
import { pageOf, restored, withChanges } from '../runtime/releases';

const CLASS = 'manifest.Environment';

/** An environment as show, create and update answer it: with its clouds. */
export function environmentAnswer(context: Context, id: number): object {
  const environment = context.store.records.byId(id);
  if (environment === undefined) throw notFound();
  return { ...committedRecord(context, environment), clouds: cloudsOf(context.store, environment) };
}

/** Attributes of a new environment: defaults, then its profile's. Throws a RefusedRequest (404). */
function newEnvironmentValues(context: Context): Values {
  const asked = context.query['profile_id'];
  const metadata = knownClass(context.catalogue, CLASS);
  if (asked === undefined || asked === '') return defaultAttributes(metadata);
  const profile = locate(context, asked, environmentProfilesOf(context));
  const given = Object.entries(profile.values).map(([name, value]) => [name, value ?? ''] as const);
  return defaultAttributes(metadata, { ...Object.fromEntries(given), profile: profile.name });
}

/** The name of a new environment: in the path, in the body, or the same in both. */
function nameOf(inPath: string | undefined, inBody: string | undefined): string | undefined {
  if (inPath !== undefined && inBody !== undefined && inPath !== inBody)
    throw refused(`the path names environment ${inPath}, the body ${inBody}`);
  return inPath ?? inBody;
}

/** What has to be there before there can be an environment (rule 1). */
function checkReady(context: Context, assembly: StoredRecord, design: string): void {
  if (!context.store.records.exists(cloudsIn(context.organization)))
    throw refused(`organization ${context.organization} has no cloud: create one first`);
  if (context.rules.designStaged && context.store.releases.latest(design, ['closed']) === undefined)
    throw refused(`assembly ${assembly.name} has no committed design: commit its design release first`);
}

export const environmentsOf = (context: Context<{ readonly assembly: string }>): object[] => {
  const { namespace, name } = locateAssembly(context, context.address.assembly);
  return committedRecords(context, { namespace: `${namespace}/${name}`, className: CLASS });
};

export const environmentHandlers = handlersOf(routes.environments, {
  list: environmentsOf,
  template: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const namespace = `${assembly.namespace}/${assembly.name}`;
    checkReady(context, assembly, namespace);
    const values = newEnvironmentValues(context);
    return { ...templateAnswer(context, { name: '', className: CLASS, namespace, values }, 'committed'), clouds: {} };
  },
  pullStatus: (context) => environmentAnswer(context, locatePlace(context).environment.id),
  read: (context) => environmentAnswer(context, locatePlace(context).environment.id),
  create: (context) => {
    const { store, body } = context;
    const assembly = locateAssembly(context, context.address.assembly);
    const design = `${assembly.namespace}/${assembly.name}`;
    checkReady(context, assembly, design);
    const sent = body.cms_ci;
    const clouds = sentClouds(body);
    const wanted = clouds === undefined ? [] : wantedClouds(context, clouds);
    const availability: Availability = body.platform_availability ?? {};
    checkAvailability(context, availability, committedPlatforms(store, design));
    // The collection's path has no name of an environment (dialect row 2).
    const ciName = nameOf(context.address.environment, sent.ciName);
    const tie = { name: 'base.RealizedIn', from: assembly.id };
    const environments = { noun: 'environment', namespace: design, className: CLASS, tie } as const;
    const { ciAttributes, comments } = sent;
    const environment = createIn(context, environments, { ciName, ciAttributes, comments });
    const place = placeOf(environment);
    linkEnvironment(store, place, wanted, context);
    addDefaultRelay(context, place, assembly.values['owner'] ?? '');
    startPull(context, place, availability, isAsync(body.async));
    return environmentAnswer(context, environment.id);
  },
  update: (context) => {
    const { store, body } = context;
    const place = locatePlace(context);
    const { environment } = place;
    const sent = body.cms_ci;
    if (sent.ciName !== undefined && sent.ciName !== environment.name)
      throw refused('the name of an environment cannot change');
    updateSent(context, environment, sent, enforcedClass(context, CLASS));
    const clouds = sentClouds(body);
    if (clouds !== undefined) changeClouds(store, place, wantedClouds(context, clouds), context);
    return environmentAnswer(context, environment.id);
  },
  delete: (context) => {
    const { store } = context;
    const place = locatePlace(context);
    checkIdle(store, place);
    const answer = committedRecord(context, place.environment);
    store.removeNamespace(place.path);
    store.jobs.removeAbout(place.environment.id);
    store.records.remove(place.environment.id);
    return deletedAnswer(context.rules, answer);
  },
  pull: (context) => {
    const { store, body } = context;
    const place = locatePlace(context);
    checkUnlocked(place);
    if (context.rules.designStaged && store.releases.latest(place.design, ['closed']) === undefined)
      throw refused('failed to pull the design: there is no committed design');
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

type Body = z.output<typeof environmentBody>;

/** The clouds of a body: at the top, or inside of `cms_ci` (service-facts §4.7.1 rule 2). */
function sentClouds(body: Body): Body['clouds'] {
  if (body.clouds !== undefined) return body.clouds;
  const inside = environmentBody.shape.clouds.safeParse(body.cms_ci['clouds']);
  if (!inside.success) throw malformed('cms_ci.clouds must map clouds to a priority or to attributes');
  return inside.data;
}

/** Throws a RefusedRequest (422) while something runs in it, or a deployment is undecided. */
function checkIdle(store: Context['store'], { environment, bom }: EnvironmentPlace): void {
  if (store.records.list({ below: bom }, 'committed').length > 0)
    throw refused(
      `environment ${environment.name} has instances: disable its platforms, commit and deploy first (6015)`,
    );
  const latest = store.deployments.latest(bom);
  if (latest !== undefined && latest.state !== 'complete' && latest.state !== 'canceled')
    throw refused(`environment ${environment.name} has a deployment that is ${latest.state} (6001)`);
}

/** `async: "true"`: the caller polls instead of waiting (service-facts §10.1). */
function isAsync(sent: string | boolean | null | undefined): boolean {
  if (sent === undefined || sent === null || sent === 'false' || sent === '' || sent === false) return false;
  if (sent === 'true' || sent === true) return true;
  throw unreadable(`async must be "true" or left out, not ${JSON.stringify(sent)}`);
}

/** Throws a RefusedRequest (422) during a job or a deployment (service-facts §12a). */
export function checkReadyToPlan(store: Store, place: EnvironmentPlace): void {
  checkUnlocked(place);
  const latest = store.deployments.latest(place.bom);
  if (latest !== undefined && blocksCommits(latest.state))
    throw refused(
      `deployment ${latest.id} of environment ${place.environment.name} is ${latest.state}: finish or cancel it first (6001)`,
    );
}

/** Starts building a plan in the background, with or without committing the manifest before. */
function planIn(
  context: Context<EnvironmentAddress>,
  body: z.output<typeof commitBody>,
  { keepManifest }: { readonly keepManifest: boolean },
): object {
  const { store } = context;
  const place = locatePlace(context);
  checkReadyToPlan(store, place);
  const request = { description: body?.desc ?? null, exclude: idsIn(body?.exclude_platforms), keepManifest };
  startCommit(store, place, request, context);
  return environmentAnswer(context, place.environment.id);
}

/** Writes the enabled flag of platforms in the manifest release (service-facts §3.10). */
function setEnabled(
  context: Context,
  place: EnvironmentPlace,
  ids: readonly (string | number)[],
  enabled: 'true' | 'false',
): object {
  const { store } = context;
  // An empty list arrives as "not given", and without ids the live service fails (service-facts
  // §0.2).
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

// Handlers of an environment's releases: history, the bom to deploy, the newest manifest, discard,
// restore (service-facts §4.7.3).

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
    const place = locatePlace(context);
    const release = releaseNamed(context, place, context.address.release);
    checkUnlocked(place);
    if (release.namespace !== place.manifest)
      throw refused(`release ${release.id} is none of the manifest: only those can be brought back`);
    const writer = manifestWriter(context.store, place, context);
    return restored(context, release, (back) => back(writer.stage, writer.remove));
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
    const { store } = context;
    const place = locatePlace(context);
    const release = context.rules.discardIgnoresId
      ? store.releases.open(place.bom)
      : releaseNamed(context, place, context.address.release);
    if (release === undefined) throw new RefusedRequest(404, ['no bom release is open'], 'nothing-open');
    if (release.state !== 'open')
      throw refused(`release ${release.id} is ${release.state}: only an open one can be discarded (2006)`);
    if (release.namespace === place.bom) checkNotDeploying(context, place);
    return releaseAnswer(context, store.releases.cancel(release.id, context));
  },
});

/** The open bom release; the newest of any state, where the dialect or `latest=true` says so. */
function bomAnswer(context: Context, place: EnvironmentPlace): object {
  const { store, query, rules } = context;
  const release =
    rules.bomOnlyOpen && query['latest'] !== 'true' ? store.releases.open(place.bom) : store.releases.latest(place.bom);
  if (release === undefined) throw notFound();
  return withChanges(context, release);
}

/** Design, manifest or bom release of this environment by number (flows §2 row 15). */
const releaseNamed = ({ store }: Context, place: EnvironmentPlace, identifier: string): StoredRelease =>
  locateNumber(
    identifier,
    store.releases.byId,
    ({ namespace }) => [place.design, place.manifest, place.bom].includes(namespace),
    `no release ${identifier} of environment ${place.environment.name}`,
  );

function checkNotDeploying({ store }: Context, place: EnvironmentPlace): void {
  const state = store.deployments.latest(place.bom)?.state;
  if (state === 'active' || state === 'failed' || state === 'paused')
    throw refused(
      `the latest deployment of environment ${place.environment.name} is ${state}: its release cannot be discarded (6001)`,
    );
}
