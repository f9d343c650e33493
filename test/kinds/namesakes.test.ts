// Records of one name and another class: what a stack declares is found by its class or number, and
// its namesake keeps every byte. In both dialects.
import type { Api } from '../../api/client';
import { type Route, routes, type Record as WireRecord } from '../../api/contract';
import { drift } from '../world/engine-simulation';
import { eachStack } from '../world/each-stack';
import { EAST } from '../world/shop-spec';
import { type ComponentSpec, type StackSpec } from '../world/stack-spec';
import { closedAfterEach, ROW, titleOf } from '../world/world';
import { isApiError } from '../../api/errors';
import { eachDialect, kindsInTurn } from '../world/each-dialect';

const AT = { assembly: 'shop', platform: 'web' };
const MOTD = { path: '/etc/motd', content: 'hello' };
const USER: ComponentSpec = { type: 'user', attributes: { username: 'tomcat', sudoer: false } };

/** A platform of the tomcat pack, which makes `tomcat` itself, and a user of that name. */
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

eachDialect('%s', (test, world) => {
  const own = eachStack(world);

  /** One run, which must do exactly these steps beside those of the environment. */
  async function up(wanted: StackSpec, steps?: readonly string[], refresh = false): Promise<void> {
    world.clock.advance(1000);
    const done = await own.up(wanted, { refresh });
    expect(done.errors).toEqual([]);
    if (steps) expect(done.steps.filter((step) => /Component|Attachment/.test(step))).toEqual(steps);
  }

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
    await world.maria.create('web/tomcat', { username: 'tomcat' }, { template_name: 'user', sibling_depends_on: [] });
    await world.maria.commit();
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
    await world.maria.commit(world.maria.create(`web/${server?.ciId}/theirs`, PLACED));
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
      await world.maria.commit(world.maria.delete(`web/${there?.ciId}`));
    };
    await takeAway();
    expect(await drift(world, own.stack)).toEqual(['Component::web/tomcat is gone']);
    await up(spec(), ['create Component::web/tomcat'], true);
    const again = await named(world.api);
    expect([again['Tomcat'], again['User']?.ciAttributes]).toEqual([server, user?.ciAttributes]);
    await takeAway();
    await up(spec({}), ['delete Component::web/tomcat']);
    expect(await named(world.api)).toEqual({ Tomcat: server });
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
});

// Next to records of its name in every collection and of every other class, a record of each kind
// lives its life, and they keep every byte: also where the service, as the live one may, answers
// any record of a platform for a name.

/** How a record of a name is made in a collection, and the list it then is in. */
interface Collection {
  readonly create: Route;
  readonly list: Route;
  readonly at: { readonly [parameter: string]: string };
  body(name: string): object;
}

const design =
  (attributes: object, more: object = {}) =>
  (ciName: string) => ({
    cms_dj_ci: { ciName, ciAttributes: attributes },
    ...more,
  });
const committed = (ciAttributes: object) => (ciName: string) => ({ cms_ci: { ciName, ciAttributes } });

const WEB = { assembly: 'shop', platform: 'web' };
const COMPUTE = { ...WEB, component: 'compute' };
const PLACED = { path: '/a', content: 'b', run_on: 'after-add', priority: '1' };

const COLLECTIONS: { readonly [title: string]: Collection } = {
  Cloud: { ...routes.clouds, at: {}, body: committed({ location: '/public/oneops/clouds/aws' }) },
  Assembly: { ...routes.assemblies, at: {}, body: committed({ owner: 'team@acme.io' }) },
  Platform: {
    ...routes.platforms,
    at: { assembly: 'shop' },
    body: design({ source: 'oneops', pack: 'custom', version: '1' }),
  },
  'Variable of Assembly': { ...routes.designVariables, at: { assembly: 'shop' }, body: design({ value: 'theirs' }) },
  user: { ...routes.components, at: WEB, body: design({ username: 'theirs' }, { template_name: 'user' }) },
  job: { ...routes.components, at: WEB, body: design({ cmd: 'theirs' }, { template_name: 'job' }) },
  Attachment: { ...routes.attachments, at: COMPUTE, body: design(PLACED) },
  'Variable of Platform': { ...routes.platformVariables, at: WEB, body: design({ value: 'theirs' }) },
  monitor: { ...routes.monitors, at: COMPUTE, body: design({ custom: 'true' }) },
};

/** The collection in which no second record of the name can be, where it is not a kind's own. */
const OWN: { readonly [title: string]: string } = { Component: 'user' };

const KINDS = [
  'Cloud',
  'Assembly',
  'Platform',
  'Variable of Assembly',
  'Component',
  'Attachment',
  'Variable of Platform',
];

/** Collections whose records share a namespace in the live service, by the area of their routes. */
const IN_PLATFORM = ['components', 'attachments', 'platformVariables'];

const call = (api: Api, route: Route, input: object): Promise<unknown> => api.call(route, input);

async function namesakes(api: Api, title: string, name: string): Promise<ReadonlyMap<string, WireRecord>> {
  const found = new Map<string, WireRecord>();
  for (const [collection, { list, at }] of Object.entries(COLLECTIONS)) {
    if (collection === (OWN[title] ?? title)) continue;
    const all = (await call(api, list, { address: at }).catch(() => [])) as readonly WireRecord[];
    const tail = collection === 'job' ? 'Job' : collection === 'user' ? 'User' : undefined;
    const one = all.find(
      (record) => record.ciName === name && (tail === undefined || record.ciClassName.endsWith(tail)),
    );
    if (one) found.set(collection, one);
  }
  return found;
}

/** Answers a namesake for a name that several records have, and takes no write by it. */
function hostile(api: Api, name: string, others: readonly WireRecord[]): Api {
  const inPlatform = others.filter(({ nsPath }) => nsPath.endsWith('/_design/web'));
  return {
    ...api,
    call: (route, input = {}) => {
      const [area = ''] = route.name.split('.');
      const last = /\{(\w+)\}$/.exec(route.path)?.[1] ?? '';
      const isByName = IN_PLATFORM.includes(area) && input.address?.[last] === name;
      const [first] = inPlatform;
      if (!isByName || first === undefined) return api.call(route, input);
      if (route.method === 'GET') return Promise.resolve(first) as ReturnType<typeof api.call<typeof route>>;
      return Promise.reject(new Error(`${route.method} ${route.name} by the name that several records have`));
    },
  };
}

const cases = kindsInTurn((of) => KINDS.includes(titleOf(of)));
const open = closedAfterEach();

test('there is a case for each kind whose records a name alone may not identify', () => {
  expect([...new Set(cases.map(([, title]) => title))].sort()).toEqual([...KINDS].sort());
});

test.each(cases)('%s %s', async (dialect, title, of) => {
  const world = open(dialect);
  const address = await world.prepare(of);
  const name = String(address['name']);
  for (const [collection, { create, at, body }] of Object.entries(COLLECTIONS)) {
    if (collection === (OWN[title] ?? title)) continue;
    // What it would be in does not exist for kinds that need none of it.
    await call(world.other, create, { address: at, body: body(name) }).catch((error: unknown) => {
      if (!isApiError(error) || error.status !== 404) throw error;
    });
  }
  const before = await namesakes(world.other, title, name);
  expect(before.size).toBeGreaterThanOrEqual(title === 'Cloud' || title === 'Assembly' ? 1 : 3);

  const api = hostile(world.api, name, [...before.values()]);
  const life = () => world.lifeOf(of, api);
  const inputs = { ...address, ...of.sample.create };
  const made = await life().create(inputs, ROW);
  const seen = await life().read(made.id, made.outputs, ROW);
  expect([seen?.inputs, seen?.outputs['ciId']]).toEqual([made.inputs, made.outputs['ciId']]);
  const imported = await life().read(made.id, made.inputs, ROW);
  expect(imported?.outputs['ciId']).toBe(made.outputs['ciId']);
  const news = { ...inputs, ...of.sample.update };
  const updated = await life().update(made.id, made.outputs, news, ROW);
  expect((await life().read(made.id, updated.outputs, ROW))?.inputs).toEqual(updated.inputs);
  expect(await namesakes(world.other, title, name)).toEqual(before);
  await life().delete(made.id, updated.outputs, ROW);
  expect(await life().read(made.id, updated.outputs, ROW)).toBeUndefined();
  // Deleting what was deleted succeeds, and takes nothing for it.
  await life().delete(made.id, updated.outputs, ROW);
  expect(await namesakes(world.other, title, name)).toEqual(before);
});
