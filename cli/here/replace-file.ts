// Writes a file in one step: after a crash, too, it has the old text or the new one whole.
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Replaces or makes the text of a file, which keeps its mode; links are followed. */
export function replaceFile(name: string, text: string): void {
  const target = existsSync(name) ? realpathSync(name) : name;
  const there = existsSync(target) ? statSync(target) : undefined;
  // A pipe or a device has nothing to be kept completely.
  if (there !== undefined && !there.isFile()) {
    writeFileSync(name, text);
    return;
  }
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    writeFileSync(beside, text);
    // Not with the writing: what the process keeps from new files, it would keep from this one.
    if (there !== undefined) chmodSync(beside, there.mode);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
