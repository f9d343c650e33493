// What package.json promises a registry and its users.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as manifest from '../../package.json';

const ROOT = join(__dirname, '..', '..');
const schema = JSON.parse(readFileSync(join(ROOT, 'schema.json'), 'utf8')) as { readonly [key: string]: string };

test('one command comes to PATH: of a plugin there, Pulumi warns at every run', () => {
  expect(manifest.bin).toEqual({ 'pulumi-oneops': 'bin/pulumi-oneops' });
});

test('repository, homepage and licence are those of the schema', () => {
  expect(manifest.repository.url).toBe(`git+${schema['repository']}.git`);
  expect(manifest.homepage).toBe(schema['homepage']);
  expect(manifest.bugs).toBe(`${schema['repository']}/issues`);
  expect(manifest.license).toBe(schema['license']);
});

test('it is published with provenance', () => {
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
});
