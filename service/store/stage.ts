// Staged writing: records as changes of their namespace's open release (service-facts §3.2, §3.3).
import { newRecordRow, newRelationRow } from './records';
import {
  isLeaving,
  type WriteStamp,
  type ChangeFacts,
  type NewRecord,
  type NewRelation,
  type NewRow,
  type RowPatch,
  type StoredChange,
  type StoredRecord,
  type StoredRelation,
  type StoredRelease,
  type StoredRow,
  type Tie,
  tied,
  type Values,
} from './rows';
import { type Store } from './store';
import type { ChangedBy, Own, Versioned } from './versioned';

interface StageAuthor extends WriteStamp {
  /** Whether `comments` alone make a change (dialect.designCommentsStored). Default: false. */
  readonly commentsCount?: boolean;
}

/** Attributes a patch really changes: another value, or another owner. */
function changedAttributes(current: StoredRow, { values = {}, owners }: RowPatch): string[] {
  const byValue = Object.keys(values).filter(
    (name) => !Object.hasOwn(current.values, name) || current.values[name] !== values[name],
  );
  if (owners === undefined) return byValue;
  const owned = [...new Set([...Object.keys(owners), ...Object.keys(current.owners)])];
  const byOwner = owned.filter((name) => owners[name] !== current.owners[name] && Object.hasOwn(current.values, name));
  return [...new Set([...byValue, ...byOwner])];
}

/** Values and base of the change that writes these attributes over what exists. */
function written(
  current: StoredRow,
  names: readonly string[],
  values: Values,
): { readonly values: Values; readonly base: Values } {
  const next = Object.fromEntries(
    names.map((name) => [name, (Object.hasOwn(values, name) ? values[name] : current.values[name]) ?? null]),
  );
  if (current.change?.action === 'add') return { values: { ...current.values, ...next }, base: {} };
  const before = Object.fromEntries(names.map((name) => [name, current.values[name] ?? null]));
  return { values: { ...current.change?.values, ...next }, base: { ...before, ...current.change?.base } };
}

const DELETION = { action: 'delete', values: {}, base: {}, owners: null, comments: 'deleting' } as const;

/** Who changes what: the changes open their release with the first of them. */
type Begin = () => { readonly release: StoredRelease; readonly author: StageAuthor };

/** Changes of records or of relations. */
function changing<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, begin: Begin) {
  /** Writes an update of a row; returns the row as it then reads. */
  const write = (current: R, patch: RowPatch, names: readonly string[], facts?: ChangeFacts): R => {
    of.write(begin(), current, {
      ...facts,
      ...written(current, names, patch.values ?? {}),
      owners: patch.owners ?? (current.change === undefined ? null : current.owners),
      comments: patch.comments === undefined ? current.comments : patch.comments,
      action: current.change?.action === 'add' ? 'add' : 'update',
    });
    return of.present(current.id);
  };
  return {
    add: (row: R): R => of.add(begin(), row),
    update: ({ id }: R, patch: RowPatch & { readonly commentsCount?: boolean }): R => {
      const current = of.present(id);
      if (isLeaving(current)) return current;
      const names = changedAttributes(current, patch);
      const isRecommented = patch.comments !== undefined && patch.comments !== current.comments;
      if (names.length === 0 && !(patch.commentsCount && isRecommented)) return current;
      return write(current, patch, names);
    },
    touch: ({ id }: R, facts?: ChangeFacts): R => {
      const current = of.present(id);
      return current.change === undefined ? write(current, {}, [], facts) : current;
    },
    /** Deletes a row that is not being deleted yet, as it now reads. */
    remove: ({ id }: Pick<R, 'id'>): void => {
      const current = of.byId(id);
      if (current === undefined || isLeaving(current)) return;
      if (current.change?.action === 'add') of.drop(current.change.id);
      else of.write(begin(), current, DELETION);
    },
  };
}

function drafting<R extends StoredRow, C extends StoredChange>(of: Versioned<R, C>, by: ChangedBy) {
  return {
    add: (sent: NewRow & Own<R>, facts?: ChangeFacts): C => of.draftAdd(by, sent, facts),
    /** The change that gives a row these values; one without attributes where it has them. */
    update: (row: R, values: Values, facts?: ChangeFacts & Partial<Pick<C, 'action'>>): C => {
      const changed = written(row, changedAttributes(row, { values }), values);
      return of.draft(by, row, { action: 'update', owners: null, comments: row.comments, ...facts, ...changed });
    },
    remove: (row: R, facts?: ChangeFacts): C => of.draft(by, row, { ...facts, ...DELETION }),
  };
}

/** Changes of committed rows that are not stored. The caller makes one for each row. */
export const drafts = ({ changes: { records, relations } }: Store, by: ChangedBy) => ({
  allocateId: records.database.allocateId,
  records: drafting(records, by),
  relations: drafting(relations, by),
});

/** Writes to one release namespace. Only a write that needs a release opens it. */
export type ReleaseWriter = ReturnType<typeof stage>;

export function stage(store: Store, namespace: string, author: StageAuthor) {
  const { commentsCount = false } = author;
  const open = (): StoredRelease | undefined => store.releases.open(namespace);
  let begun: StoredRelease | undefined;
  const begin: Begin = () => ({ release: (begun ??= store.releases.begin(namespace, author)), author });
  const records = changing(store.changes.records, begin);
  const relations = changing(store.changes.relations, begin);
  const addRelation = (relation: NewRelation): StoredRelation =>
    relations.add(newRelationRow(store.changes.relations, relation, author));
  /** New record as an `add` with its final ciId. The caller checks that the name is free. */
  const add = (record: NewRecord): StoredRecord => records.add(newRecordRow(store.changes.records, record, author));
  return {
    /** Namespace of the release, such as `/<o>/<a>/<e>/bom`. Records may be in it or below it. */
    namespace,
    /** The open release, if any. */
    release: open,
    add,
    /** New record with the relation that ties it to what it belongs to. */
    addTied: (record: NewRecord, tie: Tie): StoredRecord => {
      const added = add(record);
      addRelation(tied(added, tie));
      return added;
    },
    /**
     * Merges values into a record and returns it as it now reads. Only real differences are written
     * (an attribute counts when its value or its owner differs); nothing different: no change, no
     * release. On an `add` the values go into the add; on a pending `delete` nothing happens: it
     * stays a delete.
     */
    update: (record: StoredRecord, patch: RowPatch): StoredRecord =>
      records.update(record, { ...patch, commentsCount }),
    /** An `update` without attributes (service-facts §2.1.2); none beside another open change. */
    touch: records.touch,
    /**
     * Deletes a record and its relations. Added in this release: all of it vanishes. Committed:
     * pending `delete` with comments "deleting", an open update is dropped; its committed relations
     * become pending deletes too. Twice: nothing. `isOwn`: the relations that go.
     */
    remove: ({ id }: StoredRecord, isOwn: (relation: StoredRelation) => boolean = () => true): void => {
      const current = store.records.byId(id);
      if (current === undefined || isLeaving(current)) return;
      const tied = [...store.relations.from(id), ...store.relations.to(id)];
      tied.filter(isOwn).forEach((relation) => relations.remove(relation));
      records.remove(current);
    },
    addRelation,
    /** Like `update`; returns the relation as it now reads. */
    updateRelation: (relation: StoredRelation, patch: RowPatch): StoredRelation => relations.update(relation, patch),
    removeRelation: (relation: StoredRelation): void => relations.remove(relation),
    /** Makes the relations that start at a record those to these; `isOwn`: which ones count. */
    relateTo: (
      tie: Omit<NewRelation, 'toId'>,
      targets: Iterable<number>,
      isOwn: (relation: StoredRelation) => boolean = () => true,
    ): void => {
      const wanted = new Set(targets);
      const present = store.relations.from(tie.fromId, tie.name, 'staying').filter(isOwn);
      for (const relation of present) if (!wanted.delete(relation.toId)) relations.remove(relation);
      for (const toId of wanted) addRelation({ ...tie, toId });
    },
    /** Closes the open release: all of it becomes true. Undefined when none is open. */
    commit: (): StoredRelease | undefined => {
      begun = undefined;
      const release = open();
      return release && store.releases.close(release.id, author);
    },
    /** Cancels the open release: none of it is seen any more. Undefined when none is open. */
    discard: (): StoredRelease | undefined => {
      begun = undefined;
      const release = open();
      return release && store.releases.cancel(release.id, author);
    },
  };
}
