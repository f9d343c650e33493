// What another user set of a cloud of a platform that is created again in its environment stays, also when the run is killed at any request, or the run
// has said that it may be lost. CRASH_POINTS=all takes every request (as `make soak` does); else a sample.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';

const STEP = process.env['CRASH_POINTS'] === 'all' ? 1 : 8;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-packs-'));
  const pack = { source: 'oneops', name: 'nginx', version: '2', category: 'Versions', extends: ['oneops/nginx:1'] };
  writeFileSync(join(folder, 'oneops-nginx-2.json'), JSON.stringify(pack));
});
afterAll(() => rmSync(folder, { recursive: true }));

const spec = (version: string): StackSpec => ({
  platforms: { web: { pack: 'nginx', version } },
  environments: {
    prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, recreatePlatforms: ['web'] },
  },
});

const PROD = { assembly: 'shop', environment: 'prod' };
const WEB = { ...PROD, platform: 'web' };

/** The link of `web` to the cloud `west`. */
const west = async ({ other }: World) => {
  const { consumes } = await other.call(routes.environmentPlatforms.read, { address: WEB });
  return (consumes ?? []).find(({ toCi }) => toCi?.ciName === 'west');
};

async function setByOther(world: World): Promise<void> {
  const cloud_id = (await west(world))?.toCiId ?? 0;
  const body = { cloud_id, attributes: { pct_scale: '50' } };
  await world.other.call(routes.environmentPlatforms.configureCloud, { address: WEB, body });
  await world.other.call(routes.environments.commit, { address: PROD, body: { desc: 'theirs' } });
  world.clock.advance(600_000);
}

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  test.each([false, true])(
    'settings of another user outlive a run that creates the platform again, repeated with refresh: %s',
    async (refresh) => {
      const wrong: string[] = [];
      let isKilled = true;
      for (let request = refresh ? 5 : 1; isKilled; request += STEP) {
        const world = makeWorld(dialect, [folder]);
        const made = await run(world, emptyStack, resourcesOf(spec('1')));
        await setByOther(world);
        const killed = await run(world, made.stack, resourcesOf(spec('2')), { killAt: { request, when: 'after' } });
        isKilled = killed.killed;
        const done = await run(world, killed.stack, resourcesOf(spec('2')), { refresh });
        const scale = (await west(world))?.relationAttributes['pct_scale'];
        const isTold = killed.notices.join().includes('pct_scale 50 of cloud west of platform web: nobody declares');
        const found = [...made.errors, ...done.errors, ...(scale === '50' || (isTold && isKilled) ? [] : [`${scale}`])];
        wrong.push(...found.map((each) => `request ${request}: ${each}`));
        world.close();
      }
      expect(wrong).toEqual([]);
    },
    200_000,
  );
});
