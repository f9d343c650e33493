// Creates whose answer was lost are settled by reading back. That nothing is sent twice is in
// test/matrix/client-faults.test.ts.
import { createService, manualClock } from '../../service';
import { routes, type Send } from '../contract';
import { ConnectionFailed, ServerError } from '../errors';
import { OneOps } from './oneops';

const TOKEN = 'admin-token';

/** A client whose first request by POST is lost, carried out or not. */
function losing(applied: boolean, before: (api: OneOps) => Promise<unknown> = () => Promise.resolve()) {
  const service = createService({
    database: ':memory:',
    dialect: 'documented',
    clock: manualClock(0),
    users: [{ name: 'admin', token: TOKEN }],
  });
  const settings = { url: 'http://127.0.0.1', organization: 'acme', token: TOKEN, dialect: 'documented' } as const;
  const sent: string[] = [];
  const send: Send = async (request) => {
    sent.push(`${request.method} ${request.path}`);
    if (request.method === 'POST') {
      if (applied) await service.handle(request);
      throw new ConnectionFailed('the connection ended', 'look', request, 'unknown');
    }
    return service.handle(request);
  };
  const pause = () => Promise.resolve();
  const api = new OneOps({ ...settings, send, pause });
  return { api, sent, ready: before(new OneOps({ ...settings, send: service.handle })), service };
}

const body = (description: string) => ({ cms_ci: { ciName: 'shop', ciAttributes: { owner: 'a@b.io', description } } });

test('a record of the name that says something else is not taken for ours', async () => {
  const { api, ready } = losing(false, (other) => other.assemblies.create(body('theirs')));
  await ready;
  await expect(api.assemblies.create(body('mine'))).rejects.toThrow(ConnectionFailed);
});

test('a create below others is looked for where it belongs', async () => {
  const { api, sent, ready } = losing(true, (other) => other.assemblies.create(body('mine')));
  await ready;
  const platform = { ciName: 'web', ciAttributes: { source: 'oneops', pack: 'custom', version: '1' } };
  expect(await api.platforms.create('shop', { cms_dj_ci: platform })).toMatchObject({ ciName: 'web' });
  expect(sent.at(-1)).toBe('GET /acme/assemblies/shop/design/platforms/web');
});

test('a page of something before the service counts as lost; a refusal does not, nor does an action', async () => {
  const { service } = losing(true);
  const answers =
    (status: number): Send =>
    (request) =>
      request.method === 'POST'
        ? Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: '{"errors":["no"]}' })
        : service.handle(request);
  const reads: string[] = [];
  const client = (status: number): OneOps =>
    new OneOps({
      url: 'http://127.0.0.1',
      organization: 'acme',
      token: TOKEN,
      dialect: 'documented',
      send: answers(status),
      observe: (event) => event.kind === 'request' && reads.push(event.route),
    });
  await expect(client(502).assemblies.create(body('x'))).rejects.toThrow(ServerError);
  expect(reads.splice(0)).toEqual(['assemblies.create', 'assemblies.read']);
  await expect(client(422).assemblies.create(body('x'))).rejects.toMatchObject({ status: 422 });
  expect(reads.splice(0)).toEqual(['assemblies.create']);
  await expect(client(502).designReleases.commit('shop', 1)).rejects.toThrow(ServerError);
  expect(reads).toEqual(['designReleases.commit']);
  expect(routes.designReleases.commit.repeat).toBe('action');
});
