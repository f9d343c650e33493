// Anything by its number (service-facts §4.9 /l/), and the health of instances (§2.2.11).
import { routes, type switchBody } from '../../api/contract';
import { checkMayOn, checkMayOnRecord, mayOn } from '../account/rights';
import { committedRecord, mergedRecord, mergedWithoutLocks, relationAnswer, releaseAnswer } from '../runtime/answers';
import { deploymentAnswer } from '../deployments/deployments';
import {
  type Context,
  handlersOf,
  type HandlerTable,
  notFound,
  RefusedRequest,
  refused,
  unreadable,
} from '../runtime/handler';
import { assembliesIn } from '../runtime/locate';
import { procedureAnswer } from '../operations/procedures';
import { type Store, type StoredRecord, stage, type Values } from '../store';
import type * as z from 'zod';
import { locatePlace } from '../transition/place';
import { locatePlatform } from '../transition/platforms';

/** Throws a RefusedRequest for records of another organization, or of an unseen assembly. */
function checkOwn(context: Context, namespace: string): void {
  const [, owner = '', name = ''] = namespace.split('/');
  const mine = context.account?.organizations ?? null;
  if (owner === '' || owner === 'public') return;
  if (mine !== null && !mine.includes(owner)) throw new RefusedRequest(404, ['not found'], 'foreign');
  const assembly = context.store.records.byName(`/${owner}`, 'account.Assembly', name, 'committed');
  if (assembly !== undefined) checkMayOn({ ...context, organization: owner }, assembly, [], 'what has this number');
}

/** What a number stands for. Throws a RefusedRequest (404). */
function found<T extends { readonly namespace: string }>(
  context: Context<{ readonly id: string }>,
  read: (store: Store, id: number) => T | undefined,
): T {
  const { id } = context.address;
  const thing = /^\d+$/.test(id) ? read(context.store, Number(id)) : undefined;
  if (thing === undefined) throw notFound();
  checkOwn(context, thing.namespace);
  return thing;
}

/** Designs, manifests and instances have open changes; other records have none. */
const isStaged = ({ className }: StoredRecord): boolean =>
  /^(catalog|manifest|bom)\./.test(className) && !/^manifest\.(Environment|relay\.)/.test(className);

export const numberHandlers: HandlerTable = handlersOf(routes.lookups, {
  record: (context) => {
    const record = found(context, ({ records }, id) => records.byId(id));
    checkMayOnRecord({ ...context, organization: record.namespace.split('/')[1] ?? '' }, record.id);
    return isStaged(record) ? mergedRecord(context, record) : committedRecord(context, record);
  },
  relation: (context) =>
    relationAnswer(
      context,
      found(context, ({ relations }, id) => relations.byId(id)),
    ),
  release: (context) =>
    releaseAnswer(
      context,
      found(context, ({ releases }, id) => releases.byId(id)),
    ),
  deployment: (context) => {
    const deployment = found(context, ({ deployments }, id) => deployments.byId(id));
    return deploymentAnswer(context.store, deployment, 'one');
  },
  procedure: (context) =>
    procedureAnswer(
      context,
      found(context, ({ procedures }, id) => procedures.byId(id)),
      true,
    ),
});

const STATES = ['good', 'notify', 'unhealthy', 'overutilized', 'underutilized'];

function counted(instances: readonly StoredRecord[]): { readonly [state: string]: number } {
  const count = (state: string | null): number => instances.filter(({ opsState }) => opsState === state).length;
  return {
    total: instances.length,
    ...Object.fromEntries(STATES.map((state) => [state, count(state)])),
    unknown: count(null),
  };
}

/** `/<o>/<a>/<e>/bom/…` → `/<o>/<a>/<e>`. */
const environmentOf = ({ namespace }: StoredRecord): string => namespace.split('/').slice(0, 4).join('/');

// Switches of a platform that runs: repair, replace, scale and comply by itself; in force
// immediately (service-facts §4.8).

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

/** Writes to a committed manifest platform, or into the change that adds it. */
function write(context: SwitchContext, values: Values, isAllowed: (values: Values) => boolean = () => true): object {
  const { store } = context;
  const place = locatePlace(context);
  const platform = locatePlatform(context, place, context.address.platform);
  const committed = store.records.byId(platform.id, 'committed');
  if (!isAllowed((committed ?? platform).values))
    throw refused('Autoscale operation is allowed only for platforms with redundant availability.');
  if (committed === undefined) stage(store, place.manifest, context).update(platform, { values });
  else store.records.update(platform.id, { values }, context);
  return mergedWithoutLocks(context, store.records.byId(platform.id) ?? platform);
}

export const operationHandlers: HandlerTable = handlersOf(routes.operations, {
  // An organization's health, without environments of assemblies that the user may not see.
  health: (context) => {
    const { records } = context.store;
    const assemblies = records
      .list(assembliesIn(context.organization), 'committed')
      .filter((assembly) => mayOn(context, assembly));
    const instances = assemblies
      .flatMap(({ namespace, name }) => records.list({ below: `${namespace}/${name}` }, 'committed'))
      .filter(({ className }) => className.startsWith('bom.'));
    const environments = [...new Set(instances.map(environmentOf))].sort();
    return {
      ...counted(instances),
      environments: environments.map((nsPath) => ({
        nsPath,
        ...counted(instances.filter((instance) => environmentOf(instance) === nsPath)),
      })),
    };
  },
  autorepair: (context) => write(context, switched('autorepair', context.body)),
  autoreplace: (context) => write(context, { ...switched('autoreplace', context.body), ...limitsOf(context.body) }),
  autoscale: (context) =>
    write(context, switched('autoscale', context.body), ({ availability }) => availability === 'redundant'),
  autocomply: (context) => write(context, switched('autocomply', context.body)),
});
