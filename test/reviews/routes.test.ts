// The page of service facts lists what reviews ask: no review of these worlds sends a request that the page does not name, and the page names no request
// that the contract does not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes, routes, type Route } from '../../api/contract';
import { commitByHand, commitDesignByHand, deployByHand, switchByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const PAGE = readFileSync(join(__dirname, '../../docs/design/service-facts.md'), 'utf8');
const ASKED = PAGE.slice(PAGE.indexOf('### 14.1'), PAGE.indexOf('### 14.3'));
const LISTED = new Set([...ASKED.matchAll(/`([^`]*)`/g)].map(([, text]) => text ?? ''));

/** The beginnings of paths that the page shortens, longest first. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['/{organization}/assemblies/{assembly}/design/platforms/{platform}', 'D'],
  ['/{organization}/assemblies/{assembly}/transition/environments/{environment}', 'E'],
  ['/{organization}/clouds/{cloud}', 'K'],
  ['/{organization}/assemblies/{assembly}/', 'A/'],
  ['/{organization}', '/O'],
];

/** `E/platforms/<p>/edit`: a path as the page writes it. */
function asWritten({ path }: Route): string {
  const [long, short] = PREFIXES.find(([beginning]) => path.startsWith(beginning)) ?? ['', ''];
  const rest = path.slice(long.length).replace(/\{(\w)\w*\}/g, '<$1>');
  return `${short}${rest}`;
}

/** A record that its list does not show completely is read by itself. */
const isRecordItself = ({ name }: Route): boolean => name.endsWith('.read');

const PROD = { assembly: 'shop', environment: 'prod' };
const WEB = { ...PROD, platform: 'web' };

const specOf = (prod: object): StackSpec => ({
  variables: { LEVEL: 'info' },
  platforms: {
    web: {
      pack: 'tomcat',
      variables: { HEAP: '1g' },
      components: {
        compute: {
          attributes: { size: 'M' },
          attachments: { motd: { path: '/etc/motd', content: 'hello' } },
          monitors: { heap: { cmd: 'check_heap' } },
        },
      },
    },
  },
  environments: { prod: { availability: 'redundant', clouds: { east: { priority: 1 } }, ...prod } },
});

test('the page names routes of the contract only', () => {
  const known = new Set(allRoutes.filter(({ method }) => method === 'GET').map(asWritten));
  const paths = [...LISTED].filter((text) => /^(\/|[ADEK](\/|$))/.test(text));
  expect(paths.filter((path) => !known.has(path))).toEqual([]);
});

describe.each(['classic', 'documented'] as const)('%s', (dialect) => {
  const world = eachWorld(dialect);

  test.each([{}, { deploy: false }])('what reviews of a stack ask is on the page: %j', async (prod) => {
    const { stack } = await run(world, emptyStack, resourcesOf(specOf(prod)));
    if ('deploy' in prod) {
      await commitByHand(world);
      await deployByHand(world);
    }
    const asked = new Set<string>();
    const review = async (): Promise<void> => {
      world.nextRun();
      const before = world.service.journal().length;
      await reviewIn(world, keptOf(stack));
      for (const { route } of world.service.journal().slice(before)) asked.add(route ?? '');
    };
    await review();
    const variable = { assembly: 'shop', variable: 'LEVEL' };
    const body = (value: string) => ({ cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value } } });
    await world.other.call(routes.designVariables.update, { address: variable, body: body('debug') });
    await review();
    await commitDesignByHand(world.other);
    await world.other.call(routes.environmentVariables.update, {
      address: { ...PROD, variable: 'LEVEL' },
      body: body('trace'),
    });
    await world.other.call(routes.environmentPlatforms.updateDependsOn, {
      address: { ...WEB, component: 'compute' },
      body: { depends_on: { secgroup: { relationAttributes: { current: '0' } } } },
    });
    const address = { ...WEB, component: 'compute' };
    const [monitor] = await world.other.call(routes.environmentMonitors.list, { address });
    await world.other.call(routes.environmentMonitors.update, {
      address: { ...address, monitor: monitor?.ciName ?? '' },
      body: { cms_dj_ci: { ciName: monitor?.ciName, ciAttributes: { sample_interval: '7' } } },
    });
    await review();
    await commitByHand(world);
    await deployByHand(world);
    await review();
    await switchByHand(world, 'disable', 'web');
    await commitByHand(world);
    await review();
    await deployByHand(world);
    await review();
    const all = allRoutes.filter(({ name }) => asked.has(name));
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((route) => !isRecordItself(route) && !LISTED.has(asWritten(route))).map(asWritten)).toEqual([]);
  });
});
