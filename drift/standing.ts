// Whose last write of a record it is, as seen from ours: from stamps, times and names on the record.
// It must not know what differs, nor ask anything.
import type { State } from '../provider';
import type { Writer } from './comparing/classify';
import type { Standing } from './findings';
import type { Seen, SeenRecord } from './reading/watched-api';
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
  const hasNewStamp = stampOf(applied?.computed['revision']) !== stampOf(live?.outputs['revision']);
  const isNewer = Number(live?.outputs['updated']) > Number(applied?.computed['updated'] ?? Infinity);
  // An open change takes further writes without a new number.
  const wasWritten = hasNewStamp || (isNewer && Boolean(record?.releaseId));
  // A commit is no write, but what was written before it, and after us, shows no more than its time.
  const isUnclear = !wasWritten && isNewer && !isOwn;
  const writer: Writer = !wasWritten && !isUnclear ? 'nobody' : isOwn ? 'own-user' : 'somebody';
  const open = record?.releaseId ? Object.keys(record.ciBaseAttributes ?? {}) : [];
  return {
    live,
    writer,
    wasWritten: wasWritten && writer === 'somebody',
    author,
    ...(open.length > 0 ? { openChanges: open } : {}),
  };
}

/** The service's part of a revision: what follows a dot is ours. */
export const stampOf = (revision: unknown): string =>
  typeof revision === 'string' ? (revision.split('.')[0] ?? '') : '';

/** Who wrote a record last, as it says itself: what stands in an open release was written after what is closed. */
export function writerOf(record: SeenRecord): Author {
  const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '';
  const when = record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0;
  return { who, when, ...(record.releaseId ? { releaseId: record.releaseId, stage: 'design' as const } : {}) };
}

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
