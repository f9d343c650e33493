// Pages of releases, their changes, and going back (service-facts §3.2, §4.5.6, §4.7.3).
import { recordChangeAnswer, relationChangeAnswer, releaseAnswer } from './answers';
import { type Context, refused, unreadable } from './handler';
import {
  isLeaving,
  type NewRecord,
  type NewRelation,
  type RecordChange,
  type RelationChange,
  type ReleaseWriter,
  type Store,
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

/** The part of a list that `size` and `offset` ask for. Throws a RefusedRequest (400) for what is no number. */
export function pageOf<T>(query: { readonly [name: string]: string }, all: readonly T[]): T[] {
  const offset = numberIn(query, 'offset', 0);
  return all.slice(offset, offset + numberIn(query, 'size', PAGE));
}

/** A release, with its changes of records and of relations when `include_rfcs` asks for them (service-facts §4.5.6, §4.7.3). */
export function withChanges(context: Context, release: StoredRelease): object {
  const { store, query } = context;
  const asked = query['include_rfcs'];
  const isAsked = (what: 'cis' | 'relations'): boolean => asked === 'true' || asked === what;
  return {
    ...releaseAnswer(context, release),
    ...(isAsked('cis') ? { rfc_cis: recordChanges(context, release) } : {}),
    ...(isAsked('relations')
      ? {
          rfc_relations: store.releases
            .relationChanges(release.id)
            .map((change) => relationChangeAnswer(context, change)),
        }
      : {}),
  };
}

const recordChanges = (context: Context, { id }: StoredRelease): object[] =>
  context.store.releases
    .recordChanges(id)
    .map((change) => recordChangeAnswer(context, change, context.store.records.byId(change.recordId, 'committed')));

/** Throws a RefusedRequest (422) when a release was never committed, or another one of its namespace is open. */
export function checkRestorable(store: Store, release: StoredRelease): void {
  if (release.state !== 'closed')
    throw refused(`release ${release.id} is ${release.state}: there is nothing to go back to`);
  const open = store.releases.open(release.namespace);
  if (open !== undefined) throw refused(`release ${open.id} is open: commit or discard it first (6014)`);
}

/** A record or relation as it was: what writing it again takes. */
type Was<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };
type RecordWas = Was<NewRecord>;
type RelationWas = Was<NewRelation>;

/** All that was true after a release, by number; and all that ever was. */
interface Snapshot {
  readonly records: ReadonlyMap<number, RecordWas>;
  readonly relations: ReadonlyMap<number, RelationWas>;
  readonly everRecords: ReadonlySet<number>;
  readonly everRelations: ReadonlySet<number>;
}

/** What a change leaves of what was: undefined when it deletes. */
function afterRecordChange(before: RecordWas | undefined, change: RecordChange): RecordWas | undefined {
  if (change.action === 'delete') return undefined;
  const { recordId: id, namespace, className, name, impl } = change;
  return {
    id,
    namespace,
    className,
    name,
    impl,
    comments: change.comments ?? before?.comments ?? null,
    owners: change.owners ?? before?.owners ?? {},
    values: { ...before?.values, ...change.values },
  };
}

function afterRelationChange(before: RelationWas | undefined, change: RelationChange): RelationWas | undefined {
  if (change.action === 'delete') return undefined;
  const { namespace, name, fromId, toId } = change;
  return {
    namespace,
    name,
    fromId,
    toId,
    comments: change.comments ?? before?.comments ?? null,
    owners: change.owners ?? before?.owners ?? {},
    values: { ...before?.values, ...change.values },
  };
}

function put<T>(all: Map<number, T>, id: number, value: T | undefined): void {
  if (value === undefined) all.delete(id);
  else all.set(id, value);
}

/** Replays the closed releases of a namespace up to one of them. */
function snapshotAfter(store: Store, namespace: string, releaseId: number): Snapshot {
  const records = new Map<number, RecordWas>();
  const relations = new Map<number, RelationWas>();
  const everRecords = new Set<number>();
  const everRelations = new Set<number>();
  const closed = store.releases.list(namespace).filter((release) => release.state === 'closed');
  for (const { id } of closed.reverse()) {
    for (const change of store.releases.recordChanges(id)) {
      everRecords.add(change.recordId);
      if (id <= releaseId) put(records, change.recordId, afterRecordChange(records.get(change.recordId), change));
    }
    for (const change of store.releases.relationChanges(id)) {
      everRelations.add(change.relationId);
      if (id <= releaseId)
        put(relations, change.relationId, afterRelationChange(relations.get(change.relationId), change));
    }
  }
  return { records, relations, everRecords, everRelations };
}

interface RestoreRequest {
  readonly store: Store;
  /** Writer of the namespace; no release of it is open. */
  readonly stage: ReleaseWriter;
  readonly releaseId: number;
  /** Takes a record away. */
  readonly remove: (record: StoredRecord) => void;
}

/**
 * Brings a namespace back to what it was after a release, as changes of its open release; records keep their numbers. Answers what could
 * not be brought back, as sentences.
 */
export function restore({ store, stage, releaseId, remove }: RestoreRequest): string[] {
  const snapshot = snapshotAfter(store, stage.namespace, releaseId);
  const later = [...snapshot.everRelations].filter((id) => !snapshot.relations.has(id));
  for (const id of later) {
    const relation = store.relations.byId(id);
    if (relation !== undefined) stage.removeRelation(relation);
  }
  for (const id of snapshot.everRecords) {
    const record = snapshot.records.has(id) ? undefined : store.records.byId(id);
    if (record !== undefined && record.state !== 'pending_deletion') remove(record);
  }
  for (const [id, was] of snapshot.records) bringBackRecord(store, stage, store.records.byId(id), was);
  return [...snapshot.relations].flatMap(([id, was]) => bringBackRelation(store, stage, store.relations.byId(id), was));
}

function bringBackRecord(store: Store, stage: ReleaseWriter, present: StoredRecord | undefined, was: RecordWas): void {
  if (present === undefined) {
    stage.add(was);
    return;
  }
  if (present.state === 'pending_deletion') store.records.setState(present.id, 'default');
  stage.update(present, { name: was.name, values: was.values, owners: was.owners });
}

function bringBackRelation(
  store: Store,
  stage: ReleaseWriter,
  present: StoredRelation | undefined,
  was: RelationWas,
): string[] {
  if (present !== undefined) {
    stage.updateRelation(present, { values: was.values, owners: was.owners });
    return [];
  }
  const ends = store.records.byIds([was.fromId, was.toId]);
  if (ends.length < 2 || ends.some(isLeaving))
    return [`relation ${was.name} from ${was.fromId} to ${was.toId} is not brought back: one end is gone`];
  stage.addRelation(was);
  return [];
}
