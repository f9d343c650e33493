// What a run ignores: for every kind, and at every depth, an ignored path keeps the value that another user gave it, and stops no edit of anything else.
// In both dialects, through both faces: `make test` plays each kind in one dialect through one face, `make verify` in the other through both, and
// `make soak-stories` all. No answer of the plugin contains a secret in clear. Exceptions are data with a reason.
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { check, type Inputs, type Kind, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Lifecycle, type State } from '../../provider/lifecycle';
import { formatPropertyPath } from '../../provider/values';
import { rowsInTurn } from '../dialects-in-turn';
import { keptOf, reviewIn } from '../world/drift-world';
import { type Declared, emptyStack, run, type Stack } from '../world/engine-simulation';
import { pluginFaces } from '../world/plugin-face';
import { tampered, type Tampering, tamperings } from '../world/tampering';
import { eachWorld, makeWorld, ROW, titleOf, type World } from '../world/world';
import { resourcesOf, type StackSpec } from '../world/stack-spec';

describe('ignored', () => {
  const FACES = ['dynamic', 'plugin'] as const;

  const cases = rowsInTurn(
    kinds
      .flatMap(scopesOf)
      .filter((of) => of.verbs.isAction !== true && tamperings(of, of.sample.create).length > 0)
      .map((of, turn) => [turn, titleOf(of), of] as const),
  ).flatMap(([dialect, turn, title, of]) => {
    const first = (DIALECTS.indexOf(dialect) + (turn >> 1)) % FACES.length;
    const faces = process.env['DIALECTS'] === undefined ? FACES.slice(first, first + 1) : FACES;
    return faces.map((face) => [dialect, face, title, of] as const);
  });

  const plugin = pluginFaces(/s3cret|k3y-|canary/);
  afterAll(() => expect(plugin.leaks).toEqual([]));

  /** What is declared, with another value of one attribute that is not the tampered one; the same where there is no other. */
  function edited(of: Kind, inputs: Inputs, { path: [argument = '', entry] }: Tampering): Inputs {
    const update = of.sample.update ?? {};
    for (const [name, value] of Object.entries(update)) {
      if (of.fields[name]?.channel === 'control' || name === 'comments') continue;
      if (name !== argument) return { ...inputs, [name]: value };
      if (entry === undefined) continue;
      const [other] = Object.entries(value as Inputs).filter(
        ([each, text]) => each !== entry && JSON.stringify(text) !== JSON.stringify((inputs[name] as Inputs)[each]),
      );
      if (other) return { ...inputs, [name]: { ...(inputs[name] as Inputs), [other[0]]: other[1] } };
    }
    return inputs;
  }

  const valueAt = (inputs: Inputs, path: readonly string[]): unknown =>
    path.reduce<unknown>((value, key) => (value as Inputs | undefined)?.[key], inputs);

  test.each(cases)('%s %s %s', async (dialect, face, _, of) => {
    const inner = makeWorld(dialect);
    const world: World = face === 'plugin' ? { ...inner, faceOf: plugin.faceOf } : inner;
    try {
      const address = await world.prepare(of);
      const inputs: Inputs = { ...address, ...of.sample.create };
      const key = `${of.token}::sample`;
      let stack: Stack = emptyStack;
      const up = async (args: Inputs, ignored: readonly string[], options = {}): Promise<readonly string[]> => {
        const declared: Declared = { key, token: of.token, args, ignoreChanges: ignored };
        const result = await run(world, stack, [declared], options);
        ({ stack } = result);
        return result.errors;
      };
      const record = (): { readonly id: string; readonly outputs: Inputs } => stack.get(key) as never;
      const maria = async (news: Inputs): Promise<void> => {
        world.clock.advance(1000);
        const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
        const { __provider: _, ...known } = record().outputs;
        await life.update(record().id, known, { ...news, overwrite: true }, ROW);
      };
      const there = async (): Promise<Inputs> => {
        // Comments that our own last write could not store read as declared: no write of ours was the last one here.
        const { __provider: _, ...known } = record().outputs;
        world.nextRun();
        return (await world.life(of.token).read(record().id, { ...known, revision: 'another' }, ROW))?.inputs ?? {};
      };
      const insisting = of.fields['overwrite'] ? { overwrite: true } : {};
      expect(await up(inputs, [])).toEqual([]);
      const writable = tamperings(of, inputs, dialect).filter((one) => check(of, tampered(inputs, [one])).length === 0);
      for (const one of writable) {
        const path = [...one.path, ...one.within];
        const named = formatPropertyPath(path);
        for (const ignored of new Set([named, formatPropertyPath(one.path)])) {
          const other = tampered(inputs, [one]);
          await maria(other);
          const seen = valueAt(await there(), path);
          const edit = edited(of, inputs, one);
          expect([ignored, await up(edit, [ignored])]).toEqual([ignored, []]);
          expect([ignored, valueAt(await there(), path)]).toEqual([ignored, seen]);
          // The state now has her value, and she takes it back: what a refresh has read must not be written over that.
          expect([ignored, await up(edit, [ignored], { refresh: true })]).toEqual([ignored, []]);
          await maria(edit);
          const back = valueAt(await there(), path);
          expect([ignored, await up({ ...inputs, ...insisting }, [ignored])]).toEqual([ignored, []]);
          expect([ignored, valueAt(await there(), path)]).toEqual([ignored, back]);
          expect([ignored, await up(inputs, [], { refresh: true })]).toEqual([ignored, []]);
        }
      }
    } finally {
      world.close();
    }
  });
});

// Comments of platforms, components, attachments and variables: declared, read and written in both dialects, reported where a service does not store
// them alone, and never touched where they are not declared (service-facts §2.1.3, §13 row 24).

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

test.each(['tags["a.b/c"]', 'tags'])('a review shows nothing that the file says otherwise at %s', async (path) => {
  const world = makeWorld('classic');
  const args = { name: 'shop', owner: 'team@acme.io', tags: { 'a.b/c': 'one' } };
  const { stack } = await run(world, emptyStack, [{ key: 'Assembly::shop', token: 'Assembly', args }]);
  const reviewed = async (ignored: string): Promise<number> => {
    const text = `assembly: { name: shop, owner: team@acme.io, tags: { a.b/c: two }, pulumi: { ignoreChanges: ['${ignored}'] } }\n`;
    const { findings } = await reviewIn(world, keptOf(stack), { text });
    return findings.filter(({ attribute }) => attribute?.startsWith('tags')).length;
  };
  expect([await reviewed(path), await reviewed('description')]).toEqual([0, 1]);
  world.close();
});
