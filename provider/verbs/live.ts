// From a record on the wire to what the lifecycle compares: attributes and members as text by wire name, and the record's stamps.
import type { Attributes, Record as WireRecord } from '../../api/contract';
import { writersOf } from '../lifecycle/own-writes';
import type { Live, Owners, RecordWrites } from '../address/live';

/**
 * Stamp of a record's last write: number of its open or last applied change, or, for records without releases, the time (flows §6).
 * The service gives every change a new number, so any write of ours changes it.
 */
export function stampOf(record: WireRecord): string {
  const change = record.rfcId || record.lastAppliedRfcId;
  return String(change || record.updated || record.created || record.ciId);
}

/**
 * A record as Live: of one with an open change, the change's own writer and time (service-facts §2.1.2). `members` are texts of what is next to
 * the attributes, by wire name.
 */
export function liveOf(record: WireRecord, members: Attributes = {}, outputs?: Live['outputs']): Live {
  return {
    ciId: record.ciId,
    className: record.ciClassName,
    wire: { ...record.ciAttributes, ...members },
    ...(record.created ? { created: record.created } : {}),
    ...(record.createdBy ? { createdBy: record.createdBy } : {}),
    updated: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0,
    updatedBy: record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '',
    stamp: stampOf(record),
    writes: writesOf(record),
    origin: 'created',
    owners: ownersOf(record),
    ...(record.rfcAction ? { openedBy: writersOf(record) } : {}),
    ...(outputs ? { outputs } : {}),
  };
}

/** The members of a record that say who wrote it. */
type Written = Pick<
  WireRecord,
  | 'rfcId'
  | 'rfcAction'
  | 'lastAppliedRfcId'
  | 'created'
  | 'createdBy'
  | 'updated'
  | 'updatedBy'
  | 'rfcCreated'
  | 'rfcCreatedBy'
  | 'rfcUpdated'
  | 'rfcUpdatedBy'
> & { readonly ciBaseAttributes?: object | null | undefined };

/** The last writes of a record, in force and open. */
export function writesOf(record: Written): RecordWrites {
  const { rfcId, rfcAction, lastAppliedRfcId } = record;
  const at = record.updated ?? record.created ?? 0;
  const by = record.updatedBy ?? record.createdBy ?? '';
  const names = [record.createdBy, record.updatedBy, record.rfcCreatedBy, record.rfcUpdatedBy];
  const writers = [...new Set(names.flatMap((name) => (name ? [name] : [])))];
  // A record that waits for its first commit says by whom and when in its own members, and lists no attributes.
  if (rfcId && rfcAction === 'add') return { open: { stamp: String(rfcId), by, at, names: undefined }, writers };
  const closed = { stamp: String(lastAppliedRfcId || at), by, at };
  if (!rfcId) return { closed, writers };
  const open = {
    stamp: String(rfcId),
    by: record.rfcUpdatedBy ?? record.rfcCreatedBy ?? '',
    at: record.rfcUpdated ?? record.rfcCreated ?? 0,
    names: Object.keys(record.ciBaseAttributes ?? {}),
  };
  return { closed, open, writers };
}

/** Locks of a record, by wire name: the attributes somebody set, against what a pack or a pull would bring (service-facts §2.1.5). */
export const ownersOf = (record: Pick<WireRecord, 'ciAttrProps'>): Owners =>
  Object.fromEntries(
    Object.entries(record.ciAttrProps?.owner ?? {}).flatMap(([name, owner]) => (owner ? [[name, owner]] : [])),
  );

/** Whether somebody set anything of a record that a pack or a pull brings. */
export const isLocked = (record: Pick<WireRecord, 'ciAttrProps'>): boolean => Object.keys(ownersOf(record)).length > 0;

/** Whether a record's deletion waits for a commit: then it counts as deleted (service-facts §3.3). */
export const isPendingDelete = (record: WireRecord): boolean =>
  record.rfcAction === 'delete' || record.ciState === 'pending_deletion';

/**
 * What was written, with its own stamp: a write of links alone changes no attribute, and leaves the record's stamp as it was. `now` in ms.
 */
export const restamped = (written: Live, before: Live, now: number): Live =>
  written.stamp === before.stamp ? { ...written, stamp: `${written.stamp}.${now}` } : written;

/** Whether a stamp is that of a revision, which may have been made apart from it. */
export const isStampOf = (stamp: string, revision: string): boolean => revision.split('.')[0] === stamp;
