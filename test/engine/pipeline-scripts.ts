// The scripts of the pipelines in examples/pipelines, taken from the very files people copy, with the environment each one is given.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Project } from '../world/engine';

const FOLDER = join(__dirname, '..', '..', 'examples', 'pipelines');

/** One script as its platform runs it. */
export interface PipelineScript {
  readonly text: string;
  /** Words before the script: `bash -e -c`. */
  readonly shell: readonly string[];
  /** As written, with the platform's own expressions filled in. */
  readonly environment: { readonly [name: string]: string };
}

type Values = { readonly [name: string]: string };

/** Where a script runs: the folder of its checkout, and the one of the stand-in for its platform. */
interface PipelinePlace {
  readonly project: Project;
  readonly platform: string;
  /** Address of the service. */
  readonly url: string;
  /** Default: the folder of the project. */
  readonly cwd?: string;
}

/** How a script ended. */
export interface EndedScript {
  readonly code: number;
  readonly output: string;
}

/** Runs a script as its platform does; variables it is given by the platform, not by its file, are `brought`. */
export async function runScript(
  script: PipelineScript,
  { project, platform, url, cwd = project.dir }: PipelinePlace,
  brought: { readonly [name: string]: string } = {},
): Promise<EndedScript> {
  const [program = '', ...words] = script.shell;
  const child = spawn(program, [...words, script.text], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...project.environment,
      PATH: `${join(platform, 'bin')}${delimiter}${project.environment['PATH']}`,
      PLATFORM_FOLDER: platform,
      ...script.environment,
      PULUMI_BACKEND_URL: project.environment['PULUMI_BACKEND_URL'],
      PULUMI_CONFIG_PASSPHRASE: '',
      ONEOPS_URL: url,
      ...brought,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)));
  return { code, output };
}

/** A comment that a platform has. */
interface PlatformComment {
  readonly id: number;
  readonly body: string;
  /** How often it was edited. */
  readonly edited?: number;
}

/** The comments that a platform has. */
export function commentsOf(platform: string): readonly PlatformComment[] {
  const file = join(platform, 'comments.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly PlatformComment[]) : [];
}

/** The text of an example. */
export const exampleText = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

interface Workflow {
  readonly env?: Values;
  readonly jobs: { readonly [job: string]: { readonly env?: Values; readonly steps: readonly WorkflowStep[] } };
}
interface WorkflowStep {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly [input: string]: string };
  readonly env?: Values;
}
interface CompositeAction {
  readonly inputs: { readonly [input: string]: { readonly default?: string } };
  readonly runs: { readonly steps: readonly WorkflowStep[] };
}

/** What `${{ … }}` means in a text; an expression without a meaning is an error. */
const meaning =
  (expressions: Values) =>
  (text: string): string =>
    text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
      const meant = expressions[expression];
      if (meant === undefined) throw new Error(`nobody knows what ${expression} is`);
      return meant;
    });

/** Where an action lies that comes with the package. */
const PACKAGED = './node_modules/pulumi-oneops/examples/pipelines/';

/** A step of a GitHub workflow; of a composite action that comes with the package, the action's own. `expressions` are what `${{ … }}` means. */
export function githubStep(file: string, job: string, step: string, expressions: Values): PipelineScript {
  const { env: everywhere = {}, jobs } = parse(exampleText(`github-actions/${file}`)) as Workflow;
  const { env = {}, steps } = jobs[job] ?? { steps: [] };
  const found = steps.find(({ name }) => name === step);
  const { run, env: own = {}, known } = scriptOf(found, expressions);
  if (run === undefined) throw new Error(`${file} has no step "${step}" in ${job}`);
  const filled = [
    ...Object.entries({ ...everywhere, ...env }).map(([name, value]) => [name, meaning(expressions)(value)]),
    ...Object.entries(own).map(([name, value]) => [name, meaning(known)(value)]),
  ];
  return { text: run, shell: ['bash', '-e', '-c'], environment: Object.fromEntries(filled) as Values };
}

function scriptOf(
  step: WorkflowStep | undefined,
  expressions: Values,
): Pick<WorkflowStep, 'run' | 'env'> & { readonly known: Values } {
  const { uses = '', with: given = {} } = step ?? {};
  if (!uses.startsWith(PACKAGED)) return { ...step, known: expressions };
  const { inputs, runs } = parse(exampleText(`${uses.slice(PACKAGED.length)}/action.yaml`)) as CompositeAction;
  const values = Object.entries(inputs).map(([name, { default: standard = '' }]) => [
    `inputs.${name}`,
    meaning(expressions)(String(given[name] ?? standard)),
  ]);
  return { ...runs.steps[0], known: Object.fromEntries(values) as Values };
}

interface GitlabJob {
  readonly script: readonly string[];
  readonly variables?: Values;
}

/** A job of the GitLab file, without what every job does before. */
export function gitlabJob(job: string, name = '.gitlab-ci.yml'): PipelineScript {
  const file = parse(exampleText(`gitlab-ci/${name}`)) as { readonly [job: string]: GitlabJob } & {
    readonly variables: Values;
  };
  return jobScript(file[job], file.variables);
}

const jobScript = (job: GitlabJob | undefined, variables: Values): PipelineScript => {
  if (job === undefined) throw new Error('there is no such job');
  const environment = { ...variables, ...job.variables };
  return { text: job.script.join('\n'), shell: ['bash', '-e', '-o', 'pipefail', '-c'], environment };
};

interface IncludedComponent {
  readonly component: string;
  readonly inputs: { readonly [input: string]: string };
}

/** A job of the component that a GitLab file includes, with the inputs of that file. */
export function componentJob(file: string, job: string): PipelineScript {
  const [included] = (parse(exampleText(`gitlab-ci/${file}`)) as { readonly include: readonly IncludedComponent[] })
    .include;
  const name = /\/([\w-]+)@/.exec(included?.component ?? '')?.[1] ?? '';
  const text = exampleText(`gitlab-ci/templates/${name}.yml`);
  const { spec } = parseAllDocuments(text)[0]?.toJS() as {
    readonly spec: { readonly inputs: { readonly [input: string]: { readonly default?: string } } };
  };
  const filled = text.replace(
    /\$\[\[ inputs\.(\w+) \]\]/g,
    (_, input: string) => included?.inputs[input] ?? spec.inputs[input]?.default ?? `no input ${input}`,
  );
  const jobs = parseAllDocuments(filled)[1]?.toJS() as { readonly [job: string]: GitlabJob };
  return jobScript(jobs[job], {});
}

/** The shell script of a stage of the Jenkinsfile, with the environment of pipeline and stage; credentials by their ids. */
export function jenkinsStage(stage: string, credentials: Values, file = 'Jenkinsfile'): PipelineScript {
  const text = exampleText(`jenkins/${file}`);
  const stages = text.split(/^ {4}stage\('/m);
  const part = stages.find((each) => each.startsWith(`${stage}'`));
  const script = /sh\b[^']*(?:'''([^]*?)'''|'([^'\n]*)')/.exec(part ?? '');
  if (part === undefined || script === null) throw new Error(`there is no script in stage ${stage}`);
  const environment = [stages[0] ?? '', part].flatMap((each) =>
    [
      ...(/environment \{([^}]*)\}/.exec(each)?.[1] ?? '').matchAll(/(\w+) = (?:credentials\('([^']+)'\)|'([^']*)')/g),
    ].map(([, name = '', id, value = '']) => [
      name,
      id === undefined ? value : (credentials[id] ?? `no credential ${id}`),
    ]),
  );
  // Groovy reads a backslash before the shell does.
  const read = (script[1] ?? script[2] ?? '').replace(/\\(.)/g, (_, character: string) =>
    character === 'n' ? '\n' : character,
  );
  return { text: read, shell: ['sh', '-xe', '-c'], environment: Object.fromEntries(environment) as Values };
}

interface CronJob {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly concurrencyPolicy: string;
    readonly jobTemplate: {
      readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
    };
  };
}
interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** The CronJob, and the script of its container. */
export function cronJob(
  file = 'drift.yaml',
  name = 'oneops-drift',
): PipelineScript & { readonly concurrencyPolicy: string } {
  const documents = parseAllDocuments(exampleText(`kubernetes-cronjob/${file}`)).map((each) => each.toJS() as CronJob);
  const job = documents.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === name);
  const container = job?.spec.jobTemplate.spec.template.spec.containers[0];
  if (job === undefined || container === undefined) throw new Error('there is no CronJob');
  return {
    text: container.args.join(' '),
    shell: container.command.flatMap((word) => (word === '-ec' ? ['-e', '-c'] : [word])),
    environment: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
    concurrencyPolicy: job.spec.concurrencyPolicy,
  };
}
