// Programs under the compiler settings of Pulumi's own template, against the declarations we ship: no
// errors but those one asks for. The others are on pages, and the stories run them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const REPOSITORY = join(__dirname, '..', '..');

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    outDir: 'bin',
    target: 'es2020',
    module: 'commonjs',
    moduleResolution: 'node',
    // The template's compiler is older than ours, which calls this resolution deprecated.
    ignoreDeprecations: '6.0',
    sourceMap: true,
    experimentalDecorators: true,
    pretty: false,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  },
  files: ['index.ts', 'readme.ts', 'functions.ts'],
};

const PROGRAM = `import * as pulumi from '@pulumi/pulumi';
import * as oneops from 'pulumi-oneops';

const config = new pulumi.Config();
const east = new oneops.Provider('east', { url: config.require('url'), organization: 'acme', tokenEnv: 'EAST_TOKEN' });
const shop = new oneops.Assembly('shop', { owner: config.get('owner'), tags: { tier: 'gold' } }, { protect: true, provider: east });
const db = new oneops.Platform('db', { assembly: shop, source: 'oneops', pack: 'mysql', version: '1' });
const web = new oneops.Platform('web', { assembly: shop.name, source: 'oneops', pack: 'tomcat', version: '1', links: [db, 'cache'] });
const deployer = new oneops.Component('deployer', { platform: web, type: 'user', attributes: { username: 'deployer', sudoer: true } });
new oneops.Attachment('motd', {
  component: deployer,
  content: pulumi.interpolate\`number \${web.ciId}\`,
  runsOn: ['after-add', 'on-demand'],
  basicAuthPassword: config.requireSecret('password'),
  priority: web.ciId.apply((id) => id % 2),
});
const prod = new oneops.Environment('prod', {
  assembly: shop,
  availability: 'redundant',
  clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: config.requireNumber('scale') } },
});
new oneops.CloudConfiguration('web-west', { environment: prod, platform: web, cloud: 'west', adminstatus: 'inactive' });
const deployment = new oneops.Deployment('prod', { environment: prod, onDelete: 'retain' });
const release = shop.hold();
release();

export const id: pulumi.Output<number> = deployment.deploymentId;
export const events: pulumi.Output<readonly string[] | undefined> = new oneops.Attachment('x', { component: deployer }).runsOn;
export const stacked: pulumi.Output<string> = oneops.stack('oneops.yaml').resource('Component', 'web/deployer').revision;
const composed = oneops.stack('a.yaml', 'b.yaml', { config: { threads: 5, key: config.requireSecret('key') }, overlay: 'prod' });
new oneops.Attachment('more', { component: composed.platforms.web.components.deployer, content: composed.environments.prod.deployment.state });

// @ts-expect-error an option nobody knows
oneops.stack('oneops.yaml', { overlays: 'prod' });
// @ts-expect-error a handle of no resource
composed.platforms.web.componets;
// @ts-expect-error an event that does not exist
new oneops.Attachment('wrong', { component: deployer, runsOn: ['afteradd'] });
// @ts-expect-error the nearest parent is required
new oneops.Component('wrong', { type: 'user' });
// @ts-expect-error a platform is no component
new oneops.Attachment('wrong', { component: web });
// @ts-expect-error an argument nobody knows
new oneops.Assembly('wrong', { ownr: 'x' });
// @ts-expect-error state is an outcome, not a wish
new oneops.Deployment('wrong', { environment: prod, state: 'complete' });
// @ts-expect-error outputs are read only
deployment.state = deployment.state;
`;

test("programs under Pulumi's template settings have no type errors", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oneops-typed-'));
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
  await symlink(REPOSITORY, join(folder, 'node_modules', 'pulumi-oneops'));
  await symlink(join(REPOSITORY, 'node_modules', '@pulumi'), join(folder, 'node_modules', '@pulumi'));
  await symlink(join(REPOSITORY, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, 'index.ts'), PROGRAM);
  for (const page of ['README.md', 'docs/functions.md']) {
    const [, block = 'no program'] = /```ts\n([^]*?)```/.exec(await readFile(join(REPOSITORY, page), 'utf8')) ?? [];
    await writeFile(join(folder, `${basename(page, '.md').toLowerCase()}.ts`), block);
  }
  const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--noEmit'], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  await rm(folder, { recursive: true, force: true });
  expect(output).toBe('');
});
