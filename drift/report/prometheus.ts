// Reviews as Prometheus metrics, for a textfile collector or a push gateway. A fleet has the
// metrics of each stack under its label, and a few of its own.
import { isWhole } from '../review/outcome';
import { OUTCOMES, SEVERITIES, type BrokenPolicy, type Outcome, type Review } from '../review/review';
import { type ReportOptions, visible } from './shown-text';
import { aloneIn, driftCounts } from './words';
import { isInShard, type Fleet, type FleetStack } from '../fleet/fleet';

type Labels = { readonly [name: string]: string };

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly (readonly [labels: Labels, value: number])[];
}

const POLICY_LEVEL_LABELS: readonly BrokenPolicy['level'][] = ['mandatory', 'advisory', 'remediate'];

const PREFIX = 'oneops_drift_';
const OUTCOME = 'outcome';
const SUCCESS = 'last_success_timestamp_seconds';

const metric = (name: string, help: string, ...samples: Metric['samples']): Metric => ({
  name: `${PREFIX}${name}`,
  help,
  samples,
});

/** Gauges of a stack. `last_success` is the time of the last complete review: this or an earlier one. */
function reviewMetrics(review: Review, earlier: string): readonly Metric[] {
  const { organization, stack, started, took, outcome, findings, coverage, policies } = review;
  const of: Labels = { organization, stack: stack ?? '' };
  const gauge = (name: string, help: string, value: number): Metric => metric(name, help, [of, value]);
  const drift = driftCounts(review);
  const end = (started + took) / 1000;
  const success = isWhole(outcome) ? end : lastSuccessIn(earlier, of);
  const violations = (level: string): number => (policies ?? []).filter((each) => each.level === level).length;
  return [
    outcomeMetric(of, outcome),
    metric(
      'severity',
      'Findings that are drift, by severity.',
      ...SEVERITIES.map((severity) => [{ ...of, severity }, drift[severity]] as const),
    ),
    metric('findings', 'Findings by severity, classification and kind.', ...tally(findings, of)),
    gauge('ignored', 'Findings that rules keep out of the outcome.', review.ignored.length),
    gauge('unread', 'Places that could not be read.', review.unread.length),
    gauge('rule_problems', 'Problems of the rule files.', review.problems.length),
    ...(policies === undefined
      ? []
      : [
          metric(
            'policy_violations',
            'Violations of policies in what the service has, by level.',
            ...POLICY_LEVEL_LABELS.map((level) => [{ ...of, level }, violations(level)] as const),
          ),
        ]),
    gauge('managed_records', 'Records that are declared or in the state.', coverage.managed),
    gauge('read_records', 'Managed records that were read.', coverage.read),
    gauge('undeclared_records', 'Records next to them that nobody declares.', coverage.undeclared),
    gauge('requests', 'Requests the last review sent.', review.calls),
    gauge('duration_seconds', 'Time the last review took.', took / 1000),
    gauge('last_review_timestamp_seconds', 'When the last review ended.', end),
    ...(!Number.isFinite(success) ? [] : [gauge(SUCCESS, 'When a review last read everything.', success)]),
  ];
}

const outcomeMetric = (of: Labels, outcome: Outcome): Metric =>
  metric(
    OUTCOME,
    'How the last review ended: 1 for its outcome, 0 for the others.',
    ...OUTCOMES.map((each) => [{ ...of, outcome: each }, each === outcome ? 1 : 0] as const),
  );

/** Time of the last complete review in the earlier metrics, in seconds since 1970, or NaN. */
function lastSuccessIn(earlier: string, of: Labels): number {
  const start = `${PREFIX}${SUCCESS}${labelText(of)} `;
  const line = earlier.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? NaN : Number(line.slice(start.length));
}

/** The gauges of an earlier text. A line that is no sample is left out. */
function metricsIn(text: string): readonly Metric[] {
  const helps = new Map<string, string>();
  const samples = new Map<string, Metric['samples'][number][]>();
  for (const line of text.split('\n')) {
    const [, described, help = ''] = /^# HELP (\w+) (.*)$/.exec(line) ?? [];
    if (described !== undefined) helps.set(described, help);
    const [, name, labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) continue;
    const own = samples.get(name) ?? [];
    own.push([labelsIn(labels), Number(value)]);
    samples.set(name, own);
  }
  return [...samples].map(([name, own]) => ({ name, help: helps.get(name) ?? '', samples: own }));
}

const labelsIn = (text: string): Labels =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', escaped = '']) => [
      name,
      escaped.replace(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each)),
    ]),
  );

function tally(findings: Review['findings'], of: Labels): Metric['samples'] {
  const samples = new Map<string, readonly [Labels, number]>();
  for (const { severity, classification, kind } of findings) {
    const labels = { ...of, severity, classification, kind };
    const key = labelText(labels);
    samples.set(key, [labels, (samples.get(key)?.[1] ?? 0) + 1]);
  }
  return [...samples.values()];
}

/** Metrics as text; samples of one name together. */
function metricsText(metrics: readonly Metric[]): string {
  const texts = new Map<string, string>();
  for (const { name, help, samples } of metrics) {
    const before = texts.get(name) ?? `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
    const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
    texts.set(name, before + lines.join(''));
  }
  return [...texts.values()].join('');
}

const labelText = (labels: Labels): string =>
  Object.keys(labels).length === 0
    ? ''
    : `{${Object.entries(labels)
        .map(([name, text]) => `${name}="${labelValue(text)}"`)
        .join(',')}}`;

const labelValue = (text: string): string =>
  visible(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');

/**
 * Gauges that start with `oneops_drift_`, labelled by organization and stack. Metrics in
 * `options.earlier` of a stack that was not read this time stay, except for its outcome. So an
 * alert on the age of the last complete review can fire.
 */
export function renderPrometheus(fleet: Fleet, { earlier = '' }: ReportOptions = {}): string {
  const former = formerOf(fleet, earlier);
  const organizations = new Map(
    former.flatMap(({ samples }) => samples.map(([{ stack, organization }]) => [stack, organization] as const)),
  );
  const ofStacks = fleet.stacks.flatMap(({ name, review, outcome }) =>
    review === undefined
      ? [outcomeMetric({ organization: organizations.get(name) ?? '', stack: name }, outcome)]
      : reviewMetrics(review, earlier),
  );
  return metricsText([...ofStacks, ...former, ...(aloneIn(fleet) === undefined ? fleetMetrics(fleet) : [])]);
}

function fleetMetrics({ shard, stacks, causes, missing, calls, undeclared }: Fleet): readonly Metric[] {
  // Files of several shards may be read by one collector.
  const of: Labels = shard === undefined ? {} : { shard: `${shard.number}/${shard.of}` };
  const count = (severity: string): number => causes.filter((each) => each.severity === severity).length;
  return [
    metric('fleet_stacks', 'Stacks of the fleet.', [of, stacks.length]),
    metric(
      'fleet_causes',
      'Causes of what was found, by severity.',
      ...SEVERITIES.map((severity) => [{ ...of, severity }, count(severity)] as const),
    ),
    metric('fleet_missing_shards', 'Shards of which there is no result.', [of, missing.length]),
    metric('fleet_requests', 'Requests that the review of the fleet sent.', [of, calls]),
    ...(undeclared === undefined
      ? []
      : [metric('fleet_undeclared_assemblies', 'Assemblies that no stack declares.', [of, undeclared.length])]),
  ];
}

/** Whether nothing was read of a stack. One without records of ours has no review either. */
const isUnread = ({ review, outcome }: FleetStack): boolean => review === undefined && outcome !== 'in-sync';

/** Whether a name in earlier metrics is a stack's, or below its folder if that listed nothing. */
const isOf = (name: string, { name: own, stack, folder }: FleetStack): boolean =>
  name === own || (stack === '' && name.slice(0, name.lastIndexOf('/') + 1) === (folder === '.' ? '' : `${own}/`));

/** Earlier metrics of stacks that were not read this time, without their outcomes. */
function formerOf({ stacks, missing }: Fleet, earlier: string): readonly Metric[] {
  const unread = stacks.filter(isUnread);
  const isFormer = (name: string): boolean =>
    unread.some((stack) => isOf(name, stack)) || missing.some((shard) => isInShard(name, shard));
  return metricsIn(earlier).flatMap((metric) => {
    const samples = metric.samples.filter(([{ stack }]) => stack !== undefined && isFormer(stack));
    return metric.name === `${PREFIX}${OUTCOME}` || samples.length === 0 ? [] : [{ ...metric, samples }];
  });
}
