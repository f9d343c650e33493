// The Monitor kind: a check that runs on the instances of a component (service-facts §4.5.4).
import {
  type RecordDifference,
  routes,
  type Record as WireRecord,
  type Diagnostic,
  nameRules,
  warning,
} from '../../api/contract';
import { Unprocessable } from '../../api/errors';
import type { Live } from '../address/live';
import { idle } from '../lifecycle/check';
import { recordsIfAny } from '../commit/design-changes';
import { LifecycleError } from '../errors';
import { base, flag, int, map, mapOfMaps, takingOver, text } from '../values/field';
import { kind, type Scope, type UpdateWork, type Verbs, type Work } from '../kind';
import { didYouMean, nearest } from '../values/text';
import { asMap, picked, type Texts, type Values } from '../values/plain';
import { namesDiffering } from '../values/wire';
import { adopt } from '../verbs/adopt';
import { atComponent, holderOfName, recordOnComponent } from '../verbs/component-records';
import { bodyOf, createOrFind, deleteOnce, type Recording } from '../verbs/crud';
import { isLocked, liveOf, ownersOf } from '../verbs/live';
import { AlreadyThere } from '../verbs/presence';
import { numberedAddress, ofClass } from '../verbs/records';
import { component } from './component';
import { environment } from './environment/kind';
import { declaredOf, partKind } from './environment/parts';
import { afterPendingDelete, designQueue } from './platform';

const recording: Recording = { wrapper: 'cms_dj_ci', memberNames: [] };

const monitors = { ...routes.monitors, isMeant: ofClass('Monitor') };

/** Added to the declared values of a new monitor: no pack created it. */
const OWN: Texts = { custom: 'true' };

const attributes = {
  description: text().optional().describe('What is checked.'),
  cmd: text().optional().describe('Command of the check with its arguments: `check_http!-p 8080`.'),
  cmdOptions: base('{}', map()).optional().describe('Options of the command, by name.'),
  cmdLine: text().optional().describe('Command line on the instance.'),
  metrics: mapOfMaps().optional().describe('What is measured, by name: unit and description of each.'),
  thresholds: mapOfMaps().optional().describe('Events by name: the metric, and what triggers and resets each.'),
  sampleInterval: base('60', int(1)).optional().describe('Seconds between two checks.'),
  heartbeat: base('false', flag()).optional().describe('Whether missing samples make an instance unhealthy.'),
  duration: base('3', int(1)).optional().describe('Minutes without samples after which an instance is unhealthy.'),
  chart: map().optional().describe('How the chart of the measurements is drawn, for example `min` and `unit`.'),
  custom: base('true', flag()).optional().describe('Whether a user created it, and not a pack.'),
  enable: base('true', flag()).optional().describe('Whether the check runs.'),
};

const find = async (work: Work): Promise<WireRecord | undefined> => (await recordOnComponent(work, monitors))?.record;

/** The beginning of the names of all monitors that come with a pack (service-facts §12.1). */
const givenPrefix = ({ address }: Work): string => `${address['platform']}-${address['component']}-`;

/** The monitor of this name that comes with the pack, from one answer for the whole platform. */
async function givenByPack(work: Work, name: string): Promise<RecordDifference | undefined> {
  const { session, at } = work;
  const isGiven = (record: RecordDifference): boolean =>
    monitors.isMeant(record) && record.ciName === name && Boolean(record.diffCi);
  const key = `records of ${at['assembly']}/${at['platform']} and its pack`;
  const all = await session.answers.derived(key, 'pack', at, () => recordsIfAny(work));
  // A missing one may have come with a component that this run created.
  return all.find(isGiven) ?? (await recordsIfAny(work)).find(isGiven);
}

/** The values that the pack gives a monitor. */
async function packTexts(work: Work): Promise<Texts | undefined> {
  const name = String(work.address['name']);
  if (!name.startsWith(givenPrefix(work))) return undefined;
  const given = (await givenByPack(work, name))?.diffCi?.ciAttributes;
  return given && Object.fromEntries(Object.entries(given).map(([wireName, text]) => [wireName, text ?? '']));
}

const differing = (texts: Texts, { ciAttributes }: WireRecord): readonly string[] =>
  namesDiffering(attributes, texts, ciAttributes);

async function write(work: UpdateWork): Promise<Live> {
  const body = bodyOf(work, recording, work.changes, work.live);
  const address = numberedAddress(work, monitors, work.live);
  return liveOf(await work.api.call(routes.monitors.update, { address, body }));
}

/** Throws LifecycleError when the pack has a monitor of this name under a longer full name. */
async function refuseShortName(work: Work): Promise<void> {
  const name = String(work.address['name']);
  const given = `${givenPrefix(work)}${name}`;
  if ((await givenByPack(work, given)) !== undefined)
    throw new LifecycleError(
      `the pack brings the monitor "${given}", and a second one in addition is rarely intended`,
      `declare "${given}", or give your own monitor another name than "${name}"`,
    );
}

/** Sends a create. The error for a taken name has its holder (service-facts §2.1.6). */
async function namingHolder<T>(work: Work, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    const holder = await holderOfName(work, routes.monitors.list);
    if (holder === undefined || String(holder.ciId) === work.at['component']) throw error;
    throw error.advised(
      `component "${holder.ciName}" has the monitor of this name; to move it, first run pulumi up with neither component declaring it, then declare it here`,
    );
  }
}

async function make(work: Work): Promise<Live> {
  if (!String(work.address['name']).startsWith(givenPrefix(work))) await refuseShortName(work);
  const within = await atComponent(work);
  const body = bodyOf(within, recording, { ...OWN, ...within.wire });
  const send = (): Promise<WireRecord> => work.api.call(routes.monitors.create, { address: within.at, body });
  return createOrFind(
    within,
    (again) => monitorVerbs.read(again),
    () => namingHolder(within, () => afterPendingDelete(within, send)),
    recording,
  );
}

/** Overwrites the values of the pack. When a user set other values, the lifecycle decides. */
async function take(work: Work, record: WireRecord): Promise<Live> {
  const live = liveOf(record);
  const given = (await packTexts(work)) ?? {};
  const names = differing(work.wire, record);
  const set = differing(given, record);
  if (names.some((name) => set.includes(name))) throw new AlreadyThere(live);
  if (names.length === 0 && isLocked(record)) throw new AlreadyThere(live);
  // A declared value that equals the pack's is written too: the lock ends following the pack.
  return write({ ...work, live, changes: work.wire });
}

/** Restores the pack's values for what was declared, or, in a sweep, for what is locked. */
async function giveBack(work: Work, record: WireRecord): Promise<void> {
  const given = await packTexts(work);
  if (given === undefined) return remove(work, record);
  const owners = ownersOf(record);
  const declared = declaredOf(attributes, work.args);
  const ours = declared.length > 0 ? declared : Object.keys(owners);
  const changed = differing(picked(given, ours), record);
  if (changed.length === 0 && !ours.some((name) => name in owners)) return;
  await write({ ...work, wire: {}, live: liveOf(record), changes: picked(given, ours) });
}

const remove = async (work: Work, record: WireRecord): Promise<void> =>
  deleteOnce(() => work.api.call(routes.monitors.delete, { address: numberedAddress(work, monitors, record) }));

const monitorVerbs: Verbs = adopt<WireRecord>({
  queue: designQueue,
  find,
  isGiven: async (work) => (await packTexts(work)) !== undefined,
  live: (_, record) => liveOf(record),
  make,
  take,
  write,
  giveBack,
  remove,
  base: async (work, live) => (live.origin === 'pack' ? ((await packTexts(work)) ?? {}) : OWN),
});

/** Whether a monitor came with its pack, and no user set a value in it. */
const isGivenMonitor = (record: Pick<WireRecord, 'ciAttrProps' | 'ciAttributes'>): boolean =>
  !isLocked(record) && record.ciAttributes['custom'] !== 'true';

/** Monitors of an environment's components: values that differ there (service-facts §4.7.5). */
const monitorsInEnvironment = partKind({
  className: 'Monitor',
  routes: routes.environmentMonitors,
  designed: routes.monitors.list,
  advice:
    'declare it for the component of the design too; a monitor that comes with the pack is called after its platform and component, such as "web-os-cpu"',
  attributes,
});

// Wrong keys in metrics and thresholds of a monitor: the service takes any and reports nothing.

/** Keys of packs. A service can know more: only a key that is nearly one of these is reported. */
const METRIC_KEYS: readonly string[] = ['unit', 'description', 'dstype', 'display', 'display_group'];
const THRESHOLD_KEYS: readonly string[] = ['metric', 'trigger', 'reset', 'stat', 'bucket', 'state', 'channel'];

/** Misspelt keys of metrics and thresholds, and thresholds of unknown metrics. */
function idleParts({
  metrics,
  thresholds = {},
}: {
  readonly metrics?: Values | undefined;
  readonly thresholds?: Values | undefined;
}): readonly Diagnostic[] {
  const misspelt = [
    ...misspeltKeys('metrics', metrics ?? {}, METRIC_KEYS),
    ...misspeltKeys('thresholds', thresholds, THRESHOLD_KEYS),
  ];
  // Without metrics, those of the pack or of the design count.
  if (metrics === undefined) return misspelt;
  const names = Object.keys(metrics);
  const lost = Object.entries(thresholds).flatMap(([name, threshold]) => {
    const metric = asMap(threshold)['metric'];
    if (typeof metric !== 'string' || names.includes(metric)) return [];
    const hint = didYouMean(metric, names, `known are ${names.join(', ') || 'none'}`);
    const message = `the threshold "${name}" has no effect: the monitor has no metric "${metric}"`;
    return [warning('idle-setting', ['thresholds', name, 'metric'], message, hint)];
  });
  return [...misspelt, ...lost];
}

function misspeltKeys(argument: string, parts: Values, known: readonly string[]): readonly Diagnostic[] {
  return Object.entries(parts).flatMap(([name, value]) => {
    const part = asMap(value);
    return Object.keys(part).flatMap((key) => {
      const near = known.includes(key) ? undefined : nearest(key, known);
      if (near === undefined || near in part) return [];
      const found = idle(part, [key], `a ${PART[argument]} has "${near}"`, [argument, name]);
      return found.map((each) => ({ ...each, hint: `did you mean "${near}"?` }));
    });
  });
}

const PART: Texts = { metrics: 'metric', thresholds: 'threshold' };

const sample = {
  create: {
    description: 'Use of the heap',
    cmd: 'check_heap',
    cmdOptions: { port: '8080' },
    cmdLine: '/opt/monitors/check_heap.sh $ARG1$',
    metrics: { used: { unit: '%', description: 'Share of the heap in use' } },
    thresholds: { HighUse: { metric: 'used', trigger: '>=90', reset: '<80' } },
    sampleInterval: 30,
    heartbeat: true,
    duration: 5,
    chart: { min: '0', unit: 'Percent' },
    custom: false,
    enable: false,
  },
  update: {
    description: 'Use of the heap of Java',
    thresholds: { HighUse: { metric: 'used', trigger: '>=95', reset: '<85' } },
    sampleInterval: 120,
    enable: true,
  },
};

const inComponent = {
  path: routes.monitors.read.path,
  id: '{assembly}/{platform}/{component}/monitors/{name}',
  within: component,
  cascades: true,
  stage: 'design',
  found: {
    list: {
      route: routes.monitors.list,
      isReviewed: true,
      alsoIn: { route: routes.platforms.diff, className: 'catalog.Monitor' },
      isGiven: isGivenMonitor,
      counts: (record) => !isGivenMonitor(record),
    },
  },
  verbs: monitorVerbs,
  sample,
} satisfies Scope;

const inEnvironment = {
  path: routes.environmentMonitors.read.path,
  id: '{assembly}/{environment}/{platform}/components/{component}/monitors/{name}',
  within: environment,
  cascades: true,
  stage: 'environment',
  found: { search: monitorsInEnvironment.search },
  verbs: monitorsInEnvironment.verbs,
  sample,
} satisfies Scope;

export const monitor = kind({
  token: 'Monitor',
  description:
    'A check that runs on the instances of a component, with the thresholds at which it reports. A monitor of the pack is called `<platform>-<component>-<monitor>`, for example `web-os-cpu`: it is updated, and given back instead of deleted. In an environment: the values that differ from the monitor of this name in the design.',
  nameRule: nameRules.monitor,
  ...inComponent,
  scopes: [inComponent, inEnvironment],
  fields: {
    ...attributes,
    ...takingOver,
  },
  impact: {
    severity: { enable: 'high', heartbeat: 'high', thresholds: 'high' },
    deleted: {
      severity: 'medium',
      message: 'the monitor is deleted: its check no longer runs',
      ofPack: 'the monitor gets back the values of its pack or of its design',
    },
  },
  idle: (args) =>
    args.enable === false
      ? idle(
          args,
          ['thresholds', 'sampleInterval', 'heartbeat', 'duration'],
          '"enable" is false, so nothing is checked',
        )
      : [
          ...(args.heartbeat === false
            ? idle(args, ['duration'], '"heartbeat" is false, so missing samples mean nothing')
            : []),
          ...idleParts(args),
        ],
  inFile: { path: 'platforms.*.components.*.monitors.*', written: () => ({}) },
});
