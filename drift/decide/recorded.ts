// Values of environments that nobody declares and a team keeps: `expected` of drift.yaml. Reviews treat them as declared.
import type { RecordedValues } from '../../provider';
import { withExpected, type DriftFile, type ExpectedValue } from '../../stack';
import type { DriftFinding, RuleProblem } from '../review/review';
import { recordPath } from '../review/subjects';
import { findingSubject } from './earlier-reviews';

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
          message: `${name} expects ${key}, which no environment under review has: remove it when it is no longer needed`,
        })),
  };
}

const keyOf = ({ kind, record, attribute }: Omit<ExpectedValue, 'value'>): string => `${kind} ${record} ${attribute}`;

/** What became of each finding, and the file's text. */
interface Recording {
  readonly text: string;
  readonly recorded: readonly DriftFinding[];
  readonly refused: readonly { readonly finding: DriftFinding; readonly reason: string }[];
}

/**
 * The text of a drift.yaml that expects the live values of findings. Findings of declared values, and secrets, are
 * refused. Throws UnusableDriftFile.
 */
export function recordFindings(
  findings: readonly DriftFinding[],
  file: { readonly name: string; readonly text: string },
): Recording {
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
