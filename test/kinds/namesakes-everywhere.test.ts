// Next to records of its name in every collection and of every other class, a record of each kind lives its life, and they keep every byte: also
// where the service, as the live one may, answers any record of a platform for a name.
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Dialect, type Record as WireRecord, type Route } from '../../api/contract';
import { isApiError } from '../../api/errors';
import { scopesOf, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle } from '../../provider/lifecycle';
import { makeWorld, ROW, titleOf } from '../world/world';

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

/** The collection in which no second record of the name can be: a kind's own; a component's is that of its template. */
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

/** Answers a namesake for each name alone that several records of a platform have, and takes no write by such a name. */
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

const cases = DIALECTS.flatMap((dialect) =>
  kinds
    .flatMap(scopesOf)
    .filter((of) => KINDS.includes(titleOf(of)))
    .map((of): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);

test('there is a case for each kind whose records a name alone may not identify', () => {
  expect(cases.map(([, title]) => title).sort()).toEqual([...KINDS, ...KINDS].sort());
});

test.each(cases)('%s %s', async (dialect, title, of) => {
  const world = makeWorld(dialect);
  try {
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
    const life = () => lifecycle(of, () => Promise.resolve(api), world.freshSession());
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
  } finally {
    world.close();
  }
});
