// What is switched on platforms of an environment and their components: enabled, active, priority of clouds, touch (service-facts §3.10, §4.7.5).
import { routes } from '../../api/contract';
import { deletedAnswer, mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { isComponentClass } from '../locate';
import { reread } from '../staged-collection';
import { stage, type StoredRecord } from '../store';
import { isEnabled, manifestComponents, manifestPlatforms } from './manifest';
import { type EnvironmentPlace } from './place';
import { TOUCH } from './plan-input';
import { changeCloud, locateComponent, locatePlatformPlace } from './platforms';
import { manifestWriter } from './pull/writer';

interface PlatformPlace {
  readonly place: EnvironmentPlace;
  readonly platform: StoredRecord;
}

/** The platform as it reads after a write. */
const platformRead = (context: Context<unknown>, platform: StoredRecord): object =>
  mergedRecord(context, reread(context, platform), { owners: false });

/** Has components deployed again; those that change anyway stay as they are. */
function touch(context: Context, place: EnvironmentPlace, components: readonly StoredRecord[]): object[] {
  const manifest = stage(context.store, place.manifest, context);
  return components.map((component) => mergedRecord(context, manifest.touch(component, { hint: TOUCH })));
}

/** Removes a version of a platform and all that is in it. */
function remove(context: Context, { place, platform }: PlatformPlace): void {
  const writer = manifestWriter(context.store, place, context);
  const inside = context.store.records
    .list({ namespace: platform.namespace })
    .filter((record) => record.id !== platform.id);
  [...inside, platform].forEach(writer.remove);
}

/** Handlers of the switches. */
export const platformSwitchHandlers: HandlerTable = handlersOf(routes.environmentPlatforms, {
  toggle: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const found = manifestPlatforms(context.store, place).find(({ record }) => record.id === platform.id);
    if (found === undefined) throw new Error(`platform ${platform.id} vanished while it was read`);
    const enabled = isEnabled(found) ? 'false' : 'true';
    stage(context.store, place.manifest, context).updateRelation(found.composition, { values: { enabled } });
    return platformRead(context, platform);
  },
  activate: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const manifest = stage(context.store, place.manifest, context);
    for (const { record } of manifestPlatforms(context.store, place)) {
      if (record.name === platform.name)
        manifest.update(record, { values: { is_active: String(record.id === platform.id) } });
    }
    return platformRead(context, platform);
  },
  delete: (context) => {
    const found = locatePlatformPlace(context);
    const { platform } = found;
    if (platform.values['is_active'] === 'true')
      throw refused(`version ${platform.values['major_version'] ?? ''} of platform ${platform.name} is the active one`);
    const before = mergedRecord(context, platform, { owners: false });
    remove(context, found);
    return deletedAnswer(context.rules, before);
  },
  cloudPriority: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const { cloud_id: cloud, priority } = context.body;
    const answer = changeCloud(context, { place, platform }, cloud, { priority });
    // Names follow the priority of clouds: what the platform is reached by is deployed again.
    const entrypoints = context.store.relations.from(platform.id, 'manifest.Entrypoint').map(({ toId }) => toId);
    touch(context, place, context.store.records.byIds(entrypoints));
    return answer;
  },
  touchComponent: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    return touch(context, place, [locateComponent(context, platform, context.address.component)])[0];
  },
  touchComponents: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const known = new Map(manifestComponents(context.store, platform).map(({ record }) => [String(record.id), record]));
    const components = context.body.componentCiIds.map((id) => {
      const component = known.get(String(id));
      if (component === undefined || !isComponentClass(component.className))
        throw refused(`platform ${platform.name} has no component with id ${id} (6006)`);
      return component;
    });
    return touch(context, place, components);
  },
});
