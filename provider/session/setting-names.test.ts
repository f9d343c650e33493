// Rules of unknown settings: a misspelt one stops everything, another one is named, and what Pulumi adds is none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspeltSettings, resolveSettings, unknownSettings } from '../settings';

const CONFIG = { 'oneops:url': 'https://ops.acme.io', 'oneops:organization': 'acme', 'oneops:token': 'saved-token' };

const resolve = (config: { readonly [key: string]: unknown }, project = 'shop') =>
  resolveSettings((key) => config[key], {}, { keys: Object.keys(config), project });

const known = Object.keys(
  (
    JSON.parse(readFileSync(join(__dirname, '..', '..', 'schema.json'), 'utf8')) as {
      readonly config: { readonly variables: { readonly [name: string]: unknown } };
    }
  ).config.variables,
);

test('every setting of the schema is known, and those of the stack', () => {
  const keys = [...known, 'overlay', 'resources'].map((name) => `oneops:${name}`);
  expect(unknownSettings({ keys })).toEqual([]);
});

test.each(known.flatMap((name) => [...new Set([name.toUpperCase(), `${name}x`, name.slice(1), `${name}_`])]))(
  'a setting written as %s is a problem that names the one that is meant, before anything else',
  (name) => {
    const resolved = resolve({ [`oneops:${name}`]: 'true' });
    expect(resolved).toEqual({
      problem: expect.stringMatching(`^there is no setting oneops:${name}: did you mean oneops:\\w+\\?`) as string,
      lacksToken: false,
    });
  },
);

test('a switch that forbids writes is a problem in another case', () => {
  const resolved = resolve({ ...CONFIG, 'oneops:readonly': 'true' });
  expect(resolved).toMatchObject({
    problem: [
      'there is no setting oneops:readonly: did you mean oneops:readOnly?',
      '  pulumi config rm oneops:readonly, then pulumi config set oneops:readOnly',
      '  refresh, destroy and import see the configuration of the last up: run pulumi up after the change, or give --run-program',
    ].join('\n'),
  });
});

test('a key that is nothing like a setting is a warning', () => {
  expect(resolve({ ...CONFIG, 'oneops:region': 'east' })).toMatchObject({
    settings: { url: 'https://ops.acme.io' },
    warnings: [expect.stringContaining('there is no setting oneops:region, so that it has no effect') as string],
  });
});

test('what Pulumi adds, and other namespaces, are no settings that are missing', () => {
  const keys = ['version', 'pluginDownloadURL', '__internal', 'explicit'].map((name) => `oneops:${name}`);
  expect(unknownSettings({ keys: [...keys, 'shop:readonly', 'aws:region', 'readonly'] })).toEqual([]);
});

test('a project called oneops has its own configuration in the namespace; another case of a setting is still none of it', () => {
  expect(resolve({ ...CONFIG, 'oneops:urls': 'a', 'oneops:region': 'b' }, 'oneops')).not.toHaveProperty('warnings');
  expect(resolve({ ...CONFIG, 'oneops:readonly': 'true' }, 'oneops')).toHaveProperty('problem');
});

test('of a provider that a program declares, the argument is named', () => {
  const unknown = unknownSettings({ keys: ['oneops:readonly'] });
  expect(misspeltSettings(unknown, true)).toMatch(
    /^the provider declared in the program has no setting readonly: did you mean readOnly\?\n/,
  );
});
