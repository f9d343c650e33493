// Comments of platforms, components, attachments and variables: declared, read and written in both dialects, reported where a service does not store
// them alone, and never touched where they are not declared (service-facts §2.1.3, §13 row 24).
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { type Lifecycle, type State } from '../../provider/lifecycle';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, makeWorld, ROW, titleOf } from '../world/world';

const cases = DIALECTS.flatMap((dialect) =>
  kinds
    .flatMap(scopesOf)
    .filter(({ fields, stage }) => 'comments' in fields && stage !== 'none')
    .map((of): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);

test('the design and what is set in an environment have them: ten places', () => {
  expect(cases.filter(([dialect]) => dialect === 'classic').map(([, title]) => title)).toHaveLength(10);
});

const without = (inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== 'comments'));

describe.each(cases)('%s %s', (dialect, _, of) => {
  const storesAlone = dialect === 'documented';
  const change = of.sample.update as Inputs;
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;

  /** Our stack in its next run, some time later. */
  const life = (): Lifecycle => {
    world.nextRun();
    world.clock.advance(1000);
    world.notices.length = 0;
    return world.life(of.token);
  };
  const update = async (known: Inputs, news: Inputs): Promise<void> => {
    made = await life().update(made.id, known, news, ROW);
  };
  const read = async (known?: Inputs): Promise<State> => {
    const state = await life().read(made.id, known, ROW);
    if (state === undefined) throw new Error(`${made.id} is gone`);
    return state;
  };
  /** What the service has, whatever a state says. */
  const stored = async (): Promise<unknown> => (await read()).inputs['comments'];

  beforeEach(async () => {
    inputs = { ...(await world.prepare(of)), ...of.sample.create };
    made = await life().create(inputs, ROW);
  });

  test('written with the record, and with another change of it', async () => {
    expect([await stored(), world.notices]).toEqual(['made first', []]);
    await update(made.outputs, { ...inputs, ...change });
    expect(world.notices).toEqual([]);
    expect(await stored()).toBe(change['comments']);
  });

  test('a change of comments alone: stored, or reported before and after it, and no drift', async () => {
    const news = { ...inputs, comments: 'said again' };
    const { warning } = await life().diff(made.id, made.outputs, news);
    expect(warning ?? '').toMatch(storesAlone ? /^$/ : /^its comments will stay as they are: this service stores/);
    await update(made.outputs, news);
    expect(world.notices.join()).toMatch(storesAlone ? /^$/ : /^its comments stay as they are/);
    expect(await stored()).toBe(storesAlone ? 'said again' : 'made first');
    const refreshed = await read(made.outputs);
    expect(refreshed.inputs['comments']).toBe('said again');
    expect(refreshed.outputs['revision']).toBe(made.outputs['revision']);
    // Changed again, they are no change of another user.
    await update(refreshed.outputs, { ...inputs, comments: 'said once more' });
    await update(made.outputs, news);
    // The next change writes them, too.
    await update(made.outputs, { ...inputs, ...change, comments: 'said again' });
    expect([await stored(), world.notices]).toEqual(['said again', []]);
  });

  test('declared no more and nothing else, they are emptied, or it is reported that they stay', async () => {
    await update(made.outputs, without(inputs));
    const told = world.notices.join();
    expect(await stored()).toBe(storesAlone ? undefined : 'made first');
    const stays = 'its comments stay as they are: this service stores comments only together with another change';
    expect(told).toBe(storesAlone ? '' : `${stays} of the record`);
  });

  test('declared no more, they are emptied with the next change', async () => {
    await update(made.outputs, without({ ...inputs, ...change }));
    expect(await stored()).toBeUndefined();
  });
});

const SHOP: StackSpec = {
  platforms: { web: { pack: 'tomcat', components: { compute: { attachments: { motd: { path: '/etc/motd' } } } } } },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};
const OVERRIDDEN: StackSpec = {
  ...SHOP,
  environments: {
    prod: {
      ...SHOP.environments?.['prod'],
      switches: { web: { autorepair: false, comments: 'of prod' } },
      overrides: {
        web: {
          components: {
            tomcat: { attributes: { max_threads: 300 }, comments: 'of prod' },
            compute: { attachments: { motd: { path: '/etc/motd-prod', comments: 'of prod' } } },
          },
        },
      },
    },
  },
};

test.each(DIALECTS)(
  'comments in an environment go with the record that declared them, before the deployment: %s',
  async (dialect) => {
    const world = makeWorld(dialect);
    const at = { assembly: 'shop', environment: 'prod', platform: 'web' };
    const there = async (): Promise<readonly unknown[]> => {
      const platform = await world.api.call(routes.environmentPlatforms.read, { address: at });
      const tomcat = await world.api.call(routes.environmentPlatforms.component, {
        address: { ...at, component: 'tomcat' },
      });
      const [motd] = await world.api.call(routes.environmentAttachments.list, {
        address: { ...at, component: 'compute' },
      });
      return [platform, tomcat, motd].map((record) => record?.comments || '');
    };
    try {
      const made = await run(world, emptyStack, resourcesOf(OVERRIDDEN));
      expect([made.errors, await there()]).toEqual([[], ['of prod', 'of prod', 'of prod']]);
      const left = await run(world, made.stack, resourcesOf(SHOP));
      expect([left.errors, await there()]).toEqual([[], ['', '', '']]);
    } finally {
      world.close();
    }
  },
);
