// A stage: the embedded service in this process, and a copy of a project with a separate state,
// home and plugins. Pulumi's CLI runs there without settings of the user, and leaves nothing
// behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { editedYaml } from '../../stack';
import { layered, type Api, type Dialect } from '../../api/contract';
import { createService, fastClock, listen, type Catalogue } from '../../service';
import { stopAsked } from '../stop-asked';
import { copyPlugin, PLUGINS, pulumiHome } from '../pulumi-cli';
import { ELSEWHERE } from './settings';

export type Stage = Awaited<ReturnType<typeof openStage>>;

interface StageOptions {
  /** The project that is copied, without its packages and its git. */
  readonly project: string;
  readonly users: readonly string[];
  /** How much faster than real the service's own work goes. */
  readonly speed: number;
  /** Packs, clouds and the organization of the service; default: the packaged ones. */
  readonly catalogue?: Catalogue;
  /** Default: documented. */
  readonly dialect?: Dialect;
  /** The provider of a stack file's resources. Default: the plugin, which needs no packages. */
  readonly resources?: 'plugin' | 'dynamic';
}

/** How much faster than real the service of a test or a rehearsal does its own work. */
export const STAGE_SPEED = 200;

/** Opens a stage. `tokens`: by user. `close` stops the service and removes the folder. */
export async function openStage({ project, users, speed, ...options }: StageOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-stage-'));
  const tokens: { readonly [user: string]: string } = Object.fromEntries(
    users.map((name) => [name, randomBytes(20).toString('hex')]),
  );
  const { catalogue, dialect = 'documented', resources = 'plugin' } = options;
  const service = createService({
    database: ':memory:',
    dialect,
    clock: fastClock(speed),
    users: Object.entries(tokens).map(([name, token]) => ({ name, token })),
    ...(catalogue === undefined ? {} : { catalogue }),
  });
  const listening = await listen(service, { port: 0 });
  const close = async (): Promise<void> => {
    await listening.close();
    service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const copy = join(folder, 'project');
    copyProject(resolve(project), copy, resources);
    for (const name of ['state', 'home']) mkdirSync(join(folder, name));
    for (const plugin of PLUGINS.filter(({ kind }) => kind !== 'converter'))
      copyPlugin(plugin, join(folder, 'plugins', plugin.kind));
    // The CLI that comes with npm looks for itself in the home, and would be downloaded again.
    const versions = resolve(pulumiHome(), 'versions');
    if (existsSync(versions)) symlinkSync(versions, join(folder, 'home', 'versions'), 'junction');
    // With the home, the state and the plugins of the stage.
    const environment = environmentOf(folder);
    return { project: copy, url: listening.url, tokens, environment, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Copies a project, and lets its Pulumi.yaml name the plugins of the stage. */
function copyProject(from: string, to: string, resources: string): void {
  const left = ['node_modules', '.git'];
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !left.includes(basename(path)) });
  const packages = join(from, 'node_modules');
  if (existsSync(packages)) symlinkSync(packages, join(to, 'node_modules'), 'junction');
  const file = join(to, 'Pulumi.yaml');
  writeFileSync(file, projectOnStage(readFileSync(file, 'utf8'), resources));
}

/** The text of a Pulumi.yaml that names the plugins of the stage, and no service, user or file. */
export const projectOnStage = (text: string, resources: string): string =>
  editedYaml(text, (document) => {
    document.setIn(['plugins', 'languages'], [{ name: 'oneops', path: '../plugins/language' }]);
    document.setIn(['plugins', 'providers'], [{ name: 'oneops', path: '../plugins/resource' }]);
    // A stack file needs no packages then.
    if (document.get('runtime') === 'oneops') document.set('runtime', document.createNode({ name: 'oneops' }));
    if (document.getIn(['runtime', 'name']) === 'oneops')
      document.setIn(['runtime', 'options', 'resources'], resources);
    // The settings of stacks are written into the copy.
    for (const key of ['stackConfigDir', 'config']) if (typeof document.get(key) === 'string') document.delete(key);
    for (const key of ELSEWHERE) if (document.hasIn(['config', key])) document.deleteIn(['config', key]);
  });

const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|ONEOPS)_/.test(name))),
  PULUMI_HOME: join(folder, 'home'),
  PULUMI_BACKEND_URL: `file://${join(folder, 'state')}`,
  PULUMI_CONFIG_PASSPHRASE: '',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  PULUMI_DISABLE_REGISTRY_RESOLVE: 'true',
  NO_COLOR: '1',
  ONEOPS_SIMULATED: 'true',
});

/** A command on a stage was stopped by a person. */
export class Stopped extends Error {}

/** Does work that Ctrl-C stops, which then ends with 130. Returns its exit code. */
export async function untilStopped(work: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  void stopAsked().then(end);
  // The terminal is closed, or nobody reads any more, as behind `| head`: this cleans up as well.
  process.once('SIGHUP', end);
  process.stdout.once('error', end);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('\nstopped; nothing is left behind\n');
    return 130;
  } finally {
    process.removeListener('SIGHUP', end);
    process.stdout.removeListener('error', end);
  }
}

/** A client whose calls reject with Stopped when `stop` aborts, whatever they wait for. */
export function stoppable(api: Api, stop: AbortSignal): Api {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(new Stopped()), { once: true });
  });
  stopped.catch(() => undefined);
  return layered(api, (next) => (route, input) => {
    if (stop.aborted) return Promise.reject(new Stopped());
    return Promise.race([next(route, input), stopped]);
  });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** Both outputs, in their order. */
  readonly printed: string;
}

/** Runs a command on a stage. Rejects with Stopped, and kills what it has started. */
export function runOn(
  { project, environment }: Stage,
  words: string,
  stop: AbortSignal,
  { input = '', variables = {} }: { readonly input?: string; readonly variables?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  if (stop.aborted) return Promise.reject(new Stopped());
  const [program = '', ...rest] = words.split(' ');
  const ours = join(__dirname, '..', 'main.js');
  const [file, args] =
    program === 'pulumi' ? [program, [...rest, '--non-interactive']] : [process.execPath, [ours, ...rest]];
  const env = { ...environment, ...variables };
  // In its own group: Ctrl-C reaches this process alone, which then ends what it started.
  const child = spawn(file, args, { cwd: project, env, detached: process.platform !== 'win32' });
  return new Promise((settle, reject) => {
    const ended = { stdout: '', printed: '' };
    child.stdout.on('data', (bytes) => {
      ended.stdout += String(bytes);
      ended.printed += String(bytes);
    });
    child.stderr.on('data', (bytes) => (ended.printed += String(bytes)));
    const end = (): void => killGroup(child);
    stop.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    // A killed CLI leaves plugins behind, which keep its output open until they notice.
    child.once('exit', () => stop.aborted && reject(new Stopped()));
    child.once('close', (code) => {
      stop.removeEventListener('abort', end);
      settle({ code, ...ended });
    });
    child.stdin.end(input);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** What a command printed, without progress: of a failed run, what the engine reports. */
export function failureIn({ printed }: Ended): string {
  const reported = /^Diagnostics:\n(.*?)^(?:Outputs|Resources):/ms.exec(printed)?.[1] ?? printed;
  return reported.replace(/^(?:@ .*| *)\n/gm, '').trim();
}
