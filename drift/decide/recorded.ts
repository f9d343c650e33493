// Values of environments that nobody declares and a team keeps: recorded in a file next to the stack, and expected by reviews.
// A baseline leaves findings out; what is recorded here counts as if it were declared.
import { z } from 'zod';
import type { RecordedValues } from '../../provider';
import type { DriftFinding, Review, RuleProblem } from '../review/review';
import { findingSubject, jsonOf } from './earlier-reviews';

interface NamedText {
  readonly text: string;
  readonly name: string;
}

/** A recorded value. `value` is null for none. */
interface RecordedValue {
  readonly kind: string;
  readonly address: string;
  readonly attribute: string;
  readonly value: unknown;
}

/** The recorded values of a file, and which of them were looked up. */
export interface Recorded extends RecordedValues {
  /** A warning for each value that no record took. */
  problems(): readonly RuleProblem[];
}

const recordedShape = z.object({
  version: z.literal(1),
  recorded: z.array(z.object({ kind: z.string(), address: z.string(), attribute: z.string(), value: z.unknown() })),
});

/** Reads a file of recorded values. Throws a TypeError on a text that is none. */
export function readRecorded(file: NamedText): Recorded {
  const values = new Map(parseRecorded(file).map((each) => [keyOf(each), each]));
  const used = new Set<string>();
  return {
    at(kind, address, path) {
      const key = keyOf({ kind, address, attribute: path.join('.') });
      const found = values.get(key);
      if (found === undefined) return undefined;
      used.add(key);
      return { value: found.value ?? undefined };
    },
    ids: (kind) => [
      ...new Set([...values.values()].filter((each) => each.kind === kind).map(({ address }) => address)),
    ],
    problems: () =>
      [...values]
        .filter(([key]) => !used.has(key))
        .map(([key]) => ({
          severity: 'warning',
          message: `${file.name} records ${key}, which no environment under review has: take it out when it is no longer needed`,
        })),
  };
}

const keyOf = ({ kind, address, attribute }: Omit<RecordedValue, 'value'>): string => `${kind} ${address} ${attribute}`;

function parseRecorded({ text, name }: NamedText): readonly RecordedValue[] {
  const { data } = recordedShape.safeParse(jsonOf(text));
  if (data === undefined)
    throw new TypeError(`${name} contains no recorded values: create it with "pulumi-oneops drift record ${name}"`);
  return data.recorded;
}

/** What became of each finding, and the file's text. */
interface Recording {
  readonly text: string;
  readonly recorded: readonly DriftFinding[];
  readonly refused: readonly { readonly finding: DriftFinding; readonly reason: string }[];
}

/**
 * The text of a file that records the live values of findings, and what it recorded before: JSON, one line a value, in the order of their places.
 * Findings of what is declared, and secrets, are refused.
 */
export function recordFindings(
  findings: readonly DriftFinding[],
  { organization }: Pick<Review, 'organization'>,
  file: NamedText | undefined,
): Recording {
  const refused = findings.flatMap((finding) => {
    const reason = obstacleTo(finding);
    return reason === undefined ? [] : [{ finding, reason }];
  });
  const recorded = findings.filter((finding) => obstacleTo(finding) === undefined);
  const values = new Map((file === undefined ? [] : parseRecorded(file)).map((each) => [keyOf(each), each]));
  for (const { kind, address, attribute = '', live } of recorded) {
    const place = { kind, address, attribute };
    values.set(keyOf(place), { ...place, value: live?.is === 'value' ? live.value : null });
  }
  const lines = [...values].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => JSON.stringify(each));
  const text = [
    '{',
    '  "version": 1,',
    `  "organization": ${JSON.stringify(organization)},`,
    lines.length === 0 ? '  "recorded": []' : `  "recorded": [\n    ${lines.join(',\n    ')}\n  ]`,
    '}',
    '',
  ].join('\n');
  return { text, recorded, refused };
}

function obstacleTo(finding: DriftFinding): string | undefined {
  if (finding.classification !== 'unexpected')
    return `${findingSubject(finding)} is declared: accept it into the file, or leave it out with a rule or a baseline`;
  return finding.live?.is === 'secret' || finding.expected?.is === 'secret'
    ? 'it is a secret, whose value nobody can read: leave it out with a rule'
    : undefined;
}
