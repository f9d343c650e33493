// Design releases, the open changes of one platform, and packs (service-facts §4.5.1, §4.5.6).
import { defaultAttributes, routes } from '../../api/contract';
import { mergedRecord, releaseAnswer } from '../runtime/answers';
import { knownClass } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, notFound, refused } from '../runtime/handler';
import { isComponentClass, locateNumber } from '../runtime/locate';
import { type Pack, packOfPlatform, type PackTemplate, templates } from '../catalogue';
import {
  type RecordChange,
  type RelationChange,
  type StoredChange,
  type StoredRecord,
  type StoredRelease,
  type Values,
} from '../store';
import { madeFrom, templateOf, templateValues, updatePack } from './from-pack';
import { type DesignPlatform, locateDesign, locateDesignPlatform, writeDesign } from './place';
import { reread } from '../runtime/collection';
import { checkedPack } from './platforms';
import { pageOf, restored, withChanges } from '../runtime/releases';

interface Comparand {
  readonly values: Values;
  readonly shown: object;
}

/**
 * Every component, variable, monitor and attachment of a platform, records whose deletion waits for
 * a commit included. Query: `committed=true` compares with what is committed, default with the
 * pack; `changes_only=false` answers what does not differ too.
 */
function differencesOf(context: Context, place: DesignPlatform): object[] {
  const committed = context.query['committed'] === 'true';
  const changesOnly = context.query['changes_only'] !== 'false';
  const pack = packOfPlatform(context.catalogue, place.platform.values);
  return context.store.records.list({ namespace: place.inside }).flatMap((record) => {
    const holder = holderOf(context, record);
    const other = committed ? committedOf(context, record) : givenByPack(context, { place, pack }, record, holder);
    const difference = differenceOf(context, record, other);
    if (changesOnly && other !== undefined && Object.keys(difference.diffAttributes).length === 0) return [];
    return {
      ...mergedRecord(context, record),
      ...difference,
      ...(holder === undefined ? {} : { component: mergedRecord(context, holder) }),
    };
  });
}

/** The component that a monitor or an attachment belongs to. */
function holderOf({ store }: Context, record: StoredRecord): StoredRecord | undefined {
  if (isComponentClass(record.className)) return undefined;
  const [relation] = [
    ...store.relations.to(record.id, 'catalog.EscortedBy'),
    ...store.relations.to(record.id, 'catalog.WatchedBy'),
  ];
  return relation && store.records.byId(relation.fromId);
}

function committedOf(context: Context, record: StoredRecord): Comparand | undefined {
  const before = context.store.records.byId(record.id, 'committed');
  return before && { values: before.values, shown: mergedRecord(context, before) };
}

/** The pack's values of an untouched record; undefined for attachments and added records. */
function givenByPack(
  context: Context,
  { place, pack }: { readonly place: DesignPlatform; readonly pack: Pack | undefined },
  record: StoredRecord,
  holder: StoredRecord | undefined,
): Comparand | undefined {
  const { catalogue } = context;
  const shown = (name: string, values: Values): Comparand => ({
    values,
    shown: { ciName: name, ciClassName: record.className, ciAttributes: values },
  });
  if (isComponentClass(record.className)) {
    const template = templateIn(context, pack, record);
    return template && shown(template.name, templateValues(catalogue, template));
  }
  const metadata = knownClass(catalogue, record.className);
  const variable = record.className === 'catalog.Localvar' && pack?.variables.find(({ name }) => name === record.name);
  if (variable)
    return shown(
      variable.name,
      defaultAttributes(metadata, variable.secure ? { secure: 'true' } : { value: variable.value }),
    );
  if (holder === undefined || record.className !== 'catalog.Monitor') return undefined;
  const given = Object.entries(templateIn(context, pack, holder)?.monitors ?? {}).find(
    ([name]) => record.name === `${place.platform.name}-${holder.name}-${name}`,
  );
  return given && shown(given[0], defaultAttributes(metadata, given[1]));
}

function templateIn(context: Context, pack: Pack | undefined, component: StoredRecord): PackTemplate | undefined {
  const name = templateOf(context.store, component);
  return pack?.templates.find((template) => template.name === name);
}

/** The other record and its values that are not this one's, without secrets. */
function differenceOf(
  context: Context,
  record: StoredRecord,
  other: Comparand | undefined,
): { readonly diffCi: object | null; readonly diffAttributes: Values } {
  if (other === undefined) return { diffCi: null, diffAttributes: {} };
  const { attributes } = knownClass(context.catalogue, record.className);
  const open = (values: Values, isAsked: (name: string, value: string | null) => boolean = () => true): Values =>
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !attributes[name]?.encrypted && isAsked(name, value)),
    );
  const { ciAttributes } = other.shown as { readonly ciAttributes: Values };
  return {
    diffCi: { ...other.shown, ciAttributes: open(ciAttributes) },
    diffAttributes: open(other.values, (name, value) => record.values[name] !== value),
  };
}

interface OpenChanges {
  readonly release: StoredRelease;
  readonly records: readonly RecordChange[];
  readonly relations: readonly RelationChange[];
}

/**
 * Open changes of a platform: its own, those inside, and links to committed platforms; undefined
 * where nothing is open.
 */
function openChanges(context: Context, { platform, inside, namespace }: DesignPlatform): OpenChanges | undefined {
  const { releases, records } = context.store;
  const release = releases.open(namespace);
  if (release === undefined) return undefined;
  const isInside = (change: StoredChange): boolean =>
    change.namespace === inside || change.namespace.startsWith(`${inside}/`);
  const isLink = ({ fromId, toId, action }: RelationChange): boolean => {
    if (fromId !== platform.id && toId !== platform.id) return false;
    return action === 'delete' || records.byId(fromId === platform.id ? toId : fromId, 'committed') !== undefined;
  };
  const own = {
    release,
    records: releases.recordChanges(release.id).filter((each) => isInside(each) || each.recordId === platform.id),
    relations: releases.relationChanges(release.id).filter((each) => isInside(each) || isLink(each)),
  };
  return own.records.length + own.relations.length === 0 ? undefined : own;
}

/** Drops open changes; links to a platform that vanishes with them go as well. */
function drop({ store }: Context, { release, records, relations }: OpenChanges): void {
  const vanishing = new Set(records.filter(({ action }) => action === 'add').map(({ recordId }) => recordId));
  const dangling = store.releases
    .relationChanges(release.id)
    .filter((change) => vanishing.has(change.fromId) || vanishing.has(change.toId));
  new Set([...relations, ...dangling].map(({ id }) => id)).forEach(store.changes.relations.drop);
  for (const { id } of records) store.changes.records.drop(id);
}

/** Ends the open changes of a platform. Without any, a RefusedRequest (422) where writes are staged. */
function ending(context: Context, place: DesignPlatform, end: (changes: OpenChanges) => unknown): object {
  const changes = openChanges(context, place);
  if (changes !== undefined) end(changes);
  else if (context.rules.designStaged) throw refused(`platform ${place.platform.name} has no open changes`);
  return mergedRecord(context, context.store.records.byId(place.platform.id) ?? place.platform);
}

/** Brings a platform to a pack version. Throws a RefusedRequest (422) while it has open changes. */
function follow(context: Context, place: DesignPlatform, pack: Pack): object {
  if (openChanges(context, place) !== undefined)
    throw refused(`platform ${place.platform.name} has open changes: commit or discard them first`);
  const former = packOfPlatform(context.catalogue, place.platform.values);
  writeDesign(context, place, (stage) => updatePack(context, stage, place, former, pack));
  return mergedRecord(context, reread(context, place.platform));
}

export const platformChangeHandlers: HandlerTable = handlersOf(routes.platforms, {
  commit: (context) =>
    ending(context, locateDesignPlatform(context, context.address), ({ release, records, relations }) => {
      const ids = new Set([...records, ...relations].map(({ id }) => id));
      const description = context.body?.desc ?? undefined;
      context.store.releases.close(release.id, context, { description, belongs: ({ id }) => ids.has(id) });
    }),
  discard: (context) =>
    ending(context, locateDesignPlatform(context, context.address), (changes) => drop(context, changes)),
  diff: (context) => differencesOf(context, locateDesignPlatform(context, context.address)),
  componentTypes: (context) => {
    const { platform } = locateDesignPlatform(context, context.address);
    const pack = checkedPack(context, platform.values);
    return Object.fromEntries(
      templates(pack, 'design').map(({ name, min, max }) => [
        name,
        { min, max, current: madeFrom(context.store, platform, name).length },
      ]),
    );
  },
  packRefresh: (context) => {
    const place = locateDesignPlatform(context, context.address);
    return follow(context, place, checkedPack(context, place.platform.values));
  },
  packUpdate: (context) => {
    const place = locateDesignPlatform(context, context.address);
    return follow(context, place, checkedPack(context, { ...place.platform.values, version: context.body.version }));
  },
});

function locateRelease(
  context: Context,
  { assembly, release }: { readonly assembly: string; readonly release: string },
): StoredRelease {
  const { namespace } = locateDesign(context, assembly);
  const fits = (found: StoredRelease): boolean => found.namespace === namespace;
  return locateNumber(release, context.store.releases.byId, fits, `no release ${release} in ${namespace}`);
}

/** A commit or discard that is not possible is no error: the answer is the release. */
export const designReleaseHandlers: HandlerTable = handlersOf(routes.designReleases, {
  list: (context) => {
    const { namespace } = locateDesign(context, context.address.assembly);
    const ended = context.store.releases.list(namespace).filter((release) => release.state !== 'open');
    return pageOf(context.query, ended).map((release) => releaseAnswer(context, release));
  },
  latest: (context) => {
    const release = context.store.releases.latest(locateDesign(context, context.address.assembly).namespace);
    if (release === undefined) throw notFound();
    return withChanges(context, release);
  },
  read: (context) => withChanges(context, locateRelease(context, context.address)),
  commit: (context) => {
    const release = locateRelease(context, context.address);
    const description = context.body?.desc ?? undefined;
    return releaseAnswer(context, context.store.releases.close(release.id, context, { description }));
  },
  restore: (context) => {
    const release = locateRelease(context, context.address);
    const design = locateDesign(context, context.address.assembly);
    return restored(context, release, (back) =>
      writeDesign(context, design, (stage) => back(stage, (record) => stage.remove(record))),
    );
  },
  discard: (context) => {
    const release = locateRelease(context, context.address);
    return releaseAnswer(context, context.store.releases.cancel(release.id, context));
  },
});
