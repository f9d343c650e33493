// Whether a saved review is of another stack or service than the one at hand: the same address means another record there. Pure.
import { bareService } from '../report/words';
import { oneLine } from '../report/shown-text';
import type { Review } from '../review/review';

type Reviewed = Pick<Review, 'service' | 'organization' | 'project' | 'stack'>;

/** What is another one, as the beginning of a sentence; undefined when nothing is. What one of the two does not name is not compared. */
export function reviewedElsewhere(review: Reviewed, here: Reviewed): string | undefined {
  const nameOf = (stack: string | undefined): string | undefined => stack?.split('/').at(-1);
  const pairs = [
    ['the service', bareService(review.service), bareService(here.service)],
    ['organization', review.organization, here.organization],
    ['project', review.project, here.project],
    ['stack', nameOf(review.stack), nameOf(here.stack)],
  ] as const;
  const [found] = pairs.flatMap(([what, there, own]) =>
    there === undefined || own === undefined || there === own
      ? []
      : [`the review is of ${what} ${oneLine(there)}, and this is ${oneLine(own)}`],
  );
  return found;
}
