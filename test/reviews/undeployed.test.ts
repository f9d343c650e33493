// What was written and is not what runs, as a review finds it: with who and when where the service shows, and silent about everything that runs.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { Unprocessable } from '../../api/errors';
import type { Review } from '../../drift';
import { testInTurn } from '../dialects-in-turn';
import { commitByHand, deployByHand, switchByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, makeWorld, ROW, type World } from '../world/world';

const specOf = (threads: string, pctScale = 100): StackSpec => ({
  platforms: {
    web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads: threads } } } },
    db: { pack: 'mysql' },
  },
  environments: {
    prod: { clouds: { east: { priority: 1 } }, platforms: { web: { east: { pctScale } } } },
  },
});

const PROD = { assembly: 'shop', environment: 'prod' };
const ID = 'acme/shop/prod';

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const { stack: made, errors } = await run(world, emptyStack, resourcesOf(specOf('100')));
    expect(errors).toEqual([]);
    stack = made;
  });

  const up = async (spec: StackSpec, options?: RunOptions) => {
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };
  const review = (): Promise<Review> => reviewIn(world, keptOf(stack));
  const told = ({ findings }: Review) =>
    findings.map(({ classification, kind, address, live, author }) => [
      `${classification} ${kind} ${address}`,
      live?.is === 'value' ? live.value : live,
      author?.who,
    ]);

  test('of a stack that runs nothing is reported, and it costs five requests for its deployment and its platforms', async () => {
    world.requests();
    const made = await review();
    expect(told(made)).toEqual([]);
    expect(made.outcome).toBe('in-sync');
    const own = world.requests().filter((line) => /deployments|Releases\.bom|Instances|Platforms\.list/.test(line));
    expect(own.sort()).toEqual([
      'GET deployments.latest',
      // It answers what runs, and what nobody declares of its platforms.
      'GET deployments.preview',
      'GET environmentPlatforms.list',
      'GET environmentReleases.bom',
      'GET operations.environmentInstances',
    ]);
  });

  test('a deployment that failed', async () => {
    world.service.failures.set([{ match: 'web/tomcat', message: 'no space left' }]);
    const { errors } = await up(specOf('90'));
    expect(errors.join()).toMatch(/deployment \d+ failed/);
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(told(made)).toEqual([
      [`undeployed Deployment ${ID}`, expect.stringMatching(/^deployment \d+ failed$/), 'admin'],
    ]);
  });

  /** Number of the first request that does something. */
  const requestOf = async (wanted: RegExp, spec: StackSpec): Promise<number> => {
    const other = makeWorld(dialect);
    const first = await run(other, emptyStack, resourcesOf(specOf('100')));
    other.requests();
    await run(other, first.stack, resourcesOf(spec));
    const found = other.requests().findIndex((line) => wanted.test(line));
    other.close();
    expect(found).toBeGreaterThan(-1);
    return found + 1;
  };

  test.each([
    ['before the pull', /environments\.pull/, 'Environment', /^the design was committed, and not pulled$/, undefined],
    ['before the commit', /environments\.commit/, 'Deployment', /^written, and not deployed: .*environment/, 'admin'],
    ['before the deployment', /deployments\.create/, 'Deployment', /^committed, and not deployed$/, 'admin'],
  ] as const)('a run that was cut off %s', async (_, wanted, kind, words, who) => {
    const spec = specOf('90', 60);
    const request = await requestOf(wanted, spec);
    expect((await up(spec, { killAt: { request, when: 'before' } })).killed).toBe(true);
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(told(made)).toContainEqual([`undeployed ${kind} ${ID}`, expect.stringMatching(words), who]);
    // The next run finishes it, and nothing is left to be reported.
    expect((await up(spec)).errors).toEqual([]);
    expect(told(await review())).toEqual([]);
  });

  test('what somebody committed and did not deploy, and what they deployed', async () => {
    await switchByHand(world, 'disable', 'web');
    await commitByHand(world);
    expect(told(await review())).toContainEqual([
      `undeployed Deployment ${ID}`,
      'committed, and not deployed',
      'maria',
    ]);
    await deployByHand(world);
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(told(made)).toContainEqual([
      `undeployed Deployment ${ID}`,
      expect.stringMatching(/^nothing runs of web.*; web: maria disabled it in release \d+$/),
      'maria',
    ]);
    const found = made.findings.find(({ classification }) => classification === 'undeployed');
    expect(found?.severity).toBe('high');
    expect(found?.author).toMatchObject({ stage: 'deployed', releaseId: expect.any(Number) as number });
  });

  test('a plan that somebody committed and then discarded', async () => {
    const address = { ...PROD, platform: 'web', component: 'tomcat' };
    const { ciId, ciName } = await world.other.call(routes.environmentPlatforms.component, { address });
    const body = { cms_dj_ci: { ciId, ciName, ciAttributes: { max_threads: '7' } } };
    await world.other.call(routes.environmentPlatforms.updateComponent, { address, body });
    await commitByHand(world);
    const { releaseId } = await world.other.call(routes.environmentReleases.bom, { address: PROD });
    const release = String(releaseId);
    await world.other.call(routes.environmentReleases.discard, { address: { ...PROD, release }, body: {} });
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(told(made)).toContainEqual([
      `undeployed Deployment ${ID}`,
      'what is committed is not what runs: web: 1 not of the current release',
      'maria',
    ]);
  });

  test('an instance that is not healthy, and one of which the record was removed', async () => {
    const address = { ...PROD, platform: 'web', component: 'tomcat' };
    const query = { instances_state: 'all' };
    const [instance] = await world.other.call(routes.operations.instances, { address, query });
    const sick: World['api']['call'] = async (route, input) => {
      const answer = await world.api.call(route, input);
      if (route.name !== routes.operations.environmentInstances.name) return answer;
      const all = answer as readonly { readonly ciId: number }[];
      return all.map((each) => (each.ciId === instance?.ciId ? { ...each, opsState: 'unhealthy' } : each)) as never;
    };
    const found = await reviewIn(world, keptOf(stack), { api: { ...world.api, call: sick } });
    expect(told(found)).toEqual([[`undeployed Deployment ${ID}`, 'web: 1 unhealthy', undefined]]);
    await world.other.call(routes.operations.deleteInstance, {
      address: { ...address, instance: String(instance?.ciId) },
    });
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(made.findings.map(({ severity }) => severity)).toContain('high');
  });

  test('a deployment of another user that deleted nothing is reported, and is no drift', async () => {
    const address = { ...PROD, platform: 'web', component: 'tomcat' };
    await world.other.call(routes.environmentPlatforms.touchComponent, { address, body: {} });
    await commitByHand(world);
    await deployByHand(world);
    const made = await review();
    expect(made.outcome).toBe('in-sync');
    expect(told(made)).toContainEqual([
      `touched Deployment ${ID}`,
      expect.stringMatching(/^deployment \d+, complete, is not of this stack$/),
      'maria',
    ]);
    expect(made.findings.map(({ advice }) => advice)).toContainEqual({
      accept:
        'nothing that is declared is missing: ask the user who deployed; it is reported until the stack deploys again',
    });
  });

  test('a procedure is judged by its own state, not by a deployment of another user', async () => {
    const name = 'restart';
    const args = { ...PROD, platform: 'web', component: 'compute', name, action: 'reboot' };
    const life = world.life('Procedure');
    const made = await life.create(life.check(args).inputs, ROW);
    const reviewed = async (state: string) => {
      // The service knows no procedure of that number any more.
      const outputs = { ...made.outputs, procedureId: 1, state };
      const procedure = { token: 'Procedure', name, ...made, outputs };
      const { findings } = await reviewIn(world, [...keptOf(stack), procedure]);
      return findings
        .filter(({ kind }) => kind === 'Procedure')
        .map(({ classification, live }) => [classification, live]);
    };
    const address = { ...PROD, platform: 'web', component: 'tomcat' };
    await world.other.call(routes.environmentPlatforms.touchComponent, { address, body: {} });
    await commitByHand(world);
    await deployByHand(world);
    world.nextRun();
    expect(await reviewed('complete')).toEqual([]);
    expect(await reviewed('failed')).toEqual([['undeployed', { is: 'value', value: 'the procedure failed' }]]);
  });
});

describe.each(DIALECTS)('%s, where the stack does not deploy', (dialect: Dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const spec = specOf('100');
    const prod = { ...spec.environments?.['prod'], deploy: false as const };
    const { stack: made, errors } = await run(world, emptyStack, resourcesOf({ ...spec, environments: { prod } }));
    expect(errors).toEqual([]);
    stack = made;
    await commitByHand(world);
    await deployByHand(world);
  });

  const found = ({ findings }: Review) =>
    findings
      .filter(({ classification }) => classification === 'undeployed')
      .map(({ kind, attribute, severity, live, author }) => [
        `${kind} ${attribute}`,
        severity,
        live?.is === 'value' ? live.value : live,
        author?.who,
      ]);
  const review = (api = world.api): Promise<Review> => reviewIn(world, keptOf(stack), { api });

  test('what runs is read all the same, and who took it down is reported', async () => {
    expect(found(await review())).toEqual([]);
    await switchByHand(world, 'disable', 'web');
    await commitByHand(world);
    expect(found(await review())).toEqual([
      [
        'Environment platforms.web.enabled',
        'high',
        expect.stringMatching(/^web goes down with the next deployment: maria disabled it in release \d+$/),
        'maria',
      ],
      ['Environment plan', 'medium', 'committed, and not deployed', 'maria'],
    ]);
    await deployByHand(world);
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(found(made)).toEqual([
      [
        'Environment platforms.web.enabled',
        'high',
        expect.stringMatching(/^nothing runs of web: maria disabled it in release \d+$/),
        'maria',
      ],
    ]);
  });

  test('where it cannot be read, the review is not in sync', async () => {
    const call: World['api']['call'] = (route, input) => {
      if (route.name === routes.operations.environmentInstances.name)
        throw new Unprocessable({ method: 'GET', path: '/instances', status: 422, messages: ['busy'] });
      return world.api.call(route, input);
    };
    const made = await review({ ...world.api, call });
    expect(made.outcome).toBe('incomplete');
    expect(made.unread.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^cannot read what runs in acme\/shop\/prod: .*busy/),
    );
  });

  test('where no plan is made, the review says so', async () => {
    const call: World['api']['call'] = (route, input) => {
      if (route.name === routes.deployments.preview.name)
        throw new Unprocessable({ method: 'GET', path: '/bom', status: 422, messages: ['no plan'] });
      return world.api.call(route, input);
    };
    const { notes } = await review({ ...world.api, call });
    expect(notes.join()).toMatch(/what a deployment of prod would change is not known: .*no plan/);
  });
});
