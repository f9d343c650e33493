// Monitors of design components (service-facts §4.5.4).
// It must not know what monitors measure.
import { defaultAttributes, routes } from '../../api/contract';
import { deletedAnswer, mergedRecord, templateAnswer } from '../answers';
import { knownClass, newValues, patchValues, sentOwners } from '../attributes';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { checkedName, locate } from '../locate';
import { isLeaving, type StoredRecord } from '../store';
import {
  checkStaying,
  type DesignPlatform,
  locateComponent,
  locatePlatform,
  patchOf,
  reread,
  writeDesign,
} from './place';

const CLASS = 'catalog.Monitor';
const WATCH = 'catalog.WatchedBy';

interface ComponentPlace extends DesignPlatform {
  readonly component: StoredRecord;
}

type Place = Context<{ readonly assembly: string; readonly platform: string; readonly component: string }>;

function locateIn(context: Place): ComponentPlace {
  const place = locatePlatform(context, context.address);
  return { ...place, component: locateComponent(context, place.inside, context.address.component) };
}

const locateMonitor = (context: Context, { inside }: DesignPlatform, identifier: string): StoredRecord =>
  locate(context, identifier, { noun: 'monitor', namespace: inside, className: CLASS });

/** Handlers of monitors. */
export const monitorHandlers: HandlerTable = handlersOf(routes.monitors, {
  list: (context) => {
    const { component } = locateIn(context);
    return context.store.relations
      .from(component.id, WATCH)
      .flatMap((relation) => context.store.records.byId(relation.toId) ?? [])
      .map((monitor) => mergedRecord(context, monitor));
  },
  template: (context) => {
    const { inside, platform, component } = locateIn(context);
    const values = defaultAttributes(knownClass(context.catalogue, CLASS), { custom: 'true' });
    const name = `${platform.name}-${component.name}-`;
    return templateAnswer(context, { name, className: CLASS, namespace: inside, values }, 'merged');
  },
  read: (context) => mergedRecord(context, locateMonitor(context, locateIn(context), context.address.monitor)),
  create: (context) => {
    const place = locateIn(context);
    checkStaying(place.platform);
    if (isLeaving(place.component)) throw refused(`component ${place.component.name} is to be deleted`);
    const sent = context.body.cms_dj_ci;
    const name = checkedName('monitor', sent.ciName);
    if (context.store.records.byName(place.inside, CLASS, name) !== undefined)
      throw refused(`a monitor named ${name} exists already in platform ${place.platform.name} (400)`);
    const attributes = { custom: 'true', ...sent.ciAttributes };
    const values = newValues(knownClass(context.catalogue, CLASS), CLASS, attributes);
    const made = writeDesign(context, place, (stage) => {
      const owners = sentOwners(sent.ciAttrProps) ?? {};
      const record = stage.add({
        namespace: place.inside,
        className: CLASS,
        name,
        values,
        owners,
        comments: sent.comments ?? '',
      });
      stage.addRelation({ namespace: place.inside, name: WATCH, fromId: place.component.id, toId: record.id });
      return record;
    });
    return mergedRecord(context, reread(context, made));
  },
  update: (context) => {
    const place = locateIn(context);
    const monitor = locateMonitor(context, place, context.address.monitor);
    const sent = context.body.cms_dj_ci;
    const values = patchValues(knownClass(context.catalogue, CLASS), CLASS, monitor.values, sent.ciAttributes ?? {});
    writeDesign(context, place, (stage) => stage.update(monitor, patchOf(sent, values)));
    return mergedRecord(context, reread(context, monitor));
  },
  toggle: (context) => {
    const place = locateIn(context);
    const monitor = locateMonitor(context, place, context.address.monitor);
    const enable = monitor.values['enable'] === 'true' ? 'false' : 'true';
    writeDesign(context, place, (stage) => stage.update(monitor, { values: { enable } }));
    return mergedRecord(context, reread(context, monitor));
  },
  delete: (context) => {
    const place = locateIn(context);
    const monitor = locateMonitor(context, place, context.address.monitor);
    const before = mergedRecord(context, monitor);
    writeDesign(context, place, (stage) => stage.remove(monitor));
    return deletedAnswer(context.voice, before);
  },
});
