// `pulumi-oneops convert`: an old file as a stack file, with a report of every setting.
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { explanationOf, readStack, readTextFile, STANDARD_FILE, type Finding, type ReadStack } from '../../../stack';
import { convert, type Converted } from '../../../stack/convert/convert';
import { reportLines, countLine } from '../../../stack/convert/ledger';
import type { ReadPartial } from '../../../stack/convert/readable';
import { commandOf, knownWord, type ValuesOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { missingAround, firstSteps, writeNewFiles } from './new-project';
import { textFrom } from '../../here/project';
import { findingsText } from '../../here/terminal';
import { flag, OLD_FILE_OPTIONS, text } from '../../options';
import { defined } from '../../../provider/values';

/** Name of the file with the commands that set the configuration of a stack. */
const COMMANDS_FILE = 'configure.sh';

/** Name of the file that says what became of every setting. */
export const REPORT_FILE = 'report.txt';

export const command = commandOf({
  usage: ['convert FILE [options]'],
  about: `Turns a Boo template or a design export of the service into a stack file. Prints the file,
then the commands that set the configuration of a stack, and what was changed or left behind, each
setting with its line. Sends no request.`,
  options: {
    ...OLD_FILE_OPTIONS,
    out: text(
      'DIR',
      `writes ${STANDARD_FILE}, ${COMMANDS_FILE} and ${REPORT_FILE} there, and the other files of a project if
        it has no Pulumi.yaml; no file that exists is overwritten`,
    ),
    json: flag('everything as JSON'),
  },
  exits: { done: 'everything is carried or changed', inPart: 'a setting was left behind, or check refuses the result' },
  run({ values, positionals: [name, ...more], print }) {
    if (name === undefined || more.length > 0) throw new UsageError('convert takes one file: convert boo.yaml');
    const { converted, project } = convertedFrom(name, values);
    const { out } = values;
    const written = converted.yaml !== undefined && out !== undefined ? write(out, project, converted) : [];
    const refused = converted.yaml === undefined ? [] : refusedIn(converted.yaml);
    if (values.json) print(shownAsJson(converted, refused), () => '');
    else show(converted, { folder: out, written, refused });
    if (converted.yaml === undefined) return EXIT.wrong;
    const isLeft = converted.accounts.some(({ outcome }) => outcome === 'left behind');
    return isLeft || refused.length > 0 ? EXIT.inPart : EXIT.done;
  },
});

/** What check finds wrong in the result, at its place there: somebody has to correct it by hand. */
const refusedIn = (yaml: string): readonly Finding[] =>
  resultRead(yaml).findings.filter(({ severity }) => severity === 'error');

const shownAsJson = ({ from, yaml, commands, accounts, findings }: Converted, refused: readonly Finding[]): object => ({
  from,
  ...(yaml === undefined ? {} : { yaml }),
  commands,
  settings: accounts.map(withId),
  findings: findings.map(withId),
  refused: refused.map(withId),
});

const withId = <Coded extends { readonly code: string }>(coded: Coded): object => ({
  id: explanationOf(coded.code)?.id,
  ...coded,
});

/** Writes new files, and a project around them. Throws Error when one exists. */
function write(folder: string, project: string, converted: Converted): readonly string[] {
  const stack = { name: STANDARD_FILE, text: converted.yaml ?? '' };
  return writeNewFiles(folder, [stack, ...filesBeside(converted), ...missingAround(folder, project)]);
}

interface Shown {
  readonly folder: string | undefined;
  readonly written: readonly string[];
  readonly refused: readonly Finding[];
}

function show(converted: Converted, { folder, written, refused }: Shown): void {
  const { from, yaml, commands, accounts } = converted;
  process.stderr.write(findingsText(converted));
  if (yaml === undefined) {
    process.stderr.write('nothing was written\n');
    return;
  }
  if (folder === undefined) process.stdout.write(yaml);
  const notCarried = accounts.filter(({ outcome }) => outcome !== 'carried');
  const lines = [
    ...(folder === undefined ? ['', ...commands, ''] : []),
    ...reportLines(notCarried),
    `${countLine(accounts)}; read as ${FORMS[from]}`,
    ...(folder === undefined
      ? []
      : [
          `written in ${folder}: ${written.join(', ')}`,
          'next:',
          ...nextSteps(folder, written).map((command) => `  ${command}`),
        ]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  if (refused.length === 0) return;
  process.stderr.write('\ncheck refuses the result: correct it before you use it\n');
  process.stderr.write(findingsText({ findings: refused, files: [{ name: STANDARD_FILE, text: yaml }] }));
}

const FORMS = { boo: 'a Boo template', design: 'a design export' } as const;

const nextSteps = (folder: string, written: readonly string[]): readonly string[] => [
  ...(folder === '.' ? [] : [`cd ${folder}`]),
  'pulumi-oneops check',
  ...firstSteps(written),
  `sh ${COMMANDS_FILE}`,
  'pulumi preview',
];

// An old file as a stack, for this command and for `pulumi convert`.

/** What `check` says of a text as a stack file, such as one that was converted. */
export const resultRead = (yaml: string): ReadStack =>
  readStack([{ name: STANDARD_FILE, text: yaml }], {
    readFile: () => ({ problem: 'a converted template reads no file' }),
  });

/** The files beside a stack: the commands for its configuration, and what became of each setting. */
export const filesBeside = ({
  commands,
  accounts,
}: Converted): readonly { readonly name: string; readonly text: string }[] => [
  {
    name: COMMANDS_FILE,
    text: `#!/bin/sh\n# A command without a value asks for it.\nset -e\n${commands.join('\n')}\n`,
  },
  { name: REPORT_FILE, text: `${[...reportLines(accounts), countLine(accounts)].join('\n')}\n` },
];

/** An old file as a stack, and its project. Throws UsageError, or Error for the file. */
export function convertedFrom(
  name: string,
  options: ValuesOf<typeof OLD_FILE_OPTIONS>,
): { readonly converted: Converted; readonly project: string } {
  const from = options.from === undefined ? undefined : knownWord('--from', ['boo', 'design'], options.from);
  const profiles = options.profile === undefined ? undefined : profilesFrom(options.profile);
  const project = options.assembly ?? assemblyNamed(name);
  const text = textFrom(name);
  if (from === undefined && resultRead(text).plan !== undefined)
    throw new UsageError(`${name} is a stack file already: pulumi-oneops check judges it`);
  const converted = convert({
    name,
    text,
    assembly: project,
    ...defined({ from, profiles }),
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
