// What a caller may say about how a review is shown.
// It must not know any format.

/** How to show a review; everything may be left out. */
export interface ReportOptions {
  /** ANSI colours in texts for terminals; default off. */
  readonly colour?: boolean;
  /** Columns of a terminal; default 80, at least 40. */
  readonly width?: number;
  /** Absolute path of the repository: files below it are shown relative to it. */
  readonly root?: string;
  /** Absolute path of the folder the review ran in; default `root`. Relative files of the review start there. */
  readonly folder?: string;
  /** File that stands for what has no place of its own, where a format demands one; default `oneops.yaml`. */
  readonly file?: string;
  /** One line on the past of a finding, by its id: `first seen 3 days ago, in 4 of the last 5 reviews`. */
  readonly history?: ReadonlyMap<string, string>;
  /** Milliseconds since 1970 that "3 hours ago" counts from; default the end of the review. */
  readonly now?: number;
  /** Milliseconds since 1970 of the last earlier review that read everything, for metrics: see `lastSuccessOf`. */
  readonly lastSuccess?: number;
  /** Version of this package, where a format names its tool. */
  readonly toolVersion?: string;
}
