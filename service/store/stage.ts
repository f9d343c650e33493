// Staged writing: records as changes of their namespace's open release (service-facts §3.2, §3.3).
import { type CloseFacts } from './releases';
import {
  type WriteStamp,
  type ChangeFacts,
  type NewRecord,
  type NewRelation,
  type AttributeLocks,
  type RecordPatch,
  type RelationPatch,
  type StoredRecord,
  type StoredRelation,
  type StoredRelease,
  type Values,
} from './rows';
import { type Store } from './store';
import { UnknownRow } from './database';
import { type ChangeWrite } from './versioned';

interface StageAuthor extends WriteStamp {
  /** Whether `comments` alone make a change (dialect.designCommentsStored); default false: they are stored only with an attribute. */
  readonly commentsCount?: boolean;
}

/** Writer of one release namespace. Every method opens the release when the write makes one necessary, and only then. */
export interface ReleaseWriter {
  /** Namespace of the release: `/<o>/<a>`, `/<o>/<a>/<e>/manifest` or `/<o>/<a>/<e>/bom`. Records may be in it or below it. */
  readonly namespace: string;
  /** The open release, if any. */
  release(): StoredRelease | undefined;
  /** New record as an `add`; its final ciId is given immediately. Uniqueness is the caller's to check. */
  add(record: NewRecord, facts?: ChangeFacts): StoredRecord;
  /**
   * Merges values into a record and returns it as it now reads. Only real differences are written (an attribute counts when its value or
   * its owner differs); nothing different: no change, no release. On an `add` the values go into the add; on a pending `delete` nothing
   * happens: it stays a delete.
   */
  update(record: StoredRecord, patch: RecordPatch, facts?: ChangeFacts): StoredRecord;
  /** Dummy `update` with no attributes (transition "touch", service-facts §2.1.2); on a record with an open change nothing happens. */
  touch(record: StoredRecord, facts?: ChangeFacts): StoredRecord;
  /** Bom only: a `replace` change (service-facts §3.3). */
  replace(record: StoredRecord, patch: RecordPatch, facts?: ChangeFacts): StoredRecord;
  /**
   * Deletes a record and its relations. Added in this release: all of it vanishes. Committed: pending `delete` with comments "deleting",
   * an open update is dropped; its committed relations become pending deletes too. Twice: nothing.
   */
  remove(record: StoredRecord, facts?: ChangeFacts): void;
  addRelation(relation: NewRelation, facts?: ChangeFacts): StoredRelation;
  /** Like `update`; returns the relation as it now reads. */
  updateRelation(relation: StoredRelation, patch: RelationPatch, facts?: ChangeFacts): StoredRelation;
  removeRelation(relation: StoredRelation): void;
  /** Closes the open release: all of it becomes true. Undefined when none is open. */
  commit(facts?: CloseFacts): StoredRelease | undefined;
  /** Cancels the open release: none of it is seen any more. Undefined when none is open. */
  discard(): StoredRelease | undefined;
}

interface Changeable {
  readonly values: Values;
  readonly owners: AttributeLocks;
  readonly change: StoredRecord['change'];
}

/** Attributes a patch really changes: another value, or another owner. */
function changedAttributes(current: Changeable, values: Values, owners: AttributeLocks | undefined): string[] {
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
  current: Changeable,
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

interface Writing {
  readonly store: Store;
  readonly namespace: string;
  readonly author: StageAuthor;
}

const DELETION = { action: 'delete', values: {}, base: {}, owners: null, comments: 'deleting' } as const;

const begin = ({ store, namespace, author }: Writing): StoredRelease => store.releases.begin(namespace, author);

/** A record as it now reads. Throws UnknownRow. */
function present({ store }: Writing, { id }: StoredRecord): StoredRecord {
  const current = store.records.byId(id);
  if (current === undefined) throw new UnknownRow('record', id);
  return current;
}

/** A relation as it now reads. Throws UnknownRow. */
function presentRelation({ store }: Writing, { id }: StoredRelation): StoredRelation {
  const current = store.relations.byId(id);
  if (current === undefined) throw new UnknownRow('relation', id);
  return current;
}

/** The change that writes these attributes of a record or relation, and its owners and comments. */
function patching(
  current: Changeable & Pick<StoredRecord, 'comments'>,
  patch: RelationPatch,
  names: readonly string[],
): Pick<ChangeWrite, 'values' | 'base' | 'owners' | 'comments'> {
  return {
    ...written(current, names, patch.values ?? {}),
    owners: patch.owners ?? (current.change === undefined ? null : current.owners),
    comments: patch.comments === undefined ? current.comments : patch.comments,
  };
}

function write(
  writing: Writing,
  current: StoredRecord,
  write: { readonly patch: RecordPatch; readonly names: readonly string[]; readonly action: 'update' | 'replace' },
  facts: ChangeFacts,
): StoredRecord {
  const { patch, names } = write;
  const action = current.change?.action === 'add' ? 'add' : write.action;
  const change: ChangeWrite = {
    ...facts,
    ...patching(current, patch, names),
    action,
    name: patch.name ?? current.name,
  };
  writing.store.changes.records.write(begin(writing), current, change, writing.author);
  return present(writing, current);
}

function update(writing: Writing, record: StoredRecord, patch: RecordPatch, facts: ChangeFacts): StoredRecord {
  const current = present(writing, record);
  if (current.change?.action === 'delete') return current;
  const names = changedAttributes(current, patch.values ?? {}, patch.owners);
  const isRenamed = patch.name !== undefined && patch.name !== current.name;
  const isRecommented = patch.comments !== undefined && patch.comments !== current.comments;
  const commentsCount = writing.author.commentsCount === true;
  if (names.length === 0 && !isRenamed && !(commentsCount && isRecommented)) return current;
  const action = current.change?.action === 'replace' ? 'replace' : 'update';
  return write(writing, current, { patch, names, action }, facts);
}

function remove(writing: Writing, record: StoredRecord, facts: ChangeFacts): void {
  const { records, relations, changes } = writing.store;
  const current = records.byId(record.id);
  if (current === undefined || current.change?.action === 'delete') return;
  for (const relation of [...relations.from(current.id), ...relations.to(current.id)])
    removeRelation(writing, relation);
  if (current.change?.action === 'add') changes.records.drop(current.change.id);
  else changes.records.write(begin(writing), current, { ...facts, ...DELETION }, writing.author);
}

function updateRelation(
  writing: Writing,
  relation: StoredRelation,
  patch: RelationPatch,
  facts: ChangeFacts,
): StoredRelation {
  const current = presentRelation(writing, relation);
  if (current.change?.action === 'delete') return current;
  const names = changedAttributes(current, patch.values ?? {}, patch.owners);
  if (names.length === 0) return current;
  const action = current.change?.action === 'add' ? 'add' : 'update';
  const change: ChangeWrite = { ...facts, ...patching(current, patch, names), action };
  writing.store.changes.relations.write(begin(writing), current, change, writing.author);
  return presentRelation(writing, current);
}

function removeRelation(writing: Writing, relation: StoredRelation): void {
  const { relations, changes } = writing.store;
  const current = relations.byId(relation.id);
  if (current === undefined || current.change?.action === 'delete') return;
  if (current.change?.action === 'add') changes.relations.drop(current.change.id);
  else changes.relations.write(begin(writing), current, DELETION, writing.author);
}

export function stage(store: Store, namespace: string, author: StageAuthor): ReleaseWriter {
  const { changes, releases } = store;
  const writing: Writing = { store, namespace, author };
  const open = (): StoredRelease | undefined => releases.open(namespace);
  return {
    namespace,
    release: open,
    add: (record, facts) => changes.records.add(begin(writing), record, author, facts),
    update: (record, patch, facts = {}) => update(writing, record, patch, facts),
    touch: (record, facts = {}) => {
      const current = present(writing, record);
      if (current.change !== undefined) return current;
      return write(writing, current, { patch: {}, names: [], action: 'update' }, facts);
    },
    replace: (record, patch, facts = {}) => {
      const current = present(writing, record);
      const names = changedAttributes(current, patch.values ?? {}, patch.owners);
      return write(writing, current, { patch, names, action: 'replace' }, facts);
    },
    remove: (record, facts = {}) => remove(writing, record, facts),
    addRelation: (relation, facts) => changes.relations.add(begin(writing), relation, author, facts),
    updateRelation: (relation, patch, facts = {}) => updateRelation(writing, relation, patch, facts),
    removeRelation: (relation) => removeRelation(writing, relation),
    commit: (facts) => {
      const release = open();
      return release === undefined ? undefined : releases.close(release.id, author, facts);
    },
    discard: () => {
      const release = open();
      return release === undefined ? undefined : releases.cancel(release.id, author);
    },
  };
}
