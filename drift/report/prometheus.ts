// A review as Prometheus metrics in the text exposition format, for a textfile collector or a push gateway.
import { isWhole } from '../review/outcome';
import { OUTCOMES } from '../review/review';
import { SEVERITIES, type BrokenPolicy, type Outcome, type Review } from '../review/review';
import { type ReportOptions, visible } from './shown-text';
import { driftCounts } from './words';

type Labels = { readonly [name: string]: string };

/** One metric: a gauge with its samples. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly (readonly [labels: Labels, value: number])[];
}

/** Levels of policies, as labels. */
export const POLICY_LEVEL_LABELS: readonly BrokenPolicy['level'][] = ['mandatory', 'advisory', 'remediate'];

const SUCCESS = 'oneops_drift_last_success_timestamp_seconds';

/**
 * Gauges that all start with `oneops_drift_`, labelled by organization and stack. `last_success` is when everything was last read: this
 * review, or `options.lastSuccess`; left out when there was never such a review.
 */
export const renderPrometheus = (review: Review, options: ReportOptions = {}): string =>
  metricsText(reviewMetrics(review, options));

/** The same as metrics; those of several reviews can be joined. */
export function reviewMetrics(review: Review, options: ReportOptions): readonly Metric[] {
  const { organization, stack, started, took, outcome, findings, coverage, policies } = review;
  const of: Labels = { organization, stack: stack ?? '' };
  const gauge = (name: string, help: string, value: number): Metric => ({ name, help, samples: [[of, value]] });
  const drift = driftCounts(review);
  const end = (started + took) / 1000;
  const success = isWhole(outcome) ? end : (options.lastSuccess ?? NaN) / 1000;
  return [
    outcomeMetric(of, outcome),
    {
      name: 'oneops_drift_severity',
      help: 'Findings that are drift, by severity.',
      samples: SEVERITIES.map((severity) => [{ ...of, severity }, drift[severity]]),
    },
    {
      name: 'oneops_drift_findings',
      help: 'Findings by severity, classification and kind.',
      samples: tally(findings, of),
    },
    gauge('oneops_drift_ignored', 'Findings that rules keep out of the outcome.', review.ignored.length),
    gauge('oneops_drift_unread', 'Places that could not be read.', review.unread.length),
    gauge('oneops_drift_rule_problems', 'Problems of the rule files.', review.problems.length),
    ...(policies === undefined
      ? []
      : [
          {
            name: 'oneops_drift_policy_violations',
            help: 'Violations of policies in what the service has, by level.',
            samples: POLICY_LEVEL_LABELS.map(
              (level) => [{ ...of, level }, policies.filter((each) => each.level === level).length] as const,
            ),
          },
        ]),
    gauge('oneops_drift_managed_records', 'Records that are declared or in the state.', coverage.managed),
    gauge('oneops_drift_read_records', 'Managed records that were read.', coverage.read),
    gauge('oneops_drift_undeclared_records', 'Records next to them that nobody declares.', coverage.undeclared),
    gauge('oneops_drift_requests', 'Requests the last review sent.', review.calls),
    gauge('oneops_drift_duration_seconds', 'Time the last review took.', took / 1000),
    gauge('oneops_drift_last_review_timestamp_seconds', 'When the last review ended.', end),
    ...(Number.isNaN(success) ? [] : [gauge(SUCCESS, 'When a review last read everything.', success)]),
  ];
}

/** Name of the gauge that says how a review ended. */
export const OUTCOME = 'oneops_drift_outcome';

/** How a review ended. */
export const outcomeMetric = (of: Labels, outcome: Outcome): Metric => ({
  name: OUTCOME,
  help: 'How the last review ended: 1 for its outcome, 0 for the others.',
  samples: OUTCOMES.map((each) => [{ ...of, outcome: each }, each === outcome ? 1 : 0]),
});

/**
 * When a review last read everything, in milliseconds since 1970, from an earlier `renderPrometheus` text of the same organization and
 * stack; undefined when that text does not say. Pass it as `options.lastSuccess`, or the time is lost with the first failed review.
 */
export function lastSuccessOf(
  earlier: string,
  { organization, stack }: Pick<Review, 'organization' | 'stack'>,
): number | undefined {
  const start = `${SUCCESS}${labelText({ organization, stack: stack ?? '' })} `;
  const line = earlier.split('\n').find((each) => each.startsWith(start));
  const seconds = line === undefined ? NaN : Number(line.slice(start.length));
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** The gauges of an earlier text. A line that is no sample is left out. */
export function metricsIn(text: string): readonly Metric[] {
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
export function metricsText(metrics: readonly Metric[]): string {
  const names = [...new Set(metrics.map(({ name }) => name))];
  const joined = names.map((name) => metrics.filter((each) => each.name === name));
  return joined
    .map((same) => metricText({ ...(same[0] as Metric), samples: same.flatMap(({ samples }) => samples) }))
    .join('');
}

const metricText = ({ name, help, samples }: Metric): string =>
  [
    `# HELP ${name} ${help}\n`,
    `# TYPE ${name} gauge\n`,
    ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`),
  ].join('');

const labelText = (labels: Labels): string =>
  Object.keys(labels).length === 0
    ? ''
    : `{${Object.entries(labels)
        .map(([name, text]) => `${name}="${labelValue(text)}"`)
        .join(',')}}`;

const labelValue = (text: string): string =>
  visible(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
