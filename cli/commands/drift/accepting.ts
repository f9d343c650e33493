// Accepting findings into the files of the stack in the current folder.
import { Bug } from '../../../api/errors';
import {
  acceptFindings,
  changedStacks,
  type Accepted,
  type DriftFinding,
  type OtherStacks,
  type Review,
} from '../../../drift';
import type { StackEnvironment } from '../../../stack';
import {
  areSettingsValid,
  choicesHere,
  projectHere,
  secretConfigHere,
  stackFile,
  stacksHere,
  surroundingsHere,
} from '../../project';
import { judgedBy, knownHere, levelHere } from '../../read-stack';
import { textIn } from './sources';

/** The text that a file is to have already. */
type Drafted = (name: string) => string | undefined;

/** What became of findings, and of the other stacks of the project. */
export interface AcceptedHere extends Accepted {
  /** Those that have settings here. */
  readonly otherStacks: OtherStacks;
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
  if (own === undefined || accepted.accepted.length === 0)
    return { ...accepted, otherStacks: { changed: [], unknown: [] } };
  const others = stacksHere().filter((name) => name !== own);
  const stacks = others.map((name) => ({ name, environment: readable(name, names, drafted) }));
  return { ...accepted, otherStacks: changedStacks(before, accepted.files, stacks) };
}

/** The lines about other stacks: those that change, too, and those of which that is not known; none where there are none. */
export function otherStacksText(
  { changed, unknown }: OtherStacks,
  { isWritten }: { readonly isWritten: boolean },
): readonly string[] {
  const [first, second] = unknown;
  const declare = isWritten
    ? 'declare something else for other stacks now'
    : 'would declare something else for other stacks';
  const whose = second === undefined ? 'its' : 'their';
  return [
    ...(changed.length === 0 ? [] : [`the same files ${declare}, too: ${changed.join(', ')}`]),
    ...(first === undefined
      ? []
      : [
          `whether they declare something else is not known for: ${unknown.join(', ')}, because ${whose} files or settings are not valid: see ${stackFile(first)}, and pulumi-oneops check --stack ${first}`,
        ]),
  ];
}

/** What another stack is read with; undefined when its settings are not valid: only those of the chosen stack have to be. */
function readable(name: string, names: readonly string[], drafted: Drafted): StackEnvironment | undefined {
  try {
    return areSettingsValid(name) ? environmentOf(name, names, drafted) : undefined;
  } catch (error) {
    if (error instanceof Bug || !(error instanceof Error)) throw error;
    return undefined;
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
