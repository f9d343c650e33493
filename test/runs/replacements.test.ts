// Deletes that come late, as on a busy machine: names that change hands in one run do so whatever the order in which the requests arrive.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { EAST, MOTD } from '../world/shop-spec';
import { type ComponentSpec, type OverrideSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, makeWorld, type World } from '../world/world';

describe('late deletes', () => {
  const MOTD = { path: '/etc/motd', content: 'hello' };
  const NOTES = { path: '/etc/notes', content: 'read me' };

  const user = (attachments: ComponentSpec['attachments'] = {}): ComponentSpec => ({
    type: 'user',
    attributes: { username: 'deployer' },
    attachments,
  });
  const job = (attachments: ComponentSpec['attachments'] = {}): ComponentSpec => ({
    type: 'job',
    attributes: { minute: '5' },
    attachments,
  });

  const shop = (components: { readonly [name: string]: ComponentSpec }): StackSpec => ({
    platforms: { web: { components } },
    environments: { prod: { clouds: EAST } },
  });

  /** Two components swap their names, and their attachments stay with what they were attached to. */
  const BEFORE = shop({ one: user({ motd: MOTD }), two: job({ notes: NOTES }) });
  const AFTER = shop({ one: job({ notes: NOTES }), two: user({ motd: MOTD }) });

  /** Turns of the event loop without a request, after which nothing else can go on. */
  const IDLE_TURNS = 5;

  describe.each(DIALECTS)('%s', (dialect) => {
    const test = testInTurn(dialect);
    const world = eachWorld(dialect);
    let stack: Stack;

    beforeEach(() => {
      stack = emptyStack;
    });

    const up = async (spec: StackSpec, options?: RunOptions, within = world) => {
      const done = await run(within, stack, resourcesOf(spec), options);
      stack = done.stack;
      return done;
    };

    /**
     * A run in which the deletes of some resources wait until the service refused a create and answered so many requests after it, or until nothing
     * else continues. Answers how many creates it refused.
     */
    const upWithLate = async (spec: StackSpec, late: (key: string) => boolean, after: number) => {
      let requests = 0;
      let refused = 0;
      let left = Infinity;
      const waiting: (() => void)[] = [];
      const call: World['api']['call'] = async (asked, input) => {
        requests += 1;
        left -= 1;
        if (left <= 0) for (const release of waiting.splice(0)) release();
        try {
          return await world.api.call(asked, input);
        } catch (error) {
          if (asked.method === 'POST') {
            refused += 1;
            left = Math.min(left, after);
          }
          throw error;
        }
      };
      const idle = async (): Promise<void> => {
        for (let turns = 0, seen = requests; turns < IDLE_TURNS; turns += 1) {
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          if (requests !== seen) turns = 0;
          seen = requests;
        }
      };
      const beforeDelete = async (key: string): Promise<void> => {
        if (!late(key)) return;
        const refusal = new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
        await Promise.race([refusal, idle()]);
      };
      const done = await up(spec, { beforeDelete }, { ...world, api: { ...world.api, call } });
      return { ...done, refused };
    };

    const COMPONENTS = ['Component::web/one', 'Component::web/two'];
    const ATTACHMENTS = ['Attachment::web/motd', 'Attachment::web/notes'];

    const cases = [0, 15].flatMap((after) =>
      [...COMPONENTS, ...ATTACHMENTS, 'every one'].map((held) => ({ held, after })),
    );

    test.each(cases)(
      'components swap names while their attachments move; late delete: $held, $after requests after a refusal',
      async ({ held, after }) => {
        const late = (key: string): boolean => held === 'every one' || held === key;
        expect((await up(BEFORE)).errors).toEqual([]);
        const done = await upWithLate(AFTER, late, after);
        expect(done.errors).toEqual([]);
        if (COMPONENTS.includes(held)) expect(done.refused).toBeGreaterThan(0);
        expect(await differences(world, AFTER)).toEqual([]);
        expect((await up(AFTER)).steps).toEqual([]);
      },
    );

    test('a name that a component keeps is refused immediately, whatever else is replaced', async () => {
      const KEPT: ComponentSpec = { type: 'user', attributes: { username: 'kept' } };
      const before = shop({ one: user({ motd: MOTD }), two: job({ notes: NOTES }), kept: KEPT });
      expect((await up(before)).errors).toEqual([]);
      await world.other.call(routes.attachments.create, {
        address: { assembly: 'shop', platform: 'web', component: 'kept' },
        body: {
          cms_dj_ci: { ciName: 'taken', ciAttributes: { path: '/etc/taken', run_on: 'on-demand', priority: '1' } },
        },
      });
      const wanted = shop({ one: job({ notes: NOTES }), two: user({ motd: MOTD, taken: NOTES }), kept: KEPT });
      const errors = (await up(wanted)).errors.join('\n');
      expect(errors).toMatch(/an attachment named taken exists already in platform web/);
      expect(errors).not.toMatch(/being replaced|within a minute/);
    });
  });
});

// A component that keeps its name and is created again from another template, with everything that an environment lays over it: until the deployment the
// environment has both, and what is in the new one is found although the name alone leads to the old one.

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
