// The commands on saved plans, in process: what each prints, and its exit codes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../../api/contract';
import type { PlanFile, Verification } from '../../../preview';
import { listen } from '../../../service';
import { exportOf, keptOf } from '../../../test/world/drift-world';
import { emptyStack } from '../../../test/world/engine-simulation';
import { standingStack } from '../../../test/world/each-stack';
import { savedPlan } from '../../../test/world/saved-plan';
import { resourcesOf, type StackSpec } from '../../../test/world/stack-spec';
import { makeWorld, type World } from '../../../test/world/world';
import { type Outcome, runCommand, runToEnd } from '../../../test/run-command';
import { command as planCommand } from './plan';
import { command as previewCommentCommand } from './preview-comment';
import { eachFolder, sharedFolder } from '../../../test/folder';

describe('plan', () => {
  const CANARY = 'canary-plan-71c2';
  const shop = (key: string, description: string): StackSpec => ({
    variables: { KEY: { encryptedValue: key } },
    platforms: {
      web: {
        pack: 'custom',
        components: { deployer: { type: 'user', attributes: { username: 'deployer', description } } },
      },
    },
    environments: { prod: { clouds: { east: { priority: 1 } } } },
  });

  let world: World;
  const folder = sharedFolder();
  let url: string;
  let close: () => Promise<void>;
  const own = (name: string): string => join(folder.path, name);

  beforeAll(async () => {
    world = makeWorld('documented');
    const stack = await standingStack(world, shop(CANARY, 'deploys'));
    const plan = await savedPlan(world, stack, resourcesOf(shop(`${CANARY}-new`, 'releases')));
    const listening = await listen(world.service, { port: 0 });
    url = listening.url;
    close = listening.close;
    writeFileSync(own('plan.json'), JSON.stringify(plan));
    writeFileSync(own('state.json'), JSON.stringify(exportOf(keptOf(stack))));
    writeFileSync(own('other.json'), JSON.stringify(exportOf(keptOf(stack))).replaceAll(':dev::', ':prod::'));
    world.requests();
    writeFileSync(own('none.json'), `{"hello": "${CANARY}"}`);
  });

  afterAll(async () => {
    await close();
    world.close();
  });

  const plan = async (
    words: string,
    token = 'admin-token',
    others: { readonly [name: string]: string } = {},
  ): Promise<Outcome> => {
    const settings = {
      ...{ ONEOPS_URL: url, ONEOPS_ORGANIZATION: 'acme', ...others },
      ...(token === '' ? {} : { ONEOPS_TOKEN: token }),
    };
    const before = process.cwd();
    process.chdir(folder.path);
    const time = setInterval(() => world.clock.advance(1_000), 1);
    try {
      return await runToEnd(planCommand, settings, ...words.split(' '));
    } finally {
      clearInterval(time);
      process.chdir(before);
    }
  };
  const STATE = 'plan.json --state state.json';

  test('digest prints one name, the same in each call, and says of what', async () => {
    const { code, stdout } = await plan(`digest ${STATE}`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/)]);
    expect(JSON.parse((await plan(`digest ${STATE} --json`)).stdout)).toMatchObject({
      digest: stdout.trim(),
      stack: 'dev',
      project: 'shop',
    });
  });

  test('show prints the comment with the digest, before and after, and no secret', async () => {
    const { code, stdout } = await plan(`show ${STATE} --title Edit`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!-- pulumi-oneops preview dev -->\n\n## Edit\n/);
    expect(stdout).toMatch(
      /\| <code>attributes.description<\/code> \| <code>deploys<\/code> \| <code>releases<\/code> \|/,
    );
    expect(stdout).toMatch(/\| <code>encryptedValue<\/code> \| \*secret\* \| \*secret\* \|/);
    expect(stdout).toContain(`Plan: \`${(await plan(`digest ${STATE}`)).stdout.trim()}\``);
    const live = await plan(`show ${STATE} --live --json`);
    expect(JSON.parse(live.stdout)).toMatchObject({ stack: 'dev', failed: false, live: { unread: [] } });
    expect(stdout + live.stdout).not.toContain(CANARY);
  });

  test('verify: 0 as long as nobody writes, 2 with who and when, 6 and 4 when it cannot be read', async () => {
    expect(await plan(`verify ${STATE} --live`)).toExitWith(0, { stdout: 'may be applied' });
    expect(await plan(`verify ${STATE} --live`, '')).toExitWith(4);
    expect(await plan(`verify ${STATE} --live`, 'wrong')).toExitWith(4);
    expect(await plan('verify plan.json')).toExitWith(6, { stderr: 'dev' });
    expect(await plan(`verify ${STATE} --digest ${'0'.repeat(64)}`)).toExitWith(2);
    await world.other.call(routes.components.update, {
      address: { assembly: 'shop', platform: 'web', component: 'deployer' },
      body: { cms_dj_ci: { ciName: 'deployer', ciAttributes: { description: 'mine' } } },
    });
    const stale = await plan(`verify ${STATE} --live`);
    expect(stale).toExitWith(2, {
      stdout: /is stale: [^]*acme\/shop\/web\/deployer: attributes\.description is not what[^]*maria, 2026-/,
    });
    expect(stale.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const { reasons } = JSON.parse((await plan(`verify ${STATE} --live --json`)).stdout) as Verification;
    expect(reasons.map(({ who }) => who)).toContain('maria');
    expect(world.writes().filter((write) => !write.includes('components.update'))).toEqual([]);
  });

  test('a plan whose time is in the future is stale: nothing could have happened since', async () => {
    const text = readFileSync(own('plan.json'), 'utf8');
    const later = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(own('later.json'), text.replace(/"time":"[^"]+"/, `"time":"${later}"`));
    const words = 'later.json --state state.json';
    const digest = (await plan(`digest ${words}`)).stdout.trim();
    for (const options of ['', ' --live', ` --live --digest ${digest}`])
      expect(await plan(`verify ${words}${options}`)).toExitWith(2, { stdout: 'its time is in the future' });
  });

  test('a plan is stale once a setting of its stack is another one: the engine has them in the inputs of the provider', async () => {
    const secret = { secure: 'v1:one:two' };
    const config = {
      ...{ 'oneops:organization': 'acme', 'oneops:dialect': 'classic' },
      'oneops:token': secret,
      'shop:key': secret,
    };
    writeFileSync(own('set.json'), JSON.stringify({ ...JSON.parse(readFileSync(own('plan.json'), 'utf8')), config }));
    writeFileSync(own('Pulumi.yaml'), 'name: shop\nruntime: oneops\n');
    const verified = async (settings: object, others: object = {}): Promise<readonly string[]> => {
      writeFileSync(own('Pulumi.dev.yaml'), JSON.stringify({ ...others, config: settings }));
      const { stdout } = await plan('verify set.json --state state.json --json');
      return (JSON.parse(stdout) as Verification).reasons.map(({ message }) => message);
    };
    const changed = (key: string): unknown => [
      expect.stringMatching(new RegExp(`^the setting ${key} was changed after the plan was made`)),
    ];
    const other = { secure: 'v1:other:text' };
    try {
      expect(await verified(config)).toEqual([]);
      // A provider that the program declares may get the key.
      for (const [key, value] of Object.entries({ 'oneops:token': other, 'shop:key': other, 'oneops:readOnly': true }))
        expect(await verified({ ...config, [key]: value })).toEqual(changed(key));
      const { 'oneops:token': _, ...others } = config;
      expect(await verified(others)).toEqual(changed('oneops:token'));
      expect(await verified(others, { environment: ['team'] })).toEqual([]);
      // Another service is said once, and what no provider gets is no reason.
      expect(await verified({ ...config, 'oneops:url': url, 'shop:size': 'M' })).toEqual([]);
    } finally {
      rmSync(own('Pulumi.yaml'));
      rmSync(own('Pulumi.dev.yaml'));
    }
  });

  test('a plan is stale once a rule of drift.yaml has ended that it was made with: the engine refuses what is no longer ignored', async () => {
    const read = JSON.parse(readFileSync(own('plan.json'), 'utf8')) as {
      readonly resourcePlans: Record<string, object>;
    };
    const [urn = '', first] = Object.entries(read.resourcePlans).find(([key]) => key.includes('oneops:Assembly')) ?? [];
    const ends = (until: string): Promise<Outcome> => {
      const ruled = { description: { rule: `drift.yaml:3, by ann, until ${until}: load`, until } };
      const goal = { ignoreChanges: ['description'], inputDiff: {} };
      const state = { ...(first as { readonly state?: object }).state, __kept: 'protect', __ignored: ruled };
      const resourcePlans = { ...read.resourcePlans, [urn]: { ...first, goal, state } };
      writeFileSync(own('ruled.json'), JSON.stringify({ ...read, resourcePlans }));
      return plan('verify ruled.json --state state.json');
    };
    expect(await ends('2999-12-31')).toExitWith(0);
    const stdout = expect.stringMatching(/description is no longer ignored[^]*drift.yaml:3, by\s+ann/) as string;
    expect(await ends('2026-01-31')).toMatchObject({ code: 2, stdout });
  });

  test('a plan is stale while an operation of an interrupted run is pending', async () => {
    const state = JSON.parse(readFileSync(own('state.json'), 'utf8')) as { readonly deployment: object };
    const urn = 'urn:pulumi:dev::shop::oneops:index:Variable::LOG';
    const pending = [{ resource: { urn, type: 'oneops:index:Variable', inputs: { value: CANARY } }, type: 'creating' }];
    const deployment = { ...state.deployment, pending_operations: pending };
    writeFileSync(own('pending.json'), JSON.stringify({ ...state, deployment }));
    const words = 'plan.json --state pending.json';
    const digest = (await plan(`digest ${words}`)).stdout.trim();
    for (const options of ['', ` --digest ${digest}`]) {
      const { code, stdout } = await plan(`verify ${words}${options} --json`);
      expect([code, stdout]).toEqual([2, expect.not.stringContaining(CANARY)]);
      expect((JSON.parse(stdout) as Verification).reasons).toContainEqual({
        of: 'state',
        address: 'LOG',
        message: expect.stringMatching(/^an interrupted run left it pending \(creating\): .*pulumi up/) as string,
      });
    }
  });

  describe('a plan with steps that the engine reads and its digest does not cover is refused', () => {
    const written = (change: (plan: PlanFile, urn: string) => string): void => {
      const text = readFileSync(own('plan.json'), 'utf8');
      const file = JSON.parse(text) as PlanFile;
      writeFileSync(own('changed.json'), change(file, Object.keys(file.resourcePlans)[0] ?? ''));
    };
    /** A plan whose first resource has something more. */
    const withFact = (file: PlanFile, urn: string, fact: object): object => ({
      ...file,
      resourcePlans: { ...file.resourcePlans, [urn]: { ...file.resourcePlans[urn], ...fact } },
    });
    const evil = { goal: { inputDiff: { updates: { value: CANARY } } }, steps: ['update'] };

    test.each<readonly [how: string, change: (plan: PlanFile, urn: string) => string]>([
      ['in other letters', (file, urn) => JSON.stringify({ ...file, ResourcePlans: { [urn]: evil } })],
      ['in other letters', (file, urn) => JSON.stringify({ ...file, reſourcePlans: { [urn]: evil } })],
      ['in other letters', (file, urn) => JSON.stringify(withFact(file, urn, { Goal: evil.goal }))],
      [
        'in it twice',
        (file, urn) => JSON.stringify(file).replace('{', `{"resourcePlans": ${JSON.stringify({ [`${urn}2`]: evil })},`),
      ],
      [
        'in it twice',
        (file, urn) =>
          JSON.stringify(file).replace(`${JSON.stringify(urn)}:`, `${JSON.stringify(urn)}:${JSON.stringify(evil)},$&`),
      ],
    ])('%s', async (how, change) => {
      written(change);
      for (const word of ['digest', 'show', 'verify']) {
        expect(await plan(`${word} changed.json --state state.json`)).toExitWith(3, { stderr: how, without: CANARY });
      }
    });

    test('quotes, colons and backslashes in values are no names', async () => {
      const value = 'a": "b\\": {"c": 1} \\\\';
      written((file, urn) => JSON.stringify(withFact(file, urn, { seed: value }), null, 2));
      expect(await plan('digest changed.json --state state.json')).toExitWith(0);
    });
  });

  test('a plan of another organization or service is stale where the environment alone names the one that is asked', async () => {
    const { manifest, resourcePlans } = JSON.parse(readFileSync(own('plan.json'), 'utf8')) as PlanFile;
    const [[urn = ''] = []] = Object.entries(resourcePlans);
    const config = { 'oneops:url': 'https://oneops.acme.io', 'oneops:organization': 'acme' };
    writeFileSync(
      own('far.json'),
      JSON.stringify({ manifest, config, resourcePlans: { [urn]: { steps: ['create'] } } }),
    );
    writeFileSync(own('empty.json'), JSON.stringify(exportOf([])));
    const { code, stdout } = await plan('verify far.json --state empty.json --live --json', 'admin-token', {
      ONEOPS_ORGANIZATION: 'other',
    });
    const { service, reasons } = JSON.parse(stdout) as Verification;
    expect([code, service]).toEqual([2, { url, organization: 'other' }]);
    expect(reasons.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'it is of organization acme, and this is other',
        `it is of the service https://oneops.acme.io, and this is ${url}`,
      ]),
    );
  });

  describe('a plan that was approved for one service', () => {
    const approved = async (): Promise<string> => (await plan(`digest ${STATE}`)).stdout.trim();
    /** A plan and a start that say nothing of any service: only the environment does. */
    const silent = async (): Promise<string> => {
      const { resourcePlans, manifest } = JSON.parse(readFileSync(own('plan.json'), 'utf8')) as PlanFile;
      const [[urn = ''] = []] = Object.entries(resourcePlans);
      writeFileSync(own('silent.json'), JSON.stringify({ manifest, resourcePlans: { [urn]: { steps: ['create'] } } }));
      writeFileSync(own('nothing.json'), JSON.stringify(exportOf([])));
      return (await plan('digest silent.json --state nothing.json')).stdout.trim();
    };

    test.each([
      ['address', { ONEOPS_URL: 'https://other.acme.io' }, 'https://other.acme.io'],
      ['organization', { ONEOPS_ORGANIZATION: 'other' }, 'other'],
    ])(
      'is refused where the environment names another %s, though the plan says nothing of it',
      async (_, others, said) => {
        const words = `verify silent.json --state nothing.json --digest ${await silent()}`;
        expect(await plan(words)).toExitWith(0);
        const { code, stdout } = await plan(words, '', others);
        expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
          2,
          expect.stringMatching(/or the service is another one/),
        ]);
        expect(stdout).toContain(said);
      },
    );

    test('is named with it by show, and by digest --json; no token and no user is', async () => {
      const shown = await plan(`show ${STATE}`, CANARY, {
        ONEOPS_URL: `${url.replace('//', `//${CANARY}:${CANARY}@`)}/`,
      });
      expect(shown.stdout).toContain(`Plan: \`${await approved()}\`\n\nService: <code>`);
      expect(shown.stdout).toMatch(/Organization: <code>acme<\/code>/);
      const { stdout } = await plan(`digest ${STATE} --json`, CANARY);
      expect(JSON.parse(stdout)).toMatchObject({ service: { url, organization: 'acme' } });
      expect(shown.stdout + stdout).not.toContain(CANARY);
    });

    test('is refused by a digest that names none, and where no setting names a service', async () => {
      const named = await silent();
      const unnamed = { ONEOPS_URL: '', ONEOPS_ORGANIZATION: '' };
      const none = await plan('digest silent.json --state nothing.json', '', unnamed);
      expect(none.stderr).toContain('does not name the address of a service');
      const words = 'verify silent.json --state nothing.json --digest';
      expect(await plan(`${words} ${none.stdout.trim()}`)).toExitWith(2);
      expect(await plan(`${words} ${named}`, '', unnamed)).toExitWith(2);
    });
  });

  describe('policies that hold when a plan is to be applied', () => {
    const frozen = (stacks: string, level = 'mandatory'): string =>
      `policies:\n  freeze:\n    level: ${level}\n    stacks: ${stacks}\n    windows: [{ from: 2020-01-01T00:00Z, to: 2120-01-01T00:00Z, reason: Christmas }]\n`;
    const DEPLOYED: StackSpec = {
      ...shop('one', 'deploys'),
      environments: { prod: { clouds: { east: { priority: 1 } }, deploy: {} } },
    };
    let fresh: World;

    beforeAll(async () => {
      fresh = makeWorld('documented');
      const first = await savedPlan(fresh, emptyStack, resourcesOf(DEPLOYED));
      writeFileSync(own('deployed.json'), JSON.stringify(first));
      writeFileSync(own('before.json'), JSON.stringify(exportOf([])));
    });
    afterAll(() => fresh.close());
    afterEach(() => rmSync(own('policies.yaml'), { force: true }));

    const WORDS = 'verify deployed.json --state before.json';
    const oneLineOf = ({ code, stdout }: Outcome): readonly unknown[] => [code, stdout.replace(/\s+/g, ' ')];

    test('a freeze window that began after the approval refuses the plan with 5, and the same plan is applied after it', async () => {
      const digest = (await plan('digest deployed.json --state before.json')).stdout.trim();
      expect(await plan(`${WORDS} --digest ${digest}`)).toExitWith(0);
      writeFileSync(own('policies.yaml'), frozen('dev'));
      expect(oneLineOf(await plan(`${WORDS} --digest ${digest}`))).toEqual([
        5,
        expect.stringMatching(/breaks mandatory policies: 1 violation\. .*policy freeze: .*freeze window: .*Christmas/),
      ]);
      const { reasons, outcome } = JSON.parse(
        (await plan(`${WORDS} --digest ${digest} --json`)).stdout,
      ) as Verification;
      expect([outcome, reasons.map(({ of }) => of)]).toEqual(['refused', ['policy']]);
      rmSync(own('policies.yaml'));
      expect(await plan(`${WORDS} --digest ${digest}`)).toExitWith(0);
    });

    test('a plan that takes an environment down is refused in a freeze window, with or without its environment', async () => {
      writeFileSync(own('policies.yaml'), frozen('dev'));
      const stack = await standingStack(fresh, DEPLOYED);
      writeFileSync(own('after.json'), JSON.stringify(exportOf(keptOf(stack))));
      const alone = { prod: { clouds: { east: { priority: 1 } }, deploy: false } } as const;
      for (const environments of [alone, {}]) {
        const spec = { ...DEPLOYED, environments };
        writeFileSync(own('leaving.json'), JSON.stringify(await savedPlan(fresh, stack, resourcesOf(spec))));
        expect(oneLineOf(await plan('verify leaving.json --state after.json'))).toEqual([
          5,
          expect.stringMatching(/policy freeze: Deployment shop\/prod is deleted, which takes down what runs/),
        ]);
      }
    });

    test('hold for their stacks alone; an advisory one is shown; what is stale stays stale', async () => {
      writeFileSync(own('policies.yaml'), frozen('prod'));
      expect(await plan(WORDS)).toExitWith(0);
      writeFileSync(own('other.yaml'), frozen('dev', 'advisory'));
      expect(oneLineOf(await plan(`${WORDS} --policies other.yaml`))).toEqual([
        0,
        expect.stringMatching(/Policy freeze \(advisory\): .*freeze window/),
      ]);
      writeFileSync(own('policies.yaml'), frozen('dev'));
      expect(await plan(`${WORDS} --digest ${'0'.repeat(64)}`)).toExitWith(2);
    });

    test('may be others than those of the approval: rules of records and of runs, and no secret in what is said', async () => {
      writeFileSync(
        own('policies.yaml'),
        'policies:\n  changes-at-most: { level: mandatory, most: 0 }\n  names: { level: mandatory, kinds: Platform, allowed: app-* }\n',
      );
      expect(await plan(`verify ${STATE}`)).toExitWith(5, {
        stdout: [/policy changes-at-most[^]*/, 'policy names'],
        without: CANARY,
      });
      writeFileSync(own('policies.yaml'), 'policies:\n  instances-touched: { level: mandatory, most: 0 }\n');
      expect(oneLineOf(await plan(`verify ${STATE}`))).toEqual([0, expect.stringContaining('needs --live')]);
      expect(await plan(`verify ${STATE} --policies none.yaml`)).toExitWith(3);
    });
  });

  test.each([
    ['digest none.json --state state.json', /none\.json cannot be used as a plan: it is not a plan that/],
    ['show plan.json --state none.json', /none\.json cannot be used as the state of the stack/],
    ['show plan.json --state other.json', /it is not of stack dev of project shop/],
  ])('%s says what is wrong, and shows nothing of the file', async (words, expected) => {
    expect(await plan(words)).toExitWith(3, { stderr: expected, without: CANARY });
  });

  test.each(['', 'vrify plan.json', 'digest', 'verify plan.json --digest abc', 'show plan.json --stack prod'])(
    'wrong use: plan %s',
    async (words) => {
      expect(await plan(words)).toExitWith(3);
    },
  );
});

// Policies in the comment on a pull request: what a broken one comes to, whatever else happened.
describe('preview comment', () => {
  eachFolder({ isHere: true });

  beforeEach(() => {
    const urn = 'urn:pulumi:prod::shop::pulumi-nodejs:dynamic/oneops:Assembly::shop';
    const steps = [{ op: 'create', urn, newState: { inputs: { name: 'shop', owner: 'team@acme.io' } } }];
    writeFileSync('preview.json', JSON.stringify({ steps, changeSummary: { create: 1 } }));
  });

  const comment = (...words: string[]): Promise<Outcome> =>
    runCommand(previewCommentCommand, {}, 'preview.json', ...words);
  const policy = (settings: string): void =>
    writeFileSync('policies.yaml', `policies: { changes-at-most: ${settings} }`);

  test('a mandatory policy counts more than a service that cannot be asked', async () => {
    expect(await comment('--live')).toExitWith(4);
    policy('{ level: mandatory, most: 0 }');
    expect(await comment('--live')).toExitWith(5, { stdout: '**mandatory** `changes-at-most`' });
    expect(await comment()).toExitWith(5);
  });

  const urnOf = (type: string, name: string): string => `urn:pulumi:prod::shop::${type}::${name}`;
  const ours = (token: string, name: string): string => urnOf(`pulumi-nodejs:dynamic/oneops:${token}`, name);
  const preview = (steps: readonly object[], same = 0): void =>
    writeFileSync('preview.json', JSON.stringify({ steps, changeSummary: { same } }));

  describe('a deployment that leaves the program', () => {
    const FREEZE = `policies: { freeze: { level: mandatory, windows: [{ from: 2020-01-01, to: 2120-01-01 }] } }`;
    const urn = ours('Deployment', 'prod');
    const oldState = (inputs: object): object => ({
      oldState: { id: 'acme/shop/prod', inputs: { assembly: 'shop', environment: 'prod', stamps: '', ...inputs } },
    });

    test('counts as one in a freeze window, and as a deletion; not where what runs is retained', async () => {
      writeFileSync('policies.yaml', FREEZE);
      preview([{ op: 'delete', urn, ...oldState({}) }]);
      expect(await comment()).toExitWith(5, {
        stdout: 'Deployment shop/prod is deleted, which takes down what runs, in a freeze window',
      });
      preview([{ op: 'delete', urn, ...oldState({ onDelete: 'retain' }) }]);
      expect(await comment()).toExitWith(0);
      writeFileSync(
        'policies.yaml',
        'policies: { no-deletion: { level: mandatory, kinds: Deployment, environments: prod } }',
      );
      expect(await comment()).toExitWith(5);
    });

    test('counts once where it is made again', async () => {
      writeFileSync('policies.yaml', FREEZE);
      const newState = { inputs: { assembly: 'shop', environment: 'prod', stamps: '' } };
      preview([
        { op: 'create-replacement', urn, ...oldState({}), newState },
        { op: 'delete', urn, ...oldState({}) },
      ]);
      const { code, stdout } = await comment();
      expect([code, stdout.match(/\*\*mandatory\*\*/g)]).toEqual([5, ['**mandatory**']]);
    });

    test('is no record that other rules judge: what is gone keeps every rule', async () => {
      writeFileSync('policies.yaml', 'policies: { deployment-comment: { level: mandatory } }');
      preview([{ op: 'delete', urn, ...oldState({}) }]);
      expect(await comment()).toExitWith(0);
    });
  });

  describe('unchanged records', () => {
    const NAMES = (level: string): string =>
      `policies: { names: { level: ${level}, kinds: Platform, allowed: '@app-*' } }`;
    const stack = { op: 'same', urn: urnOf('pulumi:pulumi:Stack', 'shop-prod') };
    const web = {
      ...{ op: 'same', urn: ours('Platform', 'web') },
      newState: {
        sourcePosition: 'project:///oneops.yaml#17,7',
        inputs: { assembly: 'shop', name: 'web', source: 'oneops', pack: 'tomcat', version: '1' },
      },
    };

    test('are judged where the preview lists them, and mention nobody', async () => {
      writeFileSync('policies.yaml', NAMES('mandatory'));
      preview([stack, web], 2);
      expect(await comment()).toExitWith(5, { stdout: /&#64;&#8203;app-.* \(oneops.yaml&#58;17&#58;7\)/ });
    });

    test('that it does not list leave policies about records unjudged: 6 for a mandatory one, and the comment says how', async () => {
      writeFileSync('policies.yaml', NAMES('mandatory'));
      preview([], 2);
      expect(await comment()).toExitWith(6, {
        stdout: /`names` was not judged in full: .* 1 unchanged record&#58; make it with --show-sames/,
      });
      writeFileSync('policies.yaml', NAMES('advisory'));
      expect(await comment()).toExitWith(0, { stdout: '--show-sames' });
      writeFileSync('policies.yaml', NAMES('disabled'));
      expect((await comment()).stdout).not.toContain('--show-sames');
      // The stack alone is no record, and rules about runs need none.
      writeFileSync('policies.yaml', NAMES('mandatory'));
      preview([], 1);
      expect(await comment()).toExitWith(0);
      preview([], 2);
      policy('{ level: mandatory, most: 0 }');
      expect(await comment()).toExitWith(0);
    });
  });

  test('a stack of an organization must keep the policies of its name', async () => {
    policy('{ level: mandatory, most: 0, stacks: prod }');
    expect(await comment('--stack', 'acme/shop/prod')).toExitWith(5);
    expect(await comment('--stack', 'acme/shop/dev')).toExitWith(0);
  });

  test('the text of a preview for people is refused, and of one that failed it shows why', async () => {
    const text =
      'Previewing update (prod):\n ~  oneops:Platform web update [diff: ~description]\nResources:\n    ~ 1 to update\n    7 unchanged\n';
    writeFileSync('preview.json', text);
    await expect(comment()).rejects.toThrow('pulumi preview --json');
    writeFileSync(
      'preview.json',
      `Previewing update (prod):\nDiagnostics:\n  pulumi:pulumi:Stack (shop-prod):\n    error: no\n${text}`,
    );
    expect(await comment()).toExitWith(1, { stdout: 'error&#58; no' });
  });

  test('a policy file of another name is no file that nothing breaks', async () => {
    writeFileSync('policies.yml', 'policies: {}');
    await expect(comment()).rejects.toThrow('policies.yml is not read: call it policies.yaml');
  });
});
