// The catalogue that a stack file is checked against: packaged, saved, or the service's own.
import { messageOf, WrongInput } from '../../api/errors';
import {
  askCatalogue,
  knownCatalogue,
  PACKAGED,
  type CatalogueDocument,
  type KnownCatalogue,
} from '../../provider/kinds/catalogue';
import { catalogueFile, writtenPacks } from '../../stack';
import type { ValuesOf } from '../command';
import type { CATALOGUE_OPTIONS } from '../options';
import { Unauthorized, UsageError, isNotLetIn } from '../exit';
import { readStackHere, type StackChoice } from './read-stack';
import { commandSettings, usable, withService, type SettingsOptions } from './settings';

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
  return knownCatalogue(await serviceCatalogue(settings, ({ name }) => used.has(name)));
}

function catalogueIn(file: string): KnownCatalogue {
  const saved = catalogueFile(file);
  if ('problem' in saved) throw new WrongInput(saved.problem);
  return saved.known;
}

/** Reads the service's catalogue: all packs, and the templates of wanted ones. */
export async function serviceCatalogue(
  options: SettingsOptions,
  isWanted: (pack: { readonly name: string }) => boolean,
): Promise<CatalogueDocument> {
  const settings = usable(await commandSettings(options));
  return withService(settings, async (api) => {
    try {
      return await askCatalogue(api, settings.url, isWanted);
    } catch (error) {
      const message = `cannot read the catalogue of ${settings.url}: ${messageOf(error)}`;
      throw isNotLetIn(error) ? new Unauthorized(message) : new Error(message, { cause: error });
    }
  });
}
