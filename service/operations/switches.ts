// Switches of a platform that runs: repair, replace, scale and comply by itself; in force at once (wire-facts §4.8).
// It must not know what the service does by itself: instances of this one never fall ill.
import { type z } from 'zod';
import { routes, type switchBody } from '../../api/contract';
import { mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, refused, unreadable } from '../handler';
import type { Values } from '../store';
import { locatePlace, locatePlatform } from '../transition';

type Body = z.output<typeof switchBody>;
type SwitchContext = Context<
  { readonly assembly: string; readonly environment: string; readonly platform: string },
  Body
>;

/** `enable` and `disable` as the attribute has them. */
function stateOf({ status }: Body): 'true' | 'false' {
  if (status === 'enable') return 'true';
  if (status === 'disable') return 'false';
  throw unreadable(`status must be enable or disable, not ${JSON.stringify(status)}`);
}

/** How many minutes and repairs an unhealthy instance has before it is replaced. */
function limitsOf({ replace_after_minutes: minutes, replace_after_repairs: repairs }: Body): Values {
  const given = Object.entries({ replace_after_minutes: minutes, replace_after_repairs: repairs });
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      if (!/^\d+$/.test(String(value))) throw unreadable(`${name} must be a number in digits`);
      return [[name, String(value)]];
    }),
  );
}

/** Writes attributes of the manifest platform directly: no release, no deployment. */
function write(context: SwitchContext, values: Values, isAllowed: (values: Values) => boolean = () => true): object {
  const { records } = context.store;
  const platform = locatePlatform(context, locatePlace(context), context.address.platform);
  const committed = records.byId(platform.id, 'committed');
  if (committed === undefined) throw refused(`platform ${platform.name} is not committed yet`);
  if (!isAllowed(committed.values)) throw refused(`platform ${platform.name} is not redundant: it does not scale`);
  records.update(committed.id, { values }, context);
  return mergedRecord(context, records.byId(committed.id) ?? committed, { owners: false });
}

/** Handlers of the switches. */
export const switchHandlers: HandlerTable = handlersOf(routes.operations, {
  autorepair: (context) => write(context, { autorepair: stateOf(context.body) }),
  autoreplace: (context) => write(context, { autoreplace: stateOf(context.body), ...limitsOf(context.body) }),
  autoscale: (context) =>
    write(context, { autoscale: stateOf(context.body) }, (values) => values['availability'] === 'redundant'),
  autocomply: (context) => write(context, { autocomply: stateOf(context.body) }),
});
