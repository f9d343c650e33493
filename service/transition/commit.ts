// Commit of an environment: its manifest release is closed, and what differs from what runs becomes a bom release (service-facts §4.7.2, §12a).
// It must not know requests, nor how a deployment runs.
import type { Catalogue } from '../catalogue';
import { planDeployment } from '../plan';
import type { Author, Runners, Store } from '../store';
import { writeBom } from './bom';
import { lock, unlock } from './lock';
import { vanishPending } from './pending-deletion';
import { placeById, type Place } from './place';
import { readPlanInput } from './plan-input';
import { brokenQuota } from './quota';

const NAME = 'environment.commit';

/** How long building a plan takes, in ms of the service's time. */
const DURATION = 1500;

interface Payload {
  readonly description: string | null;
  /** ciIds of manifest platforms that shall stay as they are. */
  readonly exclude: readonly number[];
  /** Leaves the manifest release open, and plans from what is committed. */
  readonly keepManifest?: boolean;
  readonly user: string;
}

/** Locks the environment and starts building a plan in the background. */
export function startCommit(store: Store, place: Place, request: Omit<Payload, 'user'>, author: Author): void {
  lock(store, place, 'locked', author);
  const payload: Payload = { ...request, user: author.user };
  store.jobs.add({ name: NAME, due: author.now + DURATION, subject: place.environment.id, payload });
}

/** Runner of commits. */
export function commitRunners(catalogue: Catalogue): Runners {
  return {
    [NAME]: ({ store, now, job }) => {
      const place = placeById(store, job.subject);
      if (place === undefined) return;
      const { description, exclude, keepManifest, user } = job.payload as Payload;
      planCommitted(
        { store, catalogue, place, author: { user, now } },
        { description, exclude, commits: keepManifest !== true },
      );
    },
  };
}

/** Whose plan is built, and for whom. */
export interface Planning {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly place: Place;
  readonly author: Author;
}

/** What a job plans from. */
interface PlanRequest {
  readonly description: string | null;
  /** ciIds of manifest platforms that shall stay as they are. */
  readonly exclude: readonly number[];
  /** Commits the manifest before. */
  readonly commits: boolean;
}

/** Ends a background job: commits the manifest where asked, builds the plan, and unlocks the environment with the outcome in its comments. */
export function planCommitted(planning: Planning, { description, exclude, commits }: PlanRequest): void {
  const { store, place, author } = planning;
  cancelUndeployed(store, place, author);
  if (commits) closeManifest(store, place, description, author);
  unlock(store, place, buildPlan(planning, new Set(exclude), description), author);
}

/** A bom release that waits to be deployed gives way to a new plan. */
export function cancelUndeployed(store: Store, place: Place, author: Author): void {
  const undeployed = store.releases.open(place.bom);
  if (undeployed !== undefined) store.releases.cancel(undeployed.id, author);
}

/** Closes the open manifest release; deleted records with live instances stay, pending deletion. */
export function closeManifest(store: Store, place: Place, description: string | null, author: Author): void {
  const open = store.releases.open(place.manifest);
  if (open === undefined) return;
  store.releases.close(open.id, author, {
    // Without a text of its own it keeps that of the pull.
    ...(description ? { description } : {}),
    keeps: (record) => {
      if (record.className === 'manifest.Platform') {
        const inside = store.relations.from(record.id, 'manifest.Requires', 'committed');
        return inside.some((relation) => isRealized(store, relation.toId));
      }
      return isRealized(store, record.id);
    },
  });
}

function isRealized(store: Store, componentId: number): boolean {
  return store.relations.from(componentId, 'base.RealizedAs', 'committed').length > 0;
}

/** Plans and writes the bom release; answers the environment's comments (service-facts §10.2). A failed plan leaves the manifest committed. */
export function buildPlan(
  { store, catalogue, place, author }: Planning,
  exclude: ReadonlySet<number>,
  description: string | null,
): string {
  vanishPending(store, place);
  const reading = readPlanInput(store, place, exclude);
  if (!reading.ok) return `ERROR:BOM: ${reading.reason} (6016)`;
  const outcome = planDeployment(reading.input);
  if (!outcome.ok) return `ERROR:BOM: ${outcome.failure.reason} (${outcome.failure.code})`;
  const broken = brokenQuota(store, outcome.changes);
  if (broken !== undefined) return `ERROR:BOM: ${broken} (6021)`;
  const facts = { manifestCommit: description ?? '', createdBy: author.user, mode: 'default', autoDeploy: false };
  if (outcome.changes.length === 0) return success({ rfcCiCount: 0, rfcRelationCount: 0, ...facts });
  const manifestId = store.releases.latest(place.manifest, ['closed'])?.id ?? 0;
  const release = writeBom({ store, catalogue, place, changes: outcome.changes, manifestId, author });
  const counts = {
    rfcCiCount: store.releases.recordChanges(release.id).length,
    rfcRelationCount: store.releases.relationChanges(release.id).length,
  };
  const texts = { ...counts, manifestCommit: facts.manifestCommit, generationTime: DURATION };
  store.releases.describe(release.id, { description: JSON.stringify(texts) });
  return success({ ...counts, ...facts, releaseId: release.id });
}

function success(facts: object): string {
  return `SUCCESS: deployment plan built ${JSON.stringify(facts)}`;
}
