// Reads the files of the stack in the current folder, as `check` and editors do.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WrongInput } from '../../api/errors';
import { catalogueAt, type KnownCatalogue } from '../../provider/kinds/catalogue';
import { catalogueLevel, type CatalogueLevel } from '../../provider/session/settings';
import { namedCatalogue, readStack, STANDARD_FILE, type Choices, type FileContent, type ReadStack } from '../../stack';
import { choicesHere, configuredHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from './project';

/** What a reading depends on besides the files. */
export interface StackChoice {
  readonly stack?: string | undefined;
  readonly overlay?: string | undefined;
  /** Names of all stacks and of their overlays; default: as their settings say. */
  readonly stacks?: readonly string[];
  readonly catalogue?: string | undefined;
  /** The catalogue that judges. Default: the one that the project names, or the packaged one. */
  readonly known?: KnownCatalogue | undefined;
}

/** A reading, and what it was judged by. */
export interface StackHere extends ReadStack {
  readonly known: KnownCatalogue;
  readonly choices: Choices;
  /** Texts of the files that functions read, by name. */
  readonly read: ReadonlyMap<string, string>;
}

/** Reads a stack. `unsaved`: texts by absolute path. Throws Error for a file. */
export function readStackHere(
  names: readonly string[],
  choice: StackChoice,
  unsaved: (path: string) => string | undefined = () => undefined,
): StackHere {
  const surroundings = surroundingsHere();
  const read = new Map<string, string>();
  const choices = choicesHere(names, choice);
  const written = names.map((name) => ({ name, text: unsaved(resolve(name)) ?? stackText(name) }));
  const known = choice.known ?? knownHere('.', choice.stack);
  const current = (path: string, content: FileContent): FileContent => {
    const text = 'text' in content ? unsaved(path) : undefined;
    return text === undefined ? content : { text };
  };
  const reading = readStack(written, {
    known,
    catalogue: levelHere(choice),
    ...surroundings,
    readFile(path, from) {
      const content = current(resolve(dirname(from), path), surroundings.readFile(path, from));
      if ('text' in content) read.set(join(dirname(from), path), content.text);
      return content;
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
  return { ...reading, known, choices, read };
}

/** The text of a file of the stack. Without a named file, the error says how to make one. */
function stackText(name: string): string {
  if (name !== STANDARD_FILE || existsSync(name)) return textFrom(name);
  throw new WrongInput(
    `cannot read ${name}: there is no such file\n  name the files of the stack, or begin a new project: pulumi-oneops init`,
  );
}

/** The catalogue that a project names, or that of a stack's service. Throws Error. */
export function knownHere(directory = '.', stack?: string): KnownCatalogue {
  const named = projectHere(directory)?.catalogue;
  if (named && 'problem' in named) throw new WrongInput(named.problem);
  const saved = namedCatalogue(named, directory);
  if ('problem' in saved) throw new WrongInput(`Pulumi.yaml: ${saved.problem}`);
  return saved.known ?? catalogueAt(configuredHere('oneops:url', stack) ?? process.env['ONEOPS_URL']);
}

/**
 * How findings of the catalogue count. Throws Error for an unknown level of an option; one in the
 * settings is a finding of its own, and hides no other one.
 */
export function levelHere({ catalogue, stack }: StackChoice): CatalogueLevel {
  const found = catalogueLevel(catalogue ?? configuredHere('oneops:catalogue', stack));
  if (!('problem' in found)) return found.word;
  if (catalogue !== undefined) throw new WrongInput(found.problem);
  return 'auto';
}
