// `pulumi-oneops test` on the real engine: what is as expected, what is not and where.
import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findEngine, type Engine } from '../world/engine';

const PROGRAM = join(__dirname, '..', '..', 'bin', 'pulumi-oneops');

const FILES = {
  'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
  'Pulumi.dev.yaml': `config:
  oneops:url: https://oneops.example.com
  oneops:organization: acme-shop
  shop:threads: 100
  shop:password: { secure: v1:abcdefgh }
`,
  'oneops.yaml': `assembly: { name: shop, owner: team@example.com }
config: { threads: { type: integer }, password: { type: string, secret: true } }
platforms:
  web: { pack: oneops/tomcat:1, components: { tomcat: { max_threads: '\${config.threads}' } } }
variables: { PASSWORD: '\${config.password}' }
environments:
  dev:
    clouds: { mars: { priority: 1 } }
    deploy: { checks: { home: { url: 'http://\${environments.dev.platforms.web.addresses[0]}/', within: 0s } } }
outputs: { environment: '\${environments.dev.name}' }
`,
};

const AS_SEEN = `stack: dev
expect:
  outputs: { environment: dev }
  instances: { dev/web/compute: 1, dev/web/tomcat: { mars: 1 } }
  findings: []
changes:
  - config: { threads: 200 }
    expect: { create: 0, replace: 0, delete: 0 }
`;

const OTHERWISE = AS_SEEN.replace('dev/web/compute: 1', 'dev/web/compute: 2').replace('create: 0', 'create: 1');

let engine: Engine;
let folder: string;

beforeAll(async () => {
  engine = await findEngine();
  folder = await mkdtemp(join(tmpdir(), 'oneops-stack-tests-'));
  for (const name of ['shop/tests', 'temporary']) await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, 'shop', name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const runTests = (...words: readonly string[]) =>
  new Promise<{ readonly code: number; readonly output: string; readonly stdout: string }>((resolve) => {
    const env = {
      PATH: [join(engine.root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      TMPDIR: join(folder, 'temporary'),
    };
    const child = execFile(
      process.execPath,
      [PROGRAM, 'test', ...words],
      { cwd: join(folder, 'shop'), env },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr, stdout });
      },
    );
  });

test('a stack is brought up, compared with each file, and destroyed', async () => {
  await writeFile(join(folder, 'shop/tests/a.yaml'), `${AS_SEEN}config: { password: of-the-test }\n`);
  await writeFile(join(folder, 'shop/tests/b.yaml'), OTHERWISE);
  const result = await runTests('--junit', 'results.xml');
  expect(result).toExitWith(2);
  expect(result.output).toMatch(
    /^ok {4}tests\/a\.yaml \(stack dev\): (\d+) of \1 as expected.*\n +1 check was not run: the machines are simulated$/m,
  );
  expect(result.output).toMatch(/^FAIL {2}tests\/b\.yaml \(stack dev\)/m);
  expect(result.output).toContain('tests/b.yaml:4: instances of dev/web/compute: expected 2, seen 1');
  expect(result.output).toContain('tests/b.yaml:8: change 1: create: expected 1, seen 0');
  const junit = await readFile(join(folder, 'shop/results.xml'), 'utf8');
  expect(junit).toMatch(/<testsuites name="pulumi-oneops test" tests="\d+" failures="2" errors="0"/);
  expect(await readdir(join(folder, 'temporary'))).toEqual([]);
  expect(await readFile(join(folder, 'shop/Pulumi.dev.yaml'), 'utf8')).toBe(FILES['Pulumi.dev.yaml']);
});

test('a run that fails is a failed test with what the engine reported', async () => {
  await rm(join(folder, 'shop/tests'), { recursive: true });
  await mkdir(join(folder, 'shop/tests'));
  await writeFile(join(folder, 'shop/tests/a.yaml'), 'stack: dev\nconfig: { threads: -7000000 }\n');
  const { code, stdout } = await runTests('--json');
  expect(code).toBe(2);
  const [result] = JSON.parse(stdout) as readonly { readonly checks: readonly { what: string; problem?: string }[] }[];
  expect(result?.checks.at(-1)).toMatchObject({
    what: 'up',
    problem: expect.stringContaining('max_threads') as string,
  });
});
