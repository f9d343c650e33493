// The review of a fleet as Prometheus metrics: those of each stack under its label, and a few of the whole fleet.
import {
  lastSuccessOf,
  metricsText,
  outcomeMetric,
  POLICY_LEVEL_LABELS,
  reviewMetrics,
  type Metric,
} from '../report/prometheus';
import { SEVERITIES } from '../review/review';
import type { Fleet } from './fleet';

/** The gauges of every stack, labelled by its name in the fleet. `earlier`: the former text, so that the time of the last complete review survives. */
export function renderFleetPrometheus(fleet: Fleet, { earlier = '' }: { readonly earlier?: string } = {}): string {
  const ofStacks = fleet.stacks.flatMap(({ name, review, outcome }) => {
    if (review === undefined) return [outcomeMetric({ organization: '', stack: name }, outcome)];
    const named = { ...review, stack: name };
    const lastSuccess = lastSuccessOf(earlier, named);
    return reviewMetrics(named, lastSuccess === undefined ? {} : { lastSuccess });
  });
  // Files of several shards may be read by one collector.
  const of: Metric['samples'][number][0] =
    fleet.shard === undefined ? {} : { shard: `${fleet.shard.number}/${fleet.shard.of}` };
  const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
    name: `oneops_drift_fleet_${name}`,
    help,
    samples,
  });
  const whole: readonly Metric[] = [
    gauge('stacks', 'Stacks of the fleet.', [[of, fleet.stacks.length]]),
    gauge(
      'causes',
      'Causes of what was found, by severity.',
      SEVERITIES.map((severity) => [
        { ...of, severity },
        fleet.causes.filter((each) => each.severity === severity).length,
      ]),
    ),
    ...(fleet.stacks.every(({ policies }) => policies === undefined)
      ? []
      : [
          gauge(
            'policy_violations',
            'Violations of policies in what the service has, by stack and level.',
            fleet.stacks.flatMap(({ name, policies = [] }) =>
              POLICY_LEVEL_LABELS.map((level) => [
                { ...of, stack: name, level },
                policies.filter((each) => each.level === level).length,
              ]),
            ),
          ),
        ]),
    gauge('missing_shards', 'Shards of which there is no result.', [[of, fleet.missing.length]]),
    gauge('requests', 'Requests that the review of the fleet sent.', [[of, fleet.calls]]),
    ...(fleet.undeclared === undefined
      ? []
      : [gauge('undeclared_assemblies', 'Assemblies that no stack declares.', [[of, fleet.undeclared.length]])]),
  ];
  return metricsText([...ofStacks, ...whole]);
}
