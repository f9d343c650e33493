// Laws of the class: each route has its method, by area and by record, and types say what it takes and gives.
import {
  allRoutes,
  methodIn,
  parametersOf,
  pathIn,
  routes,
  type Dialect,
  type Environment,
  type Route,
  dialectRules,
  type WireRequest,
} from '../contract';
import { BadSettings } from '../errors';
import { OneOps, type ClientOptions } from './index';

/** A client over a service that answers nothing of use, and what it sent. */
function recorded(options: Partial<ClientOptions> = {}): { readonly api: OneOps; readonly sent: WireRequest[] } {
  const sent: WireRequest[] = [];
  const api = new OneOps({
    url: 'http://127.0.0.1:1',
    organization: 'acme',
    token: 'token',
    dialect: 'documented',
    send: (request) => {
      sent.push(request);
      return Promise.resolve({ status: 404, headers: {}, body: '' });
    },
    ...options,
  });
  return { api, sent };
}

type AnyMethod = (...input: readonly unknown[]) => Promise<unknown>;
type AnyArea = ((...values: readonly string[]) => object) & { readonly [verb: string]: AnyMethod };

const areaOf = (api: OneOps, area: string): AnyArea => (api as unknown as { readonly [area: string]: AnyArea })[area]!;

/** A value for each parameter, one that shows where it went. */
const valueOf = (name: string): string => `the-${name}`;

/** Parameters in the order a method takes them; the live service's path may have one more. */
const namesOf = (route: Route): readonly string[] =>
  [...new Set([...parametersOf(route.path), ...parametersOf(pathIn('classic', route))])].filter(
    (name) => name !== 'organization',
  );

const areas: readonly (readonly [string, readonly Route[]])[] = Object.entries(routes).map(([area, verbs]) => [
  area,
  Object.values(verbs as { readonly [verb: string]: Route }),
]);

const filled = (path: string): string =>
  path.replace('{organization}', 'acme').replace(/\{([^}]+)\}/g, (_, name: string) => valueOf(name));

describe('each route', () => {
  test.each(allRoutes.map((route) => [route.name, route] as const))(
    '%s is a method of its area',
    async (name, route) => {
      const { api, sent } = recorded();
      const [area = '', verb = ''] = name.split('.');
      const call = areaOf(api, area)[verb]!(...namesOf(route).map(valueOf), { mark: 1 });
      await expect(call).rejects.toThrow(/404/);
      expect(sent.map((request) => `${request.method} ${request.path}`)).toEqual([
        `${methodIn(dialectRules.documented, route)} ${filled(route.path)}`,
      ]);
    },
  );
});

describe('a record', () => {
  test('is bound by its area, and knows the areas below it by their short names', async () => {
    const { api, sent } = recorded();
    const shop = api.assemblies('shop');
    const prod = api.environments('shop', 'prod');
    const calls = [
      () => prod.deployments.status(42),
      () => shop.environments('prod').deployments(42).status(),
      () => prod.platforms('web').variables.list(),
      () => prod.operations.instances('web', 'compute', { query: { instances_state: 'all' } }),
      () => prod.releases.bom(),
      () => shop.platforms('web').components('tomcat').attachments.list(),
      () => api.clouds('east').services.available(),
      () => api.platforms('shop', 'web').delete(),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/404/);
    const environment = '/acme/assemblies/shop/transition/environments/prod';
    expect(sent.map((request) => `${request.method} ${request.path}`)).toEqual([
      `GET ${environment}/deployments/42/status`,
      `GET ${environment}/deployments/42/status`,
      `GET ${environment}/platforms/web/variables`,
      'GET /acme/assemblies/shop/operations/environments/prod/platforms/web/components/compute/instances?instances_state=all',
      `GET ${environment}/releases/bom`,
      'GET /acme/assemblies/shop/design/platforms/web/components/tomcat/attachments',
      'GET /acme/clouds/east/services/available.json',
      'DELETE /acme/assemblies/shop/design/platforms/web',
    ]);
  });

  test.each(
    areas.flatMap(([area, verbs]) => {
      const names = verbs.filter((route) => route.name === `${area}.read`).flatMap(namesOf);
      return names.length === 0 ? [] : [[area, names] as const];
    }),
  )('of %s has a member for each route and area that begins with its parameters: none hides another', (own, names) => {
    const begins = (route: Route): boolean => names.every((name, index) => namesOf(route)[index] === name);
    const verbs = areas.filter(([area]) => area === own).flatMap(([, all]) => all.filter(begins));
    const below = areas.filter(([area, all]) => area !== own && all.some(begins));
    expect(Object.keys(areaOf(recorded().api, own)(...names))).toHaveLength(verbs.length + below.length);
  });
});

describe('settings and arguments that cannot work', () => {
  test.each<[string, object]>([
    ['organization', { organization: '' }],
    ['organization', { organization: undefined }],
    ['token', { token: ' ' }],
    ['token', { token: undefined }],
  ])('no %s: %j', (name, options) => {
    expect(() => recorded(options as Partial<ClientOptions>)).toThrow(BadSettings);
    expect(() => recorded(options as Partial<ClientOptions>)).toThrow(`the client has no ${name}`);
  });

  test.each(['', 'a/b', '..'])('a name that cannot be part of a path: %j', async (name) => {
    const { api, sent } = recorded();
    await expect(api.assemblies.read(name)).rejects.toBeInstanceOf(BadSettings);
    expect(sent).toHaveLength(0);
  });
});

describe('what is sent', () => {
  test('the body is the argument after the path, and options come last', async () => {
    const { api, sent } = recorded();
    const body = { cms_ci: { ciName: 'shop', ciAttributes: { description: 'x' } } };
    await api.assemblies.create(body).catch(() => undefined);
    await api.environments.commit('shop', 'prod').catch(() => undefined);
    await api
      .environments('shop', 'prod')
      .commit({ desc: 'now' })
      .catch(() => undefined);
    expect(sent.map((request) => request.body)).toEqual([JSON.stringify(body), undefined, '{"desc":"now"}']);
  });

  test.each<[Dialect, string]>([
    ['documented', '/acme/assemblies/shop/design/platforms/web/components'],
    ['classic', '/acme/assemblies/shop/design/platforms/web/components/tomcat'],
  ])('a record that only one dialect has in the path is an argument in both: %s', async (dialect, path) => {
    const { api, sent } = recorded({ dialect });
    const body = { cms_dj_ci: { ciName: 'tomcat' } };
    await api.components.update('shop', 'web', 'tomcat', body).catch(() => undefined);
    await api
      .components('shop', 'web', 'tomcat')
      .update(body)
      .catch(() => undefined);
    expect(sent.map((request) => request.path)).toEqual([path, path]);
    expect(sent.map((request) => request.body)).toEqual([JSON.stringify(body), JSON.stringify(body)]);
  });

  test('a query parameter the route does not know is refused before anything is sent', async () => {
    const { api, sent } = recorded();
    await expect(api.assemblies.read('shop', { query: { depht: 2 } })).rejects.toBeInstanceOf(BadSettings);
    expect(sent).toHaveLength(0);
  });

  test('a signal stops a call', async () => {
    const { api } = recorded({ send: (_, signal) => Promise.reject(new Error(String(signal?.aborted))) });
    await expect(api.assemblies.read('shop', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'Aborted',
    });
  });
});

declare function has<T, K extends string>(value: T, member: K): K extends keyof T ? true : false;

/** Compiled, never run: what types allow and what they refuse. */
export async function types(api: OneOps): Promise<void> {
  const environment: Environment = await api.environments('shop', 'prod').read();
  const numbers: readonly number[] = (await api.assemblies.list()).map((assembly) => assembly.ciId);
  const state: string = (await api.deployments.status('shop', 'prod', 42)).deploymentState;
  await api.environments('shop', 'prod').commit();
  await api.environments('shop', 'prod').commit({ desc: `${environment.ciName} ${numbers.length} ${state}` });
  // @ts-expect-error a path parameter is missing
  await api.environments.read('shop');
  // @ts-expect-error this route takes no body
  await api.assemblies.read('shop', { cms_ci: {} });
  // @ts-expect-error a create needs its body
  await api.assemblies.create();
  // @ts-expect-error the body's wrapper is another
  await api.assemblies.create({ cms_dj_ci: {} });
  // A list is no matter of one record, and a design's platform has no environments.
  const absent: readonly false[] = [has(api.environments('a', 'b'), 'list'), has(api.platforms('a', 'b'), 'relays')];
  const present: readonly true[] = [has(api.environments('a', 'b'), 'commit'), has(api.assemblies('a'), 'relays')];
  console.assert(absent.length === present.length);
  // @ts-expect-error a catalogue has no records to bind
  api.catalogue('x');
}
