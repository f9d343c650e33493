// `pulumi-oneops demo`: a web shop on the embedded service, from `up` over another user's change to a review and the repair.
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { routes } from '../../../api/contract';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { usablePulumi, copyPlugin, PLUGINS, pulumiHome } from '../../pulumi-cli';
import { stopAsked } from '../../stop-asked';
import { createApi, type Api } from '../../../api/client';
import { createService, fastClock, listen } from '../../../service';
import { flag } from '../../options';

const OPTIONS = {
  'no-open': flag('print where the report is, and do not open it'),
} as const;

/** The demo command. */
export const demoCommand: Command = {
  usage: ['demo [--no-open]'],
  about: `Shows in less than a minute what this package does: serves the API from memory, brings a web shop up from a YAML file, lets another user change it, reviews the drift and repairs it. Needs Node and Pulumi's CLI; it downloads nothing, and sends nothing to any other machine.

Everything happens in a temporary folder, which is removed at the end, as is everything after Ctrl-C. Only the report of the review stays, as an HTML page. Ctrl-C ends it with 130.`,
  options: OPTIONS,
  exits: { done: 'shown', failed: `Pulumi's CLI is missing or too old, or a step failed` },
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('demo takes options only');
    await usablePulumi('demo');
    const stop = new AbortController();
    void stopAsked().then(() => stop.abort());
    // The terminal is closed, or nobody reads any more, as behind `| head`: what was made is removed all the same.
    process.once('SIGHUP', () => stop.abort());
    process.stdout.on('error', () => stop.abort());
    const stage = await openStage();
    try {
      await play(stage, stop.signal);
      const report = keptReport(stage);
      say(`The report of the review: ${report}`);
      if (!values['no-open']) open(report);
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      say('\nstopped; nothing is left behind');
      return 130;
    } finally {
      await stage.close();
    }
  },
};

const REPORT = 'drift.html';

/** The story. */
async function play(stage: DemoStage, stop: AbortSignal): Promise<void> {
  const play = (words: string, more: Omit<Line, 'words'> = {}): Promise<void> =>
    run({ words: words.split(' '), ...more }, stage, stop);
  say('A web shop in oneops.yaml: 3 platforms, 2 environments, 2 clouds. The service');
  say('runs in this process, and simulates the machines twenty times faster.\n');
  await play('pulumi stack init dev', { quiet: true });
  await play(`pulumi config set oneops:url ${stage.url}`, { quiet: true });
  await play('pulumi config set oneops:organization acme', { quiet: true });
  await play('pulumi config set --secret oneops:token', { quiet: true, input: stage.token });
  await play('pulumi config set --secret downloadPassword', { quiet: true, input: 's3cret' });
  await play('pulumi up --yes --skip-preview');
  say('Meanwhile, maria raises max_threads of web/tomcat, and deletes an attachment.\n');
  await edits(stage);
  await play(`pulumi-oneops drift --report text --report html=${REPORT}`, { expected: 2 });
  say('The file is right: the next run repairs the service before this is deployed.\n');
  await play('pulumi up --yes --skip-preview --refresh');
  await play('pulumi-oneops drift');
}

/** What another user does in the service. */
async function edits({ maria }: DemoStage): Promise<void> {
  const platform = { assembly: 'storefront', platform: 'web' };
  const tomcat = await maria.call(routes.components.read, { address: { ...platform, component: 'tomcat' } });
  await maria.call(routes.components.update, {
    address: { ...platform, component: 'tomcat' },
    body: { cms_dj_ci: { ciId: tomcat.ciId, ciName: 'tomcat', ciAttributes: { max_threads: '150' } } },
  });
  await maria.call(routes.attachments.delete, { address: { ...platform, component: 'deployer', attachment: 'motd' } });
}

/** Where the report stays: in a folder that only this user can read. */
function keptReport({ project }: DemoStage): string {
  const kept = join(mkdtempSync(join(tmpdir(), 'pulumi-oneops-report-')), REPORT);
  copyFileSync(join(project, REPORT), kept);
  return kept;
}

/** Opens a page in the browser of this machine. Without one, nothing happens: its place has been printed. */
function open(file: string): void {
  const [program, ...words] = {
    darwin: ['open', file],
    win32: ['cmd', '/c', 'start', '', file],
  }[process.platform as string] ?? ['xdg-open', file];
  const opener = spawn(program ?? '', words, { detached: true, stdio: 'ignore' });
  opener.once('error', () => say('There is no program here that opens it.'));
  opener.unref();
}

/** How much faster than real the service's own work goes. */
const SPEED = 20;

/** The stage of a demo. */
interface DemoStage {
  /** Folder of the project. */
  readonly project: string;
  readonly url: string;
  /** Token of the user whose stack it is. */
  readonly token: string;
  /** Environment of the commands: with a home, a state and a language host of the demo, and no settings of the user. */
  readonly environment: NodeJS.ProcessEnv;
  /** The client of another user, maria. */
  readonly maria: Api;
  /** Stops the service and removes the folder. */
  close(): Promise<void>;
}

const PROJECT_FILE = `name: storefront
runtime: { name: oneops, options: { resources: plugin } }
plugins:
  languages: [{ name: oneops, path: ../plugins/language }]
  providers: [{ name: oneops, path: ../plugins/resource }]
`;

/** Makes the stage. */
async function openStage(): Promise<DemoStage> {
  const folder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-demo-'));
  const [token, marias] = [newToken(), newToken()];
  const service = createService({
    database: ':memory:',
    dialect: 'documented',
    clock: fastClock(SPEED),
    users: [
      { name: 'admin', token },
      { name: 'maria', token: marias },
    ],
  });
  const listening = await listen(service, { port: 0 });
  const maria = createApi({ url: listening.url, organization: 'acme', token: marias, dialect: 'documented' });
  const close = async (): Promise<void> => {
    maria.close();
    await listening.close();
    service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    writeProject(folder);
    return {
      project: join(folder, 'storefront'),
      url: listening.url,
      token,
      environment: environmentOf(folder),
      maria,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const newToken = (): string => randomBytes(20).toString('hex');

function writeProject(folder: string): void {
  const root = dirname(createRequire(__filename).resolve('pulumi-oneops/package.json'));
  const project = join(folder, 'storefront');
  for (const name of ['state', 'home']) mkdirSync(join(folder, name));
  cpSync(join(root, 'examples', 'storefront'), project, { recursive: true });
  writeFileSync(join(project, 'Pulumi.yaml'), PROJECT_FILE);
  for (const plugin of PLUGINS.filter(({ kind }) => kind !== 'converter'))
    copyPlugin(plugin, join(folder, 'plugins', plugin.kind));
  // The CLI that comes with npm looks for itself in the home, and would be downloaded again.
  const versions = resolve(pulumiHome(), 'versions');
  if (existsSync(versions)) symlinkSync(versions, join(folder, 'home', 'versions'), 'junction');
}

const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|ONEOPS)_/.test(name))),
  PULUMI_HOME: join(folder, 'home'),
  PULUMI_BACKEND_URL: `file://${join(folder, 'state')}`,
  PULUMI_CONFIG_PASSPHRASE: '',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  PULUMI_DISABLE_REGISTRY_RESOLVE: 'true',
  NO_COLOR: '1',
});

/** A command line of the demo. */
interface Line {
  /** `pulumi` or `pulumi-oneops`, and its words. */
  readonly words: readonly string[];
  /** Exit code of a success; default: 0. */
  readonly expected?: number;
  /** Not shown unless it fails. */
  readonly quiet?: boolean;
  /** Text for its standard input. */
  readonly input?: string;
}

/** The demo was stopped by a person. */
class Stopped extends Error {}

/** Prints a text with a line break. */
const say = (text = ''): void => void process.stdout.write(`${text}\n`);

/** Lines of Pulumi that show the progress, a resource that stays as it is, or the stack as a whole. */
const PROGRESS =
  /^\s*$|^@ |^(Updating|Duration)|pulumi:pulumi:Stack|oneops:index:(?!.* (created|updated|deleted|replaced) \()/;

/** What Pulumi printed, as far as it says what was done. */
const resultsIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .filter((line) => !PROGRESS.test(line))
    .map((line) => line.replace(/ \[diff: .*/, ''));

/** Runs a line in the project of the stage. Throws with everything it printed when it ends otherwise than expected, and Stopped when it is stopped. */
async function run(line: Line, stage: DemoStage, stop: AbortSignal): Promise<void> {
  const { words, expected = 0, quiet = false } = line;
  const shown = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  if (!quiet) say(process.stdout.isTTY ? `\u001b[1m$ ${shown}\u001b[0m` : `$ ${shown}`);
  const { code, printed } = await finished(line, stage, stop);
  if (code !== expected) throw new Error(`"${shown}" ended with ${code}:\n${printed.trimEnd()}`);
  if (quiet) return;
  const lines = words[0] === 'pulumi' ? resultsIn(printed) : printed.trimEnd().split('\n');
  say(`${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`);
}

function finished(
  { words, input = '' }: Line,
  { project, environment }: DemoStage,
  stop: AbortSignal,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  if (stop.aborted) return Promise.reject(new Stopped());
  const [program = '', ...rest] = words;
  const ours = [process.execPath, join(__dirname, '..', '..', 'main.js')] as const;
  const [file, args] = program === 'pulumi' ? [program, [...rest, '--non-interactive']] : [ours[0], [ours[1], ...rest]];
  // In its own group: Ctrl-C reaches this process alone, which then ends what it started.
  const child = spawn(file, args, { cwd: project, env: environment, detached: process.platform !== 'win32' });
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += String(bytes)));
    const end = (): void => killGroup(child);
    stop.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    // A killed CLI leaves plugins behind, which keep its output open until they notice.
    child.once('exit', () => stop.aborted && reject(new Stopped()));
    child.once('close', (code) => {
      stop.removeEventListener('abort', end);
      resolve({ code, printed });
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
