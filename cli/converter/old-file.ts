// Reads an old file, with its profiles, for the commands that take it as a stack.
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { readStack, readTextFile, STANDARD_FILE, type ReadStack } from '../../stack';
import { convert, type Converted } from '../../stack/convert/convert';
import { countLine, reportLines } from '../../stack/convert/ledger';
import type { ReadPartial } from '../../stack/convert/readable';
import type { ValuesOf } from '../command';
import type { OLD_FILE_OPTIONS } from '../options';
import { UsageError } from '../exit';
import { textFrom } from '../here/project';

/** What `check` says of a text as a stack file, such as one that was converted. */
export const resultRead = (yaml: string): ReadStack =>
  readStack([{ name: STANDARD_FILE, text: yaml }], {
    readFile: () => ({ problem: 'a converted template reads no file' }),
  });

/** Name of the file with the commands that set the configuration of a stack. */
export const COMMANDS_FILE = 'configure.sh';

export const configureScript = (commands: readonly string[]): string =>
  `#!/bin/sh\n# A command without a value asks for it.\nset -e\n${commands.join('\n')}\n`;

/** Name of the file that says what became of every setting. */
export const REPORT_FILE = 'report.txt';

export const reportText = ({ accounts }: Converted): string =>
  `${[...reportLines(accounts), countLine(accounts)].join('\n')}\n`;

/** An old file as a stack, and its project. Throws UsageError, or Error for the file. */
export function convertedFrom(
  name: string,
  options: ValuesOf<typeof OLD_FILE_OPTIONS>,
): { readonly converted: Converted; readonly project: string } {
  const from = formOf(options.from);
  const profiles = options.profile === undefined ? undefined : profilesFrom(options.profile);
  const project = options.assembly ?? assemblyNamed(name);
  const text = textFrom(name);
  if (from === undefined && resultRead(text).plan !== undefined)
    throw new UsageError(`${name} is a stack file already: pulumi-oneops check judges it`);
  const converted = convert({
    name,
    text,
    assembly: project,
    ...(from === undefined ? {} : { from }),
    ...(profiles === undefined ? {} : { profiles }),
    readPartial,
  });
  return { converted, project };
}

/** The file of a partial: next to the file with the tag, also without its ending. */
function readPartial(partial: string, from: string): ReturnType<ReadPartial> {
  const path = join(dirname(from), partial);
  const name = [path, `${path}${extname(from)}`].find((each) => isFileOrUnknown(each));
  if (name === undefined)
    return { problem: `there is no file ${path}, with or without ${extname(from) || 'an ending'}` };
  const content = readTextFile(name);
  return 'text' in content ? { name, ...content } : { problem: `cannot read ${name}: ${content.problem}` };
}

/** Whether reading a path gives a text, or says why it gives none. */
function isFileOrUnknown(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return true;
  }
}

function formOf(word: string | undefined): 'boo' | 'design' | undefined {
  if (word === undefined || word === 'boo' || word === 'design') return word;
  throw new UsageError(`--from ${word}: there are boo and design`);
}

/** `config.ini`, or `config.ini:section`. */
function profilesFrom(word: string): { readonly name: string; readonly text: string; readonly section?: string } {
  const colon = word.lastIndexOf(':');
  if (colon < 0 || existsSync(word)) return { name: word, text: textFrom(word) };
  const name = word.slice(0, colon);
  return { name, text: textFrom(name), section: word.slice(colon + 1) };
}

/** A name that an assembly can have, from the name of a file. */
function assemblyNamed(file: string): string {
  const bare = basename(file).replace(/\.[^.]*$/, '');
  const name = bare.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^[^A-Za-z]+|-+$/g, '');
  return name.slice(0, 32) || 'converted';
}
