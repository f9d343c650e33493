// What is in the service, held to the policies of a file.
import type { Review, ReviewOptions } from '../../../drift';
import { judgeRecords, liveRecords, type PolicyEntry, type PolicyViolation } from '../../../policy';

/** What the records in the service break. `stack`: its name as it was given. */
export function brokenIn(
  policies: readonly PolicyEntry[],
  review: Review,
  { code, state }: Pick<ReviewOptions, 'code' | 'state'>,
  stack: string | undefined,
): readonly PolicyViolation[] {
  const records = liveRecords((code ?? state)?.records ?? [], review);
  return judgeRecords(policies, records, { stack: stack?.split('/').at(-1) ?? state?.stack });
}
