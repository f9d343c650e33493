// The scripts of the pipelines in examples/pipelines, taken from the very files people copy, with
// the environment each one is given, and a stand-in for the platform that runs them.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse, parseAllDocuments, type YAMLMap } from 'yaml';
import { REPOSITORY, type Project, type Run } from '../world/engine';

const FOLDER = join(REPOSITORY, 'examples', 'pipelines');

/** One script as its platform runs it. */
export interface PipelineScript {
  readonly text: string;
  /** Words before the script: `bash -e -c`. */
  readonly shell: readonly string[];
  /** As written, with the platform's own expressions filled in. */
  readonly environment: Values;
}

export interface Values {
  readonly [name: string]: string;
}

/** A comment that a platform has. */
interface PlatformComment {
  readonly id: number;
  readonly body: string;
  /** How often it was edited. */
  readonly edited?: number;
}

/** What a pipeline's platform brings. */
interface Platform {
  readonly folder: string;
  /** Runs a script in a folder of the project, with variables that only the platform brings. */
  run(script: PipelineScript, brought?: Values, below?: string): Promise<Run>;
  comments(): readonly PlatformComment[];
  /** The command lines that its programs were called with. */
  calls(): string;
}

/** Opens the stand-in. Its programs come before those of the machine, and ours is in the project. */
export function openPlatform(project: Project, url: string): Platform {
  const folder = join(project.dir, 'platform');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const stub = join(__dirname, 'platform-stub.cjs');
  for (const program of ['curl', 'gh', 'glab', 'npm']) {
    const path = join(folder, 'bin', program);
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${stub}' ${program} "$@"\n`);
    chmodSync(path, 0o755);
  }
  mkdirSync(join(project.dir, 'node_modules', '.bin'));
  symlinkSync(join(REPOSITORY, 'bin', 'pulumi-oneops'), join(project.dir, 'node_modules', '.bin', 'pulumi-oneops'));
  const { PATH = '', PULUMI_BACKEND_URL = '' } = project.environment;
  return {
    folder,
    run: ({ text, shell: [program = '', ...words], environment }, brought, below) => {
      const own = { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE: '', ONEOPS_URL: url, PLATFORM_FOLDER: folder };
      const path = `${join(folder, 'bin')}${delimiter}${PATH}`;
      return project.execute(program, [...words, text], { ...environment, ...own, ...brought, PATH: path }, below);
    },
    comments: () => {
      const file = join(folder, 'comments.json');
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly PlatformComment[]) : [];
    },
    calls: () => readFileSync(join(folder, 'calls.jsonl'), 'utf8'),
  };
}

export const COMMENT_TOKEN = 'canary-comment-token-22';

/** What `${{ … }}` means in every workflow of GitHub. */
export const EXPRESSIONS = {
  'vars.ONEOPS_URL': '',
  'vars.PULUMI_BACKEND_URL': '',
  'secrets.PULUMI_CONFIG_PASSPHRASE': '',
  'secrets.AWS_ACCESS_KEY_ID': '',
  'secrets.AWS_SECRET_ACCESS_KEY': '',
  'github.token': COMMENT_TOKEN,
  'github.repository': 'acme/shop',
  'github.event.pull_request.number': '7',
  'github.event.pull_request.base.sha': 'base',
};

/** Credentials of every Jenkinsfile, by id. */
export const CREDENTIALS = {
  'pulumi-passphrase': '',
  'state-key-id': '',
  'state-key': '',
  'github-token': COMMENT_TOKEN,
};

/** Variables that GitHub, Jenkins and GitLab bring. */
export const GITHUB = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'https://api.github.com', GITHUB_SHA: 'beef' };
export const JENKINS = { REPOSITORY: 'acme/shop', CHANGE_ID: '7', GIT_COMMIT: 'beef' };
export const GITLAB = {
  COMMENT_TOKEN,
  CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
  CI_PROJECT_ID: '3',
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: 'base',
  CI_COMMIT_SHA: 'beef',
};

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

/**
 * A step of a GitHub workflow; of a composite action that comes with the package, the action's own.
 * `expressions` are what `${{ … }}` means.
 */
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

/** The script of a stage of the Jenkinsfile, with its environment; credentials by their ids. */
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

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** Where a CronJob says what runs. */
const CONTAINER = ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0];

/** The CronJob, and the script of its container. */
export function cronJob(
  file = 'drift.yaml',
  name = 'oneops-drift',
): PipelineScript & { readonly concurrencyPolicy: unknown } {
  const documents = parseAllDocuments(exampleText(`kubernetes-cronjob/${file}`));
  const job = documents.find((each) => each.get('kind') === 'CronJob' && each.getIn(['metadata', 'name']) === name);
  const { args, command, env } = (job?.getIn(CONTAINER) as YAMLMap).toJSON() as Container;
  return {
    text: args.join(' '),
    shell: command.flatMap((word) => (word === '-ec' ? ['-e', '-c'] : [word])),
    environment: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    concurrencyPolicy: job?.getIn(['spec', 'concurrencyPolicy']),
  };
}
