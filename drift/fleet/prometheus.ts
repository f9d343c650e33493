// The review of a fleet as Prometheus metrics: those of each stack under its label, and a few of the whole fleet.
import {
  lastSuccessOf,
  metricsIn,
  metricsText,
  OUTCOME,
  outcomeMetric,
  POLICY_LEVEL_LABELS,
  reviewMetrics,
  type Metric,
} from '../report/prometheus';
import { SEVERITIES } from '../review/review';
import type { Fleet, FleetStack } from './fleet';
import { isInShard } from './join';

/**
 * The gauges of every stack, labelled by its name in the fleet. `earlier`: the former text. What it says of a stack that could not be read this time stays,
 * apart from the outcome: an alert on the age of the last complete review fires because its time is still there.
 */
export function renderFleetPrometheus(fleet: Fleet, { earlier = '' }: { readonly earlier?: string } = {}): string {
  const former = formerOf(fleet, earlier);
  const organizations = new Map(
    former.flatMap(({ samples }) => samples.map(([{ stack, organization }]) => [stack, organization] as const)),
  );
  const ofStacks = fleet.stacks.flatMap(({ name, review, outcome }) => {
    if (review === undefined)
      return [outcomeMetric({ organization: organizations.get(name) ?? '', stack: name }, outcome)];
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
            fleet.stacks
              .filter((stack) => !isUnread(stack))
              .flatMap(({ name, policies = [] }) =>
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
  return metricsText([...ofStacks, ...former, ...whole]);
}

/** Whether nothing was read of a stack. One without records of ours has no review either. */
const isUnread = ({ review, outcome }: FleetStack): boolean => review === undefined && outcome !== 'in-sync';

/** Whether a name in earlier metrics is that of a stack, or of one in its folder, where those could not be listed. */
const isOf = (name: string, { name: own, stack, folder }: FleetStack): boolean =>
  name === own || (stack === '' && name.slice(0, name.lastIndexOf('/') + 1) === (folder === '.' ? '' : `${own}/`));

/** What earlier metrics say of stacks of which nothing was read this time, apart from their outcomes. */
function formerOf({ stacks, missing }: Fleet, earlier: string): readonly Metric[] {
  const unread = stacks.filter(isUnread);
  const isFormer = (name: string): boolean =>
    unread.some((stack) => isOf(name, stack)) || missing.some((shard) => isInShard(name, shard));
  return metricsIn(earlier).flatMap((metric) => {
    const samples = metric.samples.filter(([{ stack }]) => stack !== undefined && isFormer(stack));
    return metric.name === OUTCOME || samples.length === 0 ? [] : [{ ...metric, samples }];
  });
}
