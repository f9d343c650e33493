// The package as a user gets it: packed, installed into an empty folder, and run from there by the real engine.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kinds } from '../../provider';
import { findEngine, newProject } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const REPOSITORY = join(__dirname, '..', '..');
const STACK = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/custom:1 }
`;

const run = promisify(execFile);

let folder: string;
let tarball: string;
let live: LiveService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oneops-package-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: REPOSITORY });
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, version: '1.0.0' }));
  await run('npm', ['install', '--engine-strict', '--no-audit', '--no-fund', tarball, '@pulumi/pulumi@3.248.0'], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  live = await startService();
});

afterAll(async () => {
  await live.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a Node process of this folder prints. */
const printed = async (code: string): Promise<string> =>
  (await run(process.execPath, ['-e', code], { cwd: folder })).stdout.trim();

test('installs with engine-strict, holds no tests and no sources, and says how large it is', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout.trim().split('\n');
  expect(files.filter((file) => /\.test\.|\/test\/|[^d]\.ts$/.test(file))).toEqual([]);
  for (const wanted of [
    'README.md',
    'LICENSE',
    'schema.json',
    'stack.schema.json',
    'drift.schema.json',
    'bin/pulumi-oneops',
    'bin/pulumi-language-oneops',
    'dist/service/packs/tomcat.json',
  ]) {
    expect(files).toContain(`package/${wanted}`);
  }
  process.stdout.write(`package: ${files.length} files, ${((await stat(tarball)).size / 1024).toFixed(0)} KiB\n`);
});

test('loads by require, both doors, and says how long that takes', async () => {
  const times = (name: string): string =>
    `const t = process.hrtime.bigint(); require('${name}'); process.stdout.write(String(Number(process.hrtime.bigint() - t) / 1e6));`;
  const sdk = Number(await printed(times('pulumi-oneops')));
  const face = Number(await printed(times('pulumi-oneops/dynamic')));
  expect(await printed("process.stdout.write(Object.keys(require('pulumi-oneops/dynamic')).sort().join())")).toBe(
    [...kinds.map(({ token }) => token)].sort().join(),
  );
  const firstCall = `const face = require('pulumi-oneops/dynamic').Assembly; const t = process.hrtime.bigint();
    face.configure({ config: { get: (key) => ({ 'oneops:url': 'http://127.0.0.1:1', 'oneops:organization': 'acme', 'oneops:token': 'x' })[key] } })
      .then(() => face.check({}, { name: 'shop' })).then(({ failures }) => { if (failures.length > 0) throw new Error('found'); process.stdout.write(String(Number(process.hrtime.bigint() - t) / 1e6)); });`;
  const check = Number(await printed(firstCall));
  for (const time of [sdk, face, check]) expect(time).toBeGreaterThan(0);
  process.stdout.write(
    `require('pulumi-oneops') ${sdk.toFixed(0)} ms, its dynamic face ${face.toFixed(0)} ms, first call in the face ${check.toFixed(1)} ms\n`,
  );
});

test('a program that requires it loads neither the HTTP client nor a compiler', async () => {
  const loaded = await printed(
    "require('pulumi-oneops'); process.stdout.write(Object.keys(require.cache).join('\\n'))",
  );
  expect(loaded).not.toMatch(/node_modules\/(axios|typescript|libsql|yaml)\//);
});

test('the client is loaded by the first function that is called, and not before; the SDK as a whole never', async () => {
  const code = `const oneops = require('pulumi-oneops');
    const of = (part) => Object.keys(require.cache).filter((file) => file.includes(part)).length;
    const before = [of('pulumi-oneops/dist/api/client/'), of('/axios/')];
    oneops.getCloud({ name: 'east' }).catch((error) => error.message).then((message) =>
      process.stdout.write(JSON.stringify({ before, after: of('pulumi-oneops/dist/api/client/') > 0, root: of('@pulumi/pulumi/index.js'), message })));`;
  const { stdout } = await run(process.execPath, ['-e', code], {
    cwd: folder,
    env: { ...process.env, ONEOPS_URL: live.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'nobody' },
  });
  expect(JSON.parse(stdout)).toEqual({
    before: [0, 0],
    after: true,
    root: 0,
    message: expect.stringMatching(/^getCloud\(name: east\): the service answered 401/),
  });
});

const CLIENT = `import { inspect } from 'node:util';
import { NotFound, OneOps, RateLimited, type ClientEvent, type Environment, type Record } from 'pulumi-oneops/client';

const events: ClientEvent[] = [];
const api = new OneOps({
  url: process.argv[2] ?? '', organization: 'acme', token: process.argv[3] ?? '', observe: (event) => events.push(event),
});

async function main(): Promise<void> {
  const shop: Record = await api.assemblies.create({ cms_ci: { ciName: 'typed', ciAttributes: { owner: 'team@acme.io' } } });
  const environments: readonly Record[] = await api.assemblies(shop.ciName).environments.list();
  const missing: unknown = await api.environments('typed', 'prod').read().then((found: Environment) => found, (error: unknown) => error);
  await api.assemblies('typed').delete();
  if (!(missing instanceof NotFound) || missing instanceof RateLimited) throw new Error('of no class');
  // @ts-expect-error a create needs its body
  const wrong = () => api.assemblies.create();
  console.log([shop.ciId > 0, environments.length, missing.status, missing.messages.length, typeof wrong].join());
  console.log(inspect([missing, events, api], { depth: 9, showHidden: true }), JSON.stringify(missing), String(missing));
  api.close();
}
void main();
`;

test('a program of the client alone compiles, whatever way it finds modules, and runs', async () => {
  await writeFile(join(folder, 'client.ts'), CLIENT);
  await symlink(
    join(REPOSITORY, 'node_modules', '@types', 'node'),
    join(folder, 'node_modules', '@types', 'node'),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
  const settings = '--strict --target es2020 --types node --exactOptionalPropertyTypes'.split(' ');
  for (const ways of [
    // The way of Pulumi's own template. Declarations are read too, so none may need what a user has not; but zod's need esModuleInterop.
    ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop'],
    ['--module', 'commonjs', '--moduleResolution', 'node10', '--skipLibCheck'],
    ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck'],
    ['--module', 'node16', '--moduleResolution', 'node16', '--skipLibCheck', '--outDir', 'out'],
  ]) {
    const { stdout } = await run(process.execPath, [tsc, ...settings, ...ways, 'client.ts'], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect([ways.join(' '), stdout]).toEqual([ways.join(' '), '']);
  }
  const { stdout } = await run(process.execPath, [join(folder, 'out', 'client.js'), live.url, TOKEN], { cwd: folder });
  expect(stdout.split('\n')[0]).toBe('true,0,404,1,function');
  expect(stdout).not.toMatch(new RegExp(`${TOKEN}|${Buffer.from(`${TOKEN}:`).toString('base64')}`));
});

test('its commands run', async () => {
  const { stdout } = await run(join(folder, 'node_modules', '.bin', 'pulumi-oneops'), ['--help']);
  expect(stdout).toContain('serve');
});

test('a stack goes up and away from there', async () => {
  const project = await newProject({
    engine: await findEngine(),
    nodeModules: join(folder, 'node_modules'),
    files: { 'oneops.yaml': STACK },
    config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
  const up = await project.run('up', '--skip-preview');
  expect(up.output).toContain('+ 4 created');
  expect(await live.platforms('shop')).toEqual(['web']);
  const destroy = await project.run('destroy', '--skip-preview');
  expect([destroy.code, await live.assemblies()]).toEqual([0, []]);
  await project.remove();
});
