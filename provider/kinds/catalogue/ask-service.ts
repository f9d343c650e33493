// Reads the catalogue of a service.
import type { Api } from '../../../api/client';
import { knownPacks, routes, templateText, type Template } from '../../../api/contract';
import { isPlainObject, textAt, type Values } from '../../values/plain';
import type { CatalogueDocument } from './known';

interface PackVersion {
  readonly source: string;
  readonly name: string;
  readonly version: string;
}

/** Reads every pack of a service, with the templates and classes of the wanted packs. */
export async function askCatalogue(
  api: Api,
  service: string,
  isWanted: (pack: PackVersion) => boolean,
): Promise<CatalogueDocument> {
  const tree = await api.call(routes.catalogue.packs, {});
  const versions = Object.entries(tree).flatMap(([source, packs]) =>
    Object.entries(packs).flatMap(([name, all]) => all.map((version) => ({ source, name, version }))),
  );
  const read = await Promise.all(
    versions.map(async (pack) => (isWanted(pack) ? askPack(api, pack) : { pack, templates: [], classes: [] })),
  );
  const names = [...new Set(read.flatMap(({ classes }) => classes))];
  const classes = Object.fromEntries((await Promise.all(names.map(async (name) => askClass(api, name)))).flat());
  const textOfTemplate = ({ given, ...template }: AskedTemplate): string => {
    const attributes = Object.entries(classes[template.class]?.attributes ?? {});
    const needs = attributes.filter(([name, { required }]) => required === true && !given[name]).map(([name]) => name);
    return templateText({ ...template, needs });
  };
  const packs = read.map(({ pack, templates }) => ({
    ...pack,
    description: packaged(pack)?.description ?? '',
    templates: Object.fromEntries(templates.map(([name, template]) => [name, textOfTemplate(template)])),
  }));
  return { version: 1, service, packs, classes };
}

interface AskedTemplate {
  readonly class: string;
  readonly constraint: string;
  readonly design: boolean;
  readonly scaled: boolean;
  readonly given: { readonly [attribute: string]: string | null | undefined };
}

const packaged = ({ source, name, version }: PackVersion): (typeof knownPacks)[number] | undefined =>
  knownPacks.find((pack) => pack.source === source && pack.name === name && pack.version === version);

/** A pack with its templates, and the full names of their classes. */
async function askPack(
  api: Api,
  pack: PackVersion,
): Promise<{
  readonly pack: PackVersion;
  readonly templates: readonly (readonly [name: string, template: AskedTemplate])[];
  readonly classes: readonly string[];
}> {
  const address = { source: pack.source, pack: pack.name, version: pack.version, platform: pack.name };
  const designed = namedIn(await api.call(routes.catalogue.packComponents, { address }));
  const redundant = { ...address, mode: 'redundant' };
  const made = namedIn(await api.call(routes.catalogue.packModeComponents, { address: redundant }));
  const isDesigned = (name: string): boolean => designed.some(({ ciName }) => ciName === name);
  const all = [...designed, ...made.filter(({ ciName }) => !isDesigned(ciName))];
  const templates = all.map(({ ciName, ciClassName, ciAttributes: given = {} }) => {
    // No answer says how many components there may be, nor whether they scale: neither is judged.
    const known = packaged(pack)?.templates[ciName] ?? { constraint: '1..*', scaled: true };
    const { constraint, scaled } = known;
    return [ciName, { constraint, scaled, class: lastPart(ciClassName), design: isDesigned(ciName), given }] as const;
  });
  const classes = designed.map(({ ciClassName }) => ciClassName.replace(/^mgmt\./, ''));
  return { pack, templates, classes };
}

const namedIn = (
  templates: readonly Template[],
): readonly {
  readonly ciName: string;
  readonly ciClassName: string;
  readonly ciAttributes?: AskedTemplate['given'];
}[] =>
  templates.flatMap(({ ciName, ciClassName, ciAttributes }) =>
    ciName && ciClassName ? [{ ciName, ciClassName, ciAttributes: ciAttributes ?? {} }] : [],
  );

const lastPart = (className: string): string => className.slice(className.lastIndexOf('.') + 1);

type ServiceClass = CatalogueDocument['classes'][string];

async function askClass(api: Api, name: string): Promise<readonly (readonly [string, ServiceClass])[]> {
  const answer = await api.call(routes.catalogue.metadata, { query: { class_name: name } });
  const listed: unknown = answer?.['mdAttributes'];
  if (!Array.isArray(listed)) return [];
  const attributes = listed
    .filter(isPlainObject)
    .map((each) => [String(each['attributeName']), attributeOf(each)] as const);
  const description = textAt(answer ?? {}, 'description');
  return [[lastPart(name), { description, attributes: Object.fromEntries(attributes) }]];
}

function attributeOf(said: Values): ServiceClass['attributes'][string] {
  const { dataType, isMandatory, isEncrypted, valueFormat } = said;
  const pattern = patternIn(valueFormat);
  return {
    description: textAt(said, 'description'),
    ...(isMandatory === true ? { required: true } : {}),
    ...(isEncrypted === true ? { encrypted: true } : {}),
    ...(dataType === 'hash' || dataType === 'array' ? { dataType } : {}),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

/** The pattern in the format of a value. An invalid regular expression judges nothing. */
function patternIn(format: unknown): string | undefined {
  if (typeof format !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(format);
    const pattern = isPlainObject(read) ? read['pattern'] : undefined;
    if (typeof pattern !== 'string') return undefined;
    new RegExp(pattern);
    return pattern;
  } catch {
    return undefined;
  }
}
