// Jobs of an environment: pull and commit, one at a time (service-facts §3.8, §4.7.2, §10).
import { type Catalogue } from '../catalogue';
import { type Context, refused } from '../runtime/handler';
import { NoPlan, type PlannedChange, planDeployment } from '../plan';
import { heldBy, type WriteStamp, type Store, type StoredRecord, type StoredRelease } from '../store';
import { bomParts, brokenQuota, readPlanInput, type Planning } from './planning';
import { type EnvironmentPlace, instancesNamespace, manifestComponents, placeById } from './place';
import { type Availability, pullDesign, type PullRequest } from './pull';
import { finish, type Runners, type Slices } from '../runtime/work';

/** `locked`: a plan is being built; `manifest_locked`: the design is being pulled. */
type Lock = 'locked' | 'manifest_locked';

/** Throws a RefusedRequest (422) while a job has the environment. */
export function checkUnlocked({ environment }: EnvironmentPlace): void {
  if (environment.state === 'locked' || environment.state === 'manifest_locked')
    throw refused(
      `environment ${environment.name} is locked: it is ${environment.state === 'locked' ? 'generating a deployment plan' : 'pulling the design'} (6013)`,
    );
}

/** Takes the lock, which empties `comments`. */
function lock(store: Store, { environment }: EnvironmentPlace, as: Lock, author: WriteStamp): void {
  store.records.update(environment.id, { comments: '' }, author);
  store.records.setState(environment.id, as);
}

/** How long building a plan, or a pull, takes in ms of the service's time. */
const DURATION = 1500;

/** Locks an environment until a job has been carried out in the background. */
export function startJob(
  store: Store,
  place: EnvironmentPlace,
  { as, name, payload }: { readonly as: Lock; readonly name: string; readonly payload: object },
  author: WriteStamp,
): void {
  lock(store, place, as, author);
  store.jobs.add({ name, due: store.jobs.end(author.now, DURATION), subject: place.environment.id, payload });
}

/** Releases the lock. The text begins with `SUCCESS:`, `ERROR:MANIFEST:` or `ERROR:BOM:`. */
function unlock(store: Store, { environment }: EnvironmentPlace, comments: string, author: WriteStamp): void {
  store.records.update(environment.id, { comments }, author);
  store.records.setState(environment.id, 'default');
}

/** Whether a deployment in this state blocks a commit (service-facts §8, §12a). */
export function blocksCommits(deploymentState: string): boolean {
  return ['pending', 'active', 'paused', 'failed'].includes(deploymentState);
}

/** Removes components and platforms whose deletion is pending and that have no instances. */
export function vanishPending(store: Store, place: EnvironmentPlace): void {
  const { records } = store;
  for (const gone of records.list({ below: place.manifest, state: 'pending_deletion' }, 'committed')) {
    const instances = { namespace: instancesNamespace(place, gone) };
    if (isPlatform(gone) ? records.exists(instances, 'committed') : isRealized(store, gone.id)) continue;
    const within = isPlatform(gone)
      ? records.list({ namespace: gone.namespace }, 'committed')
      : ['EscortedBy', 'WatchedBy'].flatMap((tail) => heldBy(store, gone, `manifest.${tail}`, 'committed'));
    for (const { id } of [...within, gone]) records.remove(id);
  }
}

const isPlatform = ({ className }: StoredRecord): boolean => className === 'manifest.Platform';

const COMMIT = 'environment.commit';

/** What a slice counts that takes no longer than a work order. */
const LIGHT = 1;

interface PlanRequest {
  readonly description: string | null;
  /** ciIds of manifest platforms that shall stay as they are. */
  readonly exclude: readonly number[];
  /** Leaves the manifest release open, and plans from what is committed. */
  readonly keepManifest: boolean;
}

type CommitPayload = PlanRequest & { readonly user: string };

/** Locks the environment and starts building a plan in the background. */
export function startCommit(store: Store, place: EnvironmentPlace, request: PlanRequest, author: WriteStamp): void {
  const payload: CommitPayload = { ...request, user: author.user };
  startJob(store, place, { as: 'locked', name: COMMIT, payload }, author);
}

/** Ends a job: commits unless the manifest is kept, plans, and unlocks the environment. */
export function* planCommitted(planning: Planning, request: PlanRequest): Slices {
  const { store, place, author } = planning;
  const { description, keepManifest } = request;
  cancelUndeployed(store, place, author);
  const closed = keepManifest ? undefined : closeManifest(store, place, description, author);
  yield LIGHT + (closed === undefined ? 0 : store.releases.changedNames(closed.id).size / 10);
  unlock(store, place, yield* buildPlan(planning, request), author);
}

/** Whether a bom release is still being written: it gets its description last. */
export const isUnfinished = ({ description }: StoredRelease): boolean => description === null;

/** A bom release that waits for its deployment gives way to a new plan. */
function cancelUndeployed(store: Store, place: EnvironmentPlace, author: WriteStamp): void {
  const undeployed = store.releases.open(place.bom);
  if (undeployed === undefined) return;
  if (isUnfinished(undeployed)) store.releases.erase(undeployed.id);
  else store.releases.cancel(undeployed.id, author);
}

/** Closes the open manifest release; deleted records with live instances stay, pending deletion. */
export function closeManifest(
  store: Store,
  place: EnvironmentPlace,
  description: string | null,
  author: WriteStamp,
): StoredRelease | undefined {
  const open = store.releases.open(place.manifest);
  if (open === undefined) return undefined;
  return store.releases.close(open.id, author, {
    // Without its own text it keeps that of the pull.
    description: description || undefined,
    keeps: (deleted) =>
      isPlatform(deleted)
        ? manifestComponents(store, deleted, 'committed').some(({ record }) => isRealized(store, record.id))
        : isRealized(store, deleted.id),
  });
}

function isRealized(store: Store, componentId: number): boolean {
  return store.relations.from(componentId, 'base.RealizedAs', 'committed').length > 0;
}

/** What has to change, in slices; why nothing can, as comments (service-facts §10.2). */
function* changesOf(
  { store, place }: Planning,
  exclude: readonly number[],
): Generator<number, readonly PlannedChange[] | string, undefined> {
  vanishPending(store, place);
  const reading = yield* readPlanInput(store, place, new Set(exclude));
  const changes = reading instanceof NoPlan ? reading : planDeployment(reading);
  if (changes instanceof NoPlan) return `ERROR:BOM: ${changes.message} (${changes.code})`;
  yield LIGHT + changes.length / 10;
  const broken = brokenQuota(store, changes);
  return broken === undefined ? changes : `ERROR:BOM: ${broken} (6021)`;
}

/** The manifest release that a plan is for. */
const plannedFor = ({ store, place }: Planning): number => store.releases.latest(place.manifest, ['closed'])?.id ?? 0;

const bomText = (counts: object, manifestCommit: string | null): string =>
  JSON.stringify({ ...counts, manifestCommit: manifestCommit ?? '', generationTime: DURATION });

/** A bom release that is only shown; without changes when there is nothing to do. Throws a RefusedRequest (422). */
export function previewPlan(planning: Planning, exclude: readonly number[], manifestCommit: string | null) {
  const changes = finish(changesOf(planning, exclude));
  if (typeof changes === 'string') throw refused(changes);
  const release = planning.store.releases.draft(planning.place.bom, planning.author, plannedFor(planning));
  const drafted = [...bomParts(planning, release, changes)].flat();
  const records = drafted.filter((change) => 'recordId' in change);
  const relations = drafted.filter((change) => 'relationId' in change);
  const counts = { rfcCiCount: records.length, rfcRelationCount: relations.length };
  return { release: { ...release, description: bomText(counts, manifestCommit) }, records, relations };
}

/** Writes the bom release in slices. Returns the comments (service-facts §10.2). */
function* buildPlan(planning: Planning, { exclude, description }: PlanRequest): Generator<number, string, undefined> {
  const { store, place, author } = planning;
  const changes = yield* changesOf(planning, exclude);
  if (typeof changes === 'string') return changes;
  const facts = { manifestCommit: description ?? '', createdBy: author.user, mode: 'default', autoDeploy: false };
  if (changes.length === 0) return success({ rfcCiCount: 0, rfcRelationCount: 0, ...facts });
  const release = store.releases.begin(place.bom, author, plannedFor(planning));
  const counts = { rfcCiCount: 0, rfcRelationCount: 0 };
  for (const part of bomParts(planning, release, changes)) {
    for (const change of part) {
      store.keep(change);
      counts['recordId' in change ? 'rfcCiCount' : 'rfcRelationCount'] += 1;
    }
    yield part.length / 2;
  }
  store.releases.describe(release.id, { description: bomText(counts, description) });
  return success({ ...counts, ...facts, releaseId: release.id });
}

function success(facts: object): string {
  return `SUCCESS: deployment plan built ${JSON.stringify(facts)}`;
}

const PULL = 'environment.pull';

interface PullPayload {
  readonly availability: Availability;
  readonly user: string;
}

/** Starts a pull: in the background when the caller polls, else carried out before the answer. */
export function startPull(context: Context, place: EnvironmentPlace, availability: Availability, async: boolean): void {
  const { store, catalogue, user } = context;
  if (async) {
    const payload: PullPayload = { availability, user };
    startJob(store, place, { as: 'manifest_locked', name: PULL, payload }, context);
  } else {
    lock(store, place, 'manifest_locked', context);
    pullNow({ store, catalogue, place, availability, author: context });
  }
}

function pullNow(request: PullRequest): void {
  const failure = pullDesign(request);
  const comment = failure === undefined ? 'SUCCESS: design pulled' : `ERROR:MANIFEST: ${failure}`;
  unlock(request.store, request.place, comment, request.author);
}

/** Runners of the jobs of an environment, by job name. */
export function transitionJobs(catalogue: Catalogue): Runners {
  return {
    *[COMMIT]({ store, now, job }): Slices {
      const place = placeById(store, job.subject);
      if (place === undefined) return;
      const { user, ...request } = job.payload as CommitPayload;
      yield* planCommitted({ store, catalogue, place, author: { user, now } }, request);
    },
    [PULL]: ({ store, now, job }) => {
      const place = placeById(store, job.subject);
      if (place === undefined) return;
      const { availability, user } = job.payload as PullPayload;
      pullNow({ store, catalogue, place, availability, author: { user, now } });
    },
  };
}
