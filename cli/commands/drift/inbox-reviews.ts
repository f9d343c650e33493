// The reviews that an inbox is fed with, and where the files of their stacks are.
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { jsonOf, readFleet, readReview, reviewStack, type FleetStack, type Review } from '../../../drift';
import { openReview, textIn, type SourceOptions } from './sources';

/** A stack, and its review. */
export interface InboxStack {
  /** The review with places in files relative to the current folder. */
  readonly review: Review;
  /** The review as it was made: with places relative to the folder of the stack. */
  readonly own: Review;
  /** Folder of the stack's project, relative to the current one; undefined when the review does not name it. */
  readonly folder: string | undefined;
  /** Its name, as `--stack` takes it. */
  readonly stack: string | undefined;
}

interface FoundReviews {
  readonly stacks: readonly InboxStack[];
  /** One line for each stack and shard of a fleet without a review. */
  readonly missing: readonly string[];
}

/** The reviews that are named, or one that is made now. */
export async function reviewsFrom(
  options: SourceOptions & { readonly from: readonly string[] },
): Promise<FoundReviews> {
  const saved = options.from.map(reviewsIn);
  if (saved.length > 0)
    return {
      stacks: saved.flatMap(({ stacks }) => stacks),
      missing: saved.flatMap(({ missing }) => missing),
    };
  const opened = await openReview(options, undefined);
  try {
    return { stacks: [alone(await reviewStack(opened))], missing: [] };
  } finally {
    opened.api.close();
  }
}

/** The review of a stack whose folder it does not name. */
const alone = (review: Review): InboxStack => ({ review, own: review, folder: undefined, stack: review.stack });

/** The review in a file, or those of a fleet. */
function reviewsIn(name: string): FoundReviews {
  const file = textIn(name);
  const parsed = jsonOf(file.text);
  if (typeof parsed !== 'object' || parsed === null || !('stacks' in parsed))
    return { stacks: [alone(readReview(file))], missing: [] };
  const { stacks, missing } = readFleet(file);
  const start = startOf(stacks);
  return {
    stacks: stacks.flatMap(({ review, folder, stack }) => {
      if (review === undefined) return [];
      const at = folder === undefined ? undefined : relative(process.cwd(), resolve(start, folder)) || '.';
      return [{ review: at === undefined ? review : seenFromHere(review, at), own: review, folder: at, stack }];
    }),
    missing: [
      ...stacks.flatMap(({ review, name: stack, summary, outcome }) =>
        // Without a record of ours there is nothing to review.
        review === undefined && outcome !== 'in-sync'
          ? [`${stack}: ${summary}; none of its findings counts as settled`]
          : [],
      ),
      ...missing.map(({ number }) => `${name}: no result of shard ${number}; none of its findings counts as settled`),
    ],
  };
}

/** Where the review of a fleet ran, relative to the current folder: there, or above it, when the current folder is that of one of its stacks. */
function startOf(stacks: readonly FleetStack[]): string {
  const folders = stacks.flatMap(({ folder }) => folder ?? []);
  if (folders.some((folder) => existsSync(join(folder, 'Pulumi.yaml')))) return '.';
  const here = process.cwd();
  const own = folders.find((folder) => here.endsWith(`${sep}${folder}`));
  return own === undefined ? '.' : relative(here, here.slice(0, -own.length - 1));
}

/** Places in files of a fleet's stack are relative to its folder. */
const seenFromHere = (review: Review, folder: string): Review => ({
  ...review,
  findings: review.findings.map((finding) =>
    finding.at === undefined || isAbsolute(finding.at.file)
      ? finding
      : { ...finding, at: { ...finding.at, file: join(folder, finding.at.file) } },
  ),
});
