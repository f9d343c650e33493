// Accepting findings into the files of the stack in the current folder.
import { classMetadata, templateClass } from '../../../api/contract';
import { acceptFindings, type Accepted, type DriftFinding, type Review } from '../../../drift';
import { choicesHere, projectHere, secretConfigHere, surroundingsHere } from '../../project';
import { textIn } from './sources';

/** The files with the live values in them; nothing is written. Throws Error for a file that cannot be read. */
export function acceptHere(findings: readonly DriftFinding[], review: Review, names: readonly string[]): Accepted {
  const composing = {
    secretConfig: secretConfigHere(review.stack),
    choices: choicesHere(names, { stack: review.stack }),
  };
  return acceptFindings(
    findings,
    names.map((name) => textIn(name)),
    {
      organization: review.organization,
      environment: { classMetadata, templateClass, ...surroundingsHere(), ...composing },
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
