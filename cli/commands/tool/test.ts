// `pulumi-oneops test`: a stack on the embedded service, compared with tests/*.yaml.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createApi } from '../../../api/client';
import { routes } from '../../../api/contract';
import { WrongInput } from '../../../api/errors';
import { jsonOf, junitText, type Suite } from '../../../drift';
import { notRun as notRunText } from '../../../provider/kinds';
import { isPlainObject } from '../../../provider/values';
import { commandOf } from '../../command';
import { EXIT } from '../../exit';
import { configuredHere, inFolder, projectHere } from '../../here/project';
import { JSON_OPTION, text } from '../../options';
import { usablePulumi } from '../../pulumi-cli';
import { replaceFile } from '../../here/replace-file';
import { closing } from '../../here/settings';
import { catalogueWith, checksIn, fullNames, renderedData, settingsOf, stagedProject } from '../../stage/settings';
import { failureIn, openStage, runOn, STAGE_SPEED, untilStopped, type Ended, type Stage } from '../../stage/stage';
import { instancesOf } from '../operate/instances';
import { countedIn, readExpectations, type CountedInstance } from './expectations';

export const command = commandOf({
  usage: ['test [FOLDER] [options]'],
  about: `Brings the stack of a project up with Pulumi's CLI on the embedded service, in this process and in a
temporary folder: no account, no cloud and no token is needed. For each file tests/*.yaml it checks what is
expected of outputs, instances, findings and policies; that a second run changes nothing; that a review is in
sync; what changes of the configuration would do; and that everything can be destroyed. Secrets of the stack have
placeholders. Without tests/*.yaml, the stack is brought up with its defaults. Ctrl-C ends it with 130.`,
  options: {
    junit: text('FILE', 'writes the results as JUnit XML'),
    ...JSON_OPTION,
  },
  exits: { done: 'everything is as expected', differs: 'something is not as expected' },
  most: 1,
  async run({ values, positionals: [folder = '.'] }) {
    const tests = testsIn(folder);
    await usablePulumi('test');
    return untilStopped(async (stop) => {
      const results: TestResult[] = [];
      for (const test of tests) {
        const result = await resultOf(folder, test, stop);
        results.push(result);
        if (!values.json) process.stdout.write(resultText(result));
      }
      if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
      if (values.junit !== undefined) replaceFile(values.junit, junitText(results.map(suiteOf), 'pulumi-oneops test'));
      return results.every(({ checks }) => checks.every(({ problem }) => problem === undefined))
        ? EXIT.done
        : EXIT.differs;
    });
  },
});

type Test = ReturnType<typeof testsIn>[number];

interface Check {
  readonly what: string;
  /** Absent: it is as expected. */
  readonly problem?: string;
  /** `FILE:LINE` of the expectation. */
  readonly at?: string;
}

type TestResult = Awaited<ReturnType<typeof resultOf>>;

/** The tests of a project. Throws WrongInput without a project or with unusable files. */
function testsIn(folder: string) {
  inFolder(folder, () => stagedProject('test', folder));
  const tests = join(folder, 'tests');
  const names = existsSync(tests) ? readdirSync(tests).filter((name) => name.endsWith('.yaml')) : [];
  const files = names.sort().map((name) => ({ name: `tests/${name}`, text: readFileSync(join(tests, name), 'utf8') }));
  const read = (files.length > 0 ? files : [{ name: 'defaults', text: '' }]).map(({ name, text: content }) => ({
    name,
    ...readExpectations(name, content),
  }));
  const problems = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
  if (problems.length > 0) throw new WrongInput(problems.join('\n'));
  return read.flatMap((each) => ('expectations' in each ? [each] : []));
}

/** `notRun`: how many checks of deployments were not run. Times are in milliseconds. */
async function resultOf(folder: string, test: Test, stop: AbortSignal) {
  const started = Date.now();
  const { stack, config } = test.expectations;
  const settings = inFolder(folder, () => settingsOf(stack, config));
  const catalogue = inFolder(folder, () =>
    catalogueWith(configuredHere('oneops:organization', stack), cloudsOf(stack)),
  );
  const project = inFolder(folder, () => projectHere()?.name ?? '');
  const stage = await openStage({ project: folder, users: ['test'], speed: STAGE_SPEED, catalogue });
  const checks: Check[] = [];
  let notRun = 0;
  try {
    const organization = catalogue.seed().organization.name;
    await play({ stage, test, settings, organization, project, stop, checks });
    notRun = inFolder(stage.project, () => checksIn(renderedData(stack)));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    checks.push({ what: error.what, problem: error.message });
  } finally {
    await stage.close();
  }
  return { file: test.name, stack, checks, notRun, started, took: Date.now() - started };
}

interface Playing {
  readonly stage: Stage;
  readonly test: Test;
  readonly settings: { readonly [key: string]: unknown };
  readonly organization: string;
  readonly project: string;
  readonly stop: AbortSignal;
  /** What was compared so far. */
  readonly checks: Check[];
}

/** A step after which nothing else can be compared. */
class StepFailed extends Error {
  constructor(
    readonly what: string,
    problem: string,
  ) {
    super(problem);
  }
}

async function play(playing: Playing): Promise<void> {
  const { stage, test, settings, checks, organization, stop } = playing;
  const { stack, expect, changes } = test.expectations;
  const variables = { ONEOPS_URL: stage.url, ONEOPS_ORGANIZATION: organization, ONEOPS_TOKEN: stage.tokens['test'] };
  const run = (words: string): Promise<Ended> => runOn(stage, words, stop, { variables });
  const must = async (what: string, words: string): Promise<Ended> => {
    const ended = await run(words);
    if (ended.code !== 0) throw new StepFailed(what, failureIn(ended));
    checks.push({ what });
    return ended;
  };
  const compared = (what: string, wanted: unknown, seen: unknown, path: readonly (string | number)[]): void =>
    void checks.push(
      isDeepStrictEqual(wanted, seen)
        ? { what }
        : {
            what,
            problem: `expected ${shown(wanted)}, seen ${shown(seen)}`,
            at: `${test.name}:${test.lineOf(path)}`,
          },
    );
  const write = (more: object = {}): void =>
    writeFileSync(join(stage.project, `Pulumi.${stack}.yaml`), JSON.stringify({ config: { ...settings, ...more } }));
  write();
  const { codes, policies } = findingsIn(
    await run(`pulumi-oneops check --json --stack ${stack}`),
    `Pulumi.${stack}.yaml`,
  );
  if (expect.findings !== undefined) compared('findings', [...expect.findings].sort(), codes, ['expect', 'findings']);
  compared('policies', [...expect.policies].sort(), policies, ['expect', 'policies']);
  const init = await run(`pulumi stack init ${stack}`);
  if (init.code !== 0) throw new StepFailed('the stack', init.printed.trim());
  await must('up', 'pulumi up --yes --skip-preview');
  const outputs = jsonOf((await run('pulumi stack output --json')).stdout);
  for (const [name, wanted] of Object.entries(expect.outputs))
    compared(`output ${name}`, wanted, isPlainObject(outputs) ? outputs[name] : undefined, ['expect', 'outputs', name]);
  const instances = Object.keys(expect.instances).length === 0 ? [] : await instancesIn(playing);
  for (const [place, wanted] of Object.entries(expect.instances))
    compared(`instances of ${place}`, wanted, countedIn(instances, place, wanted), ['expect', 'instances', place]);
  await must('a second run changes nothing', 'pulumi up --yes --skip-preview --expect-no-changes');
  await must('a review is in sync', `pulumi-oneops drift --stack ${stack} --no-prompt`);
  for (const [index, change] of changes.entries()) {
    write(fullNames(change.config, playing.project));
    const preview = await run('pulumi preview --json');
    const steps = stepsIn(preview);
    if (steps === undefined) throw new StepFailed(`change ${index + 1}`, failureIn(preview));
    for (const [op, wanted] of Object.entries(change.expect))
      compared(`change ${index + 1}: ${op}`, wanted, steps.get(op) ?? 0, ['changes', index, 'expect', op]);
  }
  write();
  await must('destroy', 'pulumi destroy --yes --skip-preview');
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const POLICY = 'policy-';

/** A finding, as check prints it. */
interface FoundByCheck {
  readonly id: string;
  readonly code: string;
  readonly at: { readonly file: string };
}

/** Codes of check's findings, and broken policies. `settings`: the stage's own file. */
function findingsIn(
  { stdout }: Ended,
  settings: string,
): { readonly codes: readonly string[]; readonly policies: readonly string[] } {
  const found = jsonOf(stdout);
  const all = (Array.isArray(found) ? found : []) as readonly FoundByCheck[];
  const findings = all.filter(({ at }) => at.file !== settings);
  const isPolicy = ({ code }: FoundByCheck): boolean => code.startsWith(POLICY);
  const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();
  return {
    codes: sorted(findings.filter((each) => !isPolicy(each)).map(({ id }) => id)),
    policies: sorted(findings.filter(isPolicy).map(({ code }) => code.slice(POLICY.length))),
  };
}

/** How many steps of each kind a preview has. */
function stepsIn({ stdout }: Ended): ReadonlyMap<string, number> | undefined {
  const document = jsonOf(stdout);
  const summary = isPlainObject(document) ? document['changeSummary'] : undefined;
  return isPlainObject(summary)
    ? new Map(Object.entries(summary).map(([op, count]) => [op, Number(count)]))
    : undefined;
}

async function instancesIn({ stage, organization }: Playing): Promise<readonly CountedInstance[]> {
  const token = stage.tokens['test'] ?? '';
  return closing(createApi({ url: stage.url, organization, token, dialect: 'documented' }), async (api) => {
    const assemblies = await api.call(routes.assemblies.list, { address: {} });
    const lists = await Promise.all(assemblies.map(({ ciName }) => instancesOf({ api, place: { assembly: ciName } })));
    // The name of an instance is `<component>-<number>-<number>`.
    return lists.flat().map(({ name, ...place }) => ({ ...place, component: name.replace(/-\d+-\d+$/, '') }));
  });
}

/** Names of the clouds that the environments of a stack use, and that the stack does not make. */
function cloudsOf(stack: string): readonly string[] {
  const { clouds, environments } = renderedData(stack);
  const used = Object.values(isPlainObject(environments) ? environments : {}).flatMap((each) =>
    isPlainObject(each) ? namesIn(each['clouds']) : [],
  );
  return [...new Set(used)].filter((name) => !namesIn(clouds).includes(name));
}

const namesIn = (value: unknown): readonly string[] =>
  isPlainObject(value) ? Object.keys(value) : Array.isArray(value) ? value.map(String) : [];

function resultText({ file, stack, checks, notRun, took }: TestResult): string {
  const failed = checks.filter(({ problem }) => problem !== undefined);
  const head = `${failed.length === 0 ? 'ok  ' : 'FAIL'}  ${file} (stack ${stack}): ${checks.length - failed.length} of ${checks.length} as expected, ${(took / 1000).toFixed(1)} s`;
  const lines = failed.map(({ what, problem = '', at }) => {
    const text = problem.split('\n').join('\n        ');
    return `      ${at === undefined ? '' : `${at}: `}${what}: ${text}`;
  });
  const said = notRun === 0 ? [] : [`      ${notRunText(notRun)}`];
  return `${[head, ...lines, ...said].join('\n')}\n`;
}

const suiteOf = ({ file, stack, checks, started, took }: TestResult): Suite => ({
  name: file,
  started,
  took,
  cases: checks.map(({ what, problem, at }) => ({
    group: stack,
    name: what,
    ...(problem === undefined
      ? {}
      : { end: { element: 'failure' as const, message: at === undefined ? problem : `${at}: ${problem}` } }),
  })),
});
