// Which findings a decision is about: of a saved review, or of one made now.
import { wasLetIn } from '../../../drift';
import { reviewedElsewhere, readReview, reviewStack, type DriftFinding, type Review } from '../../../drift';
import { Unauthorized, UsageError } from '../../command';
import { openReview, SOURCE_OPTIONS, textIn, type OpenedReview, type SourceOptions } from './sources';

/** Options of every decision: those of a review, and a saved one in its place. */
export const CHOICE_OPTIONS = { ...SOURCE_OPTIONS, from: { type: 'string' } } as const;

/** The line of a help text on it. */
export const CHOICE_HELP = `  --from REVIEW         a saved review (drift --json > REVIEW), instead of a new one`;

/** The saved review when one is named, else one made now. */
export async function reviewFrom(options: SourceOptions & { readonly from?: string | undefined }): Promise<Review> {
  if (options.from !== undefined) return readReview(textIn(options.from));
  const opened = await openReview(options, undefined);
  try {
    return await reviewNow(opened);
  } finally {
    opened.api.close();
  }
}

/** A review to decide on. Throws Unauthorized when the service refuses the token: what it did not show cannot be decided on. */
export async function reviewNow(opened: OpenedReview): Promise<Review> {
  const review = await reviewStack(opened);
  if (!wasLetIn(review)) throw new Unauthorized(review.summary);
  return review;
}

/** Shortest beginning of an id that names a finding, or a cause. */
export const SHORTEST = 4;

/** The findings with these ids, or beginnings of ids. Throws UsageError for none, for an unknown and for an unclear one. */
export function chosen(review: Review, ids: readonly string[]): readonly DriftFinding[] {
  if (ids.length === 0) throw new UsageError('name at least one finding by its id: pulumi-oneops drift lists them');
  const all = [...review.findings, ...review.ignored.map(({ finding }) => finding)];
  const found = ids.map((id) => {
    const fitting = all.filter((finding) => (id.length < SHORTEST ? finding.id === id : finding.id.startsWith(id)));
    const [first, second] = fitting;
    if (first === undefined) throw new UsageError(`the review has no finding ${id}: its report lists the ids`);
    if (second !== undefined) throw new UsageError(`${id} may be ${fitting.map((each) => each.id).join(' or ')}`);
    return first;
  });
  return [...new Set(found)];
}

/** Throws Error for the review of another stack or service than the one that is opened: what is wrong there may be right here. */
export function expectReviewOf(review: Review, { api, state }: OpenedReview): void {
  const other = reviewedElsewhere(review, { ...state, service: api.url, organization: api.organization });
  if (other !== undefined)
    throw new Error(`${other}: call this where the review was made, or make a new review here; nothing was sent`);
}
