// Reads a text file strictly as UTF-8, and describes why a file cannot be read.
import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** File of a stack when `Pulumi.yaml` names none. */
export const STANDARD_FILE = 'oneops.yaml';

/** A file's content, or why there is none, as the end of the sentence "cannot read FILE: …". */
export type FileContent = { readonly text: string } | { readonly problem: string };

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

/** Reads a file, by its path or descriptor. A byte order mark of UTF-8 stays in the text. */
export function readTextFile(file: string | number): FileContent {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { problem: REASONS[code] ?? message };
  }
  const problem = encodingProblem(bytes);
  return problem === undefined ? { text: bytes.toString('utf8') } : { problem };
}

/** Reads a file that has to be in a folder, symbolic links followed. Nothing outside is opened. */
export function readTextFileIn(folder: string, file: string): FileContent {
  try {
    if (!isWithin(realpathSync(folder), realpathSync(file)))
      return { problem: 'it is outside the folder of the project' };
  } catch {
    // Reading says why.
  }
  return readTextFile(file);
}

/** A folder, by its absolute path, and those above it. */
export const foldersFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

/** Whether an absolute path is that of a folder, or of something in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What is wrong with the encoding of a text; undefined for UTF-8. */
function encodingProblem(bytes: Buffer): string | undefined {
  if (isUtf16(bytes)) return 'it is encoded as UTF-16: save it as UTF-8';
  if (isUtf8(bytes)) return undefined;
  const { before, offset } = firstInvalid(bytes);
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  const byte = bytes
    .subarray(offset, offset + 1)
    .toString('hex')
    .toUpperCase();
  return `it is not UTF-8: byte ${byte} at line ${line}, column ${column}; save it as UTF-8`;
}

/** Whether a text is UTF-16, by its byte order mark or a zero byte at its beginning. */
function isUtf16([first, second]: Buffer): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return second !== undefined && (first === 0) !== (second === 0);
}

const REPLACEMENT = '\uFFFD';

/** The offset of the first byte that is not part of a character, and the text before it. */
function firstInvalid(bytes: Buffer): { readonly before: string; readonly offset: number } {
  const text = bytes.toString('utf8');
  let index = -1;
  let offset: number;
  do {
    index = text.indexOf(REPLACEMENT, index + 1);
    offset = Buffer.byteLength(text.slice(0, index));
    // A replacement character that the file itself holds is valid.
  } while (bytes.subarray(offset, offset + 3).equals(Buffer.from(REPLACEMENT)));
  return { before: text.slice(0, index), offset };
}
