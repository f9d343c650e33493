// Pages of releases, their changes, and going back (service-facts §3.2, §4.5.6, §4.7.3).
import { recordChangeAnswer, relationChangeAnswer, releaseAnswer } from './answers';
import { type Context, refused, unreadable } from './handler';
import {
  type AttributeLocks,
  isLeaving,
  type RecordChange,
  type RelationChange,
  type ReleaseWriter,
  type Store,
  type StoredChange,
  type StoredRecord,
  type StoredRelation,
  type StoredRelease,
} from '../store';

/** Most releases a list holds unless asked (service-facts §8). */
const PAGE = 1000;

function numberIn(query: { readonly [name: string]: string }, name: string, otherwise: number): number {
  const text = query[name] ?? String(otherwise);
  if (!/^\d+$/.test(text)) throw unreadable(`${name} must be a number, not ${JSON.stringify(text)}`);
  return Number(text);
}

/** The part of a list by `size` and `offset`. Throws a RefusedRequest (400) for no numbers. */
export function pageOf<T>(query: { readonly [name: string]: string }, all: readonly T[]): T[] {
  const offset = numberIn(query, 'offset', 0);
  return all.slice(offset, offset + numberIn(query, 'size', PAGE));
}

/** A release with the changes that `include_rfcs` asks for (service-facts §4.5.6, §4.7.3). */
export function withChanges(context: Context, release: StoredRelease): object {
  const asked = context.query['include_rfcs'];
  const isAsked = (what: 'cis' | 'relations'): boolean => asked === 'true' || asked === what;
  return {
    ...releaseAnswer(context, release),
    ...(isAsked('cis') && { rfc_cis: recordChanges(context, release.id) }),
    ...(isAsked('relations') && { rfc_relations: relationChanges(context, release.id) }),
  };
}

/** Changes of records in a release, each with what is shown beside it. */
export function recordChanges(context: Context, releaseId: number, beside?: (of: RecordChange) => object): object[] {
  const { records, releases } = context.store;
  const changes = releases.recordChanges(releaseId);
  const ids = changes.map(({ recordId }) => recordId);
  const committed = records.mapOf(ids, 'committed');
  return changes.map((change) => ({
    ...recordChangeAnswer(context, change, committed.get(change.recordId)),
    ...beside?.(change),
  }));
}

export const relationChanges = (context: Context, releaseId: number): object[] =>
  context.store.releases.relationChanges(releaseId).map((change) => relationChangeAnswer(context, change));

/** Throws a RefusedRequest (422) for a release without a commit, or while another one is open. */
function checkRestorable(store: Store, release: StoredRelease): void {
  if (release.state !== 'closed')
    throw refused(`release ${release.id} is ${release.state}: there is nothing to go back to`);
  const open = store.releases.open(release.namespace);
  if (open !== undefined) throw refused(`release ${open.id} is open: commit or discard it first (6014)`);
}

/** A record or relation as it was, under its own number. */
type Was<C> = Omit<C, 'owners'> & { readonly owners: AttributeLocks };

/** The rows that were true after a release, by number, and the numbers of all that ever were. */
function replay<C extends StoredChange>(changes: readonly C[], numberOf: (change: C) => number, releaseId: number) {
  const rows = new Map<number, Was<C>>();
  const ever = new Set<number>();
  for (const change of changes) {
    const id = numberOf(change);
    ever.add(id);
    if (change.releaseId > releaseId) continue;
    const before = rows.get(id);
    const comments = change.comments ?? before?.comments ?? null;
    const owners = change.owners ?? before?.owners ?? {};
    if (change.action === 'delete') rows.delete(id);
    else rows.set(id, { ...change, id, comments, owners, values: { ...before?.values, ...change.values } });
  }
  return { rows, ever };
}

/** Takes a record away. */
type Remove = (record: StoredRecord) => void;

/**
 * Brings back what was after a release: `write` gets what does so with the writer of its namespace.
 * Answers the release that this is, and what could not be brought back. Throws a RefusedRequest
 * (422) for a release without a commit, or while another one is open.
 */
export function restored(
  context: Context,
  release: StoredRelease,
  write: (back: (stage: ReleaseWriter, remove: Remove) => string[]) => string[],
): object {
  const { store } = context;
  checkRestorable(store, release);
  const warnings = write((stage, remove) => restore(store, stage, release.id, remove));
  return { release: releaseAnswer(context, store.releases.latest(release.namespace) ?? release), warnings };
}

/** Answers what could not be brought back, as sentences. */
function restore(store: Store, stage: ReleaseWriter, releaseId: number, remove: Remove): string[] {
  const closed = store.releases.list(stage.namespace).filter(({ state }) => state === 'closed');
  const oldestFirst = closed.reverse().map(({ id }) => id);
  const records = replay(
    oldestFirst.flatMap((id) => store.releases.recordChanges(id)),
    ({ recordId }) => recordId,
    releaseId,
  );
  const relations = replay(
    oldestFirst.flatMap((id) => store.releases.relationChanges(id)),
    ({ relationId }) => relationId,
    releaseId,
  );
  for (const id of relations.ever) {
    const relation = relations.rows.has(id) ? undefined : store.relations.byId(id);
    if (relation !== undefined) stage.removeRelation(relation);
  }
  for (const id of records.ever) {
    const record = records.rows.has(id) ? undefined : store.records.byId(id);
    if (record !== undefined && record.state !== 'pending_deletion') remove(record);
  }
  for (const [id, was] of records.rows) bringBackRecord(store, stage, store.records.byId(id), was);
  return [...relations.rows].flatMap(([id, was]) => bringBackRelation(store, stage, store.relations.byId(id), was));
}

function bringBackRecord(
  store: Store,
  stage: ReleaseWriter,
  present: StoredRecord | undefined,
  was: Was<RecordChange>,
): void {
  if (present === undefined) {
    stage.add(was);
    return;
  }
  if (present.state === 'pending_deletion') store.records.setState(present.id, 'default');
  stage.update(present, { values: was.values, owners: was.owners });
}

function bringBackRelation(
  store: Store,
  stage: ReleaseWriter,
  present: StoredRelation | undefined,
  was: Was<RelationChange>,
): string[] {
  if (present !== undefined) {
    stage.updateRelation(present, { values: was.values, owners: was.owners });
    return [];
  }
  const ends = store.records.byIds([was.fromId, was.toId]);
  if (ends.length < 2 || ends.some(isLeaving))
    return [`relation ${was.name} from ${was.fromId} to ${was.toId} is not brought back: one end is gone`];
  const { id: _, ...anew } = was;
  stage.addRelation(anew);
  return [];
}
