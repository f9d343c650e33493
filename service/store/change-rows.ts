// Changes of releases as rows, and how an open one is laid over what is committed.
// It must not know when a change is written, nor what it means.
import type { Change, ChangeAction, Owners, StoredRecord, StoredRelation, Values } from './rows';
import type { RecordChange, RelationChange } from './store';

interface StampRow {
  readonly created: number;
  readonly created_by: string | null;
  readonly updated_by: string | null;
}

interface CommittedRow extends StampRow {
  readonly id: number;
  readonly namespace: string;
  readonly name: string;
  readonly comments: string | null;
  readonly state: string;
  readonly attributes: string;
  readonly owners: string;
  readonly updated: number;
  readonly last_change: number;
}

export interface RecordRow extends CommittedRow {
  readonly class: string;
  readonly impl: string | null;
  readonly ops_state: string | null;
}

export interface RelationRow extends CommittedRow {
  readonly from_id: number;
  readonly to_id: number;
}

interface ChangeRow extends StampRow {
  readonly id: number;
  readonly release: number;
  readonly action: ChangeAction;
  readonly namespace: string;
  readonly name: string;
  readonly comments: string | null;
  readonly attributes: string;
  readonly base: string;
  readonly owners: string | null;
  readonly exec_order: number;
  readonly hint: string | null;
  readonly updated: number | null;
}

export interface RecordChangeRow extends ChangeRow {
  readonly record: number;
  readonly class: string;
  readonly impl: string | null;
}

export interface RelationChangeRow extends ChangeRow {
  readonly relation: number;
  readonly from_id: number;
  readonly to_id: number;
}

const values = (text: string): Values => (text === '{}' ? {} : (JSON.parse(text) as Values));
const owners = (text: string): Owners => (text === '{}' ? {} : (JSON.parse(text) as Owners));

function changeOf(row: ChangeRow): Change {
  return {
    id: row.id,
    releaseId: row.release,
    action: row.action,
    base: values(row.base),
    values: values(row.attributes),
    execOrder: row.exec_order,
    comments: row.comments,
    hint: row.hint,
    created: row.created,
    createdBy: row.created_by,
    updated: row.updated,
    updatedBy: row.updated_by,
  };
}

/** A record's change with the record it is about. */
export function recordChangeOf(row: RecordChangeRow): RecordChange {
  return {
    ...changeOf(row),
    recordId: row.record,
    namespace: row.namespace,
    className: row.class,
    name: row.name,
    impl: row.impl,
    owners: row.owners === null ? null : owners(row.owners),
  };
}

/** A relation's change with the relation it is about. */
export function relationChangeOf(row: RelationChangeRow): RelationChange {
  return {
    ...changeOf(row),
    relationId: row.relation,
    namespace: row.namespace,
    name: row.name,
    fromId: row.from_id,
    toId: row.to_id,
    owners: row.owners === null ? null : owners(row.owners),
  };
}

/** What both kinds of committed row share. */
function committed(row: CommittedRow): Omit<StoredRelation, 'fromId' | 'toId'> {
  return {
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    comments: row.comments,
    state: row.state,
    values: values(row.attributes),
    owners: owners(row.owners),
    lastChangeId: row.last_change,
    created: row.created,
    createdBy: row.created_by,
    updated: row.updated,
    updatedBy: row.updated_by,
    change: undefined,
  };
}

/** What both kinds of added row share: all of it, the stamps too, is the change's. */
function added(row: ChangeRow, id: number): Omit<StoredRelation, 'fromId' | 'toId'> {
  const change = changeOf(row);
  return {
    id,
    namespace: row.namespace,
    name: row.name,
    comments: row.comments,
    state: null,
    values: change.values,
    owners: row.owners === null ? {} : owners(row.owners),
    lastChangeId: 0,
    created: row.created,
    createdBy: row.created_by,
    updated: row.updated ?? row.created,
    updatedBy: row.updated_by,
    change,
  };
}

/** What both kinds of changed row share: the change's values over the committed ones. */
function overlay<Row extends Omit<StoredRelation, 'fromId' | 'toId'>>(row: Row, over: ChangeRow): Row {
  const change = changeOf(over);
  return {
    ...row,
    name: over.name,
    comments: over.comments ?? row.comments,
    values: { ...row.values, ...change.values },
    owners: over.owners === null ? row.owners : owners(over.owners),
    change,
  };
}

/** A committed record. */
export function recordOf(row: RecordRow): StoredRecord {
  return { ...committed(row), className: row.class, impl: row.impl, opsState: row.ops_state };
}

/** A record that is only an add so far. */
export function addedRecord(row: RecordChangeRow): StoredRecord {
  return { ...added(row, row.record), className: row.class, impl: row.impl, opsState: null };
}

/** A committed relation. */
export function relationOf(row: RelationRow): StoredRelation {
  return { ...committed(row), fromId: row.from_id, toId: row.to_id };
}

/** A relation that is only an add so far. */
export function addedRelation(row: RelationChangeRow): StoredRelation {
  return { ...added(row, row.relation), fromId: row.from_id, toId: row.to_id };
}

/** Committed rows with their open changes laid over them, adds included, by id. */
export function mergeRecords(rows: readonly RecordRow[], changes: readonly RecordChangeRow[]): StoredRecord[] {
  if (changes.length === 0) return rows.map(recordOf);
  const open = new Map(changes.map((change) => [change.record, change]));
  const merged = rows.map((row) => {
    const change = open.get(row.id);
    return change === undefined ? recordOf(row) : overlay(recordOf(row), change);
  });
  const adds = changes.filter((change) => change.action === 'add').map(addedRecord);
  return [...merged, ...adds].sort((one, other) => one.id - other.id);
}

/** The same for relations. */
export function mergeRelations(rows: readonly RelationRow[], changes: readonly RelationChangeRow[]): StoredRelation[] {
  if (changes.length === 0) return rows.map(relationOf);
  const open = new Map(changes.map((change) => [change.relation, change]));
  const merged = rows.map((row) => {
    const change = open.get(row.id);
    return change === undefined ? relationOf(row) : overlay(relationOf(row), change);
  });
  const adds = changes.filter((change) => change.action === 'add').map(addedRelation);
  return [...merged, ...adds].sort((one, other) => one.id - other.id);
}
