// The scripts of the pipelines in examples/pipelines, taken from the very files people copy, with the environment each one is given.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

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

/** The text of an example. */
export const exampleText = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

interface Workflow {
  readonly jobs: { readonly [job: string]: { readonly env?: Values; readonly steps: readonly WorkflowStep[] } };
}
interface WorkflowStep {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Values;
}

/** A step of a GitHub workflow. `expressions` are what `${{ … }}` means; one that is not among them is an error. */
export function githubStep(file: string, job: string, step: string, expressions: Values): PipelineScript {
  const { env = {}, steps } = (parse(exampleText(`github-actions/${file}`)) as Workflow).jobs[job] ?? { steps: [] };
  const found = steps.find(({ name }) => name === step);
  if (found?.run === undefined) throw new Error(`${file} has no step "${step}" in ${job}`);
  const filled = Object.entries({ ...env, ...found.env }).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
      const meant = expressions[expression];
      if (meant === undefined) throw new Error(`nobody knows what ${expression} is`);
      return meant;
    }),
  ]);
  return { text: found.run, shell: ['bash', '-e', '-c'], environment: Object.fromEntries(filled) as Values };
}

/** A job of the GitLab file, without what every job does before. */
export function gitlabJob(job: string): PipelineScript {
  const file = parse(exampleText('gitlab-ci/.gitlab-ci.yml')) as {
    readonly [job: string]: { readonly script: readonly string[]; readonly variables?: Values };
  } & { readonly variables: Values };
  const found = file[job];
  if (found === undefined) throw new Error(`there is no job ${job}`);
  const environment = { ...file.variables, ...found.variables };
  return { text: found.script.join('\n'), shell: ['bash', '-e', '-o', 'pipefail', '-c'], environment };
}

/** The shell script of a stage of the Jenkinsfile, with the environment of pipeline and stage; credentials by their ids. */
export function jenkinsStage(stage: string, credentials: Values): PipelineScript {
  const text = exampleText('jenkins/Jenkinsfile');
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
export function cronJob(): PipelineScript & { readonly concurrencyPolicy: string } {
  const documents = parseAllDocuments(exampleText('kubernetes-cronjob/drift.yaml')).map(
    (each) => each.toJS() as CronJob,
  );
  const job = documents.find(({ kind }) => kind === 'CronJob');
  const container = job?.spec.jobTemplate.spec.template.spec.containers[0];
  if (job === undefined || container === undefined) throw new Error('there is no CronJob');
  return {
    text: container.args.join(' '),
    shell: container.command.flatMap((word) => (word === '-ec' ? ['-e', '-c'] : [word])),
    environment: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
    concurrencyPolicy: job.spec.concurrencyPolicy,
  };
}
