// Records of the state that are gone, and that somebody made again: under their names, with numbers
// that the state lacks.
import type { Api } from '../../api/client';
import type { Session } from '../../provider';
import { readLive, type LiveRead, type ReviewRecording } from './reading';
import type { Unread } from './review';
import { knownOf, type Subject } from './sources';

/** The record in place of one that is gone. */
export interface MadeAgain {
  readonly read: LiveRead;
  readonly ciId: number;
  readonly by: string;
}

/**
 * What is in place of declared records that are gone, as far as lists that were read show it.
 * `unread`: of which of them this could not be read.
 */
export async function madeAgain(
  asking: { readonly api: Api; readonly session: Session; readonly recording: ReviewRecording },
  pairs: readonly { readonly subject: Subject; readonly read: LiveRead }[],
  { hasCode, concurrency }: { readonly hasCode: boolean; readonly concurrency: number },
): Promise<{ readonly again: ReadonlyMap<Subject, MadeAgain>; readonly unread: readonly Unread[] }> {
  const { api, session, recording } = asking;
  const gone = pairs.flatMap(({ subject, read }) => {
    const isGone = 'live' in read && read.live === undefined;
    const isDeclared = subject.applied !== undefined && !(hasCode && subject.code === undefined);
    return isGone && isDeclared && recording.named(subject.id.replace(/^.*\//, '')).length > 0 ? [subject] : [];
  });
  const byName = gone.map((subject) => {
    const { ciId: _, ...known } = knownOf(subject);
    return { kind: subject.kind, id: subject.id, known };
  });
  const reads = await readLive(api, byName, session, { concurrency });
  const again = gone.flatMap((subject, index) => {
    const read = reads[index] as LiveRead;
    const ciId = 'live' in read ? Number(read.live?.outputs['ciId']) : NaN;
    const by = recording.record(ciId)?.createdBy;
    return by ? [[subject, { read, ciId, by }] as const] : [];
  });
  return { again: new Map(again), unread: reads.flatMap((read) => ('unread' in read ? [read.unread] : [])) };
}
