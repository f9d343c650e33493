// Open changes of one platform, committed or discarded apart from the rest, and how a platform follows its pack (service-facts §4.5.1).
// Platforms are made in make-platform.ts.
import { routes } from '../../api/contract';
import { mergedRecord } from '../answers';
import { type Pack, templates } from '../catalogue';
import { madeFrom } from './from-template';
import { packOfPlatform, updatePack } from './make-platform';
import { type DesignPlatform, locateDesignPlatform, writeDesign } from './place';
import { differencesOf } from './platform-diff';
import { checkedPack } from './platforms';
import { type Context, handlersOf, type HandlerTable, refused } from '../handler';
import { reread } from '../staged-collection';
import { type RecordChange, type RelationChange } from '../store';

/** Open changes of a platform: its own, those inside of it, and links whose other end is true without this release. */
function openChanges(
  context: Context,
  { platform, inside, namespace }: DesignPlatform,
): (RecordChange | RelationChange)[] {
  const { releases, records } = context.store;
  const release = releases.open(namespace);
  if (release === undefined) return [];
  const isInside = (change: RecordChange | RelationChange): boolean =>
    change.namespace === inside || change.namespace.startsWith(`${inside}/`);
  const isLink = ({ fromId, toId, action }: RelationChange): boolean => {
    if (fromId !== platform.id && toId !== platform.id) return false;
    return action === 'delete' || records.byId(fromId === platform.id ? toId : fromId, 'committed') !== undefined;
  };
  return [
    ...releases.recordChanges(release.id).filter((change) => isInside(change) || change.recordId === platform.id),
    ...releases.relationChanges(release.id).filter((change) => isInside(change) || isLink(change)),
  ];
}

const isRelation = (change: RecordChange | RelationChange): change is RelationChange => 'relationId' in change;

/** Drops open changes; links to a platform that vanishes with them go as well. */
function drop(context: Context, place: DesignPlatform, changes: readonly (RecordChange | RelationChange)[]): void {
  const { store } = context;
  const release = store.releases.open(place.namespace);
  if (release === undefined) return;
  const vanishing = new Set(
    changes.flatMap((change) => (!isRelation(change) && change.action === 'add' ? [change.recordId] : [])),
  );
  const dangling = store.releases
    .relationChanges(release.id)
    .filter((change) => vanishing.has(change.fromId) || vanishing.has(change.toId));
  const relations = new Set([...changes.filter(isRelation), ...dangling].map((change) => change.id));
  relations.forEach((id) => store.changes.relations.drop(id));
  for (const change of changes) if (!isRelation(change)) store.changes.records.drop(change.id);
}

/** The platform as it is where every write is closed immediately, so that there is never anything to do; else a RefusedRequest (422). */
function nothingOpen(context: Context, { platform }: DesignPlatform): object {
  if (context.rules.designStaged) throw refused(`platform ${platform.name} has no open changes`);
  return mergedRecord(context, platform);
}

/** Handlers of a platform's changes. */
export const platformChangeHandlers: HandlerTable = handlersOf(routes.platforms, {
  commit: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const changes = new Set(openChanges(context, place).map((change) => change.id));
    const release = context.store.releases.open(place.namespace);
    if (release === undefined || changes.size === 0) return nothingOpen(context, place);
    const description = context.body?.desc ?? undefined;
    const facts = description === undefined ? {} : { description };
    context.store.releases.closePart(release.id, context, (change) => changes.has(change.id), facts);
    return mergedRecord(context, context.store.records.byId(place.platform.id) ?? place.platform);
  },
  discard: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const changes = openChanges(context, place);
    if (changes.length === 0) return nothingOpen(context, place);
    drop(context, place, changes);
    return mergedRecord(context, context.store.records.byId(place.platform.id) ?? place.platform);
  },
  diff: (context) => differencesOf(context, locateDesignPlatform(context, context.address)),
});

/** Brings a platform to a pack version. Throws a RefusedRequest (422) while it has open changes. */
function follow(context: Context, place: DesignPlatform, pack: Pack): object {
  if (openChanges(context, place).length > 0)
    throw refused(`platform ${place.platform.name} has open changes: commit or discard them first`);
  const former = packOfPlatform(context.catalogue, place.platform.values);
  const { store, catalogue } = context;
  writeDesign(context, place, (stage) => updatePack({ stage, store, catalogue }, place, former, pack));
  return mergedRecord(context, reread(context, place.platform));
}

/** Handlers of a platform's pack. */
export const platformPackHandlers: HandlerTable = handlersOf(routes.platforms, {
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
