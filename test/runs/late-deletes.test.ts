// Deletes that come late, as on a busy machine: names that change hands in one run do so whatever the order in which the requests arrive.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { emptyStack, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { EAST } from '../world/shop-spec';
import { resourcesOf, type ComponentSpec, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, type World } from '../world/world';

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
