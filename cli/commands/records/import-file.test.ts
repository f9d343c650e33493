// The import-file command: which records an address means, what is below it, what a person reads, and that nothing is ever written.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Inputs } from '../../../provider';
import { kinds } from '../../../provider/kinds';
import { lifecycle } from '../../../provider/lifecycle';
import { newSession } from '../../../provider/session';
import { dialectsInTurn } from '../../../test/dialects-in-turn';
import { commandService } from '../../../test/command-service';
import { eachFolder } from '../../../test/folder';
import { runToEnd, type Outcome } from '../../../test/run-command';
import { command as importFileCommand } from './import-file';

const SECRET = 'canary-secret-77aa';
const SIGNATURE = '4dabf18193072939515e22adb298388d';

interface Entry {
  readonly type: string;
  readonly logicalName: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

describe.each(dialectsInTurn(1))('import-file, %s', (dialect) => {
  const folder = eachFolder({ isHere: true });
  const at = commandService(dialect, async () => {
    const { make } = at;
    await make('Cloud', { name: 'shop', location: 'aws' });
    await make('CloudService', {
      cloud: 'shop',
      name: 'nova',
      attributes: { endpoint: 'https://nova', tenant: 'acme', username: 'deployer', password: SECRET },
    });
    await make('Assembly', { name: 'shop', owner: 'team@acme.io' });
    await make('Assembly', { name: 'bare', owner: 'team@acme.io' });
    await make('Variable', { assembly: 'shop', name: 'KEY', encryptedValue: SECRET });
    await make('Platform', { assembly: 'shop', name: 'web', source: 'oneops', pack: 'tomcat', version: '1' });
    const inWeb = { assembly: 'shop', platform: 'web' };
    await make('Component', { ...inWeb, name: 'compute', type: 'compute', attributes: { size: 'L' } });
    await make('Component', { ...inWeb, name: 'deployer', type: 'user', attributes: { username: 'deployer' } });
    const licences = { source: 'https://files', basicAuthUser: 'reader', basicAuthPassword: SECRET };
    await make('Attachment', { ...inWeb, component: 'deployer', name: 'licences', ...licences });
    await make('Attachment', { ...inWeb, component: 'tomcat', name: 'motd', path: '/etc/motd' });
    await make('DesignRelease', { assembly: 'shop', stamps: 'new', whenBusy: 'proceed' });
    const clouds = { east: { priority: 1 }, west: { priority: 2 } };
    await make('Environment', { assembly: 'shop', name: 'prod', clouds, designRelease: '1' });
    const inProd = { assembly: 'shop', environment: 'prod' };
    await make('CloudConfiguration', { ...inProd, platform: 'web', cloud: 'west', dpmtOrder: 2 });
    await make('Deployment', { ...inProd, stamps: '', whenBusy: 'proceed' });
    await make('Environment', { assembly: 'shop', name: 'idle', clouds, designRelease: '1' });
  });

  const importFile = (...words: readonly string[]): Promise<Outcome> => at.read(importFileCommand, ...words);

  const entriesIn = (text: string): readonly Entry[] =>
    (JSON.parse(text) as { readonly resources: readonly Entry[] }).resources;
  const keysIn = (text: string): readonly string[] =>
    entriesIn(text).map(({ type, logicalName }) => `${type.split(':').at(-1)}::${logicalName}`);

  test('an assembly with everything below it: what was declared, and nothing that was only born', async () => {
    const { code, stdout, stderr } = await importFile('Assembly:acme/shop', '--below');
    expect(keysIn(stdout)).toEqual([
      'Assembly::shop',
      'Platform::web',
      'Component::web/compute',
      'Component::web/tomcat',
      'Attachment::web/motd',
      'Component::web/deployer',
      'Attachment::web/licences',
      'Variable::variables/KEY',
      'DesignRelease::shop',
      'Environment::prod',
      'CloudConfiguration::prod/web/west',
      'Deployment::prod',
      'Environment::idle',
    ]);
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([
      '13 resources',
      'Variable acme/shop/variables/KEY: the engine takes it with a warning: a value is required: give it a value, or an encrypted value if it is a secret',
      'Attachment acme/shop/web/deployer/licences: no read shows basicAuthPassword: where the program declares it, the next pulumi up writes it',
      'Variable acme/shop/variables/KEY: no read shows encryptedValue: where the program declares it, the next pulumi up writes it',
    ]);
  });

  test('an environment with everything below it, and its deployment', async () => {
    const { code, stdout } = await importFile('acme/shop/prod', '--below', '--output', '-');
    expect(code).toBe(0);
    expect(keysIn(stdout)).toEqual(['Environment::prod', 'CloudConfiguration::prod/web/west', 'Deployment::prod']);
    const [environment, configuration, deployment] = entriesIn(stdout);
    expect(environment?.inputs).toMatchObject({ __configured: ['web/west/dpmtOrder'] });
    expect(configuration?.inputs).toMatchObject({ dpmtOrder: 2 });
    expect(deployment?.inputs).toMatchObject({ __clouds: ['east', 'west'], state: 'complete' });
  });

  test('single records of several kinds under names of the program, each once', async () => {
    const words = ['acme/shop/web/deployer=user', 'acme/shop/web', 'acme/shop/web', 'Deployment:acme/shop/prod=roll'];
    const { code, stdout } = await importFile(...words, 'acme/shop/web/deployer/licences');
    expect(code).toBe(0);
    expect(keysIn(stdout)).toEqual([
      'Component::user',
      'Platform::web',
      'Deployment::roll',
      'Attachment::web/licences',
    ]);
    expect(entriesIn(stdout)[0]).toMatchObject({
      id: 'acme/shop/web/deployer',
      inputs: { type: 'user', attributes: { username: 'deployer' } },
    });
  });

  test('secrets are left out; what reads in clear although its name says secret is marked', async () => {
    const { stdout, stderr } = await importFile('CloudService:acme/shop/nova');
    const [entry] = entriesIn(stdout);
    const attributes = entry?.inputs['attributes'] as Inputs;
    expect(attributes['username']).toBe('deployer');
    expect(attributes).not.toHaveProperty('password');
    expect(stderr).toContain('no read shows attributes.password');
    expect(entry?.outputs['attributes']).toEqual(attributes);
  });

  test('the file goes where the option says, and only its owner may read it', async () => {
    const output = join(folder.path, 'import.json');
    writeFileSync(output, 'an old one, which everybody may read', { mode: 0o644 });
    const { stdout, stderr } = await importFile('acme/bare', '--output', output);
    expect([stdout, stderr]).toEqual(['', `1 resource in ${output}\n`]);
    expect(keysIn(readFileSync(output, 'utf8'))).toEqual(['Assembly::bare']);
    expect(statSync(output).mode & 0o777).toBe(0o600);
  });

  test.each<[word: string, says: string, code?: number]>([
    ['acme/shop', 'acme/shop is several records\nsay which is meant: Assembly:acme/shop or Cloud:acme/shop'],
    ['acme/shop/wbe', 'there is nothing at acme/shop/wbe\nlooked for: Platform, Environment, CloudService; check'],
    ['Platform:acme/shop/wbe', 'there is nothing at acme/shop/wbe\nlooked for: Platform; check'],
    ['Platfrom:acme/shop/web', 'there is no kind "Platfrom"\ndid you mean Platform:acme/shop/web?', 3],
    [
      'Platform:acme/shop',
      '"acme/shop" is not the address of kind Platform\nsuch addresses look like acme/<assembly>/<platform>',
      3,
    ],
    [
      'shop',
      '"shop" is not an address\naddresses begin with the organization:\n  acme/<assembly>\n  acme/<cloud>\n  acme/<team>\n',
      3,
    ],
    [
      'acme/shop/prod/web/component/os',
      'the organization:\n  acme/<assembly>/<platform>/<component>/monitors/<monitor>\n  acme/<assembly>/platforms/<platform>/variables/',
      3,
    ],
    ['acme/../shop', '"acme/../shop" is not an address\naddresses begin with the organization:\n', 3],
    ['../shop/web', '"../shop/web" is not in the organization acme, which the settings name\n', 3],
    [
      'beta/shop/web',
      '"beta/shop/web" is not in the organization acme, which the settings name\naddresses begin with acme/, or name the other organization with --organization',
      3,
    ],
    ['Platform:beta/shop/web', 'is not in the organization acme', 3],
  ])('%s is reported with what to do', async (word, says, code = 1) => {
    expect(await importFile(word)).toExitWith(code, { stdout: '', stderr: says });
  });

  test('what has nothing below it says so', async () => {
    expect(await importFile('acme/shop/web/deployer/licences', '--below')).toExitWith(1, {
      stderr: 'Attachment acme/shop/web/deployer/licences: there is nothing below it',
    });
  });

  describe('--declared', () => {
    const declared = async (pulumi: string, yaml: string, ...words: readonly string[]): Promise<string> => {
      folder.write({ 'Pulumi.yaml': 'name: shop\nruntime: oneops\n', 'oneops.yaml': yaml });
      folder.pulumi(`[ "$1" = stack ] && echo prod || echo '${pulumi}'`);
      const environment = { ...at.settings, PATH: [folder.path, process.env['PATH']].join(delimiter) };
      return (await runToEnd(importFileCommand, environment, '--declared', ...words)).stdout;
    };

    test('takes what the files declare in the selected stack, or in the one named', async () => {
      const yaml = 'assembly: { name: bare, owner: team@acme.io }\noverlays: { prod: { assembly: { name: shop } } }\n';
      const ids = async (...words: readonly string[]): Promise<readonly string[]> =>
        entriesIn(await declared('{}', yaml, ...words)).map(({ id }) => id);
      expect(await ids()).toContain('acme/shop');
      expect(await ids('--stack', 'acme/shop/dev')).toContain('acme/bare');
    });

    test('marks what the files take from secrets of the configuration', async () => {
      const tags = { open: 'x', word: SECRET };
      await at.make('Assembly', { name: 'hushed', owner: 'team@acme.io', description: `by ${SECRET}`, tags });
      const stdout = await declared(
        `{"shop:word":{"value":"${SECRET}","secret":true}}`,
        `config: { word: { type: string, secret: true } }
assembly: { name: hushed, owner: team@acme.io, description: 'by \${config.word}', tags: { open: x, word: '\${config.word}' } }
`,
      );
      const secret = (value: string): object => ({
        [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270',
        plaintext: JSON.stringify(value),
      });
      const marked = { description: secret(`by ${SECRET}`), tags: { open: 'x', word: secret(SECRET) } };
      const assembly = entriesIn(stdout).find(({ type }) => type.endsWith(':Assembly'));
      expect(assembly).toMatchObject({ id: 'acme/hushed', inputs: marked, outputs: marked });
      expect(stdout.match(new RegExp(`.*${SECRET}.*`, 'g'))?.filter((line) => !line.includes('plaintext'))).toEqual([]);
    });
  });

  test('a wrong token, a missing one and a missing address are reported, with the exit code of each', async () => {
    const { ONEOPS_TOKEN: _, ...settings } = at.settings;
    expect(await runToEnd(importFileCommand, { ...settings, ONEOPS_TOKEN: 'canary-wrong' }, 'acme/bare')).toExitWith(
      4,
      { stdout: '', stderr: ['401', 'ONEOPS_TOKEN'], without: 'canary' },
    );
    expect(await runToEnd(importFileCommand, settings, 'acme/bare')).toExitWith(4, { stderr: 'oneops:token' });
    expect(await importFile()).toExitWith(3);
  });
});

test('the signature of a secret is the engine’s own', async () => {
  const { importFile } = await import('../../../provider/import/index.js');
  const of = kinds.find(({ token }) => token === 'Cloud');
  if (of === undefined) throw new Error('no Cloud');
  const state = {
    id: 'acme/east',
    inputs: { name: 'east', location: 'aws' },
    outputs: { revision: '1' },
    unseen: [['auth']],
  };
  const life = {
    ...lifecycle(of, () => Promise.reject(new Error('not asked')), newSession(kinds)),
    read: async () => state,
  };
  const { resources } = await importFile(
    [{ of, name: 'east', id: 'acme/east', declared: { auth: SECRET } }],
    () => life,
  );
  const marked = { [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270', plaintext: JSON.stringify(SECRET) };
  expect(resources[0]).toMatchObject({ inputs: { auth: marked }, outputs: { auth: marked } });
});
