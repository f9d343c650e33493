// The Monitor kind: a check that runs on the instances of a component (service-facts §4.5.4).
// It must not know the engine or the file that declares it.
import { nameRules, routes } from '../../../api/contract';
import { base, flag, int, map, mapOfMaps, takingOver, text } from '../../field';
import { kind } from '../../kind';
import { component } from '../component/kind';
import { isGivenMonitor, monitorVerbs } from './flow';

/**
 * A check that runs on the instances of a component, with the thresholds from which it reports. A monitor that comes with the pack is called
 * `<platform>-<component>-<monitor>`, for example `web-os-cpu`: it is written, and given back instead of deleted.
 */
export const monitor = kind({
  token: 'Monitor',
  path: routes.monitors.read.path,
  id: '{assembly}/{platform}/{component}/monitors/{name}',
  named: true,
  within: component,
  nameRule: nameRules.monitor,
  memberMark: '!',
  cascades: true,
  stage: 'design',
  found: {
    list: {
      route: routes.monitors.list,
      isReviewed: true,
      isGiven: isGivenMonitor,
      counts: (record) => !isGivenMonitor(record),
    },
  },
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
    /** Minutes without samples before that. */
    duration: base('3', int(1)).optional(),
    /** How measurements are drawn, for example `min` and `unit`. */
    chart: map().optional(),
    /** Whether a person made it, and not a pack. */
    custom: base('true', flag()).optional(),
    /** Whether the check runs. */
    enable: base('true', flag()).optional(),
    ...takingOver,
  },
  impact: {
    severity: { enable: 'high', heartbeat: 'high', thresholds: 'high' },
    deleted: {
      severity: 'medium',
      message: 'the monitor is deleted: nobody is told any more what it checked',
      ofPack: 'the monitor gets the values of its pack back',
    },
  },
  inFile: { path: 'platforms.*.components.*.monitors.*', written: () => ({}) },
  computed: {},
  verbs: monitorVerbs,
  sample: {
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
  },
});
