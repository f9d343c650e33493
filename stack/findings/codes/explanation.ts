// What is known of one kind of finding next to the file in which it is found.

/** One kind of finding. Both examples are complete files of the golden corpus. */
export interface Explanation {
  /** `ONE1207`: never changes and is never used again. */
  readonly id: string;
  /** Its word in `--format json`: `unknown-platform`. */
  readonly code: string;
  /** What it means and what to do, as sentences. */
  readonly meaning: string;
  /** A file with this finding and no other. */
  readonly wrong: string;
  /** A file without findings that says what was meant. */
  readonly right: string;
  /** What the stack's configuration sets for both. */
  readonly config?: { readonly [name: string]: string };
}

/** First line of examples whose assembly does not matter. */
export const SHOP = 'assembly: { name: shop }\n';

/** A platform for examples in which any will do. */
export const WEB = 'platforms: { web: { pack: oneops/tomcat:1 } }\n';
