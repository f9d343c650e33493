// Records of one name and another class: what a stack declares is found by its class or number, and its namesake keeps every byte. In both dialects.
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Record as WireRecord } from '../../api/contract';
import { commitDesignByHand } from '../world/by-hand';
import { drift, emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { EAST } from '../world/shop-spec';
import { resourcesOf, type ComponentSpec, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const AT = { assembly: 'shop', platform: 'web' };
const MOTD = { path: '/etc/motd', content: 'hello' };
const USER: ComponentSpec = { type: 'user', attributes: { username: 'tomcat', sudoer: false } };

/** A platform of the tomcat pack, which makes a component `tomcat` itself, with a user of that name declared next to it. */
const spec = (components: { readonly [name: string]: ComponentSpec } = { tomcat: USER }): StackSpec => ({
  platforms: { web: { pack: 'tomcat', version: '1', components } },
  environments: { prod: { clouds: EAST } },
});

/** The components of a name, by the last word of their class. */
async function named(api: Api, name = 'tomcat'): Promise<{ readonly [tail: string]: WireRecord }> {
  const list = await api.call(routes.components.list, { address: AT });
  const found = list.filter(({ ciName, rfcAction }) => ciName === name && rfcAction !== 'delete');
  return Object.fromEntries(found.map((record) => [record.ciClassName.split('.').at(-1) ?? '', record]));
}

const attachmentsOf = async (api: Api, component: WireRecord | undefined): Promise<readonly string[]> => {
  const list = await api.call(routes.attachments.list, { address: { ...AT, component: String(component?.ciId) } });
  return list.map(({ ciName, ciAttributes, rfcAction }) =>
    `${ciName} ${ciAttributes['content']} ${rfcAction ?? ''}`.trim(),
  );
};

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);
  let stack: Stack = emptyStack;
  beforeEach(() => {
    stack = emptyStack;
  });

  /** One run of the stack, which must do exactly these steps; anything of the environment is left out. */
  async function up(wanted: StackSpec, steps?: readonly string[], refresh = false): Promise<void> {
    world.clock.advance(1000);
    const done = await run(world, stack, resourcesOf(wanted), { refresh });
    expect(done.errors).toEqual([]);
    stack = done.stack;
    if (steps) expect(done.steps.filter((step) => /Component|Attachment/.test(step))).toEqual(steps);
  }

  test('a user called like the pack’s own server lives its whole life next to it', async () => {
    await up(spec());
    const { Tomcat: server, User: user } = await named(world.api);
    expect([user?.ciAttributes['username'], user?.ciAttributes['sudoer']]).toEqual(['tomcat', 'false']);

    const untouched = async (): Promise<void> => {
      expect((await named(world.api))['Tomcat']).toEqual(server);
    };
    expect([await preview(world, stack, resourcesOf(spec())), await drift(world, stack)]).toEqual([
      { steps: [], errors: [] },
      [],
    ]);
    await up(spec(), [], true);
    await untouched();

    const edited = spec({ tomcat: { ...USER, attributes: { username: 'tomcat', sudoer: true } } });
    await up(edited, ['update Component::web/tomcat']);
    expect((await named(world.api))['User']?.ciAttributes['sudoer']).toBe('true');
    await untouched();

    await up(spec({}), ['delete Component::web/tomcat']);
    expect(Object.keys(await named(world.api))).toEqual(['Tomcat']);
    await untouched();
  });

  test('both run, and a change of one starts nothing of the other again', async () => {
    await up(spec());
    const ask = async (component: string): Promise<readonly object[]> =>
      world.api.call(routes.operations.instances, {
        address: { ...AT, environment: 'prod', component },
        query: { instances_state: 'all' },
      });
    const list = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const numberOf = (tail: string): string =>
      String(list.find(({ ciName, ciClassName }) => ciName === 'tomcat' && ciClassName.endsWith(`.${tail}`))?.ciId);
    const server = await ask(numberOf('Tomcat'));
    expect([server.length, (await ask(numberOf('User'))).length]).toEqual([1, 1]);
    await up(spec({ tomcat: { ...USER, attributes: { username: 'tomcat', sudoer: true } } }));
    expect(await ask(numberOf('Tomcat'))).toEqual(server);
    expect(await ask(numberOf('User'))).toMatchObject([{ ciAttributes: { sudoer: 'true' } }]);
  });

  test('the pack’s own server, declared next to a user of its name that somebody made', async () => {
    await up(spec({}));
    const body = {
      cms_dj_ci: { ciName: 'tomcat', ciAttributes: { username: 'tomcat' } },
      template_name: 'user',
      sibling_depends_on: [],
    };
    await world.other.call(routes.components.create, { address: AT, body });
    await commitDesignByHand(world.other);
    const { User: user } = await named(world.api);
    const tuned = (threads: string): StackSpec => spec({ tomcat: { attributes: { max_threads: threads } } });
    await up(tuned('60'), ['create Component::web/tomcat']);
    await up(tuned('70'), ['update Component::web/tomcat'], true);
    expect((await named(world.api))['Tomcat']?.ciAttributes['max_threads']).toBe('70');
    await up(spec({}), ['delete Component::web/tomcat']);
    const now = await named(world.api);
    expect([now['Tomcat']?.ciAttributes['max_threads'], now['User']]).toEqual(['50', user]);
  });

  test('an attachment is in the component that is declared, and its neighbour’s stays', async () => {
    await up(spec());
    const { Tomcat: server } = await named(world.api);
    const theirs = {
      cms_dj_ci: { ciName: 'theirs', ciAttributes: { path: '/a', content: 'b', run_on: 'after-add', priority: '1' } },
    };
    const address = { ...AT, component: String(server?.ciId) };
    await world.other.call(routes.attachments.create, { address, body: theirs });
    await commitDesignByHand(world.other);
    const withMotd = (content: string): StackSpec =>
      spec({ tomcat: { ...USER, attachments: { motd: { ...MOTD, content } } } });
    await up(withMotd('hello'), ['create Attachment::web/motd']);
    await up(withMotd('hello'), [], true);
    await up(withMotd('bye'), ['update Attachment::web/motd']);
    const { Tomcat, User } = await named(world.api);
    expect([await attachmentsOf(world.api, Tomcat), await attachmentsOf(world.api, User)]).toEqual([
      ['theirs b'],
      ['motd bye'],
    ]);
    await up(spec(), ['delete Attachment::web/motd']);
    expect([await attachmentsOf(world.api, Tomcat), await attachmentsOf(world.api, User)]).toEqual([['theirs b'], []]);
  });

  test('somebody took it away: it is missing, created again, and its namesake is never taken for it', async () => {
    await up(spec());
    const { Tomcat: server, User: user } = await named(world.api);
    const takeAway = async (): Promise<void> => {
      const { User: there } = await named(world.api);
      await world.other.call(routes.components.delete, { address: { ...AT, component: String(there?.ciId) } });
      await commitDesignByHand(world.other);
    };
    await takeAway();
    expect(await drift(world, stack)).toEqual(['Component::web/tomcat is gone']);
    await up(spec(), ['create Component::web/tomcat'], true);
    const again = await named(world.api);
    expect([again['Tomcat'], again['User']?.ciAttributes]).toEqual([server, user?.ciAttributes]);
    await takeAway();
    await up(spec({}), ['delete Component::web/tomcat']);
    expect(await named(world.api)).toEqual({ Tomcat: server });
  });

  test('one that already exists is of another user: refused, and taken over with adopt', async () => {
    await up(spec({}));
    const { Tomcat: server } = await named(world.api);
    const body = {
      cms_dj_ci: { ciName: 'tomcat', ciAttributes: { username: 'tomcat', sudoer: 'true' } },
      template_name: 'user',
    };
    await world.other.call(routes.components.create, { address: AT, body });
    await commitDesignByHand(world.other);
    const refused = await run(world, stack, resourcesOf(spec()));
    expect(refused.errors.join('\n')).toMatch(/already there [^]*last written by maria/);
    stack = refused.stack;
    await up(spec({ tomcat: { ...USER, adopt: true } }), ['create Component::web/tomcat']);
    expect((await named(world.api))['User']?.ciAttributes).toMatchObject({ sudoer: 'false' });
    expect((await named(world.api))['Tomcat']).toEqual(server);
  });

  test('a component depends on the namesake of its own template', async () => {
    const second: ComponentSpec = { type: 'user', attributes: { username: 'second' }, depends: ['tomcat'] };
    await up(spec({ tomcat: USER, second }));
    const [{ User: user }, { User: other }] = [await named(world.api), await named(world.api, 'second')];
    const { dependsOn } = await world.api.call(routes.components.read, {
      address: { ...AT, component: String(other?.ciId) },
    });
    expect((dependsOn ?? []).filter(({ ciClassName }) => ciClassName === user?.ciClassName)).toMatchObject([
      { ciId: user?.ciId },
    ]);
    await up(spec({ tomcat: USER, second }), [], true);
  });

  test('the service answers each of them by its number and by class_name, and takes no second one of a class', async () => {
    await up(spec());
    const there = Object.values(await named(world.api));
    const running = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const both = [
      [routes.components.read, there, AT],
      [
        routes.operations.component,
        running.filter(({ ciName }) => ciName === 'tomcat'),
        { ...AT, environment: 'prod' },
      ],
    ] as const;
    for (const [route, records, at] of both)
      for (const { ciId, ciClassName } of records) {
        const numbered = await world.api.call(route, { address: { ...at, component: String(ciId) } });
        const query = { class_name: ciClassName };
        const narrowed = await world.api.call(route, { address: { ...at, component: 'tomcat' }, query });
        expect([numbered.ciId, narrowed.ciId]).toEqual([ciId, ciId]);
      }
    expect(both.map(([, records]) => records.length)).toEqual([2, 2]);
    const body = { cms_dj_ci: { ciName: 'tomcat', ciAttributes: { username: 'again' } }, template_name: 'user' };
    await expect(world.api.call(routes.components.create, { address: AT, body })).rejects.toMatchObject({
      status: 422,
    });
  });
});
