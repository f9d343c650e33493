// The catalogue that a stack file is checked against: the packaged one, a saved one, or that of the service.
// It must not know what is found by it.
import { messageOf } from '../api/errors';
import {
  askCatalogue,
  knownCatalogue,
  masked,
  PACKAGED,
  type CatalogueDocument,
  type KnownCatalogue,
} from '../provider';
import { catalogueFile, writtenPacks } from '../stack';
import { UsageError } from './command';
import { readStackHere, type StackChoice } from './read-stack';
import { apiOf, commandSettings, problemOf, SETTINGS_OPTIONS, type SettingsOptions } from './settings';

/** Options that choose a catalogue. */
export const KNOWN_OPTIONS = {
  online: { type: 'boolean', default: false },
  'catalogue-file': { type: 'string' },
  url: SETTINGS_OPTIONS.url,
  organization: SETTINGS_OPTIONS.organization,
} as const;

/** The catalogue that options choose for the stack of some files; undefined for the packaged one. Throws Error when it cannot be read. */
export async function chosenCatalogue(
  options: SettingsOptions & { readonly online: boolean; readonly 'catalogue-file'?: string | undefined },
  names: readonly string[],
  choice: StackChoice,
): Promise<KnownCatalogue | undefined> {
  const { online, 'catalogue-file': file, ...settings } = options;
  if (online && file !== undefined) throw new UsageError('--online and --catalogue-file exclude each other');
  if (file !== undefined) return catalogueIn(file);
  if (!online) return undefined;
  // Which packs are used does not depend on a catalogue: that of the project can be missing, because this one replaces it.
  const { trees } = readStackHere(names, { ...choice, catalogue: 'off', known: PACKAGED });
  const used = new Set(trees ? writtenPacks(trees).values() : []);
  return knownCatalogue(await serviceCatalogue(settings, ({ name }) => used.has(name)));
}

/** A saved catalogue. Throws Error when it cannot be read. */
function catalogueIn(file: string): KnownCatalogue {
  const saved = catalogueFile(file);
  if ('problem' in saved) throw new Error(saved.problem);
  return saved.known;
}

/** Reads the catalogue of the service that options name: all packs, and the templates of those that are wanted. */
export async function serviceCatalogue(
  options: SettingsOptions,
  isWanted: (pack: { readonly name: string }) => boolean,
): Promise<CatalogueDocument> {
  const { resolved, note } = await commandSettings(options);
  if ('problem' in resolved) throw new Error(problemOf(resolved, note));
  const { url, token } = resolved.settings;
  const api = apiOf(resolved.settings);
  try {
    return await askCatalogue(api, url, isWanted);
  } catch (error) {
    throw new Error(`cannot read the catalogue of ${url}: ${masked(messageOf(error), [token])}`, { cause: error });
  } finally {
    api.close();
  }
}
