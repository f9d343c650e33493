// Environments, platforms and components as operations show them, and the procedures of a platform's pack (service-facts §4.8).
// It must not know how any of them is written.
import { routes } from '../../api/contract';
import { committedRecord, mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { locateAssembly } from '../locate';
import type { StoredRecord } from '../store';
import { locatePlace, locatePlatform, manifestComponents, manifestPlatforms, platformAnswer } from '../transition';

type PlatformAddress = { readonly assembly: string; readonly environment: string; readonly platform: string };

const platformIn = (context: Context<PlatformAddress>): StoredRecord =>
  locatePlatform(context, locatePlace(context), context.address.platform);

/** Handlers of what operations show of a manifest. */
export const manifestHandlers: HandlerTable = handlersOf(routes.operations, {
  environments: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const namespace = `${assembly.namespace}/${assembly.name}`;
    return context.store.records
      .list({ namespace, className: 'manifest.Environment' }, 'committed')
      .map((environment) => committedRecord(context, environment));
  },
  environment: (context) => committedRecord(context, locatePlace(context).environment),
  platforms: (context) =>
    manifestPlatforms(context.store, locatePlace(context)).map(({ record }) =>
      mergedRecord(context, record, { owners: false }),
    ),
  platform: (context) => platformAnswer(context, platformIn(context)),
  components: (context) =>
    manifestComponents(context.store, platformIn(context)).map(({ record }) =>
      mergedRecord(context, record, { owners: false }),
    ),
  procedures: (context) => {
    const { source, pack, version } = platformIn(context).values;
    const namespace = `/public/${source ?? ''}/packs/${pack ?? ''}/${version ?? ''}`;
    return context.store.records
      .list({ namespace, className: 'mgmt.manifest.Procedure' }, 'committed')
      .map((procedure) => committedRecord(context, procedure));
  },
});
