// What a review says of an environment that somebody else deploys, when another user gives the dependencies between its components fewer targets.
import { routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import type { Review } from '../../drift';
import { dialectsInTurn } from '../dialects-in-turn';
import { commitByHand, deployByHand } from './by-hand';
import { keptOf, reviewIn } from './drift-world';
import { emptyStack, run, type Stack } from './engine-simulation';
import { reticent } from './reticent';
import { resourcesOf } from './stack-spec';
import { eachWorld } from './world';

const PROD = { assembly: 'shop', environment: 'prod' };

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  const world = eachWorld(dialect);
  let stack: Stack;

  const setUp = async (availability: string): Promise<void> => {
    const prod = { availability, clouds: { east: { priority: 1 } }, deploy: false as const };
    const made = await run(
      world,
      emptyStack,
      resourcesOf({ platforms: { web: { pack: 'tomcat' } }, environments: { prod } }),
    );
    expect(made.errors).toEqual([]);
    ({ stack } = made);
    await commitByHand(world);
    await deployByHand(world);
    world.clock.advance(60_000);
  };

  const set = async (component: string, below: string, current: string, props = {}): Promise<void> => {
    await world.other.call(routes.environmentPlatforms.updateDependsOn, {
      address: { ...PROD, platform: 'web', component },
      body: { depends_on: { [below]: { relationAttributes: { current }, ...props } } },
    });
  };

  /** Deploys what there is to deploy: some changes need nothing. */
  const deploy = async (): Promise<void> => {
    await commitByHand(world);
    if (await orNone(world.other.call(routes.environmentReleases.bom, { address: PROD }))) await deployByHand(world);
  };

  const running = async (): Promise<number> => {
    const query = { instances_state: 'all' };
    return (await world.other.call(routes.operations.environmentInstances, { address: PROD, query })).length;
  };

  const reviewed = (api = world.api): Promise<Review> => {
    world.nextRun();
    return reviewIn(world, keptOf(stack), { api });
  };

  test.each([
    ['redundant', 'fqdn', 'lb', {}],
    ['redundant', 'compute', 'secgroup', {}],
    ['single', 'fqdn', 'compute', { relationAttrProps: { owner: {} } }],
  ])(
    '%s: no target of %s on %s, %j: found until it is set back and deployed',
    async (availability, from, to, props) => {
      await setUp(availability);
      const all = await running();
      expect(await reviewed()).toMatchObject({ notes: [], outcome: 'in-sync' });

      await set(from, to, '0', props);
      const attribute = `platforms.web.components.${from}.depends.${to}.current`;
      const found = { kind: 'Environment', address: 'acme/shop/prod', attribute, classification: 'undeployed' };
      const author = { who: 'maria', releaseId: expect.any(Number) as number };
      const open = (await reviewed()).findings.find((each) => each.attribute === attribute);
      expect(open).toMatchObject({ ...found, severity: 'high', author });
      expect(open?.live).toMatchObject({ value: expect.stringContaining('0 instead of 1: maria set it') as string });

      await deploy();
      expect(await running()).toBeLessThan(all);
      const { outcome, findings } = await reviewed();
      expect(outcome).toBe('drift');
      expect(findings.filter((each) => each.attribute !== undefined)).toMatchObject([found]);
      const [advised] = findings.filter((each) => each.attribute === attribute);
      expect(advised?.advice.revert).toContain(
        `PUT /acme/assemblies/shop/transition/environments/prod/platforms/web/components/${from}/update_depends_on with {"depends_on":{"${to}":{"relationAttributes":{"current":"1"}}}}`,
      );

      await set(from, to, '1', props);
      expect((await reviewed()).findings.map((each) => each.attribute)).toContain(attribute);
      await deploy();
      expect(await running()).toBe(all);
      const after = await reviewed();
      expect([after.outcome, after.findings.filter((each) => each.attribute !== undefined)]).toEqual(['in-sync', []]);
    },
  );

  /** Every dependency between two components of web that does not scale. */
  const dependencies = async (): Promise<readonly (readonly [string, string])[]> => {
    const at = { ...PROD, platform: 'web' };
    const components = await world.other.call(routes.environmentPlatforms.components, { address: at });
    const each = components.map(async ({ ciName }) => {
      const address = { ...at, component: ciName };
      const relations = await world.other.call(routes.environmentPlatforms.dependsOn, { address });
      return relations
        .filter(({ relationAttributes }) => relationAttributes['flex'] !== 'true')
        .map(({ toCi }) => [ciName, toCi?.ciName ?? ''] as const);
    });
    return (await Promise.all(each)).flat();
  };

  test.each(['redundant', 'single'])(
    '%s: each dependency without a target is high exactly if that takes instances away',
    async (availability) => {
      await setUp(availability);
      const all = await running();
      const [said, done]: [string[], string[]] = [[], []];
      for (const [from, to] of await dependencies()) {
        await set(from, to, '0');
        const severityNow = async (): Promise<string> => {
          const { findings } = await reviewed();
          const attribute = `platforms.web.components.${from}.depends.${to}.current`;
          return `${from} ${to}: ${findings.find((each) => each.attribute === attribute)?.severity}`;
        };
        said.push(await severityNow());
        await deploy();
        said.push(await severityNow());
        const severity = (await running()) < all ? 'high' : 'medium';
        done.push(`${from} ${to}: ${severity}`, `${from} ${to}: ${severity}`);
        await set(from, to, '1');
        await deploy();
      }
      expect(said).toEqual(done);
      expect([...new Set(done.map((each) => each.split(': ')[1]))].sort()).toEqual(['high', 'medium']);
    },
  );

  test('a dependency that scales is a value of its platform only', async () => {
    await setUp('redundant');
    await set('lb', 'compute', '0');
    await deploy();
    const { findings } = await reviewed();
    expect(findings.filter((each) => each.attribute !== undefined)).toMatchObject([
      { kind: 'EnvironmentPlatform', attribute: 'scale', classification: 'unexpected' },
    ]);
  });

  test('a service that does not list the changes of releases: a note says that it is not known', async () => {
    await setUp('single');
    const { notes } = await reviewed(reticent(world.api));
    expect(notes?.join(' ')).toContain('whether somebody lowered the dependencies of components in prod is not known');
  });
});
