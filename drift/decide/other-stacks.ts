// Several stacks can read the same files: those for which an accepted value changes what they declare.
import type { StackEnvironment } from '../../stack';
import { bare, readFiles, type StackText } from './file-tree';
import { meaningOf } from './plan-change';

/** Another stack of the same files. */
interface OtherStack {
  readonly name: string;
  readonly environment: StackEnvironment;
}

/**
 * Names of the stacks for which the files declare something else than before. A stack whose files are not valid is left out: what it declares is not
 * known. `before`: the files that were given; `after`: the same files, and those that they include, with what was accepted in them.
 */
export function changedStacks(
  before: readonly StackText[],
  after: readonly StackText[],
  stacks: readonly OtherStack[],
): readonly string[] {
  const given = new Set(before.map(({ name }) => name));
  const [old, all] = [bare(before), bare(after)];
  const main = all.filter(({ name }) => given.has(name));
  return stacks.flatMap(({ name, environment }) => {
    const declared = readFiles(old, environment).reading;
    const now = readFiles(main, environment, all).reading;
    if (declared === undefined) return [];
    return now !== undefined && meaningOf(declared.plan) === meaningOf(now.plan) ? [] : [name];
  });
}
