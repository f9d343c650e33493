// Switches of a platform that runs: repair, replace, scale and comply by itself; in force immediately (service-facts §4.8).
import type { z } from 'zod';
import { routes, type switchBody } from '../../api/contract';
import { mergedRecord } from '../runtime/answers';
import { type Context, handlersOf, type HandlerTable, refused, unreadable } from '../runtime/handler';
import { stage, type Values } from '../store';
import { locatePlace, locatePlatform } from '../transition';

type Body = z.output<typeof switchBody>;
type SwitchContext = Context<
  { readonly assembly: string; readonly environment: string; readonly platform: string },
  Body
>;

/** A switch as its attribute has it; nothing for any other status, which changes nothing. */
function switched(name: string, { status }: Body): Values {
  return status === 'enable' || status === 'disable' ? { [name]: String(status === 'enable') } : {};
}

/** How many minutes and repairs an unhealthy instance has before it is replaced. */
function limitsOf({ replace_after_minutes: minutes, replace_after_repairs: repairs }: Body): Values {
  const given = Object.entries({ replace_after_minutes: minutes, replace_after_repairs: repairs });
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      if (value === undefined || value === null || value === '') return [];
      if (!/^\d+$/.test(String(value))) throw unreadable(`${name} must be a number in digits`);
      return [[name, String(value)]];
    }),
  );
}

/** Writes attributes of the manifest platform: directly where it is committed, else into the change that adds it. */
function write(context: SwitchContext, values: Values, isAllowed: (values: Values) => boolean = () => true): object {
  const { store } = context;
  const place = locatePlace(context);
  const platform = locatePlatform(context, place, context.address.platform);
  const committed = store.records.byId(platform.id, 'committed');
  if (!isAllowed((committed ?? platform).values))
    throw refused('Autoscale operation is allowed only for platforms with redundant availability.');
  if (committed === undefined) stage(store, place.manifest, context).update(platform, { values });
  else store.records.update(platform.id, { values }, context);
  return mergedRecord(context, store.records.byId(platform.id) ?? platform, { owners: false });
}

/** Handlers of the switches. */
export const switchHandlers: HandlerTable = handlersOf(routes.operations, {
  autorepair: (context) => write(context, switched('autorepair', context.body)),
  autoreplace: (context) => write(context, { ...switched('autoreplace', context.body), ...limitsOf(context.body) }),
  autoscale: (context) =>
    write(context, switched('autoscale', context.body), ({ availability }) => availability === 'redundant'),
  autocomply: (context) => write(context, switched('autocomply', context.body)),
});
