// Reads the files of the stack in the current folder, as `check` and editors do; and the catalogue
// that they are checked against: packaged, saved, or the service's own.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { messageOf, WrongInput } from '../../api/errors';
import {
  askCatalogue,
  catalogueAt,
  knownCatalogue,
  PACKAGED,
  type CatalogueDocument,
  type KnownCatalogue,
} from '../../provider/kinds/catalogue';
import { catalogueLevel, type CatalogueLevel } from '../../provider/session/settings';
import {
  catalogueFile,
  namedCatalogue,
  readStack,
  resolvedLines,
  STANDARD_FILE,
  withKnownValues,
  withTexts,
  writtenPacks,
  type Choices,
  type FileContent,
  type ReadStack,
  type ResolvedLine,
} from '../../stack';
import type { ValuesOf } from '../command';
import { Unauthorized, UsageError, isNotLetIn } from '../exit';
import type { CATALOGUE_OPTIONS } from '../options';
import { choicesHere, configuredHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from './project';
import { commandSettings, usable, withService, type SettingsOptions } from './settings';

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
  const read = new Map<string, string>();
  const written = names.map((name) => ({ name, text: unsaved(resolve(name)) ?? stackText(name) }));
  const environment = environmentHere(names, choice);
  const readFile = (path: string, from: string): FileContent => {
    const content = environment.readFile(path, from);
    if ('problem' in content) return content;
    const text = unsaved(resolve(dirname(from), path)) ?? content.text;
    read.set(join(dirname(from), path), text);
    return { text };
  };
  const reading = readStack(
    written,
    withTexts({ ...environment, readFile }, (name) => unsaved(resolve(name))),
  );
  return { ...reading, known: environment.known, choices: environment.choices, read };
}

/** What the stack here is read with, besides its own files. Throws Error. */
export const environmentHere = (names: readonly string[], choice: StackChoice) => ({
  ...surroundingsHere(),
  choices: choicesHere(names, choice),
  known: choice.known ?? knownHere('.', choice.stack),
  catalogue: levelHere(choice),
  secretConfig: secretConfigHere(choice.stack),
});

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

/**
 * Renders the files of a stack. With `hidden`, the names of secrets of the configuration, values of
 * the configuration stand in place of the references to them. Without `lines`, something is wrong
 * with the files. Throws Error for a file that cannot be read.
 */
export function renderedHere(
  names: readonly string[],
  { stack, overlay, stacks }: Pick<StackChoice, 'stack' | 'overlay' | 'stacks'>,
  hidden?: ReadonlySet<string>,
) {
  const choice = { stack, overlay, ...(stacks === undefined ? {} : { stacks }), catalogue: 'off' };
  const { choices, root, ...reading } = readStackHere(names, choice);
  const shown = root && hidden ? withKnownValues(root, choices, hidden) : root;
  return { ...reading, lines: shown && resolvedLines(shown, names[0] ?? ''), ...(root ? { root } : {}) };
}

export const textOf = (lines: readonly ResolvedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** The catalogue of options; undefined for the packaged one. Throws Error. */
export async function chosenCatalogue(
  options: ValuesOf<typeof CATALOGUE_OPTIONS>,
  names: readonly string[],
  choice: StackChoice,
): Promise<KnownCatalogue | undefined> {
  const { online, 'catalogue-file': file, ...settings } = options;
  if (online && file !== undefined) throw new UsageError('--online and --catalogue-file exclude each other');
  if (file !== undefined) return catalogueIn(file);
  if (!online) return undefined;
  // Packs do not depend on a catalogue: that of the project may be missing, as this replaces it.
  const { trees } = readStackHere(names, { ...choice, catalogue: 'off', known: PACKAGED });
  const used = new Set(trees ? writtenPacks(trees).values() : []);
  return asked(settings, async (api, url) => ({
    ...knownCatalogue(await askCatalogue(api, url, ({ name }) => used.has(name))),
    clouds: (await api.call(routes.clouds.list, {})).map(({ ciName }) => ciName),
  }));
}

function catalogueIn(file: string): KnownCatalogue {
  const saved = catalogueFile(file);
  if ('problem' in saved) throw new WrongInput(saved.problem);
  return saved.known;
}

/** Reads the service's catalogue: all packs, and the templates of wanted ones. */
export const serviceCatalogue = (
  options: SettingsOptions,
  isWanted: (pack: { readonly name: string }) => boolean,
): Promise<CatalogueDocument> => asked(options, (api, url) => askCatalogue(api, url, isWanted));

async function asked<T>(options: SettingsOptions, ask: (api: Api, url: string) => Promise<T>): Promise<T> {
  const settings = usable(await commandSettings(options));
  return withService(settings, async (api) => {
    try {
      return await ask(api, settings.url);
    } catch (error) {
      const message = `cannot read the catalogue of ${settings.url}: ${messageOf(error)}`;
      throw isNotLetIn(error) ? new Unauthorized(message) : new Error(message, { cause: error });
    }
  });
}
