// The package as a user gets it: packed, installed into an empty folder, and run there by the engine.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { devDependencies, version } from '../../package.json';
import { kinds } from '../../provider/kinds';
import { freePort, shellBlocks } from '../docs/shell-blocks';
import { findEngine } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

const REPOSITORY = join(__dirname, '..', '..');
const run = promisify(execFile);

/** The SDK that users have: another one in `make matrix`. */
const SDK = process.env['SDK'] ?? devDependencies['@pulumi/pulumi'];

let folder: string;
/** What a newcomer has: nothing, and no node_modules in a folder above. */
let fresh: string;
let release: string;
let tarball: string;
let live: LiveService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oneops-package-'));
  fresh = await mkdtemp(join(tmpdir(), 'oneops-newcomer-'));
  release = join(folder, 'release');
  await run('make', ['release', `RELEASE=${release}`], { cwd: REPOSITORY });
  tarball = join(release, (await readdir(release)).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, version: '1.0.0' }));
  await run('npm', ['install', '--engine-strict', '--no-audit', '--no-fund', tarball, `@pulumi/pulumi@${SDK}`], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  live = await startService();
});

afterAll(async () => {
  await live.stop();
  for (const made of [folder, fresh]) await rm(made, { recursive: true, force: true });
});

/** What a Node process of this folder prints. */
const printed = async (code: string): Promise<string> =>
  (await run(process.execPath, ['-e', code], { cwd: folder })).stdout.trim();

test('installs with engine-strict, contains no tests and no sources', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout.trim().split('\n');
  const compiled = files.filter((file) => !file.startsWith('package/dist/plugins/language/templates/'));
  expect(compiled.filter((file) => /\.test\.|\/test\/|[^d]\.ts$/.test(file))).toEqual([]);
  for (const wanted of [
    'README.md',
    'LICENSE',
    'schema.json',
    'schemas/stack.schema.json',
    'schemas/drift.schema.json',
    'schemas/rehearsal.schema.json',
    'schemas/drift-file.schema.json',
    'schemas/operate.schema.json',
    'bin/pulumi-oneops',
    'bin/pulumi-language-oneops',
    'dist/service/packs/tomcat.json',
    'dist/drift/report/html/assets/page.css',
    'dist/drift/report/html/assets/page.js',
  ]) {
    expect(files).toContain(`package/${wanted}`);
  }
});

test('every relative link of its pages leads to something in it', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout.trim().split('\n');
  const installed = (file: string): string => join(folder, 'node_modules', file.replace(/^package/, 'pulumi-oneops'));
  const pages = files.filter((file) => file.endsWith('.md'));
  const links = await Promise.all(
    pages.map(async (page) =>
      [...(await readFile(installed(page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link as string)
        .filter((link) => !/^([a-z]+:|#)/.test(link))
        .map((link) => ({ page, link, to: posix.join(posix.dirname(page), link.replace(/#.*$/, '')) })),
    ),
  );
  expect(links.flat().length).toBeGreaterThan(30);
  expect(links.flat().filter(({ to }) => !files.some((file) => file === to || file.startsWith(`${to}/`)))).toEqual([]);
});

/** The shell block of a page that installs the plugins, as a newcomer pastes it. */
const setupBlock = async (...page: readonly string[]): Promise<string> => {
  const text = await readFile(join(REPOSITORY, ...page), 'utf8');
  return shellBlocks(text).find((block) => block.text.includes('npx --yes pulumi-oneops setup '))?.text ?? 'exit 99';
};

/** Runs a script as a newcomer would: with their own home, Node, npm and Pulumi's CLI. */
async function asNewcomer(script: string, cwd: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(PULUMI|ONEOPS)_/.test(name));
  const command = script
    .replaceAll('npx --yes pulumi-oneops', `npx --yes --prefer-offline --package='${tarball}' -- pulumi-oneops`)
    .replaceAll('9090', String(await freePort()));
  // A service in the background would keep a failed script's output open, and the test waiting.
  const ending = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT";
  return run('bash', ['-euo', 'pipefail', '-c', `${ending}\n${command}`], {
    cwd,
    maxBuffer: 1 << 26,
    env: {
      ...Object.fromEntries(own),
      HOME: join(fresh, 'empty home'),
      // The CLI asks the system for the home of this user, and not HOME.
      PULUMI_HOME: join(fresh, 'empty home', '.pulumi'),
      PATH: [join((await findEngine()).root, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
      // What only saves the way to the registry: what npm has fetched before, and where from.
      npm_config_cache: join(homedir(), '.npm'),
      npm_config_userconfig: join(homedir(), '.npmrc'),
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    },
  });
}

test('the block to try it with runs as it is, in an empty folder with an empty home', async () => {
  const work = join(fresh, 'empty folder');
  for (const made of [work, join(fresh, 'empty home')]) await mkdir(made);
  const { stdout, stderr } = await asNewcomer(await setupBlock('docs', 'tutorial.md'), work);
  expect(stdout).toContain('+ 7 created');
  expect(stdout).toContain('oneops:index:Deployment');
  expect(stdout).toContain('IN SYNC');
  expect(stdout).toContain('- 7 deleted');
  expect(stdout + stderr).not.toContain('warning');
  expect(await readdir(work)).not.toContain('node_modules');
  const token = /[0-9a-f]{40}/.exec(await readFile(join(work, 'service.log'), 'utf8'))?.[0] ?? 'no token';
  expect(stdout + stderr + (await readFile(join(work, 'Pulumi.dev.yaml'), 'utf8'))).not.toContain(token);
});

test('the ten lines of YAML and four lines of shell of the README bring a stack up', async () => {
  const work = join(fresh, 'four lines');
  await mkdir(join(work, 'state'), { recursive: true });
  const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
  const [stack = '', project = ''] = [...readme.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text);
  expect(stack.trimEnd().split('\n')).toHaveLength(10);
  await writeFile(join(work, 'oneops.yaml'), stack);
  await writeFile(join(work, 'Pulumi.yaml'), project);
  await writeFile(join(work, 'token'), TOKEN);
  const lines = (await setupBlock('README.md'))
    .replace('https://oneops.example.com', live.url)
    .replace(/pulumi up$/m, 'pulumi up --yes');
  const { stdout, stderr } = await asNewcomer(
    `export PULUMI_BACKEND_URL="file://$PWD/state" PULUMI_CONFIG_PASSPHRASE=\n${lines}\npulumi destroy --yes`,
    work,
  );
  expect(stdout).toContain('+ 7 created');
  expect(stdout + stderr).not.toContain(TOKEN);
});

test('after it, pulumi new, install, about and up work with the templates that setup brought, in the same home', async () => {
  const work = join(fresh, 'from a template');
  await mkdir(join(work, 'state'), { recursive: true });
  const templates = join(fresh, 'empty home', '.pulumi', 'plugins', `language-oneops-v${version}`, 'templates');
  const script = `export PULUMI_BACKEND_URL="file://$PWD/state" PULUMI_CONFIG_PASSPHRASE= ONEOPS_TOKEN=${TOKEN}
    mkdir app; cd app
    pulumi new '${templates}/oneops-yaml' --yes --offline --name shopping --stack dev -c oneops:url=${live.url} -c oneops:organization=acme
    pulumi install
    pulumi about
    pulumi up --yes --skip-preview
    pulumi preview --expect-no-changes
    pulumi destroy --yes --skip-preview`;
  // npm packs no .gitignore.
  for (const template of ['oneops-typescript', 'oneops-yaml'])
    expect(await readdir(join(templates, template))).toEqual(await readdir(join(REPOSITORY, 'templates', template)));
  const { stdout, stderr } = await asNewcomer(script, work);
  expect(stdout).toMatch(/language +oneops +\d/);
  expect(stdout).toContain('This project is written in oneops');
  expect(stdout).toContain('+ 7 created');
  expect(stdout).toContain('- 7 deleted');
  expect(stdout + stderr).not.toContain('no folder at path');
});

test('pulumi package add, gen-sdk, get-schema and info know the package, in Pulumi YAML and in a project of its own language', async () => {
  const work = join(fresh, 'packages');
  await mkdir(join(work, 'state'), { recursive: true });
  const script = `export PULUMI_BACKEND_URL="file://$PWD/state" PULUMI_CONFIG_PASSPHRASE= ONEOPS_TOKEN=${TOKEN}
    export ONEOPS_URL=${live.url} ONEOPS_ORGANIZATION=acme
    for runtime in yaml oneops; do
      mkdir $runtime; cd $runtime
      printf 'name: packages\\nruntime: %s\\n' $runtime > Pulumi.yaml
      printf 'assembly: { name: shop, owner: team@acme.io }\\n' > oneops.yaml
      pulumi package add oneops
      pulumi install
      pulumi stack init $runtime
      [ $runtime = oneops ] || printf 'resources: { shop: { type: oneops:Assembly, properties: { owner: team@acme.io } } }\\n' >> Pulumi.yaml
      pulumi preview
      cd ..
    done
    pulumi package get-schema oneops > schema.json
    pulumi package info oneops --resource Component
    pulumi package gen-sdk oneops --language yaml --out sdk`;
  const { stdout, stderr } = await asNewcomer(script, work);
  expect(stdout.match(/oneops:index:Assembly shop create/g)?.length).toBeGreaterThan(1);
  expect(stdout).toContain('depends (Array<Input<string>>)');
  expect(stdout + stderr).not.toContain('warning');
  const { resources } = JSON.parse(await readFile(join(work, 'schema.json'), 'utf8')) as { resources: object };
  expect(Object.keys(resources).sort()).toEqual(kinds.map(({ token }) => `oneops:index:${token}`).sort());
  expect(await readdir(join(work, 'sdk', 'yaml'))).toEqual([`oneops-${version}.yaml`]);
});

test('a release has the same bytes each time, and its plugins are those that setup installs', async () => {
  const again = join(folder, 'again');
  await run('make', ['release', `RELEASE=${again}`], { cwd: REPOSITORY });
  const sums = (where: string): Promise<string> => readFile(join(where, 'SHA256SUMS'), 'utf8');
  expect(await sums(again)).toBe(await sums(release));
  expect((await sums(release)).trim().split('\n')).toHaveLength(6);
  const template = `another home/plugins/language-oneops-v${version}/templates/oneops-typescript`;
  const script = `export PULUMI_HOME="$PWD/another home"
    for plugin in language-oneops resource-oneops converter-oneops converter-boo; do
      pulumi plugin install \${plugin%%-*} \${plugin#*-} ${version} --file '${release}'/pulumi-$plugin-v${version}-linux-amd64.tar.gz
    done
    '${process.execPath}' '${REPOSITORY}/bin/pulumi-oneops' setup`;
  expect((await asNewcomer(script, fresh)).stdout.match(/: already there$/gm)).toHaveLength(4);
  expect(await readdir(join(fresh, template))).toContain('.gitignore');
});

test('loads by require, both doors', async () => {
  const tokens = "Object.keys(require('pulumi-oneops/dynamic')).sort().join()";
  const printing = `require('pulumi-oneops'); process.stdout.write(${tokens})`;
  expect(await printed(printing)).toBe([...kinds.map(({ token }) => token)].sort().join());
  const firstCall = `const face = require('pulumi-oneops/dynamic').Assembly;
    face.configure({ config: { get: (key) => ({ 'oneops:url': 'http://127.0.0.1:1', 'oneops:organization': 'acme', 'oneops:token': 'x', 'oneops:offlinePreview': 'true' })[key] } })
      .then(() => face.check({}, { name: 'shop' })).then(({ failures }) => process.stdout.write(JSON.stringify(failures)));`;
  expect(await printed(firstCall)).toBe('[]');
});

test.each([
  ['a command', 'pulumi-oneops help'],
  ['a killed host', `node -e "require('pulumi-oneops/dynamic'); setInterval(String, 99)" & sleep 1; kill -9 $!`],
])('compiled code is kept below the folder of its user: %s', async (name, command) => {
  const env = { ...process.env, NODE_OPTIONS: '', XDG_CACHE_HOME: join(folder, name) };
  await run('bash', ['-c', `PATH="$PWD/node_modules/.bin:$PATH" ${command}`], { cwd: folder, env }).catch(String);
  const kept = await readdir(join(folder, name, 'pulumi-oneops'), { recursive: true });
  expect(kept.length).toBeGreaterThan(1);
});

test('a program that requires it loads one file of it, and no compiler', async () => {
  const loaded = await printed(
    "require('pulumi-oneops'); process.stdout.write(Object.keys(require.cache).join('\\n'))",
  );
  expect(loaded.match(/node_modules\/(pulumi-oneops|axios|undici|zod|typescript|yaml)\/.*/g)).toEqual([
    'node_modules/pulumi-oneops/dist/sdk/index.js',
  ]);
});

test("a function that is called asks the service, and never loads Pulumi's SDK as a whole", async () => {
  const code = `const oneops = require('pulumi-oneops');
    oneops.getCloud({ name: 'east' }).catch((error) => error.message).then((message) => {
      const root = Object.keys(require.cache).filter((file) => file.includes('@pulumi/pulumi/index.js')).length;
      process.stdout.write(JSON.stringify({ root, message }));
    });`;
  const { stdout } = await run(process.execPath, ['-e', code], {
    cwd: folder,
    env: { ...process.env, ONEOPS_URL: live.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'nobody' },
  });
  expect(JSON.parse(stdout)).toEqual({
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
  const environments: readonly Record[] = await api.environments.list(shop.ciName);
  const missing: unknown = await api.environments.read('typed', 'prod').then((found: Environment) => found, (error: unknown) => error);
  await api.assemblies.delete('typed');
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
    // The way of Pulumi's own template. Declarations are read too, and may need nothing that a user has
    // not; but zod's need esModuleInterop.
    ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0', '--esModuleInterop'],
    ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0', '--skipLibCheck'],
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
