// The files of a commit of the repository around the current folder, in a folder of their own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { WrongInput } from '../../api/errors';

/** The folder of the repository around the current one. Throws WrongInput where there is none. */
export function repositoryHere(): string {
  return realpathSync(git(['rev-parse', '--show-toplevel'], 'this folder is in no git repository').trim());
}

/**
 * Works on the files of a commit, in a temporary folder. `here`: the same folder as the current
 * one, among these files; it may not exist. The repository, its index and its working tree stay as
 * they are. Throws WrongInput for a commit that does not exist, as in a shallow clone.
 */
export function withCommit<T>(ref: string, work: (commit: { readonly folder: string; readonly here: string }) => T): T {
  const root = repositoryHere();
  const unknown = `there is no commit ${ref} here; in a shallow clone, fetch it first`;
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], unknown).trim();
  const folder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-commit-'));
  try {
    const files = join(folder, 'files');
    const index = { GIT_INDEX_FILE: join(folder, 'index') };
    const why = `the files of ${ref} cannot be written out`;
    git(['-C', root, 'read-tree', commit], why, index);
    git(['-C', root, 'checkout-index', '--all', '--quiet', `--prefix=${files}/`], why, index);
    return work({ folder: files, here: join(files, relative(root, realpathSync('.'))) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that git knows or would add, from the root of the repository. */
export const workingFiles = (root: string): readonly string[] =>
  listed(git(['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], 'git cannot list files'));

export const filesOfCommit = (ref: string): readonly string[] =>
  listed(git(['ls-tree', '-r', '-z', '--full-tree', '--name-only', ref], 'git cannot list files'));

/** Files that differ between a commit and the working tree, from the root. */
export const changedFiles = (root: string, ref: string): readonly string[] => {
  const why = 'git cannot compare files';
  const untracked = git(['-C', root, 'ls-files', '-z', '--others', '--exclude-standard'], why);
  return [
    ...listed(git(['-C', root, 'diff', '--name-only', '--no-renames', '-z', ref, '--'], why)),
    ...listed(untracked),
  ];
};

const listed = (printed: string): readonly string[] => printed.split('\0').filter((name) => name !== '');

/** Runs git and returns what it printed. `problem`: what a failure means. */
function git(words: readonly string[], problem: string, more: NodeJS.ProcessEnv = {}): string {
  try {
    return execFileSync('git', words, {
      encoding: 'utf8',
      env: { ...process.env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 30,
    });
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    const said = code === 'ENOENT' ? 'there is no git on PATH' : String(stderr).trim();
    throw new WrongInput(said === '' ? problem : `${problem}\n  ${said}`, { cause: error });
  }
}
