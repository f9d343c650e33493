// Several stacks can read the same files: those for which an accepted value changes what they declare.
import type { StackEnvironment } from '../../stack';
import { bare, readFiles, type StackText } from './readings';
import { meaningOf } from './plan-change';

/** Another stack of the same files. */
interface OtherStack {
  readonly name: string;
  /** Undefined when its settings are not valid. */
  readonly environment: StackEnvironment | undefined;
}

/** Names of other stacks of the same files, by what an accepted value means for them; those that keep what they declare are in neither list. */
export interface OtherStacks {
  /** The files declare something else than before. */
  readonly changed: readonly string[];
  /** Their settings, or the files as they were, are not valid: what they declare is not known. */
  readonly unknown: readonly string[];
}

/** `before`: the files that were given; `after`: the same files, and those that they include, with what was accepted in them. */
export function changedStacks(
  before: readonly StackText[],
  after: readonly StackText[],
  stacks: readonly OtherStack[],
): OtherStacks {
  const given = new Set(before.map(({ name }) => name));
  const [old, all] = [bare(before), bare(after)];
  const main = all.filter(({ name }) => given.has(name));
  const [changed, unknown]: [string[], string[]] = [[], []];
  for (const { name, environment } of stacks) {
    const declared = environment && readFiles(old, environment).reading;
    const now = declared && readFiles(main, environment, all).reading;
    if (declared === undefined) unknown.push(name);
    else if (now === undefined || meaningOf(declared.plan) !== meaningOf(now.plan)) changed.push(name);
  }
  return { changed, unknown };
}
