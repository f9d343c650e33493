// Staged writing: design, manifest and bom records as changes of the one open release of their namespace (service-facts §3.2, §3.3).
// It must not know which namespace is a design and which a manifest, nor what the classes of the records mean.
import type {
  NewRecord,
  NewRelation,
  Owners,
  RecordPatch,
  RelationPatch,
  StoredRecord,
  StoredRelation,
  StoredRelease,
  Values,
} from './rows';
import { UnknownRow, type Author, type ChangeFacts, type CloseFacts, type Store } from './store';

export interface StageAuthor extends Author {
  /** Whether `comments` alone make a change (voice.designCommentsStored); default false: they are stored only with an attribute. */
  readonly commentsCount?: boolean;
}

/** Writer of one release namespace. Every method opens the release when the write makes one necessary, and only then. */
export interface Stage {
  /** Namespace of the release: `/<o>/<a>`, `/<o>/<a>/<e>/manifest` or `/<o>/<a>/<e>/bom`. Records may stand in it or below it. */
  readonly namespace: string;
  /** The open release, if any. */
  release(): StoredRelease | undefined;
  /** New record as an `add`; its final ciId is given at once. Uniqueness is the caller's to check. */
  add(record: NewRecord, facts?: ChangeFacts): StoredRecord;
  /**
   * Merges values into a record and returns it as it now reads. Only real differences are written (an attribute counts when its value or
   * its owner differs); nothing different: no change, no release. On an `add` the values go into the add; on a pending `delete` nothing
   * happens: it stays a delete.
   */
  update(record: StoredRecord, patch: RecordPatch, facts?: ChangeFacts): StoredRecord;
  /** `update`, then `commit`: all that is open goes with it. Returns the record as it then reads. */
  updateAtOnce(record: StoredRecord, patch: RecordPatch): StoredRecord;
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
  readonly owners: Owners;
  readonly change: StoredRecord['change'];
}

/** Attributes a patch really changes: another value, or another owner. */
function changedAttributes(current: Changeable, values: Values, owners: Owners | undefined): string[] {
  const byValue = Object.keys(values).filter(
    (name) => !Object.hasOwn(current.values, name) || current.values[name] !== values[name],
  );
  if (owners === undefined) return byValue;
  const owned = [...new Set([...Object.keys(owners), ...Object.keys(current.owners)])];
  const byOwner = owned.filter((name) => owners[name] !== current.owners[name] && Object.hasOwn(current.values, name));
  return [...new Set([...byValue, ...byOwner])];
}

/** Values and base of the change that writes these attributes over what is there. */
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

/** The writer of one release namespace, for one author and time. */
export function stage(store: Store, namespace: string, author: StageAuthor): Stage {
  const { changes, records, relations, releases } = store;
  const begin = (): StoredRelease => releases.begin(namespace, author);

  const present = (record: StoredRecord): StoredRecord => {
    const current = records.current(record);
    if (current === undefined) throw new UnknownRow('record', record.id);
    return current;
  };

  const write = (
    current: StoredRecord,
    patch: RecordPatch,
    names: readonly string[],
    action: 'update' | 'replace',
    facts: ChangeFacts,
  ): StoredRecord => {
    changes.writeRecord(
      begin(),
      current,
      {
        ...facts,
        ...written(current, names, patch.values ?? {}),
        action: current.change?.action === 'add' ? 'add' : action,
        name: patch.name ?? current.name,
        owners: patch.owners ?? (current.change === undefined ? null : current.owners),
        comments: patch.comments === undefined ? current.comments : patch.comments,
      },
      author,
    );
    return present(current);
  };

  const removeRelation = (relation: StoredRelation): void => {
    const current = relations.byId(relation.id);
    if (current === undefined || current.change?.action === 'delete') return;
    if (current.change?.action === 'add') changes.dropRelation(current.change.id);
    else
      changes.writeRelation(
        begin(),
        current,
        { action: 'delete', values: {}, base: {}, owners: null, comments: 'deleting' },
        author,
      );
  };

  /** Names of the attributes that an update really changes; undefined when it changes nothing else either. */
  const updated = (current: StoredRecord, patch: RecordPatch): readonly string[] | undefined => {
    const names = changedAttributes(current, patch.values ?? {}, patch.owners);
    const renamed = patch.name !== undefined && patch.name !== current.name;
    const recommented =
      author.commentsCount === true && patch.comments !== undefined && patch.comments !== current.comments;
    return names.length === 0 && !renamed && !recommented ? undefined : names;
  };

  const update = (record: StoredRecord, patch: RecordPatch, facts: ChangeFacts = {}): StoredRecord => {
    const current = present(record);
    if (current.change?.action === 'delete') return current;
    const names = updated(current, patch);
    if (names === undefined) return current;
    return write(current, patch, names, current.change?.action === 'replace' ? 'replace' : 'update', facts);
  };

  const commit = (facts?: CloseFacts): StoredRelease | undefined => {
    const open = releases.open(namespace);
    return open === undefined ? undefined : releases.close(open.id, author, facts);
  };

  return {
    namespace,
    release: () => releases.open(namespace),
    add: (record, facts) => changes.addRecord(begin(), record, author, facts),
    update,
    updateAtOnce: (record, patch) => {
      const current = present(record);
      if (releases.open(namespace) !== undefined) {
        update(current, patch);
        commit();
        return present(current);
      }
      const names = updated(current, patch);
      if (names === undefined) return current;
      const next = {
        ...written(current, names, patch.values ?? {}),
        name: patch.name ?? current.name,
        owners: patch.owners ?? null,
        comments: patch.comments === undefined ? current.comments : patch.comments,
      };
      return store.changeAtOnce(namespace, current, next, author);
    },
    touch: (record, facts = {}) => {
      const current = present(record);
      return current.change === undefined ? write(current, {}, [], 'update', facts) : current;
    },
    replace: (record, patch, facts = {}) => {
      const current = present(record);
      return write(current, patch, changedAttributes(current, patch.values ?? {}, patch.owners), 'replace', facts);
    },
    remove: (record, facts = {}) => {
      const current = records.byId(record.id);
      if (current === undefined || current.change?.action === 'delete') return;
      [...relations.from(current.id), ...relations.to(current.id)].forEach(removeRelation);
      if (current.change?.action === 'add') changes.dropRecord(current.change.id);
      else {
        const deletion = {
          ...facts,
          action: 'delete',
          values: {},
          base: {},
          owners: null,
          comments: 'deleting',
        } as const;
        changes.writeRecord(begin(), current, deletion, author);
      }
    },
    addRelation: (relation, facts) => changes.addRelation(begin(), relation, author, facts),
    updateRelation: (relation, patch, facts = {}) => {
      const current = relations.byId(relation.id);
      if (current === undefined) throw new UnknownRow('relation', relation.id);
      if (current.change?.action === 'delete') return current;
      const names = changedAttributes(current, patch.values ?? {}, patch.owners);
      if (names.length === 0) return current;
      changes.writeRelation(
        begin(),
        current,
        {
          ...facts,
          ...written(current, names, patch.values ?? {}),
          action: current.change?.action === 'add' ? 'add' : 'update',
          owners: patch.owners ?? (current.change === undefined ? null : current.owners),
          comments: patch.comments === undefined ? current.comments : patch.comments,
        },
        author,
      );
      return relations.byId(current.id) as StoredRelation;
    },
    removeRelation,
    commit,
    discard: () => {
      const open = releases.open(namespace);
      return open === undefined ? undefined : releases.cancel(open.id, author);
    },
  };
}
