// What a platform has of its pack: how many components there may be, and how it follows the pack (service-facts §4.5.1).
// It must not know bodies of other routes.
import { routes } from '../../api/contract';
import { mergedRecord } from '../answers';
import { type Pack, templates } from '../catalogue';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { madeFrom } from './from-template';
import { packOf, updatePack } from './make-platform';
import { reread } from '../staged-collection';
import { type DesignPlatform, locatePlatform, writeDesign } from './place';
import { openChanges } from './platform-changes';
import { checkedPack } from './platforms';

/** Brings a platform to a pack version. Throws a Refusal (422) while it has open changes. */
function follow(context: Context, place: DesignPlatform, pack: Pack): object {
  if (openChanges(context, place).length > 0)
    throw refused(`platform ${place.platform.name} has open changes: commit or discard them first`);
  const former = packOf(context.catalogue, place.platform.values);
  writeDesign(context, place, (stage) => updatePack(stage, context.store, context.catalogue, place, former, pack));
  return mergedRecord(context, reread(context, place.platform));
}

/** Handlers of a platform's pack. */
export const platformPackHandlers: HandlerTable = handlersOf(routes.platforms, {
  componentTypes: (context) => {
    const { platform } = locatePlatform(context, context.address);
    const pack = checkedPack(context, platform.values);
    return Object.fromEntries(
      templates(pack, 'design').map(({ name, min, max }) => [
        name,
        { min, max, current: madeFrom(context.store, platform, name).length },
      ]),
    );
  },
  packRefresh: (context) => {
    const place = locatePlatform(context, context.address);
    return follow(context, place, checkedPack(context, place.platform.values));
  },
  packUpdate: (context) => {
    const place = locatePlatform(context, context.address);
    return follow(context, place, checkedPack(context, { ...place.platform.values, version: context.body.version }));
  },
});
