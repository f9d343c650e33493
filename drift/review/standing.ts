// Whose last write of a record it is, as seen from ours: from stamps, times and names on the record.
// It must not know what differs, nor ask anything.
import { ENCRYPTED } from '../../api/contract';
import { secretWrite, serviceStamp, writesOf, type State } from '../../provider';
import type { Writer } from './classify';
import type { Standing } from './findings';
import type { Seen, SeenRecord } from './watched-api';
import type { Author } from './review';
import type { Subject } from './subjects';

/** What the service says of a record that was read; `user` is who the review speaks as. */
export function standingOf(
  { applied }: Subject,
  live: State | undefined,
  seen: Seen,
  user: string | undefined,
): Standing {
  const record = seen.record(Number((live?.outputs ?? applied?.computed)?.['ciId']));
  const author = authorOf(live, record);
  const isOwn = author !== undefined && author.who === (user ?? applied?.computed['updatedBy']);
  const hasNewStamp = serviceStamp(applied?.computed['revision']) !== serviceStamp(live?.outputs['revision']);
  const isNewer = Number(live?.outputs['updated']) > Number(applied?.computed['updated'] ?? Infinity);
  // An open change takes further writes without a new number.
  const wasWritten = hasNewStamp || (isNewer && Boolean(record?.releaseId));
  // A commit is no write, but what was written before it, and after us, shows no more than its time.
  const isUnclear = !wasWritten && isNewer && !isOwn;
  const writer: Writer = !wasWritten && !isUnclear ? 'nobody' : isOwn ? 'own-user' : 'somebody';
  const self = user ?? applied?.computed['updatedBy'];
  const ours = serviceStamp(applied?.computed['revision']);
  return {
    live,
    writer,
    wasWritten: wasWritten && writer === 'somebody',
    author,
    setter: (name) =>
      record === undefined || author === undefined || writer === 'nobody'
        ? undefined
        : setterOf(record, name, { author, self, ours }),
    writtenSecret: (name) =>
      record && applied && record.ciAttributes?.[name] === ENCRYPTED
        ? secretWrite(applied.kind, applied.computed, writesOf(record), name, user)
        : undefined,
  };
}

/** Who wrote a record last, as it says itself: what stands in an open release was written after what is closed. */
export function writerOf(record: SeenRecord): Author {
  const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '';
  const when = record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0;
  return { who, when, ...(record.releaseId ? { releaseId: record.releaseId, stage: 'design' as const } : {}) };
}

/**
 * Who may have set one attribute, where the record says more, or less, than its last writer; undefined where the last writer is all there is to say.
 * An open change lists the old values of what it changed: what it does not list was set before it. A closed change lists nothing, and the user of
 * this review may have set back other attributes only. `self`: that user; `ours`: the stamp of our last write.
 */
function setterOf(
  record: SeenRecord,
  name: string,
  { author, self, ours }: { readonly author: Author; readonly self: unknown; readonly ours: string },
): { readonly writer: Writer; readonly author: Author } | undefined {
  if (record.ciRelationId !== undefined || record.ciAttributes?.[name] === undefined) return undefined;
  const isOpen = Boolean(record.releaseId) && record.rfcAction === 'update';
  if (isOpen && name in (record.ciBaseAttributes ?? {})) {
    // Of our own change we know who opened it, and why: what differs was written into it later.
    const opener = String(record.rfcId) === ours ? '' : (record.rfcCreatedBy ?? '');
    if (opener !== '' && opener !== author.who) return { writer: 'somebody', author: { ...author, unsure: [opener] } };
    return asOwnUser(author, self);
  }
  if (!isOpen) return asOwnUser(author, self);
  if (String(record.lastAppliedRfcId) === ours) return undefined;
  const before: Author = {
    who: record.updatedBy ?? record.createdBy ?? '',
    when: record.updated ?? record.created ?? 0,
  };
  return asOwnUser(before, self) ?? { writer: 'somebody', author: before };
}

/** The user of the review as the last writer, who may not have set the attribute; undefined of anybody else. */
const asOwnUser = (author: Author, self: unknown): { readonly writer: Writer; readonly author: Author } | undefined =>
  author.who === self ? { writer: 'own-user', author: { ...author, unsure: [] } } : undefined;

function authorOf(live: State | undefined, record: SeenRecord | undefined): Author | undefined {
  const open = record?.releaseId ? { releaseId: record.releaseId, stage: 'design' as const } : {};
  if (live === undefined) {
    if (record?.rfcAction !== 'delete') return undefined;
    const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? '';
    return { who, when: record.rfcUpdated ?? record.rfcCreated ?? 0, ...open };
  }
  const { updatedBy, updated } = live.outputs;
  return {
    who: typeof updatedBy === 'string' ? updatedBy : '',
    when: typeof updated === 'number' ? updated : 0,
    ...open,
  };
}
