// Variables of an assembly, a platform and an environment on the real engine, one of them a secret: declared, referred to, changed, taken out.
import { routes } from '../../api/contract';
import { findEngine, newProject, type Engine, type Project } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const CANARY = 'canary-variable-41d9';

const FILE = `config:
  key: { type: string, secret: true }
assembly: { name: shop, owner: team@acme.io }
variables:
  LEVEL: info
  KEY: '\${config.key}'
platforms:
  web:
    pack: oneops/tomcat:1
    variables: { HOME: /home/one }
    components:
      user:
        deployer: { username: '$OO_GLOBAL{LEVEL}', home_directory: '$OO_LOCAL{HOME}' }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    variables: { LEVEL: warn }
`;

let engine: Engine;
let live: LiveService;
let project: Project;
let file = FILE;
const outputs: string[] = [];

beforeAll(async () => {
  engine = await findEngine();
  live = await startService('classic');
  project = await newProject({
    engine,
    files: { 'oneops.yaml': FILE },
    config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN, key: CANARY },
  });
});

afterAll(async () => {
  await live.stop();
  await project.remove();
});

const pulumi = async (...args: readonly string[]) => {
  const run = await project.run(...args);
  outputs.push(run.output);
  return run;
};

const edit = async (from: string, to: string): Promise<void> => {
  expect(file).toContain(from);
  file = file.replace(from, to);
  await project.write('oneops.yaml', file);
};

/** Applies, and finds nothing left to do: not by a preview, not by a refresh. What is saved is looked at in the end. */
const up = async (): Promise<void> => {
  const run = await pulumi('up', '--skip-preview');
  expect([run.code, run.output]).toEqual([0, expect.any(String)]);
  const gates = [
    await pulumi('preview', '--expect-no-changes'),
    await pulumi('refresh', '--preview-only', '--diff', '--expect-no-changes'),
  ];
  for (const gate of gates) expect([gate.code, gate.output]).toEqual([0, expect.any(String)]);
  const exported = await pulumi('stack', 'export');
  expect(exported.output).toContain('variables/LEVEL');
};

/** What runs on the machines of the user component: name and home folder. */
const deployed = async (): Promise<readonly unknown[]> => {
  const instances = await live.instances('shop');
  const users = instances.filter(({ ciName }) => ciName.startsWith('deployer-'));
  return users.map(({ ciAttributes }) => [ciAttributes['username'], ciAttributes['home_directory']]);
};

const inDesign = async (): Promise<object> => {
  const all = await live.other.call(routes.designVariables.list, { address: { assembly: 'shop' } });
  return Object.fromEntries(
    all.map(({ ciName, ciAttributes: { secure, value, encrypted_value: secret } }) => [
      ciName,
      [secure, value, secret],
    ]),
  );
};

test('up: each is made where it is declared, and reaches the machines', async () => {
  await up();
  expect(
    live
      .writes()
      .filter((write) => write.includes('ariables'))
      .sort(),
  ).toEqual([
    'POST designVariables.create',
    'POST designVariables.create',
    'POST platformVariables.create',
    'PUT environmentVariables.update',
  ]);
  expect(await inDesign()).toEqual({ LEVEL: ['false', 'info', ''], KEY: ['true', '', '--ENCRYPTED--'] });
  expect(await deployed()).toEqual([['warn', '/home/one']]);
});

test("somebody's secret is drift for the engine, too: it fails the gate, shows no value, and a refresh sets it back", async () => {
  const address = { assembly: 'shop', variable: 'KEY' };
  const body = { cms_dj_ci: { ciName: 'KEY', ciAttributes: { encrypted_value: 'canary-foreign-77aa' } } };
  await live.other.call(routes.designVariables.update, { address, body });
  const gate = await pulumi('refresh', '--preview-only', '--diff', '--expect-no-changes');
  expect([gate.code, gate.output]).toEqual([7, expect.stringMatching(/~ encryptedValue\s*: \[secret\]/)]);
  expect(gate.output).toMatch(/encrypted_value was changed by \w+ at /);
  expect((await pulumi('refresh')).code).toBe(0);
  // What a refresh keeps in place of the secret is saved as a secret.
  expect((await pulumi('stack', 'export')).output).not.toContain('not known to be the declared value');
  await up();
});

test('the preview of a change names it by its place', async () => {
  await edit('HOME: /home/one', 'HOME: /home/two');
  await edit('LEVEL: warn', 'LEVEL: error');
  const { output } = await pulumi('preview');
  expect(output).toMatch(/platforms\/web\/variables\/HOME/);
  expect(output).toMatch(/environments\/prod\/variables\/LEVEL/);
  await up();
  expect(await deployed()).toEqual([['error', '/home/two']]);
});

test('a changed secret is written, once', async () => {
  await project.run('config', 'set', '--secret', 'key', `${CANARY}-second`);
  live.requests();
  await up();
  expect(live.writes().filter((write) => write.includes('ariables'))).toEqual(['PUT designVariables.update']);
});

test('taken out, an environment follows the design again, and its own variable no longer exists', async () => {
  await edit('    variables: { LEVEL: error }\n', '');
  await edit("  KEY: '${config.key}'\n", '');
  await up();
  expect(await inDesign()).toEqual({ LEVEL: ['false', 'info', ''] });
  expect(await deployed()).toEqual([['info', '/home/two']]);
});

test('the secret is nowhere in clear', async () => {
  for (const text of [...outputs, await project.state(), JSON.stringify(live.service.journal())])
    expect(text).not.toContain(CANARY);
});

test('destroy leaves the service empty', async () => {
  const run = await pulumi('destroy', '--skip-preview');
  expect(run.code).toBe(0);
  expect(await live.assemblies()).toEqual([]);
});
