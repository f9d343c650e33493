// Stored rows as they cross the wire: committed and merged records, relations, releases
// (service-facts §2.1, §2.2.9).
import { type ClassMetadata, type DialectRules, ENCRYPTED } from '../../api/contract';
import type { Context } from './handler';
import {
  type AttributeLocks,
  type RecordChange,
  type RelationChange,
  type ReleaseState,
  rowOf,
  type StoredRecord,
  type StoredRelation,
  type StoredRelease,
  type Values,
} from '../store';

type Speaker = Pick<Context, 'store' | 'catalogue' | 'rules'>;

const metadataOf = (speaker: Speaker, className: string): ClassMetadata | undefined =>
  speaker.catalogue.classMetadata(className);

/** Name of an attribute on the wire: the events of attachments have two (dialect row 7). */
export function wireName(rules: DialectRules, className: string, name: string): string {
  return name === 'run_on' && className.endsWith('.Attachment') ? rules.attachmentEvents : name;
}

/** The name an attribute is stored under. `runs_on` is `run_on` only where the dialect says so. */
export function storedName(rules: DialectRules, className: string, name: string): string {
  return name === rules.attachmentEvents && className.endsWith('.Attachment') ? 'run_on' : name;
}

/** Attributes as every read shows them: secrets masked (service-facts §2.1.4). */
function shownValues(speaker: Speaker, className: string, values: Values): Values {
  const attributes = metadataOf(speaker, className)?.attributes;
  const isSecret = (name: string): boolean => attributes?.[name]?.encrypted === true && Boolean(values[name]);
  // Most are shown as they are: a copy of each would take a quarter of the time of a large list.
  if (!className.endsWith('.Attachment') && !Object.keys(values).some(isSecret)) return values;
  const shown = (name: string): string => wireName(speaker.rules, className, name);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [shown(name), isSecret(name) ? ENCRYPTED : value]),
  );
}

function shownOwners(speaker: Speaker, className: string, owners: AttributeLocks): object {
  const entries = Object.entries(owners);
  if (entries.length === 0) return {};
  return {
    owner: Object.fromEntries(entries.map(([name, owner]) => [wireName(speaker.rules, className, name), owner])),
  };
}

/** Number of a namespace or a class, the same in every answer: a digest of its name (FNV-1a). */
export function numberOfName(name: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) digest = Math.imul(digest ^ name.charCodeAt(at), 0x01000193);
  return digest >>> 0;
}

const goid = ({ id, namespace, className }: StoredRecord): string =>
  `${numberOfName(namespace)}-${numberOfName(className)}-${id}`;

/** Members that a committed and a merged record share. */
const recordFacts = (speaker: Speaker, record: StoredRecord) => ({
  ciId: record.id,
  ciName: record.name,
  ciClassName: record.className,
  impl: record.impl,
  nsPath: record.namespace,
  ciGoid: goid(record),
  comments: record.comments,
  ciState: record.state,
  lastAppliedRfcId: record.lastChangeId,
  createdBy: record.createdBy,
  updatedBy: record.updatedBy,
  created: record.created,
  updated: record.updated,
  ciAttributes: shownValues(speaker, record.className, record.values),
});

/** A committed record, "Ci" (service-facts §2.1.1). */
export const committedRecord = (speaker: Speaker, record: StoredRecord): object => ({
  ...recordFacts(speaker, record),
  nsId: numberOfName(record.namespace),
  attrProps: shownOwners(speaker, record.className, record.owners),
  altNs: {},
});

/** The committed records of a class in a namespace. */
export const committedRecords = (
  speaker: Speaker,
  place: { readonly namespace: string; readonly className: string },
): object[] => speaker.store.records.list(place, 'committed').map((record) => committedRecord(speaker, record));

/** A change-merged record as routes answer it that load no locks (service-facts §2.1.5). */
export const mergedWithoutLocks = (speaker: Speaker, record: StoredRecord): object =>
  mergedRecord(speaker, { ...record, owners: {} });

/** A change-merged record, "DjCi" (service-facts §2.1.2). */
export function mergedRecord(speaker: Speaker, record: StoredRecord): object {
  const { change } = record;
  // The stamps of an add are the record's own; those of other changes are next to the record's.
  const beside = change === undefined || change.action === 'add' ? undefined : change;
  return {
    ...recordFacts(speaker, record),
    rfcId: change?.id ?? 0,
    releaseId: change?.releaseId ?? 0,
    rfcAction: change?.action ?? null,
    releaseType: null,
    rfcCreatedBy: beside?.createdBy ?? null,
    rfcUpdatedBy: beside?.updatedBy ?? null,
    execOrder: change?.execOrder ?? 0,
    isActiveInRelease: change !== undefined,
    rfcCreated: beside?.created ?? null,
    rfcUpdated: beside?.updated ?? null,
    hint: change?.hint ?? null,
    ciBaseAttributes: shownValues(speaker, record.className, change?.base ?? {}),
    ciAttrProps: shownOwners(speaker, record.className, record.owners),
  };
}

export function componentAnswer(speaker: Speaker, component: StoredRecord, dependsOn: string): object {
  const { records, relations } = speaker.store;
  const show = (ids: readonly number[]): object[] => records.byIds(ids).map((record) => mergedRecord(speaker, record));
  return {
    ...mergedRecord(speaker, component),
    dependents: show(relations.to(component.id, dependsOn, 'staying').map(({ fromId }) => fromId)),
    dependsOn: show(relations.from(component.id, dependsOn, 'staying').map(({ toId }) => toId)),
  };
}

/** A change as its release lists it, open or not (`include_rfcs`, GET of a deployment). */
export function recordChangeAnswer(speaker: Speaker, change: RecordChange, record?: StoredRecord): object {
  const { recordId, className, impl } = change;
  const row = rowOf(change, recordId);
  const { lastChangeId, created, createdBy, updated, updatedBy } = record ?? row;
  const stamps = { lastChangeId, created, createdBy, updated, updatedBy };
  return mergedRecord(speaker, {
    ...row,
    ...stamps,
    className,
    impl,
    opsState: null,
    state: change.action === 'add' ? null : (record?.state ?? 'default'),
    values: record === undefined ? change.values : { ...record.values, ...change.values },
    owners: change.owners ?? record?.owners ?? {},
  });
}

/** A relation: change-merged with an open change, else committed (service-facts §2.1.9). */
export function relationAnswer(
  speaker: Speaker,
  relation: StoredRelation,
  ends: { readonly fromCi?: object; readonly toCi?: object } = {},
): object {
  const { change } = relation;
  const owners = Object.keys(relation.owners).length === 0 ? {} : { owner: relation.owners };
  const release =
    change === undefined
      ? {}
      : {
          rfcId: change.id,
          releaseId: change.releaseId,
          rfcAction: change.action,
          execOrder: change.execOrder,
          isActiveInRelease: true,
          relationBaseAttributes: change.base,
        };
  return {
    ciRelationId: relation.id,
    nsPath: relation.namespace,
    fromCiId: relation.fromId,
    toCiId: relation.toId,
    relationGoid: `${relation.fromId}-${relation.id}-${relation.toId}`,
    relationName: relation.name,
    relationState: relation.state,
    comments: relation.comments,
    lastAppliedRfcId: relation.lastChangeId,
    relationAttributes: relation.values,
    relationAttrProps: owners,
    createdBy: relation.createdBy,
    updatedBy: relation.updatedBy,
    created: relation.created,
    updated: relation.updated,
    ...release,
    ...ends,
  };
}

/** A relation's change as its release lists it. */
export function relationChangeAnswer(speaker: Speaker, change: RelationChange): object {
  const { relationId, fromId, toId } = change;
  const state = change.action === 'add' ? null : 'default';
  return relationAnswer(speaker, { ...rowOf(change, relationId), fromId, toId, state });
}

const STATE_NUMBERS: { readonly [S in ReleaseState]: number } = { open: 100, closed: 200, canceled: 300 };

export function releaseAnswer(speaker: Speaker, release: StoredRelease): object {
  return {
    releaseId: release.id,
    nsPath: release.namespace,
    releaseName: `${release.namespace}${release.id}`,
    createdBy: release.createdBy,
    commitedBy: release.committedBy,
    releaseState: release.state,
    releaseType: null,
    description: release.description,
    revision: 1,
    parentReleaseId: release.parentId,
    created: release.created,
    updated: release.updated,
    nsId: numberOfName(release.namespace),
    releaseStateId: STATE_NUMBERS[release.state],
    ciRfcCount: 0,
    relationRfcCount: 0,
  };
}

/** An unsaved record of the `new` routes: no id; blank secrets (service-facts §2.1.2). */
export function templateAnswer(
  speaker: Speaker,
  built: { readonly name: string; readonly className: string; readonly namespace: string; readonly values: Values },
  shape: 'committed' | 'merged',
): object {
  const metadata = metadataOf(speaker, built.className);
  const values = Object.fromEntries(
    Object.entries(built.values).map(([name, value]) => [
      wireName(speaker.rules, built.className, name),
      metadata?.attributes[name]?.encrypted === true ? '' : value,
    ]),
  );
  const common = {
    ciName: built.name,
    ciClassName: built.className,
    nsPath: built.namespace,
    comments: '',
    ciAttributes: values,
  };
  return shape === 'committed'
    ? common
    : { ...common, releaseId: 0, rfcAction: '', execOrder: 0, ciAttrProps: { owner: {} } };
}

/** What DELETE answers: the record as it was, or nothing (dialect row 1). */
export function deletedAnswer(rules: DialectRules, record: object): object | undefined {
  return rules.deleteAnswersRecord ? record : undefined;
}
