// The instance a path names: by number anywhere in the organization, by name in the platform it runs for (service-facts §0.3).
import { type Context } from './handler';
import { locate } from './locate';
import type { StoredRecord, View } from './store';
import { instancesNamespace, locatePlace, locatePlatform } from './transition';

type InstanceAddress = { readonly assembly: string; readonly environment: string; readonly platform: string };

/** Throws a RefusedRequest (404). `merged` finds those a deployment is about to make, too. */
export function locateInstance(context: Context<InstanceAddress>, identifier: string, view: View): StoredRecord {
  const place = locatePlace(context);
  const namespace = instancesNamespace(place, locatePlatform(context, place, context.address.platform));
  const className = (name: string): boolean => name.startsWith('bom.');
  return locate(context, identifier, { noun: 'instance', namespace, className, view });
}
