// `pulumi-oneops convert`: an old file as a stack file, with the commands for its configuration and a report of every setting.
// It must not know the old formats.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { convert, renderFindings, reportLines, STANDARD_FILE, countLine, type Converted } from '../../stack';
import { parseWords, UsageError, type Command } from '../command';
import { missingAround } from '../init/files';
import { writeNewFiles } from '../new-files';
import { textFrom } from '../project';

const OPTIONS = {
  from: { type: 'string' },
  profile: { type: 'string' },
  assembly: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const COMMANDS_FILE = 'configure.sh';
const REPORT_FILE = 'report.txt';

const HELP = `usage: pulumi-oneops convert FILE [options]

Turns a Boo template or a design export of the service into a stack file.
Prints the file, then the commands that set the configuration of a stack, and
what was changed or left behind, each setting with its line. Sends no request.

  --from FORM            boo or design; default: what the file looks like
  --profile INI[:NAME]   profiles of Boo: each section becomes the configuration
                         of a stack; with a name, only that section
  --assembly NAME        name of the assembly, which an export does not hold;
                         default: the name of the file
  --out DIR              writes ${STANDARD_FILE}, ${COMMANDS_FILE} and ${REPORT_FILE} there,
                         and the other files of a project if it has no Pulumi.yaml;
                         no file that exists is overwritten
  --json                 everything as JSON

exit codes: 0 everything is carried or changed, 1 wrong use or a file cannot be
read, 2 the file is not valid, 3 a setting was left behind`;

/** The convert command. */
export const convertCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new UsageError('convert takes one file: convert boo.yaml');
    const from = formOf(values.from);
    const profiles = values.profile === undefined ? undefined : profilesFrom(values.profile);
    const converted = convert(
      {
        name,
        text: textFrom(name),
        assembly: values.assembly ?? assemblyNamed(name),
        ...(from === undefined ? {} : { from }),
        ...(profiles === undefined ? {} : { profiles }),
      },
      { classMetadata, templateClass },
    );
    const { out } = values;
    const project = values.assembly ?? assemblyNamed(name);
    const written = converted.yaml !== undefined && out !== undefined ? write(out, project, converted) : [];
    if (values.json) process.stdout.write(`${JSON.stringify(shownAsJson(converted), null, 2)}\n`);
    if (!values.json) show(converted, out, written);
    if (converted.yaml === undefined) return Promise.resolve(2);
    return Promise.resolve(converted.accounts.some(({ outcome }) => outcome === 'left behind') ? 3 : 0);
  },
};

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

const shownAsJson = ({ from, yaml, commands, accounts, findings }: Converted): object => ({
  from,
  ...(yaml === undefined ? {} : { yaml }),
  commands,
  settings: accounts,
  findings,
});

/** Writes the results to new files, and what makes a project of the folder if it is none. Throws Error when one of the results exists. Returns their names. */
function write(folder: string, project: string, { yaml = '', commands, accounts }: Converted): readonly string[] {
  const script = `#!/bin/sh\n# A command without a value asks for it.\nset -e\n${commands.join('\n')}\n`;
  const files = [
    { name: STANDARD_FILE, text: yaml },
    { name: COMMANDS_FILE, text: script },
    { name: REPORT_FILE, text: `${[...reportLines(accounts), countLine(accounts)].join('\n')}\n` },
    ...missingAround(folder, project),
  ];
  writeNewFiles(folder, files);
  return files.map((file) => file.name);
}

function show(converted: Converted, folder: string | undefined, written: readonly string[]): void {
  const { yaml, commands, accounts, findings, files } = converted;
  if (findings.length > 0) process.stderr.write(renderFindings(findings, files, { colour: process.stderr.isTTY }));
  if (yaml === undefined) {
    process.stderr.write('nothing was written\n');
    return;
  }
  if (folder === undefined) process.stdout.write(yaml);
  const notCarried = accounts.filter(({ outcome }) => outcome !== 'carried');
  const lines = [
    ...(folder === undefined ? ['', ...commands, ''] : []),
    ...reportLines(notCarried),
    countLine(accounts),
    ...(folder === undefined
      ? []
      : [
          `written in ${folder}: ${written.join(', ')}`,
          'next:',
          ...nextSteps(folder, written).map((command) => `  ${command}`),
        ]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

const nextSteps = (folder: string, written: readonly string[]): readonly string[] => [
  ...(folder === '.' ? [] : [`cd ${folder}`]),
  'pulumi-oneops check',
  ...(written.includes('package.json') ? ['npm install'] : []),
  `sh ${COMMANDS_FILE}`,
  'pulumi preview',
];
