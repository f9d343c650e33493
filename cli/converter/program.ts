// `pulumi convert --from oneops` and `--from boo`: a stack as a program in PCL, in the folder that Pulumi's CLI reads.
// It must not know PCL, nor the old formats.
import type { Diagnostic } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import { ConvertProgramResponse, type ConvertProgramRequest } from '@pulumi/pulumi/proto/converter_pb';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindConfig, explanationOf, pclOf, STANDARD_FILE, type Finding, type Loss, type StackPlan } from '../../stack';
import { engineDiagnostic } from '../../provider/faces/engine';
import { parseWords, UsageError } from '../command';
import {
  COMMANDS_FILE,
  configureScript,
  convertedFrom,
  OLD_FILE_OPTIONS,
  REPORT_FILE,
  reportText,
  resultRead,
} from '../convert/old-file';
import { projectHere, projectTextHere, stackConfigHere } from '../project';
import { readStackHere } from '../read-stack';
import { settingDiagnostics } from './settings';

/** Writes the program of the stack in the folder that the request names. What is wrong or lost is a diagnostic with its place. */
export function programOf(request: ConvertProgramRequest, source: 'oneops' | 'boo'): ConvertProgramResponse {
  // The CLI starts this process in the folder that it writes to, and the stack reads files next to it.
  process.chdir(request.getSourceDirectory());
  const words = request.getArgsList();
  const { files, diagnostics } = source === 'boo' ? booProgram(words) : stackProgram(words);
  for (const { name, text } of files) writeFileSync(join(request.getTargetDirectory(), name), text);
  const answer = new ConvertProgramResponse();
  answer.setDiagnosticsList([...diagnostics]);
  return answer;
}

interface Program {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

const STACK_OPTIONS = { stack: { type: 'string' }, overlay: { type: 'string' } } as const;

/** The program of the stack files in this folder. */
function stackProgram(words: readonly string[]): Program {
  const { values, positionals } = parseWords(words, STACK_OPTIONS);
  const project = projectHere();
  const names = positionals.length > 0 ? positionals : (project?.files ?? [STANDARD_FILE]);
  if (project !== undefined && project.files === undefined && positionals.length === 0)
    throw new UsageError('a program declares this stack, and not a stack file: name the file after --');
  const { findings, plan } = readStackHere(names, { ...values, catalogue: 'off' });
  return written({ findings, plan, project: projectTextHere(), config: stackConfigHere(values.stack).values });
}

/** The program of an old template, with the commands that set its configuration and the report of its settings. */
function booProgram(words: readonly string[]): Program {
  const { values, positionals } = parseWords(words, OLD_FILE_OPTIONS);
  const [name = 'boo.yaml', ...more] = positionals;
  if (more.length > 0) throw new UsageError('one template is converted: -- boo.yaml');
  const { converted, project } = convertedFrom(name, values);
  const { yaml, commands, findings } = converted;
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
  const script = { name: COMMANDS_FILE, text: configureScript(commands) };
  const report = { name: REPORT_FILE, text: reportText(converted) };
  return {
    files: [...program.files, script, report],
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

function written({ findings, plan, project, config, placeOf = (at) => at }: Bound): Program {
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
