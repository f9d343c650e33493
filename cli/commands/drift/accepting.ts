// Accepting findings into the files of the stack in the current folder.
import { acceptFindings, type Accepted, type DriftFinding, type Review } from '../../../drift';
import { choicesHere, projectHere, secretConfigHere, surroundingsHere } from '../../project';
import { judgedBy, knownHere, levelHere } from '../../read-stack';
import { textIn } from './sources';

/**
 * The files with the live values in them; nothing is written. `drafted`: the text that a file is to have already, instead of the one that it has. Throws
 * Error for a file that cannot be read.
 */
export function acceptHere(
  findings: readonly DriftFinding[],
  review: Review,
  names: readonly string[],
  drafted: (name: string) => string | undefined = () => undefined,
): Accepted {
  const secretConfig = secretConfigHere(review.stack);
  const choices = choicesHere(names, { stack: review.stack });
  const include: typeof choices.include = (pattern, from) => {
    const found = choices.include?.(pattern, from) ?? { problem: 'files cannot be included here' };
    if ('problem' in found) return found;
    const texts = found.files.map(({ name, content }) => ({ name, content, text: drafted(name) }));
    return {
      files: texts.map(({ name, content, text }) => ({ name, content: text === undefined ? content : { text } })),
    };
  };
  return acceptFindings(
    findings,
    names.map((name) => ({ name, text: drafted(name) ?? textIn(name).text })),
    {
      organization: review.organization,
      environment: {
        ...{ ...judgedBy(knownHere()), catalogue: levelHere({ stack: review.stack }) },
        ...{ ...surroundingsHere(), secretConfig },
        choices: { ...choices, include },
      },
    },
  );
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
