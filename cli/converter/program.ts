// `pulumi convert --from oneops` and `--from boo`: a stack as a program in PCL.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import { ConvertProgramResponse, type ConvertProgramRequest } from '@pulumi/pulumi/proto/converter_pb';
import { bindConfig, explanationOf, lineStart, STANDARD_FILE, type Finding, type StackPlan } from '../../stack';
import type { Converted } from '../../stack/convert/convert';
import { countLine } from '../../stack/convert/ledger';
import { pclOf, type Loss } from '../../stack/export/pcl';
import { engineDiagnostic } from '../../provider/faces/engine';
import { parseWords } from '../command';
import { UsageError } from '../exit';
import { convertedFrom, filesBeside, REPORT_FILE, resultRead } from '../commands/files/convert';
import { projectHere, projectTextHere, stackConfigHere } from '../here/project';
import { readStackHere } from '../here/read-stack';
import { OLD_FILE_OPTIONS, STACK_OPTIONS } from '../options';

/** Writes the program of the requested folder. Faults and losses are diagnostics. */
export function programOf(request: ConvertProgramRequest, source: 'oneops' | 'boo'): ConvertProgramResponse {
  // The CLI starts this process in the target folder, and a stack reads files next to its own.
  process.chdir(request.getSourceDirectory());
  const words = request.getArgsList();
  const { files, diagnostics } = source === 'boo' ? booProgram(words) : stackProgram(words);
  for (const { name, text } of files) writeFileSync(join(request.getTargetDirectory(), name), text);
  const answer = new ConvertProgramResponse();
  answer.setDiagnosticsList([...diagnostics]);
  return answer;
}

type Program = ReturnType<typeof written>;

function stackProgram(words: readonly string[]): Program {
  const { values, positionals } = parseWords(words, STACK_OPTIONS);
  const project = projectHere();
  const names = positionals.length > 0 ? positionals : (project?.files ?? [STANDARD_FILE]);
  if (project !== undefined && project.files === undefined && positionals.length === 0)
    throw new UsageError('a program declares this stack, and not a stack file: name the file after --');
  const { findings, plan } = readStackHere(names, { ...values, catalogue: 'off' });
  return written({ findings, plan, project: projectTextHere(), config: stackConfigHere(values.stack).values });
}

/** The program of an old template, with commands for its configuration and a report. */
function booProgram(words: readonly string[]): Program {
  const { values, positionals } = parseWords(words, OLD_FILE_OPTIONS);
  const [name = 'boo.yaml', ...more] = positionals;
  if (more.length > 0) throw new UsageError('one template is converted: -- boo.yaml');
  const { converted, project } = convertedFrom(name, values);
  const { yaml, findings } = converted;
  if (yaml === undefined) return { files: [], diagnostics: findings.map(findingOf) };
  const { findings: own, plan } = resultRead(yaml);
  const all = [...findings, ...own.map((finding) => ({ ...finding, at: converted.sourceOf(finding.at) }))];
  if (plan === undefined) {
    const errors = all.filter(({ severity }) => severity === 'error');
    return { files: [], diagnostics: errors.map(findingOf) };
  }
  const program = written({
    findings: all,
    plan,
    project: `name: ${project}\nruntime: oneops\n`,
    config: {},
    placeOf: converted.sourceOf,
  });
  return {
    files: [...program.files, ...filesBeside(converted)],
    diagnostics: [...program.diagnostics, ...settingDiagnostics(converted)],
  };
}

interface Bound {
  readonly findings: readonly Finding[];
  readonly plan: StackPlan | undefined;
  /** Text of a Pulumi.yaml. */
  readonly project: string | undefined;
  readonly config: { readonly [name: string]: string };
  /** The place that a person knows of a place in the stack; default: the same. */
  readonly placeOf?: (at: Loss['at']) => Loss['at'];
}

function written({ findings, plan, project, config, placeOf = (at) => at }: Bound) {
  if (plan === undefined) return { files: [], diagnostics: findings.map(findingOf) };
  const { text, losses } = pclOf(plan, bindConfig(plan, config).values);
  return {
    files: [{ name: 'main.pp', text }, ...(project === undefined ? [] : [{ name: 'Pulumi.yaml', text: project }])],
    diagnostics: [...findings.map(findingOf), ...losses.map((loss) => lossOf({ ...loss, at: placeOf(loss.at) }))],
  };
}

const findingOf = ({ severity, code, message, hint, at }: Finding): Diagnostic =>
  engineDiagnostic({
    isError: severity === 'error',
    summary: `${explanationOf(code)?.id ?? code} ${message}`,
    detail: hint ?? '',
    at,
  });

const lossOf = ({ at, says, carried }: Loss): Diagnostic =>
  engineDiagnostic({ isError: !carried, summary: says, detail: '', at });

type Account = Converted['accounts'][number];

/** Settings that are reported one by one: nobody reads more of them on a terminal. */
const MOST = 50;

/** A warning for each setting that is lost or changed, and the count of all at the start. */
function settingDiagnostics({ accounts, files }: Converted): readonly Diagnostic[] {
  const [file] = files;
  if (file === undefined || accounts.length === 0) return [];
  const became = (outcome: Account['outcome']): readonly Account[] =>
    accounts.filter((account) => account.outcome === outcome);
  const notable = [...became('left behind'), ...became('changed')];
  const more = notable.length - MOST;
  return [
    ...notable.slice(0, MOST).map((account) => warning(account, summaryOf(account), account.note ?? '', files)),
    warning(
      { file: file.name, line: 1, column: 1 },
      countLine(accounts),
      `${more > 0 ? `${more} more are in ${REPORT_FILE}, which has` : `${REPORT_FILE} has`} a line for each setting`,
      files,
    ),
  ];
}

const summaryOf = ({ code, setting, outcome }: Account): string =>
  `${explanationOf(code)?.id ?? code} ${setting} is ${outcome}`;

function warning(
  { file, line, column }: Pick<Account, 'file' | 'line' | 'column'>,
  summary: string,
  detail: string,
  files: Converted['files'],
): Diagnostic {
  const text = files.find(({ name }) => name === file)?.text ?? '';
  const start = { line, column, offset: lineStart(text, line) + column - 1 };
  return engineDiagnostic({ isError: false, summary, detail, at: { file, start, end: start } });
}
