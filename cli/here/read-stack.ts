// Reads the files of the stack in the current folder, as `check` and editors do.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WrongInput } from '../../api/errors';
import { catalogueAt, type KnownCatalogue } from '../../provider/kinds/catalogue';
import { catalogueLevel, type CatalogueLevel } from '../../provider/session/settings';
import {
  namedCatalogue,
  readStack,
  STANDARD_FILE,
  type FileContent,
  type ReadStack,
  type StackEnvironment,
} from '../../stack';
import { choicesHere, configuredHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from './project';

/** What a reading depends on besides the files. */
export interface StackChoice {
  readonly stack?: string | undefined;
  readonly overlay?: string | undefined;
  readonly catalogue?: string | undefined;
  /** What packs and arguments are judged by; default: the catalogue that the project names, or the packaged one. */
  readonly known?: KnownCatalogue | undefined;
}

/** A reading, and what it was judged by. */
export interface StackHere extends ReadStack {
  readonly known: KnownCatalogue;
}

/** Reads a stack. `unsaved` returns the text of a file, by its absolute path, that counts in place of the saved one. Throws Error for a file that cannot be read. */
export function readStackHere(
  names: readonly string[],
  choice: StackChoice,
  unsaved: (path: string) => string | undefined = () => undefined,
): StackHere {
  const surroundings = surroundingsHere();
  const choices = choicesHere(names, choice);
  const written = names.map((name) => ({ name, text: unsaved(resolve(name)) ?? stackText(name) }));
  const known = choice.known ?? knownHere('.', choice.stack);
  const current = (path: string, content: FileContent): FileContent => {
    const text = 'text' in content ? unsaved(path) : undefined;
    return text === undefined ? content : { text };
  };
  const reading = readStack(written, {
    ...judgedBy(known),
    catalogue: levelHere(choice),
    ...surroundings,
    readFile(path, from, where) {
      return current(resolve(dirname(from), path), surroundings.readFile(path, from, where));
    },
    secretConfig: secretConfigHere(choice.stack),
    choices: {
      ...choices,
      include(pattern, from) {
        const found = choices.include?.(pattern, from) ?? { problem: 'files cannot be included here' };
        if ('problem' in found) return found;
        return {
          files: found.files.map(({ name, content }) => ({ name, content: current(resolve(name), content) })),
        };
      },
    },
  });
  return { ...reading, known };
}

/** The text of a file of the stack. Where nobody named a file, the error says how to name or make one. */
function stackText(name: string): string {
  if (name !== STANDARD_FILE || existsSync(name)) return textFrom(name);
  throw new WrongInput(
    `cannot read ${name}: there is no such file\n  name the files of the stack, or begin a new project: pulumi-oneops init`,
  );
}

/** The catalogue that the project in a folder names, or the one for the service of a stack. Throws Error when it cannot be read. */
export function knownHere(directory = '.', stack?: string): KnownCatalogue {
  const named = projectHere(directory)?.catalogue;
  if (named && 'problem' in named) throw new WrongInput(named.problem);
  const saved = namedCatalogue(named, directory);
  if ('problem' in saved) throw new WrongInput(`Pulumi.yaml: ${saved.problem}`);
  return saved.known ?? catalogueAt(configuredHere('oneops:url', stack) ?? process.env['ONEOPS_URL']);
}

/** A catalogue as the reading of a stack takes it. */
export const judgedBy = (
  known: KnownCatalogue,
): Pick<StackEnvironment, 'classMetadata' | 'templateClass' | 'known'> => ({
  classMetadata: known.classMetadata,
  templateClass: known.templateClass,
  known,
});

/** How findings of the catalogue count: as chosen, or as configured. Throws Error for a level that does not exist. */
export function levelHere({ catalogue, stack }: StackChoice): CatalogueLevel {
  const found = catalogueLevel(catalogue ?? configuredHere('oneops:catalogue', stack));
  if ('problem' in found) throw new WrongInput(found.problem);
  return found.word;
}
