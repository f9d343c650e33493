// Secret entries of an open map are secret whatever the map, and what it says of its class, comes out of; the others stay readable.
import { all, output, secret, type Output } from '@pulumi/pulumi/output';
import { recorded, type Registered } from '../test/recording-monitor';
import * as sdk from './index';

type Attributes = { readonly [name: string]: unknown };

const find = (registered: readonly Registered[], name: string): Registered => {
  const found = registered.find(({ key }) => key.endsWith(`::${name}`));
  if (!found) throw new Error(`${name} was not registered`);
  return found;
};

/** What a component, or a cloud service, is registered with. */
async function registered(
  make: (shop: sdk.Assembly) => { readonly type?: unknown; readonly attributes: unknown },
  preview = false,
): Promise<Registered> {
  const found = await recorded(
    () => {
      const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
      const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'mysql', version: '1' });
      const { type = 'mysql', attributes } = make(shop);
      const given = { platform: web, type: type as string, attributes: attributes as Attributes };
      new sdk.Component('subject', given);
    },
    () => ({ ciId: 7 }),
    preview,
  );
  return find(found, 'subject');
}

const VALUES = { password: 'canary', port: '3307' };
const MARKED = { password: { secret: 'canary' }, port: '3307' };

test.each<[string, (shop: sdk.Assembly) => unknown]>([
  ['there already', () => VALUES],
  ['a promise', () => Promise.resolve(VALUES)],
  ['an output', () => output(VALUES)],
  ['made of another resource', (shop) => shop.ciId.apply(() => VALUES)],
  ['with an output in it', (shop) => ({ ...VALUES, password: shop.ciId.apply(() => 'canary') })],
  ['an output with an output in it', (shop) => shop.ciId.apply(() => ({ ...VALUES, password: output('canary') }))],
  ['a promise with an output in it', () => Promise.resolve({ ...VALUES, password: output('canary') })],
])('%s', async (_, attributes) => {
  const { inputs } = await registered((shop) => ({ attributes: attributes(shop) }));
  expect(inputs['attributes']).toEqual(MARKED);
});

test('a class that is known later says what is secret all the same', async () => {
  const attributes = { key: 'canary', cert: 'public' };
  for (const type of [output('certificate'), Promise.resolve('certificate')]) {
    for (const given of [attributes, output(attributes)]) {
      const { inputs } = await registered(() => ({ type, attributes: given }));
      expect(inputs['attributes']).toEqual({ key: { secret: 'canary' }, cert: 'public' });
    }
  }
});

test('what it is made of stays an edge, and what is secret as a whole stays so', async () => {
  const made = await registered((shop) => ({ attributes: shop.ciId.apply(() => VALUES) }));
  expect(made.edges['attributes']).toEqual(['Assembly::shop']);
  const hidden = await registered(() => ({ attributes: secret({ port: '3307' }) }));
  expect(hidden.inputs['attributes']).toEqual({ secret: { port: '3307' } });
  const both = await registered(() => ({ attributes: secret(VALUES) }));
  expect(both.inputs['attributes']).toEqual({ password: { secret: 'canary' }, port: { secret: '3307' } });
});

test('unknown, it is handed on as it is', async () => {
  const unknown = (shop: sdk.Assembly): Output<unknown> => all([shop.revision]).apply(() => VALUES);
  const whole = await registered((shop) => ({ attributes: unknown(shop) }), true);
  expect(whole.inputs['attributes']).toBe('UNKNOWN');
  const type = await registered((shop) => ({ type: unknown(shop), attributes: { key: 'canary', cert: 'c' } }), true);
  expect(type.inputs['attributes']).toEqual({ key: { secret: 'canary' }, cert: 'c' });
});

test('a map without secrets is no secret', async () => {
  const { inputs } = await registered(() => ({ attributes: output({ port: '3307' }) }));
  expect(inputs['attributes']).toEqual({ port: '3307' });
});

test('the attributes of a cloud service, too', async () => {
  const found = await recorded(() => {
    const north = new sdk.Cloud('north', { location: 'aws' });
    const attributes = north.name.apply(() => ({ endpoint: 'https://nova', password: 'canary' }));
    new sdk.CloudService('nova', { cloud: north, attributes });
  });
  expect(find(found, 'nova').inputs['attributes']).toEqual({
    endpoint: 'https://nova',
    password: { secret: 'canary' },
  });
});
