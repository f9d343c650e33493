// The table of templates of services is that of the packaged locations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import serviceTemplates from '../../../api/contract/catalogue/service-templates.json';

test('each template of the packaged locations has its class', () => {
  const text = readFileSync(join(__dirname, '..', '..', '..', 'service', 'packs', 'locations.json'), 'utf8');
  const found = [...text.matchAll(/"name": "([^"]+)",\s*"class": "([^"]+)"/g)].map(([, name = '', made]) => [
    name,
    made,
  ]);
  expect(found.length).toBeGreaterThan(10);
  expect(Object.fromEntries(found)).toEqual(serviceTemplates);
});
