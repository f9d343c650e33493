// `pulumi-oneops packs`: the packs of the packaged catalogue, their templates and attributes.
import { type AttributeMetadata, expectationWords, knownPacks, registeredClass } from '../../../api/contract';
import {
  CatalogueError,
  loadCatalogue,
  templates,
  type Catalogue,
  type Pack,
  type PackTemplate,
} from '../../../service';
import { clipped, tableText } from '../../../drift';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { serviceCatalogue } from '../../here/read-stack';
import { replaceFile } from '../../here/replace-file';
import { type SettingsOptions } from '../../here/settings';
import { JSON_OPTION, SETTINGS_OPTIONS, text, texts } from '../../options';
import { defined } from '../../../provider/values';

export const command = commandOf({
  usage: ['packs [NAME] [options]', 'packs --save FILE [options]'],
  about: `Lists the packs of the packaged catalogue. With a name (tomcat, oneops/tomcat,
oneops/tomcat:1), shows the templates of that pack and the attributes of each: type, default, allowed
values. Sends no request without --save. A live service can have other packs.`,
  options: {
    packs: texts('FOLDER', 'adds a folder with your own packs, as for serve; can be repeated'),
    ...JSON_OPTION,
    save: text(
      'FILE',
      `reads the catalogue of the service, and writes it into a file for pulumi-oneops check --catalogue-file
        FILE; only GETs`,
    ),
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'shown or saved',
    failed: 'the service cannot be read',
    wrong: 'there is no such pack, a folder cannot be read, or wrong use',
  },
  words: [...new Set(knownPacks.map(({ name }) => name))],
  most: 1,
  run({ values, positionals: [name], print }) {
    if (values.save !== undefined) {
      if (name !== undefined || values.packs.length > 0 || values.json)
        throw new UsageError('--save takes the complete catalogue of the service: no name, --packs or --json');
      return save(values.save, values);
    }
    const catalogue = catalogueOf(values.packs);
    const packs = name === undefined ? catalogue.packs() : packsNamed(catalogue, name);
    const described = packs.map((pack) => describePack(catalogue, pack));
    print(described, (all) => `${name === undefined ? listText(all) : all.map(packText).join('\n\n')}\n`);
    return EXIT.done;
  },
});

async function save(file: string, settings: SettingsOptions): Promise<number> {
  const catalogue = await serviceCatalogue(settings, () => true);
  replaceFile(file, `${JSON.stringify(catalogue, null, 2)}\n`);
  const counts = `${catalogue.packs.length} packs, ${Object.keys(catalogue.classes).length} classes`;
  process.stdout.write(`${file}: ${counts} of ${catalogue.service}\n`);
  return EXIT.done;
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
  throw new UsageError(`there is no pack "${name}"`, { word: name, known: catalogue.packs().flatMap(forms) });
}

function listText(packs: readonly PackDescription[]): string {
  const rows = packs.map((pack) => [identity(pack), pack.category, pack.description]);
  return `${tableText(rows)}\npulumi-oneops packs NAME shows the templates of a pack and their attributes.`;
}

/** A pack in full: its templates, then the attributes of each. */
function packText(pack: PackDescription): string {
  const designed = pack.templates.filter((template) => template.modes.includes('design'));
  const others = pack.templates.filter((template) => !template.modes.includes('design'));
  return [
    `${identity(pack)}: ${pack.description}\n`,
    `templates of the design:\n${indented(designed.map(templateRow))}`,
    ...(others.length === 0 ? [] : [`made in environments only:\n${indented(others.map(templateRow))}`]),
    ...designed.map(templateText),
  ]
    .join('\n')
    .trimEnd();
}

const indented = (rows: readonly (readonly string[])[]): string => tableText(rows, undefined, '  ');

const identity = ({ source, name, version }: PackDescription): string => `${source}/${name}:${version}`;

const templateRow = ({ name, class: className, constraint, description }: TemplateDescription): readonly string[] => [
  name,
  constraint,
  className,
  description,
];

const templateText = ({ name, class: className, attributes }: TemplateDescription): string =>
  `${name} (${className})\n${indented(attributes.map(attributeRow))}`;

const attributeRow = (attribute: AttributeDescription): readonly string[] => [
  attribute.name,
  [attribute.type, ...(attribute.required ? ['required'] : []), ...(attribute.secret ? ['secret'] : [])].join(', '),
  attribute.default === '' ? '' : `= ${clipped(attribute.default, SHOWN)}`,
  attribute.values === undefined ? attribute.description : `${attribute.description}; ${attribute.values}`,
];

const SHOWN = 40;

// What a person has to know of a pack, as plain data for pages, text and JSON.

/** An attribute of a class, as a design may set it. */
export interface AttributeDescription {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'list' | 'map' | 'text';
  /** Value of a component that does not set it; `''` for none. */
  readonly default: string;
  /** Whether the default is the pack's own, in place of that of the class. */
  readonly ofPack?: boolean;
  readonly required: boolean;
  readonly secret: boolean;
  /** Which values are allowed, in words that complete "must be …"; absent when any is. */
  readonly values?: string;
  /** The allowed values, where they are a closed set. */
  readonly allowed?: readonly string[];
  readonly description: string;
}

export type PackDescription = ReturnType<typeof describePack>;
type TemplateDescription = PackDescription['templates'][number];

export function describePack(catalogue: Catalogue, pack: Pack) {
  const { source, name, version, description, category, entrypoint } = pack;
  const design = new Set(templates(pack, 'design'));
  const described = pack.templates.map((template) => ({
    name: template.name,
    class: template.class,
    // How many components of it a platform has, such as `1..1` or `0..*`.
    constraint: template.constraint,
    // Where they exist: `design`, and the availability modes of an environment.
    modes: template.modes,
    // Types of cloud services it needs; those with a leading `*` are optional.
    services: template.services,
    description: template.help,
    // With the pack's own defaults; none for a template that no design has.
    attributes: design.has(template) ? attributesOf(catalogue, template) : [],
  }));
  return { source, name, version, description, category, entrypoint, templates: described };
}

/** Attributes of a class that a design may set, with its own defaults; none if unknown. */
export function describeClass(catalogue: Catalogue, className: string): readonly AttributeDescription[] {
  const attributes = catalogue.classMetadata(registeredClass('catalog', className))?.attributes ?? {};
  return Object.entries(attributes).map(([name, attribute]) => describeAttribute(name, attribute));
}

const attributesOf = (catalogue: Catalogue, template: PackTemplate): readonly AttributeDescription[] =>
  describeClass(catalogue, template.class).map((attribute) => {
    const own = template.defaults[attribute.name];
    if (own === undefined || attribute.secret || own === attribute.default) return attribute;
    return { ...attribute, default: own, ofPack: true };
  });

function describeAttribute(name: string, attribute: AttributeMetadata): AttributeDescription {
  const { expects, says, pattern } = attribute;
  const values = expects === undefined || expects.type === 'boolean' ? (says ?? pattern) : expectationWords(expects);
  return {
    name,
    type: typeOf(attribute),
    default: attribute.encrypted ? '' : attribute.default,
    required: attribute.required,
    secret: attribute.encrypted,
    ...defined({ values, allowed: expects?.allowed }),
    description: attribute.description,
  };
}

function typeOf({ dataType, expects }: AttributeMetadata): AttributeDescription['type'] {
  if (dataType === 'hash') return 'map';
  return dataType === 'array' ? 'list' : (expects?.type ?? 'text');
}
