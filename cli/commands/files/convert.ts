// `pulumi-oneops convert`: an old file as a stack file, with a report of every setting.
import { explanationOf, renderFindings, STANDARD_FILE, type Finding } from '../../../stack';
import type { Converted } from '../../../stack/convert/convert';
import { reportLines, countLine } from '../../../stack/convert/ledger';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import {
  COMMANDS_FILE,
  configureScript,
  convertedFrom,
  REPORT_FILE,
  reportText,
  resultRead,
} from '../../converter/old-file';
import { missingAround, firstSteps, writeNewFiles } from './new-project';
import { flag, OLD_FILE_OPTIONS, text } from '../../options';

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
  const { yaml = '', commands } = converted;
  return writeNewFiles(folder, [
    { name: STANDARD_FILE, text: yaml },
    { name: COMMANDS_FILE, text: configureScript(commands) },
    { name: REPORT_FILE, text: reportText(converted) },
    ...missingAround(folder, project),
  ]);
}

interface Shown {
  readonly folder: string | undefined;
  readonly written: readonly string[];
  readonly refused: readonly Finding[];
}

function show(converted: Converted, { folder, written, refused }: Shown): void {
  const { from, yaml, commands, accounts, findings, files } = converted;
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
  const result = [{ name: STANDARD_FILE, text: yaml }];
  process.stderr.write(renderFindings(refused, result, { colour: process.stderr.isTTY }));
}

const FORMS = { boo: 'a Boo template', design: 'a design export' } as const;

const nextSteps = (folder: string, written: readonly string[]): readonly string[] => [
  ...(folder === '.' ? [] : [`cd ${folder}`]),
  'pulumi-oneops check',
  ...firstSteps(written),
  `sh ${COMMANDS_FILE}`,
  'pulumi preview',
];
