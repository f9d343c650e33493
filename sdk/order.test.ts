// Which cloud configuration is written first, whatever their values come out of: a platform is never left without an active primary (flows §3.7).
import { output, type Input } from '@pulumi/pulumi/output';
import { recorded, type Registered } from '../test/recording-monitor';
import * as sdk from './index';

type Link = { readonly priority?: Input<number>; readonly adminstatus?: Input<'active' | 'offline' | 'inactive'> };
type Links = { readonly [cloud: string]: Link };

interface Given {
  readonly west: Link;
  readonly east: Link;
  readonly clouds?: (shop: sdk.Assembly) => unknown;
}

const BOTH = { east: { priority: 1 }, west: { priority: 2 } };

/** Keys of the other cloud configurations each comes after. */
async function orderOf({ west, east, clouds = () => BOTH }: Given): Promise<{ readonly [name: string]: string[] }> {
  const all = await recorded(() => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcat', version: '1' });
    const given = clouds(shop) as { [cloud: string]: sdk.CloudLink };
    const prod = new sdk.Environment('prod', { assembly: shop, clouds: given });
    const place = { environment: prod, platform: web };
    new sdk.CloudConfiguration('west', { ...place, cloud: 'west', pctScale: 50, ...west });
    new sdk.CloudConfiguration('east', { ...place, cloud: 'east', pctScale: 100, ...east });
  });
  return Object.fromEntries(['west', 'east'].map((name) => [name, beforeOf(all, name)]));
}

const beforeOf = (all: readonly Registered[], name: string): string[] => {
  const { dependencies = [] } = all.find(({ key }) => key === `CloudConfiguration::${name}`) ?? {};
  return dependencies.filter((key) => key.startsWith('CloudConfiguration'));
};

const EAST_FIRST = { west: ['CloudConfiguration::east'], east: [] };
const WEST_FIRST = { west: [], east: ['CloudConfiguration::west'] };

const forms: readonly [string, <T>(value: T) => Input<T>][] = [
  ['plain', (value) => value],
  ['an output', (value) => output(value) as unknown as Input<typeof value>],
  ['a promise', (value) => Promise.resolve(value)],
];

describe.each(forms)('%s', (_, form) => {
  test('a priority', async () => {
    expect(await orderOf({ west: { priority: form(1) }, east: { priority: form(2) } })).toEqual(WEST_FIRST);
    expect(await orderOf({ west: { priority: form(2) }, east: { priority: form(1) } })).toEqual(EAST_FIRST);
  });

  test('a status', async () => {
    const offline: Link = { adminstatus: form('offline' as const) };
    expect(await orderOf({ west: { priority: 1 }, east: offline })).toEqual(WEST_FIRST);
    expect(await orderOf({ west: { priority: 1, ...offline }, east: { priority: 1 } })).toEqual(EAST_FIRST);
  });

  test('the clouds of the environment, whole or in part', async () => {
    const swapped: Links = { east: { priority: 2 }, west: { priority: 1 } };
    expect(await orderOf({ west: {}, east: {}, clouds: () => form(swapped) })).toEqual(WEST_FIRST);
    const inside: Links = { east: { priority: form(2) }, west: { priority: form(1) } };
    expect(await orderOf({ west: {}, east: {}, clouds: () => inside })).toEqual(WEST_FIRST);
    expect(await orderOf({ west: {}, east: {}, clouds: () => form(BOTH) })).toEqual(EAST_FIRST);
  });
});

test('one that is made of another comes after it, whatever their priorities: nothing waits for itself', async () => {
  const all = await recorded(() => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcat', version: '1' });
    const prod = new sdk.Environment('prod', { assembly: shop, clouds: BOTH });
    const place = { environment: prod, platform: web };
    const east = new sdk.CloudConfiguration('east', { ...place, cloud: 'east', priority: 2 });
    const note = new sdk.Cloud('note', { location: 'aws', description: east.priority.apply((own) => `${own}`) });
    const priority = note.description.apply((own) => (own === '2' ? 1 : 2));
    new sdk.CloudConfiguration('west', { ...place, cloud: 'west', priority });
  });
  expect(beforeOf(all, 'east')).toEqual([]);
  expect(all.find(({ key }) => key === 'CloudConfiguration::west')?.edges['priority']).toEqual(['Cloud::note']);
});

test.each([
  ['the same platform, after an active primary', 'web', 1],
  ['another platform', 'db', 2],
])('a value that is waited for without saying of whom, in %s, holds nothing up', async (_, name, own) => {
  const all = await recorded(() => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const prod = new sdk.Environment('prod', { assembly: shop, clouds: BOTH });
    const place = { assembly: shop, environment: prod };
    const east = new sdk.CloudConfiguration('east', { ...place, platform: 'web', cloud: 'east', priority: own });
    const priority = new Promise<number>((resolve) => east.priority.apply((known) => resolve(known === 1 ? 2 : 1)));
    new sdk.CloudConfiguration('west', { ...place, platform: name, cloud: 'west', priority });
  });
  expect(beforeOf(all, 'east')).toEqual([]);
  expect(all.map(({ key }) => key)).toContain('CloudConfiguration::west');
});
