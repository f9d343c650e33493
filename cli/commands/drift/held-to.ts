// What is in the service, held to the policies of a file.
import { heldTo, type BrokenPolicy, type Review, type ReviewOptions } from '../../../drift';
import { judgeRecords, liveRecords, type PolicyEntry, type PolicyViolation } from '../../../policy';

/** The review with what the records in the service break; itself where there is no policy. `stack`: its name as it was given. */
export function reviewHeldTo(
  policies: readonly PolicyEntry[],
  review: Review,
  { code, state }: Pick<ReviewOptions, 'code' | 'state'>,
  stack: string | undefined,
): Review {
  if (policies.length === 0) return review;
  const records = liveRecords((code ?? state)?.records ?? [], review);
  const violations = judgeRecords(policies, records, { stack: stack?.split('/').at(-1) ?? state?.stack });
  const broken = violations.flatMap((violation): readonly BrokenPolicy[] => {
    const { policy, level, address, message } = violation;
    const at = placeIn(code, violation);
    return level === 'disabled' ? [] : [{ policy, level, address, message, ...(at === undefined ? {} : { at }) }];
  });
  return heldTo(review, broken);
}

/** Where the files declare what breaks a policy: the argument, what contains it, or the record. */
function placeIn(code: ReviewOptions['code'], { kind, address, path = [] }: PolicyViolation): BrokenPolicy['at'] {
  const record = code?.records.find((each) => each.kind.token === kind && each.id === address);
  const places = path.map((_, index) => record?.places.get(path.slice(0, path.length - index).join('.')));
  return places.find((place) => place !== undefined) ?? record?.at;
}
