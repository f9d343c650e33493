// What is known of the templates of services is what the packaged locations have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import serviceTemplates from '../../../api/contract/catalogue/service-templates.json';
import { DIALECTS } from '../../../api/contract';
import { closedAfterEach, ROW } from '../../../test/world/world';
import { judgeCloudService } from './judge';

const open = closedAfterEach();

test('each template of the packaged locations has its class', () => {
  const text = readFileSync(join(__dirname, '..', '..', '..', 'service', 'packs', 'locations.json'), 'utf8');
  const found = [...text.matchAll(/"name": "([^"]+)",\s*"class": "([^"]+)"/g)].map(([, name = '', made]) => [
    name,
    made,
  ]);
  expect(found.length).toBeGreaterThan(10);
  expect(Object.fromEntries(found)).toEqual(serviceTemplates);
});

test.each(DIALECTS)('%s: a service lacks the attributes that are reported, and no others', async (dialect) => {
  for (const name of Object.keys(serviceTemplates)) {
    const world = open(dialect);
    await world.life('Cloud').create({ name: 'north', location: 'aws' }, ROW);
    const reported = judgeCloudService({ name }).map(({ path }) => String(path[1]));
    const create = world.life('CloudService').create({ cloud: 'north', name }, ROW);
    const refused = await create.then(() => '', String);
    expect([name, ...reported]).toEqual([name, ...[...refused.matchAll(/\[(\w+)\]/g)].map(([, each]) => each)]);
    world.close();
  }
});
