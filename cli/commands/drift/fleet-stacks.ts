// Which stacks a fleet has: those of the projects in some folders, or those of a backend.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FleetTarget } from '../../../drift';
import { pathsMatching } from '../../../stack';

/** The stacks of a fleet, by name, and what is to be known about how they were found. */
interface FoundStacks {
  readonly targets: readonly FleetTarget[];
  readonly notes: readonly string[];
  /** Why the stacks of a project could not be listed: it is one target, by its folder, that cannot be reviewed. */
  readonly problems: ReadonlyMap<string, Error>;
}

/** Calls of the CLI of Pulumi at a time. */
const AT_ONCE = 4;

/** The stacks of every project in the folders that match. Throws Error for a pattern that matches none. */
export async function stacksInFolders(patterns: readonly string[]): Promise<FoundStacks> {
  const folders = [...new Set(patterns.flatMap(projectFolders))].sort();
  const targets: FleetTarget[] = [];
  const notes: string[] = [];
  const problems = new Map<string, Error>();
  const order = folders.values();
  const work = async (): Promise<void> => {
    for (const folder of order)
      try {
        const stacks = await stackNames([], folder);
        if (stacks.length === 0) notes.push(`${folder}: its project has no stack`);
        for (const stack of stacks)
          targets.push({ name: folder === '.' ? stack : `${folder}/${stack}`, stack, folder });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        problems.set(folder, error);
        targets.push({ name: folder, stack: '', folder });
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { targets: targets.sort((left, right) => (left.name < right.name ? -1 : 1)), notes: notes.sort(), problems };
}

function projectFolders(pattern: string): readonly string[] {
  const folders = pathsMatching(pattern.replace(/\/+$/, ''), process.cwd())
    .map((path) => relative(process.cwd(), resolve(path)) || '.')
    .filter((folder) => existsSync(join(folder, 'Pulumi.yaml')));
  if (folders.length === 0)
    throw new Error(
      `no folder with a Pulumi.yaml matches ${pattern}: name folders of projects, as in --all 'stacks/*'`,
    );
  return folders;
}

/** Every stack of the backend that is logged in to. */
export async function stacksOfBackend(): Promise<FoundStacks> {
  const names = await stackNames(['--all'], '.');
  // A self-managed backend has one organization, which it calls so.
  const targets = names.map((stack) => ({ name: stack.replace(/^organization\//, ''), stack }));
  return { targets, notes: targets.length === 0 ? ['the backend contains no stack'] : [], problems: new Map() };
}

/** Names of stacks, as `pulumi stack ls` lists them. Throws Error that says where, why, and what to do. */
async function stackNames(words: readonly string[], folder: string): Promise<readonly string[]> {
  const all = ['stack', 'ls', '--json', '--non-interactive', ...words];
  try {
    const { stdout } = await promisify(execFile)('pulumi', all, { encoding: 'utf8', cwd: folder, env: process.env });
    return (JSON.parse(stdout) as readonly { readonly name: string }[]).map(({ name }) => name).sort();
  } catch (error) {
    const said = (error as { readonly stderr?: string }).stderr?.split('\n')[0]?.replace(/^error: /, '') ?? '';
    const reason = said === '' ? 'there is no pulumi on PATH, or it did not print a list' : said;
    throw new Error(`the stacks of ${folder} could not be listed: ${reason}; see: pulumi stack ls --cwd ${folder}`, {
      cause: error,
    });
  }
}
