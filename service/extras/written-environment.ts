// What was set in an environment itself, as people write it, and such a document laid over the
// manifest (service-facts §4.7.1 extract and load).
import { routes } from '../../api/contract';
import { storedAttributes } from '../runtime/collection';
import { knownClass, patchValues, type SentAttributes } from '../runtime/attributes';
import { answer, type Context, handlersOf, type HandlerTable, refused, RefusedRequest } from '../runtime/handler';
import {
  collectWarnings,
  type DocumentNode,
  membersAt,
  nodeText,
  shownOf,
  unknownAttribute,
  type Warnings,
  yamlText,
} from './read-document';
import { attributesOf, type DocumentMap, filled, SECRET, variablesOf } from './extract';
import { readSent } from './load';
import { heldBy, stage, type ReleaseWriter, type StoredRecord } from '../store';
import { type EnvironmentPlace, locatePlace, manifestComponents, manifestPlatforms } from '../transition/place';

/** Attributes that somebody set in the environment: no pull overwrites them (§2.1.5). */
const setHere =
  ({ owners }: StoredRecord) =>
  (name: string): boolean =>
    owners[name] === 'manifest';

/** Platforms by name; with the major version where several have the name. */
function platformsByName(store: Context['store'], place: EnvironmentPlace): Map<string, StoredRecord> {
  const platforms = manifestPlatforms(store, place, 'staying');
  return new Map(
    platforms.map(({ record }) => {
      const isOne = platforms.filter((other) => other.record.name === record.name).length === 1;
      return [isOne ? record.name : `${record.name}!${record.values['major_version'] ?? '1'}`, record];
    }),
  );
}

const setVariables = (context: Context, namespace: string, className: string): DocumentMap =>
  variablesOf({ context }, namespace, className, ({ owners }) => Object.values(owners).includes('manifest'));

/** What a component contains, in a document and by which relation. */
const HELD = [
  ['attachment', 'attachments', 'manifest.EscortedBy'],
  ['monitor', 'monitors', 'manifest.WatchedBy'],
] as const;

/** Components of a platform by class and name: a name may be that of several classes. */
function componentsOf(store: Context['store'], platform: StoredRecord): Map<string, StoredRecord> {
  return new Map(
    manifestComponents(store, platform, 'staying').map(({ record }) => [
      `${record.className.replace(/^manifest\./, '')}/${record.name}`,
      record,
    ]),
  );
}

function writtenPlatform(context: Context, platform: StoredRecord): DocumentMap {
  const { store } = context;
  const components: { [className: string]: { [name: string]: DocumentMap } } = {};
  for (const [key, component] of componentsOf(store, platform)) {
    const [className = ''] = key.split('/');
    const setIn = (records: readonly StoredRecord[]): DocumentMap =>
      filled(Object.fromEntries(records.map((each) => [each.name, attributesOf({ context }, each, setHere(each))])));
    const parts = HELD.map(
      ([, member, relation]) => [member, setIn(heldBy(store, component, relation, 'staying'))] as const,
    );
    const written = {
      ...attributesOf({ context }, component, setHere(component)),
      ...filled(Object.fromEntries(parts)),
    };
    if (Object.keys(written).length > 0) (components[className] ??= {})[component.name] = written;
  }
  return filled({ variables: setVariables(context, platform.namespace, 'manifest.Localvar'), components });
}

/** Values that were set in the environment, by platform; secrets are masked. */
function extractEnvironment(context: Context, place: EnvironmentPlace): DocumentMap {
  const platforms = [...platformsByName(context.store, place)].map(([name, platform]) => [
    name,
    writtenPlatform(context, platform),
  ]);
  return {
    variables: setVariables(context, place.manifest, 'manifest.Globalvar'),
    platforms: filled(Object.fromEntries(platforms) as DocumentMap),
  };
}

interface Load {
  readonly context: Context;
  readonly writer: ReleaseWriter;
  readonly warn: Warnings['warn'];
}

/** Writes and locks attributes of a manifest record. Throws a RefusedRequest (422). */
function overlay({ context, writer, warn }: Load, record: StoredRecord, ciAttributes: SentAttributes): void {
  const metadata = knownClass(context.catalogue, record.className);
  const sent = storedAttributes(context, record.className, ciAttributes);
  const kept = Object.entries(sent).filter(([name, value]) => {
    const rule = metadata.attributes[name];
    if (rule === undefined) warn(unknownAttribute(record.name, metadata.name, name));
    return rule !== undefined && !(rule.encrypted && value === SECRET);
  });
  const attributes = Object.fromEntries(kept);
  const values = patchValues(metadata, record.className, record.values, attributes);
  const owners = Object.fromEntries(Object.keys(attributes).map((name) => [name, 'manifest']));
  writer.update(record, { values, owners: { ...record.owners, ...owners } });
}

const textsOf = (node: DocumentNode | undefined, what: string): SentAttributes =>
  Object.fromEntries([...membersAt(node, what)].map(([name, each]) => [name, nodeText(each)]));

function found<T>(known: ReadonlyMap<string, T>, name: string, what: string): T {
  const record = known.get(name);
  if (record === undefined) throw refused(`unknown ${what} ${JSON.stringify(name)}`);
  return record;
}

const byName = (records: readonly StoredRecord[]): Map<string, StoredRecord> =>
  new Map(records.map((record) => [record.name, record]));

function loadVariables(load: Load, namespace: string, className: string, node: DocumentNode | undefined): void {
  const known = byName(load.context.store.records.list({ namespace, className }, 'staying'));
  for (const [name, value] of Object.entries(textsOf(node, 'variables'))) {
    const variable = found(known, name, 'variable');
    const isSecret = variable.values['secure'] === 'true';
    if (!isSecret || value !== SECRET) overlay(load, variable, { [isSecret ? 'encrypted_value' : 'value']: value });
  }
}

function loadComponent(load: Load, component: StoredRecord, node: DocumentNode): void {
  const members = new Map(membersAt(node, `component ${component.name}`));
  const parts = HELD.map(([noun, member, relation]) => {
    const written = membersAt(members.get(member), member);
    members.delete(member);
    return { noun, relation, written };
  });
  overlay(load, component, Object.fromEntries([...members].map(([name, each]) => [name, nodeText(each)])));
  for (const { noun, relation, written } of parts) {
    const known = byName(heldBy(load.context.store, component, relation, 'staying'));
    for (const [name, each] of written) overlay(load, found(known, name, noun), textsOf(each, `${noun} ${name}`));
  }
}

/** Lays a document over the manifest, all of it or, with a RefusedRequest (422), nothing. */
function loadEnvironment(context: Context, place: EnvironmentPlace, root: DocumentNode, warn: Warnings['warn']): void {
  const { store } = context;
  const load = { context, writer: stage(store, place.manifest, context), warn };
  const members = membersAt(root, 'the document');
  loadVariables(load, place.manifest, 'manifest.Globalvar', members.get('variables'));
  const platforms = platformsByName(store, place);
  for (const [name, node] of membersAt(members.get('platforms'), 'platforms')) {
    const platform = found(platforms, name, 'platform');
    const inside = membersAt(node, `platform ${name}`);
    loadVariables(load, platform.namespace, 'manifest.Localvar', inside.get('variables'));
    const components = componentsOf(store, platform);
    for (const [className, group] of membersAt(inside.get('components'), 'components'))
      for (const [component, written] of membersAt(group, `components of ${className}`))
        loadComponent(load, found(components, `${className}/${component}`, 'component'), written);
  }
}

export const writtenHandlers: HandlerTable = handlersOf(routes.environments, {
  extract: (context) => extractEnvironment(context, locatePlace(context)),
  extractYaml: (context) => yamlText(extractEnvironment(context, locatePlace(context))),
  load: (context) => {
    const place = locatePlace(context);
    const root = readSent(context.body);
    const isPreview = String(context.body.preview) === 'true';
    const { warn, headers } = collectWarnings();
    try {
      if (isPreview) context.store.attempt(() => loadEnvironment(context, place, root, warn));
      else loadEnvironment(context, place, root, warn);
    } catch (error) {
      // A preview shows what would be refused.
      if (!isPreview || !(error instanceof RefusedRequest)) throw error;
      return { ...shownOf(root), errors: error.messages };
    }
    return answer(200, shownOf(root), headers());
  },
});
