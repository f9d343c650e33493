// Records, relations, changes and releases, as plain readonly data.

/** Attribute values: text, or null where the class has no default. */
export type Values = { readonly [attribute: string]: string | null };

/** Attribute locks: attribute name → `design` or `manifest` (service-facts §2.1.5). */
export type AttributeLocks = { readonly [attribute: string]: string };

/** What an open change does to its record (service-facts §3.3); `replace` only below `bom`. */
type ChangeAction = 'add' | 'update' | 'delete' | 'replace';

/** Who wrote a row first and last, in ms since 1970. `updatedBy` is null before an update. */
export interface Stamps {
  readonly created: number;
  readonly createdBy: string | null;
  readonly updated: number;
  readonly updatedBy: string | null;
}

/** The one open change on a row: an RFC. `updated` is null until it is written again. */
export type PendingChange = Omit<Stamps, 'updated'> & {
  readonly id: number;
  readonly releaseId: number;
  readonly action: ChangeAction;
  /** Committed values of the attributes it writes; `{}` for an add, a delete and a touch. */
  readonly base: Values;
  /** Values this change writes: all of them for an add, else only the changed ones. */
  readonly values: Values;
  /** Order in which a bom change is carried out, from 1; 0 elsewhere. */
  readonly execOrder: number;
  readonly comments: string | null;
  readonly hint: string | null;
  readonly updated: number | null;
};

/**
 * What a record and a relation have in common. Read `merged`, values are those of the open change
 * laid over the committed ones and `change` is that change; read `committed`, `change` is
 * undefined. A row that only exists as an add has `state: null` and the change's stamps.
 */
export interface StoredRow extends Stamps {
  /** ciId: allocated when the add is written and kept through the commit. */
  readonly id: number;
  readonly namespace: string;
  /** Of a relation for example `manifest.DependsOn`. */
  readonly name: string;
  readonly comments: string | null;
  /** ciState, such as `default`; null for an uncommitted record (service-facts §3.1). */
  readonly state: string | null;
  readonly values: Values;
  readonly owners: AttributeLocks;
  /** rfcId of the change that was committed last; 0 for a row written directly. */
  readonly lastChangeId: number;
  readonly change?: PendingChange | undefined;
}

export interface StoredRecord extends StoredRow {
  readonly className: string;
  readonly impl: string | null;
  /** Health of an instance (service-facts §2.2.11); null everywhere else and until first seen. */
  readonly opsState: string | null;
}

/** A relation between two records. */
export interface StoredRelation extends StoredRow {
  readonly fromId: number;
  readonly toId: number;
}

/** What is needed to write a new row. Values are stored as given: fill class defaults first. */
export interface NewRow {
  /** Only when it was allocated before. */
  readonly id?: number | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly values?: Values | undefined;
  readonly owners?: AttributeLocks;
  readonly comments?: string | null;
}

export interface NewRecord extends NewRow {
  readonly className: string;
  readonly values: Values;
  readonly impl?: string | null;
}

export type NewRelation = NewRow & Pick<StoredRelation, 'fromId' | 'toId'>;

/** An update; members left out, or undefined, stay. `values` are merged, `owners` replaced. */
export interface RowPatch {
  readonly values?: Values | undefined;
  readonly owners?: AttributeLocks | undefined;
  readonly comments?: string | null | undefined;
}

export type ReleaseState = 'open' | 'closed' | 'canceled';

/** A release: `/<o>/<a>` design, `…/<e>/manifest`, `…/<e>/bom` (service-facts §2.2.9). */
export interface StoredRelease extends Pick<Stamps, 'created' | 'createdBy'> {
  readonly id: number;
  readonly namespace: string;
  readonly state: ReleaseState;
  readonly description: string | null;
  /** Manifest: the design release pulled; bom: the manifest release; else 0. */
  readonly parentId: number;
  readonly updated: number | null;
  readonly committedBy: string | null;
}

/** Which truth a read sees; `staying` is `merged` without what waits to be deleted. */
export type View = 'merged' | 'staying' | 'committed';

/** Writer and time of a direct write. */
export interface WriteStamp {
  readonly user: string;
  /** ms since 1970: `context.now`. */
  readonly now: number;
}

/** A change as its release contains it, open or not: what `include_rfcs` and a deployment show. */
export interface StoredChange extends PendingChange {
  /** Whether it is part of an open release and not yet true. */
  readonly open: boolean;
  readonly namespace: string;
  readonly name: string;
  /** Null when the change leaves them. */
  readonly owners: AttributeLocks | null;
}

/** A row as a change alone shows it: all of it, the stamps too, is the change's. */
export const rowOf = (change: StoredChange, id: number): StoredRow => ({
  id,
  namespace: change.namespace,
  name: change.name,
  comments: change.comments,
  state: null,
  values: change.values,
  owners: change.owners ?? {},
  lastChangeId: 0,
  created: change.created,
  createdBy: change.createdBy,
  updated: change.updated ?? change.created,
  updatedBy: change.updatedBy,
  change,
});

export interface RecordChange extends StoredChange, Pick<StoredRecord, 'className' | 'impl'> {
  readonly recordId: number;
}

export interface RelationChange extends StoredChange, Pick<StoredRelation, 'fromId' | 'toId'> {
  readonly relationId: number;
}

/** A change that is not stored yet. */
export type DraftedChange = RecordChange | RelationChange;

export interface ChangeFacts {
  readonly execOrder?: number;
  readonly hint?: string | null;
}

/** Whether a row's deletion waits for a commit: it is still listed, and counts as deleted. */
export const isLeaving = ({ change }: StoredRow): boolean => change?.action === 'delete';

/** The relation of a new record in its namespace, from or to the record that it belongs to. */
export type Tie = { readonly name: string; readonly values?: Values } & (
  { readonly from: number } | { readonly to: number }
);

export function tied({ namespace, id }: StoredRecord, tie: Tie): NewRelation {
  const ends = 'from' in tie ? { fromId: tie.from, toId: id } : { fromId: id, toId: tie.to };
  return { namespace, name: tie.name, ...ends, ...(tie.values && { values: tie.values }) };
}
