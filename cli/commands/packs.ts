// `pulumi-oneops packs`: the packs of the packaged catalogue, their templates and attributes.
// It must not know how packs are described, nor how a service is asked.
import { knownPacks } from '../../api/contract';
import { nearest } from '../../provider';
import { CatalogueError, loadCatalogue, type Catalogue, type Pack } from '../../service';
import { parseWords, UsageError, type Command } from '../command';
import { describePack } from '../packs/describe';
import { serviceCatalogue } from '../chosen-catalogue';
import { replaceFile } from '../replace-file';
import { SETTINGS_HELP, SETTINGS_OPTIONS, type SettingsOptions } from '../settings';
import { listText, packText } from '../packs/text';

const OPTIONS = {
  json: { type: 'boolean', default: false },
  packs: { type: 'string', multiple: true, default: [] as string[] },
  save: { type: 'string' },
  ...SETTINGS_OPTIONS,
} as const;

const HELP = `usage: pulumi-oneops packs [NAME] [options]
       pulumi-oneops packs --save FILE [options]

Lists the packs of the packaged catalogue. With a name (tomcat, oneops/tomcat, oneops/tomcat:1), shows the templates of that pack and the
attributes of each: type, default, allowed values. Sends no request without --save. A live service can have other packs.

  --packs FOLDER    adds a folder with your own packs, as for serve; can be repeated
  --json            the same as JSON
  --save FILE       reads the catalogue of the service, and writes it into a file
                    for pulumi-oneops check --catalogue-file FILE; only GETs

${SETTINGS_HELP}

exit codes: 0 shown or saved, 1 there is no such pack, or a folder or the service
cannot be read`;

/** The packs command. */
export const packsCommand: Command = {
  help: HELP,
  options: OPTIONS,
  words: [...new Set(knownPacks.map(({ name }) => name))],
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 1) throw new UsageError('packs takes one name');
    if (values.save !== undefined) {
      if (positionals.length > 0 || values.packs.length > 0 || values.json)
        throw new UsageError('--save takes the complete catalogue of the service: no name, --packs or --json');
      return save(values.save, values);
    }
    const [name] = positionals;
    const catalogue = catalogueOf(values.packs);
    const packs = name === undefined ? catalogue.packs() : packsNamed(catalogue, name);
    const described = packs.map((pack) => describePack(catalogue, pack));
    const text = name === undefined ? listText(described) : described.map(packText).join('\n\n');
    process.stdout.write(`${values.json ? JSON.stringify(described, null, 2) : text}\n`);
    return Promise.resolve(0);
  },
};

/** Writes the catalogue of the service into a file. */
async function save(file: string, settings: SettingsOptions): Promise<number> {
  const catalogue = await serviceCatalogue(settings, () => true);
  replaceFile(file, `${JSON.stringify(catalogue, null, 2)}\n`);
  const counts = `${catalogue.packs.length} packs, ${Object.keys(catalogue.classes).length} classes`;
  process.stdout.write(`${file}: ${counts} of ${catalogue.service}\n`);
  return 0;
}

function catalogueOf(folders: readonly string[]): Catalogue {
  try {
    return loadCatalogue(folders);
  } catch (error) {
    if (error instanceof CatalogueError) throw new UsageError(error.message);
    throw error;
  }
}

/** Versions of the packs that a name means: `tomcat`, `oneops/tomcat` or `oneops/tomcat:1`. */
function packsNamed(catalogue: Catalogue, name: string): readonly Pack[] {
  const forms = ({ source, name: own, version }: Pack): readonly string[] => [
    own,
    `${source}/${own}`,
    `${source}/${own}:${version}`,
    `${own}:${version}`,
  ];
  const found = catalogue.packs().filter((pack) => forms(pack).includes(name));
  if (found.length > 0) return found;
  const near = nearest(
    name,
    catalogue.packs().flatMap((pack) => forms(pack)),
  );
  throw new UsageError(`there is no pack "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}
