// Laws of the class: each route has its method in its area, and types say what it takes and gives.
import { allRoutes, dialectRules, type Environment, methodIn, methodParameters, type WireRequest } from '../contract';
import { BadSettings } from '../errors';
import { type ClientOptions, OneOps } from './index';

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
type AnyArea = { readonly [verb: string]: AnyMethod };

const areaOf = (api: OneOps, area: string): AnyArea => (api as unknown as { readonly [area: string]: AnyArea })[area]!;

/** A value for each parameter, one that shows where it went. */
const valueOf = (name: string): string => `the-${name}`;

const filled = (path: string): string =>
  path.replace('{organization}', 'acme').replace(/\{([^}]+)\}/g, (_, name: string) => valueOf(name));

test.each(allRoutes.map((route) => [route.name, route] as const))('%s is a method of its area', async (name, route) => {
  const { api, sent } = recorded();
  const [area = '', verb = ''] = name.split('.');
  const call = areaOf(api, area)[verb]!(...methodParameters(route).map(valueOf), { mark: 1 });
  await expect(call).rejects.toThrow(/404/);
  expect(sent.map((request) => `${request.method} ${request.path}`)).toEqual([
    `${methodIn(dialectRules.documented, route)} ${filled(route.path)}`,
  ]);
});

test.each<[string, object]>([
  ['organization', { organization: '' }],
  ['organization', { organization: undefined }],
  ['token', { token: ' ' }],
  ['token', { token: undefined }],
])('settings that cannot work: no %s: %j', (name, options) => {
  expect(() => recorded(options as Partial<ClientOptions>)).toThrow(BadSettings);
  expect(() => recorded(options as Partial<ClientOptions>)).toThrow(`the client has no ${name}`);
});

describe('what is sent', () => {
  test('the body is the argument after the path, and options come last', async () => {
    const { api, sent } = recorded();
    const body = { cms_ci: { ciName: 'shop', ciAttributes: { description: 'x' } } };
    await api.assemblies.create(body).catch(() => undefined);
    await api.environments.commit('shop', 'prod').catch(() => undefined);
    await api.environments.commit('shop', 'prod', { desc: 'now' }).catch(() => undefined);
    expect(sent.map((request) => request.body)).toEqual([JSON.stringify(body), undefined, '{"desc":"now"}']);
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

/** Compiled, never run: what types allow and what they refuse. */
export async function types(api: OneOps): Promise<void> {
  const environment: Environment = await api.environments.read('shop', 'prod');
  const numbers: readonly number[] = (await api.assemblies.list()).map((assembly) => assembly.ciId);
  const state: string = (await api.deployments.status('shop', 'prod', 42)).deploymentState;
  await api.environments.commit('shop', 'prod');
  await api.environments.commit('shop', 'prod', { desc: `${environment.ciName} ${numbers.length} ${state}` });
  // @ts-expect-error a path parameter is missing
  await api.environments.read('shop');
  // @ts-expect-error this route takes no body
  await api.assemblies.read('shop', { cms_ci: {} });
  // @ts-expect-error a create needs its body
  await api.assemblies.create();
  // @ts-expect-error the body's wrapper is another
  await api.assemblies.create({ cms_dj_ci: {} });
}
