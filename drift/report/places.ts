// Places in files as reports name them: relative to the repository, with forward slashes.
// It must not know any format, nor read a file.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { FilePlace } from '../review/review';
import type { ReportOptions } from './report-options';
import { oneLine } from './shown-text';

/** A file relative to the repository when it lies in it, else as the review names it; with `/` between folders. */
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
