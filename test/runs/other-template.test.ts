// A component that keeps its name and is created again from another template, with everything that an environment lays over it: until the deployment the
// environment has both, and what is in the new one is found although the name alone leads to the old one.
import { DIALECTS } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run } from '../world/engine-simulation';
import { EAST, MOTD } from '../world/shop-spec';
import { resourcesOf, type ComponentSpec, type OverrideSpec, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld } from '../world/world';

type LaidComponentSpec = NonNullable<OverrideSpec['components']>[string];

const LOGINS = { cmd: 'check_logins', metrics: { used: { unit: '%' } } };
const PARTS = { attachments: { motd: MOTD }, monitors: { logins: LOGINS } };

const JOB: ComponentSpec = { type: 'job', attributes: { minute: '5', cmd: 'true' } };
const USER: ComponentSpec = { type: 'user', attributes: { username: 'robot' } };

/** What prod lays over a component and each part of it. */
const inProd = ({ type = '', attachments, monitors }: ComponentSpec): LaidComponentSpec => ({
  type,
  attributes: type === 'job' ? { minute: '20' } : { description: 'in prod' },
  ...(attachments ? { attachments: { motd: { content: 'hello, prod' } } } : {}),
  ...(monitors ? { monitors: { logins: { sampleInterval: 30 } } } : {}),
});

const shop = (components: { readonly [name: string]: ComponentSpec }): StackSpec => ({
  platforms: { web: { components } },
  environments: {
    prod: {
      clouds: EAST,
      overrides: {
        web: {
          components: Object.fromEntries(
            Object.entries(components).map(([name, component]) => [name, inProd(component)]),
          ),
        },
      },
    },
  },
});

const CASES = [
  ['with the same parts', shop({ extra: { ...JOB, ...PARTS } }), shop({ extra: { ...USER, ...PARTS } })],
  [
    'with parts of another one',
    shop({ other: { ...USER, attachments: { motd: MOTD } }, extra: JOB }),
    shop({ extra: { ...USER, attachments: { motd: MOTD } } }),
  ],
  ['without parts', shop({ extra: { ...JOB, ...PARTS } }), shop({ extra: USER })],
] as const;

describe.each(DIALECTS)('%s', (dialect) => {
  testInTurn(dialect).each(CASES)('created again %s, and back again', async (_, one, other) => {
    const world = makeWorld(dialect);
    let stack = emptyStack;
    for (const spec of [one, other, one]) {
      const done = await run(world, stack, resourcesOf(spec));
      expect(done.errors).toEqual([]);
      stack = done.stack;
      expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
      expect(await drift(world, stack)).toEqual([]);
      expect(await differences(world, spec)).toEqual([]);
    }
    world.close();
  });

  testInTurn(dialect).each([
    ['POST environments.pull', 'after'],
    ['PUT environmentAttachments.update', 'before'],
    ['PUT environmentMonitors.update', 'before'],
  ] as const)(
    'killed at %s, %s the service has it: the next run writes what the pull created again',
    async (at, when) => {
      const [, one, other] = CASES[0];
      const world = makeWorld(dialect);
      const { stack } = await run(world, emptyStack, resourcesOf(one));
      const trial = makeWorld(dialect);
      const begun = await run(trial, emptyStack, resourcesOf(one));
      trial.requests();
      await run(trial, begun.stack, resourcesOf(other));
      const request = trial.requests().indexOf(at) + 1;
      trial.close();
      const killed = await run(world, stack, resourcesOf(other), { killAt: { request, when } });
      expect(killed.killed).toBe(true);
      const done = await run(world, killed.stack, resourcesOf(other));
      expect(done.errors).toEqual([]);
      expect(await preview(world, done.stack, resourcesOf(other))).toEqual({ steps: [], errors: [] });
      expect(await differences(world, other)).toEqual([]);
      world.close();
    },
  );
});
