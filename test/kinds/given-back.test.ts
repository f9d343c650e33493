// Every attribute of every class that a pack's templates make, and of every cloud service, declared and no longer declared: the run succeeds, the
// next one has nothing to do, and what has no value to go back to stays as it is. In both dialects.
import {
  attributeFault,
  classMetadata,
  DIALECTS,
  routes,
  type AttributeMetadata,
  type ClassMetadata,
} from '../../api/contract';
import type { Inputs } from '../../provider';
import { testInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run, type Declared, type Stack } from '../world/engine-simulation';
import { eachWorld, type World } from '../world/world';

const AT = { assembly: 'shop', platform: 'web' };

/** Texts of which one fits any attribute of the catalogue. */
const CANDIDATES = [
  'canary',
  '2',
  'true',
  '10.0.0.1',
  'a.acme.io',
  'http://a.acme.io/',
  '/opt/a',
  '2G',
  '["canary"]',
  '{"canary":"2"}',
];
const MORE = [
  '["22 22 tcp 0.0.0.0/0"]',
  '["a.acme.io"]',
  '["80:http"]',
  '["http 80 http 8080"]',
  '* * * * *',
  '755',
  'us-east-1a',
  '{}',
  '[]',
];

/** Another value of an attribute than its default, where one is known; else the default. */
function valueFor(attribute: AttributeMetadata): string {
  const fits = (text: string): boolean => attributeFault(attribute, text) === undefined;
  const others = [...CANDIDATES, ...MORE].filter((text) => text !== attribute.default);
  const found = others.find(fits) ?? attribute.default;
  if (!fits(found)) throw new Error(`no value for ${attribute.description}: ${attribute.pattern}`);
  return found;
}

/** A value for every attribute that a template's records have. */
function everyAttribute(className: string, has: object): Inputs {
  const attributes: ClassMetadata['attributes'] = classMetadata(className)?.attributes ?? {};
  const entries = Object.entries(attributes).filter(([name]) => name in has);
  return Object.fromEntries(entries.map(([name, attribute]) => [name, valueFor(attribute)]));
}

const counts = { classes: new Set<string>(), attributes: 0, kept: 0 };

afterAll(() => {
  process.stdout.write(
    `classes ${counts.classes.size}, attributes declared and removed ${counts.attributes}, rows that keep one ${counts.kept}\n`,
  );
  expect(counts.attributes).toBeGreaterThan(100);
});

/** Declares, takes the attributes back, takes the records out; each run succeeds, and after each nothing is left to do. */
async function declaredAndTakenBack(
  world: World,
  before: Stack,
  rest: readonly Declared[],
  whole: readonly Declared[],
  bare: readonly Declared[],
): Promise<void> {
  let stack = before;
  for (const declared of [whole, bare, whole, []]) {
    const all = [...rest, ...declared];
    const done = await run(world, stack, all);
    expect(done.errors).toEqual([]);
    stack = done.stack;
    if (declared === bare) counts.kept += done.notices.filter((notice) => /stays? as (it|they)/.test(notice)).length;
    expect(await preview(world, stack, all)).toEqual({ steps: [], errors: [] });
    expect(await drift(world, stack)).toEqual([]);
    expect((await run(world, stack, all, { refresh: true })).steps).toEqual([]);
  }
}

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  /** Templates that an earlier pack of this dialect has in the same form. */
  const seen = new Set<string>();
  const world = eachWorld(dialect);

  test.each(['apache', 'custom', 'customlb', 'java', 'mysql', 'nginx', 'postgresql', 'redisio', 'tomcat'])(
    'components of %s',
    async (pack) => {
      const rest: readonly Declared[] = [
        { key: 'Assembly::shop', token: 'Assembly', args: { name: 'shop', owner: 'team@acme.io' } },
        {
          key: 'Platform::web',
          token: 'Platform',
          args: { assembly: 'shop', name: 'web', source: 'oneops', pack, version: '1' },
          after: ['Assembly::shop'],
        },
      ];
      const { stack, errors } = await run(world, emptyStack, rest);
      expect(errors).toEqual([]);
      const types = await world.api.call(routes.platforms.componentTypes, { address: AT });
      const whole: Declared[] = [];
      const bare: Declared[] = [];
      for (const [type, { min }] of Object.entries(types)) {
        const template = await world.api.call(routes.components.template, {
          address: AT,
          query: { template_name: type },
        });
        const className = template.ciClassName ?? '';
        const form = JSON.stringify([type, min, className, template.ciAttributes]);
        if (seen.has(form)) continue;
        seen.add(form);
        const attributes = everyAttribute(className, template.ciAttributes);
        counts.classes.add(className);
        counts.attributes += Object.keys(attributes).length;
        const name = min > 0 ? type : `own-${type}`;
        const args = { assembly: 'shop', platform: 'web', name, type };
        const own = { key: `Component::${name}`, token: 'Component', after: ['Platform::web'] };
        whole.push({ ...own, args: { ...args, attributes } });
        bare.push({ ...own, args });
      }
      await declaredAndTakenBack(world, stack, rest, whole, bare);
    },
  );

  test('services of a cloud', async () => {
    const rest: readonly Declared[] = [
      { key: 'Cloud::north', token: 'Cloud', args: { name: 'north', location: 'aws' } },
    ];
    const { stack } = await run(world, emptyStack, rest);
    const address = { cloud: 'north' };
    const offered = await world.api.call(routes.cloudServices.available, { address });
    const whole: Declared[] = [];
    const bare: Declared[] = [];
    // A cloud has one service of each type.
    for (const [record] of Object.values(offered)) {
      if (record === undefined) continue;
      const query = { mgmtCiId: String(record.ciId) };
      const at = { ...address, service: record.ciName };
      const template = await world.api.call(routes.cloudServices.template, { address: at, query });
      const className = template.ciClassName ?? '';
      const attributes = everyAttribute(className, template.ciAttributes);
      counts.classes.add(className);
      counts.attributes += Object.keys(attributes).length;
      const own = { key: `CloudService::${record.ciName}`, token: 'CloudService', after: ['Cloud::north'] };
      whole.push({ ...own, args: { cloud: 'north', name: record.ciName, attributes } });
      bare.push({ ...own, args: { cloud: 'north', name: record.ciName } });
    }
    await declaredAndTakenBack(world, stack, rest, whole, bare);
  });
});
