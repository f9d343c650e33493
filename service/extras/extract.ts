// A design as people write it: platforms with what was set in them, by name, secrets left out
// (service-facts §4.5.5).
import { routes } from '../../api/contract';
import { wireName } from '../runtime/answers';
import { knownClass } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable } from '../runtime/handler';
import { isComponentClass } from '../runtime/locate';
import { yamlText } from './read-document';
import { follow, heldBy, type StoredRecord } from '../store';
import { locateSaved } from '../design/assemblies';
import { templateOf } from '../design/from-pack';
import { packOfPlatform } from '../catalogue';
import { type Design, insideOf, locateDesign, platformsOf } from '../design/place';

/** Part of a document: a map, a list, or text. */
type DocumentValue = string | null | readonly DocumentValue[] | { readonly [name: string]: DocumentValue };
export interface DocumentMap {
  readonly [name: string]: DocumentValue;
}

/** What is in place of a secret: it says that there is one. */
export const SECRET = '::ENCRYPTED::';

interface Extraction {
  readonly context: Context;
  readonly design: Design;
  /** Hashes and arrays stay JSON text. */
  readonly collapse: boolean;
}

/** A map without the members that contain nothing. */
export const filled = (map: DocumentMap): DocumentMap =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => !isEmpty(value)));
const isEmpty = (value: DocumentValue): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** JSON text of a list or map as its value; any other text stays text. */
function structure(text: string): DocumentValue {
  try {
    const value = JSON.parse(text) as DocumentValue;
    return typeof value === 'object' && value !== null ? value : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Attributes of a record that `chosen` takes, secrets masked, hashes and arrays as structures. */
export function attributesOf(
  { context, collapse }: Pick<Extraction, 'context'> & { readonly collapse?: boolean },
  record: StoredRecord,
  chosen: (name: string) => boolean,
): DocumentMap {
  const metadata = knownClass(context.catalogue, record.className);
  return Object.fromEntries(
    Object.entries(record.values).flatMap(([name, value]): [string, DocumentValue][] => {
      const rule = metadata.attributes[name];
      if (value === null || rule === undefined || !chosen(name)) return [];
      const shown = wireName(context.rules, record.className, name);
      if (rule.encrypted) return [[shown, value === '' ? '' : SECRET]];
      return [[shown, rule.dataType === 'text' || collapse ? value : structure(value)]];
    }),
  );
}

/** Attributes whose value is not the default of the class. */
function setAttributes(extraction: Extraction, record: StoredRecord): DocumentMap {
  const { attributes } = knownClass(extraction.context.catalogue, record.className);
  return attributesOf(extraction, record, (name) => record.values[name] !== (attributes[name]?.default ?? ''));
}

const targets = ({ context }: Extraction, record: StoredRecord, name: string): StoredRecord[] =>
  heldBy(context.store, record, name, 'staying');

/** Variables by name; a secret one says only that it exists. */
export function variablesOf(
  { context }: Pick<Extraction, 'context'>,
  namespace: string,
  className: string,
  isOwn: (variable: StoredRecord) => boolean,
): DocumentMap {
  return Object.fromEntries(
    context.store.records
      .list({ namespace, className }, 'staying')
      .filter(isOwn)
      .map((variable) => [
        variable.name,
        variable.values['secure'] === 'true' ? SECRET : (variable.values['value'] ?? ''),
      ]),
  );
}

/** Siblings a component depends on by a person's will (service-facts §4.5.2). */
const siblingsOf = ({ context }: Extraction, { id }: StoredRecord): string[] =>
  follow(context.store, id, 'catalog.DependsOn', 'staying').flatMap(({ relation, record }) =>
    relation.values['source'] === 'user' ? [record.name] : [],
  );

function byName(records: readonly StoredRecord[], write: (record: StoredRecord) => DocumentMap): DocumentMap {
  return Object.fromEntries(records.map((record) => [record.name, write(record)]));
}

function componentOf(extraction: Extraction, component: StoredRecord): DocumentMap {
  const monitors = targets(extraction, component, 'catalog.WatchedBy').filter(
    ({ values }) => values['custom'] === 'true',
  );
  return {
    ...attributesOf(extraction, component, (name) => Object.hasOwn(component.owners, name)),
    ...filled({
      depends: siblingsOf(extraction, component),
      // All of them, blank ones too: what the class gives by default may differ where they are
      // loaded.
      attachments: byName(targets(extraction, component, 'catalog.EscortedBy'), (each) =>
        attributesOf(extraction, each, () => true),
      ),
      monitors: byName(monitors, (each) => setAttributes(extraction, each)),
    }),
  };
}

/** Components by `template/class`; those that the pack makes only where they were changed. */
function componentsOf(extraction: Extraction, platform: StoredRecord): DocumentMap {
  const { context, design } = extraction;
  const pack = packOfPlatform(context.catalogue, platform.values);
  const groups: { [key: string]: { [name: string]: DocumentMap } } = {};
  const components = context.store.records
    .list({ namespace: insideOf(design, platform.name) }, 'staying')
    .filter((record) => isComponentClass(record.className));
  for (const component of components) {
    const name = templateOf(context.store, component) ?? component.name;
    const given = (pack?.templates.find((template) => template.name === name)?.min ?? 0) > 0;
    const written = componentOf(extraction, component);
    if (given && Object.keys(written).length === 0) continue;
    const key = `${name}/${component.className.replace(/^catalog\./, '')}`;
    (groups[key] ??= {})[component.name] = written;
  }
  return groups;
}

function platformOf(extraction: Extraction, platform: StoredRecord): DocumentMap {
  const { source, pack, version, major_version: majorVersion, description } = platform.values;
  const given = packOfPlatform(extraction.context.catalogue, platform.values)?.variables ?? [];
  // What the pack made and nobody touched comes from the pack again.
  const isOwn = ({ name, values, owners }: StoredRecord): boolean =>
    Object.keys(owners).length > 0 ||
    !given.some((each) => each.name === name && (each.secure || each.value === values['value']));
  return {
    pack: `${source ?? ''}/${pack ?? ''}:${version ?? ''}`,
    major_version: majorVersion ?? '1',
    ...(description ? { description } : {}),
    ...filled({
      links: targets(extraction, platform, 'catalog.LinksTo')
        .map(({ name }) => name)
        .sort(),
      variables: variablesOf(extraction, insideOf(extraction.design, platform.name), 'catalog.Localvar', isOwn),
      components: componentsOf(extraction, platform),
    }),
  };
}

/** A design, or one platform of it by number or name. */
function extractDesign(extraction: Extraction, platform?: string): DocumentMap {
  const { context, design } = extraction;
  const wanted = platformsOf(context.store, design).filter(
    ({ id, name }) => platform === undefined || platform === String(id) || platform === name,
  );
  return {
    variables: variablesOf(extraction, design.namespace, 'catalog.Globalvar', () => true),
    platforms: byName(wanted, (each) => platformOf(extraction, each)),
  };
}

function asked(context: Context<{ readonly assembly: string }>): DocumentMap {
  const { collapse, platform_id: platform } = context.query;
  const design = locateDesign(context, context.address.assembly);
  return extractDesign({ context, design, collapse: collapse === 'true' }, platform);
}

/** Designs and saved designs as JSON, and as YAML that YAML 1.1 reads in the same way. */
export const extractHandlers: HandlerTable = {
  ...handlersOf(routes.design, {
    extract: asked,
    extractYaml: (context) => yamlText(asked(context)),
  }),
  ...handlersOf(routes.designs, {
    export: (context) =>
      extractDesign({ context, design: locateSaved(context, context.address.design), collapse: false }),
  }),
};
