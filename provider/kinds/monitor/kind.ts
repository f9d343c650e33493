// The Monitor kind: a check that runs on the instances of a component (service-facts §4.5.4).
import { type Diagnostic, nameRules, routes, warning } from '../../../api/contract';
import { base, flag, int, map, mapOfMaps, takingOver, text } from '../../field';
import { idle } from '../../check';
import { kind, type Scope } from '../../kind';
import { didYouMean, nearest } from '../../values/nearest';
import { isPlainObject } from '../../values/plain';
import { component } from '../component/kind';
import { environment } from '../environment/kind';
import { isGivenMonitor, monitorsInEnvironment, monitorVerbs } from './flow';

// What is wrong inside of the metrics and thresholds of a monitor: the service takes any keys, and reports nothing for those that it does not know.

/** Keys of a metric, and of a threshold, as packs have them. A service can know more: only what is nearly one of these is reported. */
const METRIC_KEYS: readonly string[] = ['unit', 'description', 'dstype', 'display', 'display_group'];
const THRESHOLD_KEYS: readonly string[] = ['metric', 'trigger', 'reset', 'stat', 'bucket', 'state', 'channel'];

/** Named maps of an argument: metrics or thresholds. */
type Parts = { readonly [name: string]: unknown };

/** Misspelt keys of metrics and thresholds, and thresholds of metrics that the monitor does not have. */
function idleParts({
  metrics,
  thresholds = {},
}: {
  readonly metrics?: Parts | undefined;
  readonly thresholds?: Parts | undefined;
}): readonly Diagnostic[] {
  const misspelt = [
    ...misspeltKeys('metrics', metrics ?? {}, METRIC_KEYS),
    ...misspeltKeys('thresholds', thresholds, THRESHOLD_KEYS),
  ];
  // Without metrics, those of the pack or of the design count.
  if (metrics === undefined) return misspelt;
  const names = Object.keys(metrics);
  const lost = Object.entries(thresholds).flatMap(([name, threshold]) => {
    const metric = isPlainObject(threshold) ? threshold['metric'] : undefined;
    if (typeof metric !== 'string' || names.includes(metric)) return [];
    const hint = didYouMean(metric, names, `known are ${names.join(', ') || 'none'}`);
    const message = `the threshold "${name}" has no effect: the monitor has no metric "${metric}"`;
    return [warning('idle-setting', ['thresholds', name, 'metric'], message, hint)];
  });
  return [...misspelt, ...lost];
}

function misspeltKeys(argument: string, parts: Parts, known: readonly string[]): readonly Diagnostic[] {
  return Object.entries(parts).flatMap(([name, part]) =>
    Object.keys(isPlainObject(part) ? part : {}).flatMap((key) => {
      const near = known.includes(key) ? undefined : nearest(key, known);
      if (near === undefined || !isPlainObject(part) || near in part) return [];
      const [found] = idle(part, [key], `a ${PART[argument]} has "${near}"`, [argument, name]);
      return found === undefined ? [] : [{ ...found, hint: `did you mean "${near}"?` }];
    }),
  );
}

const PART: { readonly [argument: string]: string } = { metrics: 'metric', thresholds: 'threshold' };

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

/**
 * A check that runs on the instances of a component, with the thresholds at which it reports. A monitor that comes with the pack is called
 * `<platform>-<component>-<monitor>`, for example `web-os-cpu`: it is updated, and given back instead of deleted. In an environment: the values that
 * differ from the monitor of this name in the design.
 */
export const monitor = kind({
  token: 'Monitor',
  named: true,
  nameRule: nameRules.monitor,
  ...inComponent,
  scopes: [inComponent, inEnvironment],
  fields: {
    /** What is checked. */
    description: text().optional(),
    /** Command of the check, by its name in the monitoring system, with its arguments: `check_http!-p 8080`. */
    cmd: text().optional(),
    /** Options of the command, by name. */
    cmdOptions: base('{}', map()).optional(),
    /** Command line on the instance. */
    cmdLine: text().optional(),
    /** What is measured, by name: unit and description of each. */
    metrics: mapOfMaps().optional(),
    /** Events by name: the metric, and what triggers and resets each. */
    thresholds: mapOfMaps().optional(),
    /** Seconds between two checks. */
    sampleInterval: base('60', int(1)).optional(),
    /** Whether missing samples make an instance unhealthy. */
    heartbeat: base('false', flag()).optional(),
    /** Minutes without samples after which an instance is unhealthy. */
    duration: base('3', int(1)).optional(),
    /** How the chart of the measurements is drawn, for example `min` and `unit`. */
    chart: map().optional(),
    /** Whether a user created it, and not a pack. */
    custom: base('true', flag()).optional(),
    /** Whether the check runs. */
    enable: base('true', flag()).optional(),
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
  computed: {},
});
