// From a record on the wire to what the lifecycle compares.
import type { Attributes, Record as WireRecord } from '../../api/contract';
import { writersOf } from '../lifecycle/own-writes';
import type { Live, Owners, RecordWrites, Writer } from '../address/live';

/** Stamp of a record's last write: number of its change, or its time (flows §6). */
export function stampOf(record: WireRecord): string {
  const change = record.rfcId || record.lastAppliedRfcId;
  return String(change || record.updated || record.created || record.ciId);
}

/** A record as Live; its open change counts (service-facts §2.1.2). `members`: other texts. */
export function liveOf(record: WireRecord, members: Attributes = {}, outputs?: Live['outputs']): Live {
  const { who, when } = lastWriter(record);
  return {
    ciId: record.ciId,
    className: record.ciClassName,
    wire: { ...record.ciAttributes, ...members },
    ...(record.created ? { created: record.created } : {}),
    ...(record.createdBy ? { createdBy: record.createdBy } : {}),
    updated: when,
    updatedBy: who,
    stamp: stampOf(record),
    writes: writesOf(record),
    origin: 'created',
    owners: ownersOf(record),
    ...(record.rfcAction ? { openedBy: writersOf(record) } : {}),
    ...(outputs ? { outputs } : {}),
  };
}

/** Who wrote a record, or a relation, last, also by its open change. */
export const lastWriter = (record: Partial<Written>): Writer => ({
  who: record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '',
  when: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0,
});

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

export function writesOf(record: Written): RecordWrites {
  const { rfcId, rfcAction, lastAppliedRfcId } = record;
  const own = { who: record.updatedBy ?? record.createdBy ?? '', when: record.updated ?? record.created ?? 0 };
  const names = [record.createdBy, record.updatedBy, record.rfcCreatedBy, record.rfcUpdatedBy];
  const writers = [...new Set(names.flatMap((name) => (name ? [name] : [])))];
  // A record before its first commit has writer and time in its own members.
  if (rfcId && rfcAction === 'add') return { open: { ...own, stamp: String(rfcId), names: undefined }, writers };
  const closed = { ...own, stamp: String(lastAppliedRfcId || own.when) };
  if (!rfcId) return { closed, writers };
  const open = {
    stamp: String(rfcId),
    who: record.rfcUpdatedBy ?? record.rfcCreatedBy ?? '',
    when: record.rfcUpdated ?? record.rfcCreated ?? 0,
    names: Object.keys(record.ciBaseAttributes ?? {}),
  };
  return { closed, open, writers };
}

/** Locks of a record, by wire name: attributes that somebody set (service-facts §2.1.5). */
export const ownersOf = (record: Pick<WireRecord, 'ciAttrProps'>): Owners =>
  Object.fromEntries(
    Object.entries(record.ciAttrProps?.owner ?? {}).flatMap(([name, owner]) => (owner ? [[name, owner]] : [])),
  );

/** Whether somebody set anything of a record that a pack or a pull brings. */
export const isLocked = (record: Pick<WireRecord, 'ciAttrProps'>): boolean => Object.keys(ownersOf(record)).length > 0;

/** The attributes of a record without its open change. */
export const committedOf = ({
  ciAttributes,
  ciBaseAttributes,
}: Pick<WireRecord, 'ciAttributes' | 'ciBaseAttributes'>): Attributes => ({ ...ciAttributes, ...ciBaseAttributes });

/** Whether a record's deletion waits for a commit: it counts as deleted (service-facts §3.3). */
export const isPendingDelete = (record: WireRecord): boolean =>
  record.rfcAction === 'delete' || record.ciState === 'pending_deletion';

/** A write with a stamp of its own: a write of links leaves the record's stamp. `now` in ms. */
export const restamped = (written: Live, before: Live, now: number): Live =>
  written.stamp === before.stamp ? { ...written, stamp: `${written.stamp}.${now}` } : written;

/** Whether a stamp is that of a revision, which may have been made apart from it. */
export const isStampOf = (stamp: string, revision: string): boolean => revision.split('.')[0] === stamp;
