// What an inbox reads of the repository: the commit it is at, and who owns its files.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_FILES, ownersIn, type OwnerSyntax } from '../../drift';
import { UsageError } from '../command';

const COMMIT = /^[0-9a-f]{7,64}$/;

/** The commit that is named, that the pipeline runs for, or that the folder is at; undefined outside of a repository. */
export function commitHere(named: string | undefined): string | undefined {
  if (named !== undefined && !COMMIT.test(named))
    throw new UsageError('--commit takes the name of a commit: 9fceb02d0ae5');
  const { GITHUB_SHA, CI_COMMIT_SHA } = process.env;
  const commit = named ?? GITHUB_SHA ?? CI_COMMIT_SHA ?? headHere();
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

function headHere(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Names that platforms mention, and addresses. */
const OWNER = /^@?[\w][\w.+-]*(?:[/@][\w.-]+)*$/;

/** The owners of a path below the root; nobody where no file names any. */
export function ownersAt(root: string, syntax: OwnerSyntax): (path: string) => readonly string[] {
  const file = OWNER_FILES[syntax].map((name) => join(root, name)).find((name) => existsSync(name));
  const text = file === undefined ? '' : readFileSync(file, 'utf8');
  return (path) => ownersIn(text, path, syntax).filter((owner) => OWNER.test(owner));
}
