// The compute report: cores, memory and number of the running machines, by assembly or by cloud
// (service-facts §4.2).
import { registeredClass, routes } from '../../api/contract';
import { maySee } from '../account/rights';
import { type Context, handlersOf, type HandlerTable } from '../runtime/handler';
import { cloudsIn, locateAssembly } from '../runtime/locate';
import type { StoredRecord } from '../store';
import { servicesOfCloud } from './services';

interface Metrics {
  readonly count: number;
  readonly cores: number;
  readonly ram: number;
}

interface Branch {
  readonly name: string;
  readonly id: string;
  readonly url: string | null;
  readonly level: number;
  readonly metrics: Metrics;
  readonly owner?: string | null;
  readonly children?: readonly Branch[];
}

const NOTHING: Metrics = { count: 0, cores: 0, ram: 0 };

/** What a machine counts for when it does not say (service-facts §4.2). */
const UNSAID = { cores: 1, ram: 2000 };

const METRICS = [
  { name: 'cores', label: 'Cores' },
  { name: 'ram', label: 'Memory' },
  { name: 'count', label: 'Instances' },
];

function amount(value: string | null | undefined, unsaid: number): number {
  const number = Number(value ?? '');
  return value === undefined || value === null || value === '' || !Number.isFinite(number) ? unsaid : number;
}

function measured(machine: StoredRecord): Metrics {
  return {
    count: 1,
    cores: amount(machine.values['cores'], UNSAID.cores),
    ram: amount(machine.values['ram'], UNSAID.ram),
  };
}

const sum = (all: readonly Metrics[]): Metrics =>
  all.reduce(
    (one, other) => ({ count: one.count + other.count, cores: one.cores + other.cores, ram: one.ram + other.ram }),
    NOTHING,
  );

/** A random mark, another one on each call: programs must not rely on it. */
const mark = (): string => Math.random().toString(36).slice(2, 8);

function leaf(name: string, level: number, metrics: Metrics): Branch {
  return { name, id: mark(), url: null, level, metrics };
}

const branch = (name: string, level: number, children: readonly Branch[]): Branch => ({
  ...leaf(name, level, sum(children.map((child) => child.metrics))),
  children,
});

/** What a compute service's quotas leave; nothing where it sets none. */
function freeOf({ values }: StoredRecord, used: Metrics): Metrics {
  const left = (quota: string, taken: number): number => Math.max(0, amount(values[quota], taken) - taken);
  return {
    count: left('max_instances', used.count),
    cores: left('max_cores', used.cores),
    ram: left('max_ram', used.ram),
  };
}

/** Groups by the given steps of the namespace, outermost first. */
function tree(machines: readonly StoredRecord[], steps: readonly number[]): Branch[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  const groups = Map.groupBy(machines, (machine) => machine.namespace.split('/')[step] ?? '');
  return [...groups].map(([name, members]) =>
    rest.length === 0 ? leaf(name, 0, sum(members.map(measured))) : branch(name, rest.length, tree(members, rest)),
  );
}

/** Steps of `/<o>/<a>/<e>/bom/<p>/<version>`: assembly, environment, platform. */
const PLACES = [2, 3, 5];

function machinesBelow(context: Context, path: string): StoredRecord[] {
  const seen = new Map<string, boolean>();
  /** By assembly: machines are many. */
  const isSeen = (machine: StoredRecord): boolean => {
    const name = machine.namespace.split('/')[2] ?? '';
    const known = seen.get(name) ?? maySee(context, machine);
    seen.set(name, known);
    return known;
  };
  return context.store.records
    .list({ below: path, className: registeredClass('bom', 'Compute') }, 'committed')
    .filter(isSeen);
}

function byAssembly(context: Context): object {
  const asked = context.query['assembly'];
  const assembly = asked === undefined ? undefined : locateAssembly(context, asked);
  const machines = machinesBelow(
    context,
    assembly === undefined ? `/${context.organization}` : `/${context.organization}/${assembly.name}`,
  );
  const assemblies = tree(machines, PLACES).map((each) => {
    const record = context.store.records.byName(`/${context.organization}`, 'account.Assembly', each.name);
    return { ...each, owner: record?.values['owner'] ?? null };
  });
  const top = PLACES.length;
  return {
    scope: [{ Assembly: ['name', 'owner'] }, 'Environment', 'Platform'],
    metrics: METRICS,
    data: branch(context.organization, top, [...assemblies, leaf('~Free~', top, NOTHING)]),
  };
}

/** The cloud that a machine runs on, by its name: `<component>-<cloudCiId>-<n>`. */
const cloudIdOf = (machine: StoredRecord): number => Number(/-(\d+)-\d+$/.exec(machine.name)?.[1] ?? 0);

function byCloud(context: Context): object {
  const asked = context.query['cloud'];
  const clouds = context.store.records
    .list(cloudsIn(context.organization), 'committed')
    .filter((cloud) => asked === undefined || asked === String(cloud.id) || asked === cloud.name);
  const machines = Map.groupBy(machinesBelow(context, `/${context.organization}`), cloudIdOf);
  const children = clouds.flatMap((cloud) =>
    servicesOfCloud(context.store, cloud)
      .filter((service) => service.type === 'compute')
      .map((service) => {
        const assemblies = tree(machines.get(cloud.id) ?? [], PLACES.slice(0, 1));
        const used = branch('~Used~', 2, [branch(cloud.name, 1, assemblies)]);
        return branch(service.record.name, 3, [used, leaf('~Free~', 2, freeOf(service.record, used.metrics))]);
      }),
  );
  return {
    scope: ['Service/Org/Tenant', 'Allocation', 'Cloud', { Assembly: ['name', 'owner'] }],
    metrics: METRICS,
    data: branch(context.organization, 4, children),
  };
}

/** The compute report. An organization without machines gets zeros; the live service fails. */
export const reportHandlers: HandlerTable = handlersOf(routes.reports, {
  compute: (context) => (context.query['grouping'] === 'cloud' ? byCloud(context) : byAssembly(context)),
});
