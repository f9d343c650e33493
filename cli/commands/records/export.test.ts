// The export command and `import-file --declared`: what is written where, what a person reads, that only GETs are sent, and that no secret is shown.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import { createService, listen, manualClock, type Listening, type Service } from '../../../service';
import { runToEnd, type Outcome } from '../../../test/run-command';
import type { Command } from '../../command';
import { exportCommand } from './export';
import { importFileCommand } from './import-file';

const TOKEN = 'canary-export-31c7';
const SECRET = 'canary-secret-77aa';

let service: Service;
let listening: Listening;
let api: Api;
let folder: string;
const home = process.cwd();

beforeAll(async () => {
  const clock = manualClock(Date.UTC(2026, 0, 5));
  service = createService({
    database: ':memory:',
    dialect: 'classic',
    clock,
    users: [{ name: 'admin', token: TOKEN }],
  });
  listening = await listen(service, { port: 0 });
  api = createApi({ url: listening.url, organization: 'acme', token: TOKEN, dialect: 'classic' });
  const address = { assembly: 'shop', platform: 'web' };
  const ciAttributes = { source: 'oneops', pack: 'custom', version: '1' };
  const secret = { secure: 'true', value: '', encrypted_value: SECRET };
  await api.call(routes.assemblies.create, {
    body: { cms_ci: { ciName: 'shop', ciAttributes: { owner: 'team@acme.io' } } },
  });
  await api.call(routes.platforms.create, { address, body: { cms_dj_ci: { ciName: 'web', ciAttributes } } });
  await api.call(routes.designVariables.create, {
    address,
    body: { cms_dj_ci: { ciName: 'KEY', ciAttributes: secret } },
  });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-export-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

afterAll(async () => {
  api.close();
  await listening.close();
  service.close();
});

/** Runs a command in the folder; nothing but GETs may be sent, and no secret shown. */
async function run(command: Command, ...words: readonly string[]): Promise<Outcome> {
  const sent = service.journal().length;
  const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: TOKEN };
  const done = await runToEnd(command, { PATH: '', ...settings }, ...words);
  const methods = service.journal().slice(sent);
  expect(methods.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(done.stdout + done.stderr).not.toContain('canary');
  return done;
}

const TEXT = `# Written by pulumi-oneops export from acme/shop.
# Its environments are not in it.
config:
  KEY: { type: string, secret: true }

assembly: { name: shop, owner: team@acme.io }

variables: { KEY: '$\{config.KEY}' }

platforms:
  web: { pack: oneops/custom:1 }
`;

test('the file goes to the standard output, and what to do next to a person', async () => {
  const { code, stdout, stderr } = await run(exportCommand, '--assembly', 'shop');
  expect([code, stdout]).toEqual([0, TEXT]);
  expect(stderr.split('\n')).toEqual([
    'acme/shop: 4 resources',
    'secret KEY: Variable acme/shop/variables/KEY encryptedValue',
    'To bring the records into a stack, run:',
    '  pulumi stack init',
    '  pulumi config set --secret KEY',
    '  pulumi-oneops import-file --declared --output import.json',
    '  pulumi import --file import.json --generate-code=false --protect=false',
    '  rm import.json',
    '  pulumi preview',
    '  pulumi up',
    '',
  ]);
});

test('a folder gets a project too, and a file that exists is not replaced', async () => {
  const { code, stdout, stderr } = await run(exportCommand, '--assembly', 'shop', '--out', 'shop');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('acme/shop: 4 resources in shop/oneops.yaml');
  expect(stderr).toContain('also written: Pulumi.yaml, .gitignore\n');
  expect(stderr).toContain('  cd shop\n');
  expect(readFileSync('shop/oneops.yaml', 'utf8')).toBe(TEXT);
  expect(readFileSync('shop/Pulumi.yaml', 'utf8')).toContain('name: shop\nruntime: oneops\n');
  expect(await run(exportCommand, '--assembly', 'shop', '--out', 'shop')).toExitWith(3);
});

test('the same as JSON', async () => {
  const { code, stdout, stderr } = await run(exportCommand, '--assembly', 'shop', '--json', '--out', 'shop');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    assembly: 'acme/shop',
    environments: false,
    declared: 4,
    file: 'shop/oneops.yaml',
    secrets: [{ name: 'KEY', kind: 'Variable', id: 'acme/shop/variables/KEY', path: ['encryptedValue'] }],
    notes: [],
    faults: [],
  });
});

test('wrong use, and an assembly that does not exist', async () => {
  expect(await run(exportCommand)).toExitWith(3);
  const { code, stderr } = await run(exportCommand, '--assembly', 'shpo', '--out', 'shpo');
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is nothing at acme/shpo')]);
  expect(existsSync('shpo')).toBe(false);
});

test('import-file --declared needs a stack file, its configuration, and no address', async () => {
  expect(await run(importFileCommand, '--declared', 'acme/shop')).toExitWith(3);
  expect(await run(importFileCommand, '--declared')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('there is no stack file to import from') as string,
  });
  await run(exportCommand, '--assembly', 'shop', '--out', '.');
  const { code, stderr } = await run(importFileCommand, '--declared');
  expect([code, stderr]).toEqual([3, expect.stringContaining('KEY')]);
  expect(existsSync('import.json')).toBe(false);
});
