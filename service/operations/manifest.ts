// Environments, platforms and components as operations show them, and the procedures of a platform's pack (service-facts §4.8).
import { routes } from '../../api/contract';
import { committedRecord, mergedRecord } from '../answers';
import { type HandlerTable, handlersOf } from '../handler';
import { locateAssembly } from '../locate';
import { locatePlace, locatePlatformPlace, manifestComponents, manifestPlatforms, platformAnswer } from '../transition';

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
  platform: (context) => platformAnswer(context, locatePlatformPlace(context).platform),
  components: (context) =>
    manifestComponents(context.store, locatePlatformPlace(context).platform).map(({ record }) =>
      mergedRecord(context, record, { owners: false }),
    ),
  procedures: (context) => {
    const { source, pack, version } = locatePlatformPlace(context).platform.values;
    const namespace = `/public/${source ?? ''}/packs/${pack ?? ''}/${version ?? ''}`;
    return context.store.records
      .list({ namespace, className: 'mgmt.manifest.Procedure' }, 'committed')
      .map((procedure) => committedRecord(context, procedure));
  },
});
