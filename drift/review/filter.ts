// Findings that drift.yaml leaves out of the outcome of a review, and the entries that do so.
import {
  fitsEntry,
  hasExpired,
  isAboutStack,
  namesOne,
  withIgnored,
  type DriftFile,
  type IgnoreEntry,
  withExpected,
  type ExpectedValue,
} from '../../stack';
import { type DriftFinding, type IgnoredFinding, type Review, type RuleProblem } from './review';
import { recordPath, startOf } from './sources';
import { findingSubject } from './earlier';
import type { RecordedValues } from '../../provider/import';
import { defined } from '../../provider/values';

/**
 * Applies the entries of `ignore`; the first that fits keeps a finding out. A severe or deleted one
 * is kept out only by an entry that names its record and attribute or classification without `*`:
 * an entry for one difference must not hide a worse one later. An expired entry is an error, one
 * that fits nothing a warning. `today`: `2027-01-31`.
 */
export function withoutIgnored(
  file: Pick<DriftFile, 'ignore'>,
  findings: readonly DriftFinding[],
  { stack, today }: { readonly stack: string | undefined; readonly today: string },
): Pick<Review, 'findings' | 'ignored' | 'problems'> {
  const own = file.ignore.filter((entry) => isAboutStack(entry, stack));
  const expired = own.filter((entry) => hasExpired(entry, today));
  const holding = own.filter((entry) => !hasExpired(entry, today));
  const judged = findings.map((finding) => {
    const fitting = holding.filter((entry) => fitsEntry(entry, { ...finding, record: recordPath(finding) }));
    return { finding, fitting, entry: fitting.find((entry) => !isGrave(finding) || namesOne(entry)) };
  });
  const unused = holding.filter((entry) => judged.every(({ fitting }) => !fitting.includes(entry)));
  return {
    findings: judged.filter(({ entry }) => entry === undefined).map(({ finding }) => finding),
    ignored: judged.flatMap(({ finding, entry }) => {
      if (entry === undefined) return [];
      const { reason, owner, until } = entry;
      return [{ finding, reason, owner, ...defined({ until }) }];
    }),
    problems: [
      ...expired.map((entry) =>
        problemAt('error', entry, `the entry of ${entry.owner} ended on ${entry.until}: ${entry.reason}`),
      ),
      ...judged.flatMap(({ finding, fitting: [first], entry }) =>
        first === undefined || entry !== undefined ? [] : [problemAt('warning', first, weakness(finding))],
      ),
      ...unused.map((entry) => problemAt('warning', entry, `the entry of ${entry.owner} fits no finding: ${REMOVE}`)),
    ],
  };
}

const REMOVE = 'remove it when it is no longer needed';

const isGrave = ({ severity, classification }: DriftFinding): boolean =>
  severity === 'high' || classification === 'deleted';

const weakness = (finding: DriftFinding): string =>
  `the entry fits ${findingSubject(finding)}, which is ${finding.classification === 'deleted' ? 'deleted' : 'of high severity'} ` +
  'and reported all the same: name its record, and its attribute or classification, without *';

const problemAt = (severity: RuleProblem['severity'], { at }: IgnoreEntry, message: string): RuleProblem => ({
  severity,
  message,
  at: startOf(at),
});

/** The words of an entry about the findings that it leaves out. */
export type Ignoring = Omit<IgnoredFinding, 'finding'>;

/** A drift.yaml with an entry for each finding without one. Throws UnusableDriftFile. */
export const ignoring = (
  file: { readonly name: string; readonly text: string },
  findings: readonly DriftFinding[],
  why: Ignoring,
): string =>
  withIgnored(
    file,
    findings.map(({ address, kind, classification, attribute }) => ({
      record: recordPath({ address }),
      kind,
      ...(attribute === undefined ? { classification } : { attribute }),
      ...why,
    })),
  );

/** The expected values of a file, and which of them were looked up. */
export interface Recorded extends RecordedValues {
  /** A warning for each value that no record took. */
  problems(): readonly RuleProblem[];
}

/** The expected values of a drift.yaml, for records of an organization. */
export function recordedIn({ name, expected }: DriftFile, organization: string): Recorded {
  const values = new Map(expected.map((each) => [keyOf(each), each]));
  const used = new Set<string>();
  return {
    at(kind, address, path) {
      const key = keyOf({ kind, record: recordPath({ address }), attribute: path.join('.') });
      const found = values.get(key);
      if (found === undefined) return undefined;
      used.add(key);
      return { value: found.value ?? undefined };
    },
    ids: (kind) => [
      ...new Set(expected.filter((each) => each.kind === kind).map(({ record }) => `${organization}/${record}`)),
    ],
    problems: () =>
      [...values.keys()]
        .filter((key) => !used.has(key))
        .map((key) => ({
          severity: 'warning',
          message: `${name} expects ${key}, which no environment under review has: ${REMOVE}`,
        })),
  };
}

const keyOf = ({ kind, record, attribute }: Omit<ExpectedValue, 'value'>): string => `${kind} ${record} ${attribute}`;

/**
 * The text of a drift.yaml that expects the live values of findings, except declared ones and
 * secrets. Throws UnusableDriftFile.
 */
export function recordFindings(
  findings: readonly DriftFinding[],
  file: { readonly name: string; readonly text: string },
): {
  readonly text: string;
  readonly recorded: readonly DriftFinding[];
  readonly refused: readonly { readonly finding: DriftFinding; readonly reason: string }[];
} {
  const refused = findings.flatMap((finding) => {
    const reason = obstacleTo(finding);
    return reason === undefined ? [] : [{ finding, reason }];
  });
  const recorded = findings.filter((finding) => obstacleTo(finding) === undefined);
  const values = recorded.map(({ kind, address, attribute = '', live }) => ({
    ...{ record: recordPath({ address }), kind, attribute },
    value: live?.is === 'value' ? live.value : null,
  }));
  return { text: values.length === 0 ? file.text : withExpected(file, values), recorded, refused };
}

function obstacleTo(finding: DriftFinding): string | undefined {
  if (finding.classification !== 'unexpected')
    return `${findingSubject(finding)} is declared: accept it into the file, or ignore it`;
  return finding.live?.is === 'secret' || finding.expected?.is === 'secret'
    ? 'it is a secret, whose value nobody can read: ignore it'
    : undefined;
}
