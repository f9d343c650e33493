// The pipelines of pull requests in examples/pipelines: their own scripts, run in a shell on the
// real engine: what a change affects, from forks too, and a stack for each request. Only what a
// platform brings is replaced by a stand-in.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEngine, newProject, type Project, type Run } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';
import * as scripts from './pipeline-scripts';
import { COMMENT_TOKEN, GITHUB, githubStep, GITLAB, gitlabJob, JENKINS, jenkinsStage } from './pipeline-scripts';
import { openPlatform, type PipelineScript, type Values } from './pipeline-scripts';

const FILE = `assembly: { name: 'shop-\${pulumi.stack}', owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1, components: { compute: { size: S } } }
environments:
  review: { clouds: { east: { priority: 1 } }, deploy: {} }
outputs: { web: '\${environments.review.platforms.web.addresses}' }
`;

let live: LiveService;
let project: Project;
let platform: ReturnType<typeof openPlatform>;

/** A checkout of the project in a folder below, as a pipeline has it. */
function checkout(name: string): string {
  const folder = join(project.dir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const file of ['Pulumi.yaml', 'oneops.yaml']) cpSync(join(project.dir, file), join(folder, file));
  writeFileSync(join(folder, 'Pulumi.review.yaml'), 'config: { oneops:organization: acme }\n');
  symlinkSync(join(project.dir, 'node_modules'), join(folder, 'node_modules'));
  return name;
}

const run = (script: PipelineScript, below: string, brought?: Values): Promise<Run> =>
  platform.run(script, brought, below);

beforeAll(async () => {
  live = await startService();
  project = await newProject({ engine: await findEngine(), files: { 'oneops.yaml': FILE } });
  platform = openPlatform(project, live.url);
});
afterAll(async () => {
  await live.stop();
  await project.remove();
});

const expressions = (number: string): Values => ({
  ...scripts.EXPRESSIONS,
  'secrets.ONEOPS_REVIEW_TOKEN': TOKEN,
  'github.event.pull_request.number': number,
  'steps.up.outputs.status': '0',
});
const CREDENTIALS = { ...scripts.CREDENTIALS, 'oneops-review-token': TOKEN };

describe('a stack per pull request', () => {
  const github = (number: string, job: string, step: string, brought: Values = {}) => {
    const outputs = { GITHUB_OUTPUT: join(platform.folder, `outputs-${number}`), ...brought };
    return run(githubStep('review.yaml', job, step, expressions(number)), `pr-${number}`, { ...GITHUB, ...outputs });
  };

  test('on GitHub: two at once do not meet, each shows what it did and its addresses, and closing one leaves the other', async () => {
    for (const number of ['7', '8']) checkout(`pr-${number}`);
    const ups = await Promise.all(['7', '8'].map((number) => github(number, 'review', 'Up')));
    for (const up of ups) expect(up).toExitWith(0);
    for (const number of ['7', '8'])
      expect(await github(number, 'review', 'Post it, or edit the existing one')).toExitWith(0);
    expect(await live.assemblies()).toEqual(['shop-pr-7', 'shop-pr-8']);
    expect(platform.comments()).toHaveLength(2);
    for (const { body } of platform.comments())
      expect(body).toMatch(/^<!-- pulumi-oneops preview pr-[78] -->[^]*review[^]*It runs\n\n- web: `\["10[^]*"\]`/);
    checkout('pr-7');
    // A backend that does not answer does not say that the stack was never created.
    expect(await github('7', 'remove', 'Down', { PULUMI_BACKEND_URL: 'file:///absent' })).toMatchObject({ code: 1 });
    expect(await github('7', 'remove', 'Down')).toExitWith(0);
    expect(await live.assemblies()).toEqual(['shop-pr-8']);
    expect(await live.running('shop-pr-8')).toEqual(['review/web']);
    expect(await github('7', 'remove', 'Down')).toExitWith(0);
  });

  test('on GitLab and Jenkins: a second push edits the same comment, and the stack of a closed request is removed', async () => {
    const brought = { ...GITLAB, ONEOPS_REVIEW_TOKEN: TOKEN, CI_MERGE_REQUEST_IID: '8' };
    const gitlab = (job: string) => run(gitlabJob(job, 'review.gitlab-ci.yml'), checkout('gitlab'), brought);
    const jenkins = (stage: string) =>
      run(jenkinsStage(stage, CREDENTIALS, 'review/Jenkinsfile'), checkout('jenkins'), { ...JENKINS, CHANGE_ID: '9' });
    expect(await gitlab('review')).toExitWith(0);
    expect(platform.comments().filter(({ edited }) => edited === 1)).toHaveLength(1);
    expect(await jenkins('Review')).toExitWith(0);
    expect(await live.assemblies()).toEqual(['shop-pr-8', 'shop-pr-9']);
    // The stand-in knows request 7 as the open one.
    expect(await jenkins('Remove')).toExitWith(0);
    expect(await live.assemblies()).toEqual([]);
    expect(await gitlab('remove')).toExitWith(0);
    const said = JSON.stringify(platform.comments()) + platform.calls();
    for (const secret of [TOKEN, COMMENT_TOKEN]) expect(said).not.toContain(secret);
  });
});

test('what a pull request changes is shown and tested on each platform, without a token and a request to the service', async () => {
  const folder = join(project.dir, checkout('fork'));
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'Pulumi.dev.yaml'), 'config: { oneops:organization: acme }\n');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  git('init', '--quiet', '--initial-branch', 'base');
  git('add', '.');
  git('-c', 'user.name=maria', '-c', 'user.email=maria@example.com', 'commit', '--quiet', '--message', 'a shop');
  git('remote', 'add', 'origin', '.');
  mkdirSync(join(folder, 'tests'));
  writeFileSync(join(folder, 'tests/dev.yaml'), 'stack: dev\nexpect: { instances: { review/web/compute: 2 } }\n');
  writeFileSync(join(folder, 'oneops.yaml'), FILE.replace('size: S', 'size: M'));
  const github = {
    GITHUB_OUTPUT: join(platform.folder, 'fork'),
    GITHUB_STEP_SUMMARY: join(platform.folder, 'summary'),
  };
  live.requests();
  const ended = [
    await run(githubStep('checks.yaml', 'checks', 'Checks', expressions('7')), 'fork', github),
    await run(gitlabJob('checks', 'review.gitlab-ci.yml'), 'fork', GITLAB),
    await run(jenkinsStage('Checks', CREDENTIALS, 'review/Jenkinsfile'), 'fork', { CHANGE_TARGET: 'base' }),
  ];
  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2]);
  for (const { output } of ended) expect(output).toContain('tests/dev.yaml:2: instances of review/web/compute');
  expect(live.requests()).toEqual([]);
  expect(readFileSync(join(platform.folder, 'summary'), 'utf8')).toMatch(/^\+.*size: M/m);
  expect(readFileSync(github.GITHUB_OUTPUT, 'utf8')).toMatch(/^affected=\[\{.*"stack": ?"dev"/m);
  expect(readFileSync(join(folder, 'results.xml'), 'utf8')).toContain('failures="1"');
});
