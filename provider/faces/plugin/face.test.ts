// What an import leaves out of the code, and what it says of it.
import { createApi } from '../../../api/client';
import { createService, manualClock, type Service } from '../../../service';
import { newConnection } from '../dynamic/connection';
import type { EngineMessage } from '../engine';
import type { Kind } from '../../kind';
import { kinds } from '../../kinds';
import { pulumiWords, resolveSettings } from '../../settings';
import { pluginFace, type PluginFace } from './face';

const CONFIG: { readonly [key: string]: string } = {
  'oneops:url': 'http://127.0.0.1:1',
  'oneops:organization': 'acme',
  'oneops:token': 'token',
};

let service: Service;
let messages: EngineMessage[];
beforeEach(() => {
  messages = [];
  service = createService({ database: ':memory:', clock: manualClock(0), users: [{ name: 'ann', token: 'token' }] });
});
afterEach(() => service.close());

function faceOf(token: string, config = CONFIG): PluginFace {
  const engine = {
    log: (message: EngineMessage) => void messages.push(message),
    whenGone: () => undefined,
    close: () => undefined,
  };
  const connection = newConnection(
    resolveSettings((key) => config[key], {}),
    async (settings) => createApi({ words: pulumiWords, ...settings, send: service.handle, attempts: 1 }),
    engine,
  );
  const of = kinds.find((kind) => kind.token === token) as Kind;
  return pluginFace(of, { configure: () => undefined, connection: () => connection });
}

test('an import names the secrets that no code has, without their values, and they are not reported as missing', async () => {
  const { create, read, check } = faceOf('Cloud');
  const urn = 'urn:pulumi:dev::shop::oneops:index:Cloud::north';
  await create(urn, { name: 'north', location: '/acme/_clouds', auth: 'canary' }, false);
  messages = [];
  const { inputs = {} } = (await read(urn, 'acme/north', {})) ?? {};
  expect(inputs).toEqual({ name: 'north', location: '/acme/_clouds/north' });
  expect(messages).toEqual([
    {
      severity: 'warning',
      ephemeral: false,
      urn,
      text: expect.stringMatching(/^no code has the secret auth: .*pulumi config set --secret/) as string,
    },
  ]);
  expect(JSON.stringify(messages)).not.toContain('canary');
  expect((await check(urn, inputs, inputs)).failures).toEqual([]);
});

test('an import without a secret says nothing', async () => {
  const { create, read } = faceOf('Cloud');
  const urn = 'urn:pulumi:dev::shop::oneops:index:Cloud::north';
  await create(urn, { name: 'north', location: 'aws' }, false);
  messages = [];
  await read(urn, 'acme/north', {});
  expect(messages).toEqual([]);
});

test('a record of an organization that does not exist was not deleted with something it is in', async () => {
  const { create } = faceOf('Assembly', { ...CONFIG, 'oneops:organization': 'amce' });
  const made = create(
    'urn:pulumi:dev::shop::oneops:index:Assembly::shop',
    { name: 'shop', owner: 'team@acme.io' },
    false,
  );
  await expect(made).rejects.toThrow(/^cannot create assembly amce\/shop: (?![^]*--refresh)/);
});
