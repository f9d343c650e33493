// The bundled plugins of this package, and their copies in the plugin cache of Pulumi's CLI.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** A plugin that this package brings, as Pulumi's CLI calls it. */
interface Plugin {
  readonly kind: 'language' | 'resource' | 'converter';
  readonly name: 'oneops' | 'boo';
}

/** All of them. One converter has two names, because the CLI asks for the name after `--from`. */
export const PLUGINS: readonly Plugin[] = [
  { kind: 'language', name: 'oneops' },
  { kind: 'resource', name: 'oneops' },
  { kind: 'converter', name: 'oneops' },
  { kind: 'converter', name: 'boo' },
];

export type CachedPlugin = Awaited<ReturnType<typeof cachePlugin>>;

/** The folder of this package. */
export const PACKAGE = dirname(createRequire(__filename).resolve('pulumi-oneops/package.json'));

/** The home of Pulumi's CLI: PULUMI_HOME, or below the user's home, whatever HOME says. */
export function pulumiHome(): string {
  if (process.env['PULUMI_HOME']) return process.env['PULUMI_HOME'];
  try {
    return join(userInfo().homedir, '.pulumi');
  } catch {
    // The system does not know this user, as in some containers.
    return join(homedir(), '.pulumi');
  }
}

export const cacheFolder = (): string => join(pulumiHome(), 'plugins');

/** Copies a bundled plugin to a folder. Throws when the package was not built. */
export function copyPlugin({ kind, name }: Plugin, folder: string): void {
  const bundled = join(PACKAGE, 'dist', 'plugins', kind);
  if (!existsSync(bundled)) throw new Error(`this package contains no ${kind} plugin: ${bundled} is missing`);
  cpSync(bundled, folder, { recursive: true });
  const executable = join(folder, `pulumi-${kind}-${name}`);
  for (const ending of ['', '.cmd'])
    renameSync(join(folder, `pulumi-${kind}-oneops${ending}`), `${executable}${ending}`);
  chmodSync(executable, 0o755);
  for (const file of filesIn(folder))
    if (basename(file) === 'gitignore') renameSync(file, join(dirname(file), '.gitignore'));
}

/** Templates for `pulumi new`, which the cached language host of this version holds. */
export function cachedTemplates(): readonly string[] {
  const folder = join(cachedFolder({ kind: 'language', name: 'oneops' }, ownVersion()), 'templates');
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];
}

export const ownVersion = (): string =>
  (JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { readonly version: string }).version;

const cachedFolder = ({ kind, name }: Plugin, version: string): string =>
  join(cacheFolder(), `${kind}-${name}-v${version}`);

export const isHostCached = (): boolean => existsSync(cachedFolder({ kind: 'language', name: 'oneops' }, ownVersion()));

/** Whether the CLI finds a language host: in its cache, of any version, or on PATH. */
export const isHostFound = (): boolean =>
  otherVersions('language-oneops', '').length > 0 ||
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => ['', '.cmd'].some((ending) => existsSync(join(folder, `pulumi-language-oneops${ending}`))));

/** Brings a plugin into the cache, unless it is there. Throws with the CLI's output. */
export async function cachePlugin({ kind, name }: Plugin) {
  const version = ownVersion();
  const folder = cachedFolder({ kind, name }, version);
  // A project that names no version gets the newest of the cache.
  const plugin = { kind, name, version, folder, otherVersions: otherVersions(`${kind}-${name}`, version) };
  const workFolder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-setup-'));
  try {
    const made = join(workFolder, kind);
    copyPlugin({ kind, name }, made);
    if (isSame(made, folder)) return { ...plugin, outcome: 'unchanged' as const };
    const isThere = existsSync(folder);
    await install([kind, name, version, '--file', made, ...(isThere ? ['--reinstall'] : [])]);
    if (isSame(made, folder)) return { ...plugin, outcome: isThere ? ('replaced' as const) : ('installed' as const) };
    throw new Error(
      `Pulumi's CLI reported that it installed the ${kind} plugin ${name}, and ${folder} does not contain it`,
    );
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

async function install(words: readonly string[]): Promise<void> {
  const full = ['plugin', 'install', ...words];
  try {
    await promisify(execFile)('pulumi', full, { env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' } });
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    throw new Error(`pulumi ${full.join(' ')} failed:\n${(stderr?.trim() || message).replace(/^/gm, '  ')}`, {
      cause: error,
    });
  }
}

/** Whether each file of a folder is in the other one, with the same content and mode. */
const isSame = (made: string, folder: string): boolean =>
  filesIn(made).every((ours) => {
    const its = join(folder, relative(made, ours));
    return existsSync(its) && readFileSync(ours).equals(readFileSync(its)) && isRunnable(ours) === isRunnable(its);
  });

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const isRunnable = (file: string): boolean => (statSync(file).mode & 0o111) !== 0;

function otherVersions(plugin: string, version: string): readonly string[] {
  if (!existsSync(cacheFolder())) return [];
  // Next to each folder lie files of the CLI: 0.1.0.lock, 0.1.0.lastused.
  const found = readdirSync(cacheFolder()).flatMap((name) => {
    const other = new RegExp(`^${plugin}-v(\\d+\\.\\d+\\.\\d+(-[\\w.]+)?)$`).exec(name)?.[1];
    return other === undefined || other === version ? [] : [other];
  });
  return found.sort();
}

/** States of large stacks have many megabytes. */
const MOST_BYTES = 1 << 30;

/** What Pulumi's CLI prints, called in a folder; default: the current one. */
export async function pulumiPrints(
  words: readonly string[],
  {
    directory,
    environment = process.env,
  }: { readonly directory?: string | undefined; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const options = { encoding: 'utf8', maxBuffer: MOST_BYTES, env: environment, cwd: directory } as const;
  return (await promisify(execFile)('pulumi', words, options)).stdout;
}

const NOT_LOGGED_IN =
  'Pulumi is not logged in: pulumi login, or pulumi login --local, which keeps states on this machine';

/** The first line that a failed call of the CLI reported; `otherwise` where there is none. */
export function pulumiReason(error: unknown, otherwise = 'there is no pulumi on PATH'): string {
  const said = (error as { readonly stderr?: string }).stderr?.split('\n')[0]?.replace(/^error: /, '') ?? '';
  if (said.startsWith('PULUMI_ACCESS_TOKEN must be set')) return NOT_LOGGED_IN;
  return said === '' ? otherwise : said;
}

/** Names of stacks, as `pulumi stack ls` lists them. Throws Error with what to do. */
export async function stackNames(words: readonly string[], folder: string): Promise<readonly string[]> {
  const all = ['stack', 'ls', '--json', '--non-interactive', ...words];
  try {
    const printed = await pulumiPrints(all, { directory: folder });
    return (JSON.parse(printed) as readonly { readonly name: string }[]).map(({ name }) => name).sort();
  } catch (error) {
    const reason = pulumiReason(error, 'there is no pulumi on PATH, or it did not print a list');
    throw new Error(`the stacks of ${folder} could not be listed: ${reason}; see: pulumi stack ls --cwd ${folder}`, {
      cause: error,
    });
  }
}

/** Oldest version of Pulumi's CLI that is tried. */
export const OLDEST_PULUMI = [3, 259] as const;

/** The version that the CLI prints, such as `v3.259.0`, or what is wrong with it. */
export async function pulumiVersion(): Promise<{ readonly version: string } | { readonly problem: string }> {
  try {
    return { version: (await pulumiPrints(['version'])).trim() };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { problem: isMissing ? 'there is no pulumi on PATH' : 'the pulumi on PATH does not print its version' };
  }
}

/** Whether a version, with or without a `v`, is at least the given one. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ours = '0', its = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(ours) > major || (Number(ours) === major && Number(its) >= minor);
}

/** The version of a usable CLI. Throws with what to do for a missing or old one. */
export async function usablePulumi(command: string): Promise<string> {
  const found = await pulumiVersion();
  if ('version' in found && isAtLeast(found.version, OLDEST_PULUMI)) return found.version;
  const problem = 'problem' in found ? found.problem : `the pulumi on PATH is ${found.version}`;
  throw new Error(
    [
      `${command} needs Pulumi's CLI ${OLDEST_PULUMI.join('.')} or later, and ${problem}`,
      `  install it: https://www.pulumi.com/docs/install/, then repeat pulumi-oneops ${command}`,
    ].join('\n'),
  );
}
