// Accepting findings into the files of the stack in the current folder.
import { acceptFindings, changedStacks, type Accepted, type DriftFinding, type Review } from '../../../drift';
import type { StackEnvironment } from '../../../stack';
import { choicesHere, projectHere, secretConfigHere, stacksHere, surroundingsHere } from '../../project';
import { judgedBy, knownHere, levelHere } from '../../read-stack';
import { textIn } from './sources';

/** The text that a file is to have already. */
type Drafted = (name: string) => string | undefined;

/** What became of findings, and of the other stacks of the project. */
export interface AcceptedHere extends Accepted {
  /** Names of the other stacks that have settings here, and for which the files declare something else now. */
  readonly otherStacks: readonly string[];
}

/**
 * The files with the live values in them; nothing is written. `drafted`: the text that a file is to have already, instead of the one that it has. Throws
 * Error for a file that cannot be read.
 */
export function acceptHere(
  findings: readonly DriftFinding[],
  review: Review,
  names: readonly string[],
  drafted: Drafted = () => undefined,
): AcceptedHere {
  const before = names.map((name) => ({ name, text: drafted(name) ?? textIn(name).text }));
  const { organization } = review;
  const accepted = acceptFindings(findings, before, {
    organization,
    environment: environmentOf(review.stack, names, drafted),
  });
  // Without the name of its stack, it is not known which ones are others.
  const own = review.stack?.split('/').at(-1);
  if (own === undefined || accepted.accepted.length === 0) return { ...accepted, otherStacks: [] };
  const others = stacksHere().filter((name) => name !== own);
  const readableOnes = others.flatMap((name) => readable(name, names, drafted));
  return { ...accepted, otherStacks: changedStacks(before, accepted.files, readableOnes) };
}

/** The line about the stacks that change, too; none when none do. */
export const otherStacksText = (stacks: readonly string[]): readonly string[] =>
  stacks.length === 0 ? [] : [`the same files declare something else for other stacks now, too: ${stacks.join(', ')}`];

/** Another stack, if its settings can be read: only those of the chosen stack have to be. */
function readable(
  name: string,
  names: readonly string[],
  drafted: Drafted,
): readonly { readonly name: string; readonly environment: StackEnvironment }[] {
  try {
    return [{ name, environment: environmentOf(name, names, drafted) }];
  } catch {
    return [];
  }
}

/** What the files of a stack in the current folder are read with. */
function environmentOf(stack: string | undefined, names: readonly string[], drafted: Drafted): StackEnvironment {
  const secretConfig = secretConfigHere(stack);
  const choices = choicesHere(names, { stack });
  const include: typeof choices.include = (pattern, from) => {
    const found = choices.include?.(pattern, from) ?? { problem: 'files cannot be included here' };
    if ('problem' in found) return found;
    const texts = found.files.map(({ name, content }) => ({ name, content, text: drafted(name) }));
    return {
      files: texts.map(({ name, content, text }) => ({ name, content: text === undefined ? content : { text } })),
    };
  };
  return {
    ...{ ...judgedBy(knownHere()), catalogue: levelHere({ stack }) },
    ...{ ...surroundingsHere(), secretConfig },
    choices: { ...choices, include },
  };
}

const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/** The files of the project, or those that declare the findings. */
export function filesToAccept(findings: readonly DriftFinding[]): readonly string[] {
  const main = projectHere()?.files;
  // One of several files is no stack by itself, nor is one that another one includes.
  if (main !== undefined) return main;
  const names = new Set(findings.flatMap(({ at }) => (at && isYaml(at.file) ? [at.file] : [])));
  return names.size > 0 ? [...names] : ['oneops.yaml'];
}
