// What a caller may say about how a review is shown, and how places in files follow from it: relative to the repository, with forward slashes.
// No file is read here.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FilePlace } from '../review/review';
import { oneLine } from './shown-text';

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

/** A file relative to the repository when it is in it, else as the review names it; with `/` between folders. */
export function filePath(file: string, { root, folder = root }: ReportOptions): string {
  const inFolder = folder === undefined || isAbsolute(file) ? file : resolve(folder, file);
  const below = root === undefined || !isAbsolute(inFolder) ? inFolder : relative(root, inFolder);
  const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return (isOutside ? file : below)
    .split(sep)
    .join('/')
    .replace(/^(\.\/)+(?=[^])/, '');
}

/** `oneops.yaml:31:11`. */
export const placeText = ({ file, line, column }: FilePlace, options: ReportOptions): string =>
  `${oneLine(filePath(file, options))}:${line}:${column}`;

/** A place for formats that demand one: the finding's own, else the first line of the stack file. */
export const placeOrFile = (at: FilePlace | undefined, { file = 'oneops.yaml' }: ReportOptions): FilePlace =>
  at ?? { file, line: 1, column: 1 };
