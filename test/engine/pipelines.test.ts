// The pipelines of examples/pipelines: their own scripts, run in a shell on the real engine. Only
// what a platform brings is replaced by a stand-in.
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LONGEST_COMMENT } from '../../preview';
import { findEngine, newProject, REPOSITORY, type Project, type Run } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';
import * as scripts from './pipeline-scripts';
import { COMMENT_TOKEN, componentJob, cronJob, GITHUB, githubStep, GITLAB, gitlabJob } from './pipeline-scripts';
import { JENKINS, jenkinsStage, openPlatform, type PipelineScript, type Values } from './pipeline-scripts';

const READ_TOKEN = 'canary-read-token-91';
const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { size: S }
      tomcat: { max_threads: 100 }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    deploy: {}
`;

const FROZEN = `policies:
  freeze:
    level: mandatory
    windows: [{ from: 2020-01-01T00:00Z, to: 2120-01-01T00:00Z, reason: Christmas }]
`;

type Ended = Pick<Run, 'code' | 'output'>;

let live: LiveService;
let project: Project;
let platform: ReturnType<typeof openPlatform>;

const run = (script: PipelineScript, brought?: Values): Promise<Run> => platform.run(script, brought);
const inPlatform = (name: string): string => join(platform.folder, name);
const fromProject = (name: string): string => readFileSync(join(project.dir, name), 'utf8');

const expectNoSecret = (...texts: readonly string[]): void => {
  for (const text of texts) for (const secret of [READ_TOKEN, TOKEN, COMMENT_TOKEN]) expect(text).not.toContain(secret);
};

const EXPRESSIONS = {
  ...scripts.EXPRESSIONS,
  'secrets.ONEOPS_READ_TOKEN': READ_TOKEN,
  'secrets.ONEOPS_TOKEN': TOKEN,
  'steps.comment.outputs.status': '0',
  "needs.review.outputs.drift == 'true' && '2' || '0'": '2',
  'steps.approved.outputs.pull_request': '7',
};
const CREDENTIALS = { ...scripts.CREDENTIALS, 'oneops-read-token': READ_TOKEN, 'oneops-token': TOKEN };

beforeAll(async () => {
  live = await startService('documented', TOKEN, undefined, [{ name: 'reader', token: READ_TOKEN, rights: 'read' }]);
  project = await newProject({
    engine: await findEngine(),
    files: { 'oneops.yaml': FILE },
    config: { 'oneops:organization': 'acme', 'oneops:url': live.url },
  });
  platform = openPlatform(project, live.url);
  const ours = join(project.dir, 'node_modules', '.bin', 'pulumi-oneops');
  rmSync(ours);
  // `REVIEW` says how a review ends, to see what each script makes of each exit code.
  writeFileSync(
    ours,
    `#!/bin/sh
if [ "$1" = drift ] && [ -n "\${REVIEW:-}" ]; then
  echo "$@" >> '${inPlatform('reviews')}'
  echo "review ended with $REVIEW"
  exit "$REVIEW"
fi
exec '${join(REPOSITORY, 'bin', 'pulumi-oneops')}' "$@"
`,
  );
  chmodSync(ours, 0o755);
});

afterAll(async () => {
  await live.stop();
  await project.remove();
});

describe('a merge', () => {
  test('goes up, and the audit shows every request of it', async () => {
    const up = githubStep('up.yaml', 'up', 'Up', EXPRESSIONS);
    const ended = await run(up);
    expect(ended).toExitWith(0);
    expect(await live.running('shop')).toEqual(['prod/web']);
    const audit = fromProject('audit.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly [member: string]: unknown });
    const audited = audit.map(({ method, path, who }) => `${String(method)} ${String(path)} ${String(who)}`);
    const served = live.service.journal().map(({ method, path, user }) => `${method} ${path.split('?')[0]} ${user}`);
    expect(audited.sort()).toEqual(served.filter((line) => line.endsWith(' admin')).sort());
    expect(ended.output + fromProject('audit.jsonl')).not.toContain(TOKEN);
  });

  test.each([
    ['GitLab', () => gitlabJob('up'), { ONEOPS_TOKEN: TOKEN }],
    ['Jenkins', () => jenkinsStage('Up', CREDENTIALS), {}],
  ])('again on %s: nothing to do', async (_, script, brought: Values) => {
    live.requests();
    const output = expect.stringContaining('unchanged') as string;
    expect(await run(script(), brought)).toMatchObject({ code: 0, output });
    const asked = live.requests();
    // The audit of the job asks whose token it is before the first request.
    expect(asked).toEqual(['GET profile.read', 'GET clouds.list']);
  });
});

describe('a pull request', () => {
  const outputs = (): string => inPlatform('outputs');
  beforeAll(async () => {
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: M'));
  });

  const previewOn: { readonly [platform: string]: () => Promise<Ended> } = {
    GitHub: async () => {
      const brought = { ...GITHUB, CI: 'true', GITHUB_OUTPUT: outputs(), GITHUB_STEP_SUMMARY: inPlatform('summary') };
      const steps = [
        'Preview',
        'Write the comment',
        'Post it, or edit the existing one',
        'Fail when the preview failed',
      ];
      let code = 0;
      let output = '';
      for (const name of steps) {
        const status = existsSync(outputs())
          ? (/status=(\d+)\n$/.exec(readFileSync(outputs(), 'utf8'))?.[1] ?? '')
          : '';
        const expressions = { ...EXPRESSIONS, 'steps.comment.outputs.status': status };
        const last = await run(githubStep('preview.yaml', 'preview', name, expressions), brought);
        code = last.code;
        output += last.output;
        if (code !== 0) break;
      }
      return { code, output };
    },
    GitLab: () => run(gitlabJob('preview'), { ...GITLAB, ONEOPS_READ_TOKEN: READ_TOKEN }),
    Jenkins: () => run(jenkinsStage('Preview', CREDENTIALS), JENKINS),
  };

  describe.each(Object.keys(previewOn))('on %s', (name) => {
    const preview = (): Promise<Ended> => previewOn[name]?.() ?? Promise.reject(new Error(name));
    const edited = (text: string): Promise<void> => project.write('oneops.yaml', text);

    beforeAll(async () => {
      rmSync(inPlatform('comments.json'), { force: true });
      await edited(FILE.replace('size: S', 'size: M'));
      live.requests();
    });

    test('gets one comment that says what will happen, by reads alone', async () => {
      const ended = await preview();
      expect(ended).toExitWith(0);
      const [comment] = platform.comments();
      expect(platform.comments()).toHaveLength(1);
      expect(comment?.body).toMatch(/^<!-- pulumi-oneops preview dev -->\n/);
      expect(comment?.body.length).toBeLessThanOrEqual(LONGEST_COMMENT);
      expect(comment?.body).toContain('<code>acme/shop/web/compute</code>');
      expect(comment?.body).toMatch(/<code>acme\/shop\/prod<\/code> \| deploys \| <code>&#126;web\/compute<\/code>/);
      expect(comment?.body).toMatch(/Cost by the clouds' offerings: \+/);
      const requests = live.requests();
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
      expectNoSecret(ended.output, comment?.body ?? '', platform.calls());
    });

    test('that cannot be previewed fails, and the same comment shows why', async () => {
      await edited(FILE.replace('owner', 'ownr'));
      expect(await preview()).toExitWith(1);
      expect(platform.comments()).toHaveLength(1);
      expect(platform.comments()[0]).toMatchObject({
        edited: 1,
        body: expect.stringContaining('unknown key') as string,
      });
    });
  });
});

describe('an approved plan', () => {
  const script = (name: string): string => `sh node_modules/pulumi-oneops/examples/pipelines/shell/${name}`;
  const shell = (text: string, environment: Values = {}): PipelineScript => ({
    text,
    shell: ['sh', '-e', '-c'],
    environment,
  });
  const outputs = (): string => readFileSync(inPlatform('plan-outputs'), 'utf8');
  const output = (name: string): string =>
    [...outputs().matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].at(-1)?.[1] ?? '';

  /** The steps of a job on GitHub, up to one that fails. */
  const onGithub = async (file: string, job: string, names: readonly string[]): Promise<Ended> => {
    const brought = {
      ...GITHUB,
      GITHUB_OUTPUT: inPlatform('plan-outputs'),
      GITHUB_STEP_SUMMARY: inPlatform('summary'),
    };
    writeFileSync(brought.GITHUB_OUTPUT, '');
    let ended: Ended = { code: 0, output: '' };
    for (const name of names) {
      const said = {
        'steps.plan.outputs.status': output('status'),
        'steps.apply.outputs.status': output('status'),
        'steps.approved.outputs.digest': output('digest'),
      };
      const step = await run(githubStep(file, job, name, { ...EXPRESSIONS, ...said }), brought);
      ended = { code: step.code, output: ended.output + step.output };
      if (step.code !== 0) break;
    }
    return ended;
  };
  const onJenkins = (stage: string): Promise<Ended> =>
    run(jenkinsStage(stage, CREDENTIALS, 'approved-plan/Jenkinsfile'), JENKINS);

  /** What each platform does on a pull request, and on its merge. */
  const platforms: { readonly [name: string]: { plan(): Promise<Ended>; apply(): Promise<Ended> } } = {
    GitHub: {
      plan: () =>
        onGithub('plan.yaml', 'plan', ['Plan', 'Post it, or edit the existing one', 'Fail when the preview failed']),
      apply: () =>
        onGithub('apply.yaml', 'apply', [
          'Find what was approved',
          'Apply',
          'Say what happened',
          'Fail when it was not applied',
        ]),
    },
    GitLab: {
      plan: () => run(componentJob('approved.gitlab-ci.yml', 'plan'), { ...GITLAB, ONEOPS_READ_TOKEN: READ_TOKEN }),
      apply: async () => {
        rmSync(join(project.dir, 'plan.json'));
        return run(componentJob('approved.gitlab-ci.yml', 'apply'), { ...GITLAB, ONEOPS_TOKEN: TOKEN });
      },
    },
    Jenkins: {
      plan: () => onJenkins('Plan'),
      apply: async () => {
        const approved = await onJenkins('Approved');
        return approved.code === 0 ? onJenkins('Apply') : approved;
      },
    },
    shell: {
      plan: () => run(shell(`${script('plan.sh')} dev`, { ONEOPS_TOKEN: READ_TOKEN, ONEOPS_READ_ONLY: 'true' })),
      apply: () => {
        const digest = /^Plan: `(\w{64})`$/m.exec(fromProject('comment.md'))?.[1] ?? '';
        return run(shell(`${script('apply.sh')} dev ${digest}`, { ONEOPS_TOKEN: TOKEN }));
      },
    },
  };

  test.each(Object.keys(platforms).map((name, index) => [name, index] as const))(
    'on %s: the merge applies exactly what the comment showed, says so, and never applies it twice',
    async (name, index) => {
      const { plan, apply } = platforms[name] as (typeof platforms)[string];
      rmSync(inPlatform('comments.json'), { force: true });
      rmSync(join(project.dir, 'comment.md'), { force: true });
      await project.write('oneops.yaml', FILE.replace('max_threads: 100', `max_threads: ${200 + index}`));
      live.requests();
      expect(await plan()).toExitWith(0);
      expect(live.writes()).toEqual([]);
      const comment = name === 'shell' ? fromProject('comment.md') : (platform.comments()[0]?.body ?? '');
      expect(comment).toMatch(/^Plan: `[0-9a-f]{64}`$/m);
      expect(comment).toContain(`<code>${200 + index}</code>`);
      copyFileSync(join(project.dir, 'plan.json'), inPlatform('artifact.json'));

      // A freeze window begins between the approval and the merge.
      await project.write('policies.yaml', FROZEN);
      expect(await apply()).toExitWith(5);
      expect(live.writes()).toEqual([]);
      rmSync(join(project.dir, 'policies.yaml'));
      copyFileSync(inPlatform('artifact.json'), join(project.dir, 'plan.json'));

      const applied = await apply();
      expect(applied).toExitWith(0);
      expect(live.writes()).toContain('PUT components.update');
      const said = (): string => (name === 'shell' ? fromProject('result.md') : (platform.comments()[1]?.body ?? ''));
      expect(said()).toMatch(/^<!-- pulumi-oneops applied dev -->\n\n## dev\n\nThe plan was applied\./);

      copyFileSync(inPlatform('artifact.json'), join(project.dir, 'plan.json'));
      expect(await apply()).toExitWith(2);
      expect(live.writes()).toEqual([]);
      expect(said()).toMatch(/\*\*not applied\*\*[^]*is stale/);
      expectNoSecret(said(), comment, platform.calls(), fromProject('plan.json'));
    },
  );

  afterAll(async () => {
    await project.write('oneops.yaml', FILE);
    await run(shell('pulumi up --refresh --skip-preview --yes --non-interactive', { ONEOPS_TOKEN: TOKEN }));
  });

  test('is not applied once somebody changed what it starts from, and the comment says who', async () => {
    await project.write('oneops.yaml', FILE);
    const { plan, apply } = platforms['GitHub'] as (typeof platforms)[string];
    expect(await plan()).toExitWith(0);
    await live.maria.set('web/compute', { size: 'XL' });
    live.requests();
    expect(await apply()).toExitWith(2);
    expect(live.writes()).toEqual([]);
    expect(platform.comments()[1]?.body).toMatch(/not applied[^]*acme\/shop\/web\/compute: attributes\.size[^]*maria/);
    await live.maria.set('web/compute', { size: 'S' });
  });

  test('whose steps are others than those of the merged program is refused by the engine', async () => {
    await run(shell('pulumi refresh --yes --non-interactive', { ONEOPS_TOKEN: TOKEN }));
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: M'));
    const { plan, apply } = platforms['shell'] as (typeof platforms)[string];
    expect(await plan()).toExitWith(0);
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: L'));
    const ended = await apply();
    expect([ended.code === 0, ended.output]).toEqual([false, expect.stringMatching(/violates plan/)]);
    expect((await live.maria.read('web/compute')).ciAttributes).toMatchObject({ size: 'S' });
    expect(fromProject('result.md')).toMatch(/The plan \*\*failed\*\* on the way/);
    // Neither what an earlier run said is posted, nor a comment without its first line.
    expect(await run(shell(`${script('apply.sh')} dev || test ! -e result.md`))).toExitWith(0);
    expect(await run(shell(`${script('github-comment.sh')} /dev/null`, GITHUB))).toExitWith(1);
    expect(await run(shell(`${script('gitlab-comment.sh')} /dev/null notes`, GITLAB))).toExitWith(1);
  });
});

describe('a review', () => {
  const reviews: { readonly [name: string]: () => PipelineScript } = {
    GitHub: () => githubStep('drift.yaml', 'review', 'Review', EXPRESSIONS),
    GitLab: () => gitlabJob('drift'),
    Jenkins: () => jenkinsStage('Drift', CREDENTIALS),
    CronJob: cronJob,
    cron: () => ({
      text: `'${join(REPOSITORY, 'examples', 'pipelines', 'cron', 'drift.sh')}' '${inPlatform('settings')}' '${project.dir}'`,
      shell: ['bash', '-e', '-c'],
      environment: {},
    }),
  };

  beforeAll(() => {
    writeFileSync(inPlatform('settings'), `ONEOPS_TOKEN=${READ_TOKEN}\nSTACK=dev\n`, { mode: 0o600 });
  });

  // Codes 0 to 5 of architecture §7: what a platform reads for each. The files of GitLab and
  // Jenkins name the code for drift.
  test.each([
    ['GitHub', [0, 1, 0, 3, 4, 0]],
    ['GitLab', [0, 1, 2, 3, 4, 5]],
    ['Jenkins', [0, 1, 2, 3, 4, 5]],
    ['CronJob', [0, 1, 0, 3, 4, 0]],
    ['cron', [0, 1, 0, 3, 4, 0]],
  ])('on %s: what becomes of each exit code', async (name, expected) => {
    const script = reviews[name]?.() ?? cronJob();
    const outputs = inPlatform(`drift-${name}`);
    const tokens = { ONEOPS_READ_TOKEN: READ_TOKEN, ONEOPS_TOKEN: READ_TOKEN };
    const brought = { ...GITHUB, ...tokens, GITHUB_OUTPUT: outputs, METRICS: platform.folder };
    const ended: Ended[] = [];
    for (const code of [0, 1, 2, 3, 4, 5]) ended.push(await run(script, { ...brought, REVIEW: String(code) }));
    expect(ended.map(({ code }) => code)).toEqual(expected);
    if (name === 'GitHub') expect(readFileSync(outputs, 'utf8')).toBe('drift=false\ndrift=true\ndrift=true\n');
    // Cron sends what is printed: nothing when all is well.
    if (name === 'cron')
      expect(ended.map(({ output }) => output === '')).toEqual([true, false, false, false, false, false]);
    expect(readFileSync(inPlatform('reviews'), 'utf8')).not.toMatch(/canary/);
  });
});

describe('a drift', () => {
  const read = { ONEOPS_TOKEN: READ_TOKEN };
  const pulumi = (words: string, environment: Values): Promise<Ended> =>
    run({ text: `pulumi ${words} --non-interactive`, shell: ['sh', '-c'], environment });

  beforeAll(async () => {
    await project.write('oneops.yaml', FILE);
    await live.maria.set('web/tomcat', { max_threads: '5' });
    live.requests();
  });

  test('is seen with a token that may only read', async () => {
    const refresh = await pulumi('refresh --preview-only --expect-no-changes --diff', read);
    expect(refresh).toMatchObject({ code: 7, output: expect.stringMatching(/max_threads: 100 +=> 5/) as string });
    expect(await pulumi('preview --refresh --expect-no-changes', read)).toExitWith(7);
    expect(live.writes()).toEqual([]);
  });

  const review = async (): Promise<string> => {
    const outputs = inPlatform('review-outputs');
    rmSync(outputs, { force: true });
    const ended = await run(githubStep('drift.yaml', 'review', 'Review', EXPRESSIONS), { GITHUB_OUTPUT: outputs });
    expect(ended).toExitWith(0);
    expect(ended.output + fromProject('drift.html') + fromProject('drift.sarif')).not.toMatch(/canary/);
    return readFileSync(outputs, 'utf8');
  };

  test("is found by the pipeline's own review, with the same token, by reads alone", async () => {
    expect(await review()).toBe('drift=true\n');
    expect(fromProject('drift.html')).toContain('maria');
    expect(live.writes()).toEqual([]);
  });

  test.each([
    [
      'GitHub',
      () => githubStep('drift.yaml', 'review', 'Review', EXPRESSIONS),
      () => githubStep('drift.yaml', 'issue', 'Keep the issue', EXPRESSIONS),
    ],
    ['GitLab', () => gitlabJob('drift'), () => gitlabJob('issue')],
  ])('is shown in one issue on %s, with no token of the service', async (_, reviewed, keep) => {
    rmSync(inPlatform('issues.json'), { force: true });
    await run(reviewed(), { GITHUB_OUTPUT: inPlatform('review-outputs'), ONEOPS_READ_TOKEN: READ_TOKEN });
    const given = { ISSUE_TOKEN: COMMENT_TOKEN, CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop' };
    for (let round = 0; round < 2; round += 1) expect(await run(keep(), given)).toExitWith(0);
    const text = readFileSync(inPlatform('issues.json'), 'utf8');
    expect(JSON.parse(text)).toEqual([
      expect.objectContaining({ state: 'OPEN', body: expect.stringMatching(/max(_|&#95;)threads[^]*maria/) as string }),
    ]);
    expectNoSecret(text, platform.calls());
    expect(live.writes()).toEqual([]);
  });

  test('is not set back by anybody who may only read: the variable stops even a token that may write', async () => {
    const up = await pulumi('up --refresh --skip-preview --yes', { ONEOPS_TOKEN: TOKEN, ONEOPS_READ_ONLY: 'true' });
    expect(up).toMatchObject({ code: 1, output: expect.stringContaining('settings are read-only') as string });
    // Saved configuration is all that destroy sees: the variable reaches it all the same.
    const destroy = await pulumi('destroy --skip-preview --yes', { ONEOPS_TOKEN: TOKEN, ONEOPS_READ_ONLY: 'true' });
    expect(destroy).toMatchObject({ code: 1, output: expect.stringContaining('settings are read-only') as string });
    expect(live.writes()).toEqual([]);
    expect(await live.running('shop')).toEqual(['prod/web']);
  });

  test.each([
    ['GitHub', () => githubStep('drift.yaml', 'repair', 'Repair', EXPRESSIONS), {}],
    ['GitLab', () => gitlabJob('repair'), { ONEOPS_TOKEN: TOKEN }],
    ['Jenkins', () => jenkinsStage('Repair', CREDENTIALS), {}],
  ])('is set back on approval, on %s', async (name, script, brought: Values) => {
    expect(await run(script(), brought)).toExitWith(0);
    const puts = live.writes().filter((write) => write.startsWith('PUT'));
    expect(puts).toEqual(name === 'GitHub' ? ['PUT components.update'] : []);
    expect(await pulumi('refresh --preview-only --expect-no-changes', read)).toExitWith(0);
    if (name === 'GitHub') expect(await review()).toBe('drift=false\n');
  });
});
