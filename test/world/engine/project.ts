// One Pulumi project in a temporary folder, with a home, a state folder and a stack of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Engine, REPOSITORY } from './engine';

interface ProjectOptions {
  readonly engine: Engine;
  /** Texts by path below the folder; without `Pulumi.yaml`, that of a project of stack files. */
  readonly files?: { readonly [path: string]: string };
  /** Stack configuration: `oneops:url`. */
  readonly config?: { readonly [key: string]: string };
  /** Stack configuration kept as secrets: `oneops:token`. */
  readonly secrets?: { readonly [key: string]: string };
  /** A folder with installed packages; default: this repository and its own `@pulumi`. */
  readonly nodeModules?: string;
  /** Stacks keep their secrets by a passphrase, the empty one, as they do by default outside of tests. */
  readonly hasPassphrase?: true;
  /** Further variables of the CLI's environment. */
  readonly environment?: { readonly [name: string]: string };
}

/** What one command printed, and its exit code. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they came. */
  readonly output: string;
}

/** A command that runs. */
interface Running {
  /** Process of the CLI. */
  readonly pid: number;
  /** Settles when the CLI has ended, also by a signal: then the code is -1. */
  readonly ended: Promise<Run>;
  /** What it printed so far. */
  printed(): string;
}

interface Variables {
  readonly [name: string]: string;
}

export interface Project {
  readonly dir: string;
  /** Environment of the CLI: offline, a home and state of its own, no colours. */
  readonly environment: { readonly [name: string]: string };
  /** Runs `pulumi <args> --non-interactive`, with `--yes` where it asks; rejects for no exit code. */
  run(...args: readonly string[]): Promise<Run>;
  /** The same, which must succeed: rejects with what was printed. */
  succeeds(...args: readonly string[]): Promise<Run>;
  /** Makes another stack, and selects it. */
  addStack(name: string): Promise<void>;
  /** Runs `pulumi-oneops` in a folder below, with further variables; rejects for no exit code. */
  oneops(words: readonly string[], variables?: Variables, below?: string): Promise<Run>;
  /** Runs any program, in the same way. */
  execute(program: string, words: readonly string[], variables?: Variables, below?: string): Promise<Run>;
  /** Begins what `run` does, with further variables of the CLI's environment. */
  start(args: readonly string[], variables?: Variables): Running;
  /** Writes a file of the project. */
  write(path: string, text: string): Promise<void>;
  /** The saved state of a stack, by default `dev`, as it is in its file. */
  state(stack?: string): Promise<string>;
  /** Removes the folder. */
  remove(): Promise<void>;
}

const PULUMI_YAML = `name: story
runtime: oneops
plugins:
  languages:
    - name: oneops
      path: node_modules/pulumi-oneops/bin
`;

/** Commands that change something ask first. */
const ASKING = ['up', 'destroy', 'refresh', 'cancel', 'import'];

/** Makes a project with the stack `dev`. */
export async function newProject(options: ProjectOptions): Promise<Project> {
  const dir = await mkdtemp(join(tmpdir(), 'pulumi-oneops-'));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  await Promise.all(['home', 'state'].map((name) => mkdir(join(dir, name))));
  await linkPackages(join(dir, 'node_modules'), options.nodeModules);
  for (const [path, text] of Object.entries({ 'Pulumi.yaml': PULUMI_YAML, ...options.files })) await write(path, text);

  const keys = options.hasPassphrase ? undefined : await startKeyService();
  const environment = { ...environmentOf(dir, options), ...keys?.environment };
  const start: Project['start'] = (args, variables = {}) =>
    startCli(options.engine.pulumi, dir, { ...environment, ...variables }, args);
  const run = (...args: readonly string[]): Promise<Run> => start(args).ended;
  const succeeds = async (...args: readonly string[]): Promise<Run> => {
    const ended = await run(...args);
    if (ended.code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${ended.code}:\n${ended.output}`);
    return ended;
  };
  const execute: Project['execute'] = (program, words, variables = {}, below = '') =>
    started(program, words, { cwd: join(dir, below), env: { ...environment, ...variables } }).ended;
  const addStack: Project['addStack'] = async (name) =>
    void (await succeeds('stack', 'init', name, ...(keys ? ['--secrets-provider', KEY] : [])));
  await addStack('dev');
  const pairs = [
    ...Object.entries(options.config ?? {}).flatMap(([key, value]) => ['--plaintext', `${key}=${value}`]),
    ...Object.entries(options.secrets ?? {}).flatMap(([key, value]) => ['--secret', `${key}=${value}`]),
  ];
  if (pairs.length > 0) await succeeds('config', 'set-all', ...pairs);
  return {
    dir,
    environment,
    run,
    succeeds,
    addStack,
    oneops: (words, ...place) =>
      execute(process.execPath, [join(REPOSITORY, 'bin', 'pulumi-oneops'), ...words], ...place),
    execute,
    start,
    write,
    state: (stack = 'dev') => readFile(join(dir, 'state', '.pulumi', 'stacks', 'story', `${stack}.json`), 'utf8'),
    remove: async () => {
      keys?.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** `pulumi-oneops setup` in the project's home: what was built is found where Pulumi.yaml names no folder. */
export async function setUp(project: Project): Promise<void> {
  const { code, output } = await project.oneops(['setup']);
  if (code !== 0) throw new Error(output);
}

async function linkPackages(folder: string, installed: string | undefined): Promise<void> {
  if (installed !== undefined) return symlink(installed, folder);
  await mkdir(folder);
  await symlink(REPOSITORY, join(folder, 'pulumi-oneops'));
  await symlink(join(REPOSITORY, 'node_modules', '@pulumi'), join(folder, '@pulumi'));
}

function environmentOf(dir: string, { engine, environment }: ProjectOptions): { readonly [name: string]: string } {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|ONEOPS)_/.test(name));
  return {
    ...(Object.fromEntries(inherited) as { readonly [name: string]: string }),
    PATH: [join(engine.root, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    PULUMI_HOME: join(dir, 'home'),
    PULUMI_BACKEND_URL: `file://${join(dir, 'state')}`,
    PULUMI_CONFIG_PASSPHRASE: '',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    PULUMI_DISABLE_REGISTRY_RESOLVE: 'true',
    NO_COLOR: '1',
    ...environment,
  };
}

function startCli(
  pulumi: string,
  cwd: string,
  env: { readonly [name: string]: string },
  args: readonly string[],
): Running {
  const asks = ASKING.includes(args[0] ?? '') && !args.includes('--preview-only');
  // What follows `--` is not the CLI's own.
  const own = args.includes('--') ? args.indexOf('--') : args.length;
  const full = [
    ...args.slice(0, own),
    '--non-interactive',
    ...(asks ? ['--yes'] : []),
    ...(args.includes('--color') ? [] : ['--color', 'never']),
    ...args.slice(own),
  ];
  return started(pulumi, full, { cwd, env });
}

function started(
  file: string,
  words: readonly string[],
  place: { readonly cwd: string; readonly env: { readonly [name: string]: string } },
): Running {
  const child = spawn(file, words, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = { stdout: '', stderr: '', output: '' };
  const ended = new Promise<Run>((resolve, reject) => {
    const end = (code: number | null): void => {
      // Plugins come from the cache or a folder that is named; the CLI warns of one on PATH.
      if (parts.output.includes('warning: using')) reject(new Error(`a plugin was on PATH:\n${parts.output}`));
      else resolve({ code: code ?? -1, ...parts });
    };
    const collect = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      parts[name] += chunk.toString('utf8');
      parts.output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect('stdout'));
    child.stderr.on('data', collect('stderr'));
    child.on('error', reject);
    // Its plugins may outlive a killed CLI, and hold its output open.
    child.on('exit', (code, signal) => signal && end(code));
    child.on('close', end);
  });
  return { pid: child.pid ?? -1, ended, printed: () => parts.output };
}

/**
 * A key for the stacks of stories, in a separate service: from a passphrase, each command of the CLI
 * derives it anew, for half a second of CPU. Only the bench and stories of the package use passphrases.
 */
interface KeyService {
  /** Variables with which the CLI finds it. */
  readonly environment: { readonly [name: string]: string };
  close(): void;
}

/** What `pulumi stack init --secrets-provider` calls it. */
const KEY = 'hashivault://stories';

/**
 * Starts a stand-in for Vault's transit engine: it wraps the key of a stack once, and unwraps it in
 * each command. It encrypts nothing, so it is only for tests.
 */
async function startKeyService(): Promise<KeyService> {
  const answer = async (request: IncomingMessage): Promise<object> => {
    const { plaintext, ciphertext = '' } = JSON.parse(await text(request)) as {
      plaintext?: string;
      ciphertext?: string;
    };
    return plaintext === undefined ? { plaintext: ciphertext.slice(MARK.length) } : { ciphertext: MARK + plaintext };
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    void answer(request).then((data) => response.end(JSON.stringify({ data })));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { environment: { VAULT_ADDR: address, VAULT_TOKEN: 'stories' }, close: () => server.close() };
}

const MARK = 'vault:v1:';
