// Earlier reviews: saved reviews, the history of each finding, and the changes between two reviews.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { WrongInput } from '../../api/errors';
import { isPlainObject } from '../../provider/values';
import type { DriftFinding, Review, Shown, Unread } from './review';
import { oneLine, bareService } from '../report/shown-text';

interface NamedText {
  readonly text: string;
  readonly name: string;
}

/** The text as JSON, with or without a byte order mark; undefined when it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Reads what `--json` printed. Throws WrongInput on a text that is no review of this version. */
export function readReview({ text, name }: NamedText): Review {
  const parsed = jsonOf(text);
  if (hasLists(parsed, ['findings', 'ignored', 'unread']) && isPlainObject(parsed['coverage']))
    return parsed as unknown as Review;
  throw new WrongInput(`${name} contains no review: save one with "pulumi-oneops drift --json > review.json"`);
}

/** Whether data of version 1 has lists. Members of one version are added, never removed. */
export const hasLists = (value: unknown, names: readonly string[]): value is { readonly [name: string]: unknown } =>
  isPlainObject(value) && value['version'] === 1 && names.every((name) => Array.isArray(value[name]));

/** `Component acme/shop/web/tomcat attributes.max_threads`. */
export const findingSubject = ({ kind, address, attribute }: DriftFinding): string =>
  [kind, address, ...(attribute === undefined ? [] : [attribute])].join(' ');

const historyShape = z.object({ id: z.string(), firstSeen: z.number(), lastSeen: z.number(), runs: z.number() });

/** Findings that are remembered at most; those not seen for longest are forgotten first. */
const REMEMBERED = 10_000;

/**
 * Adds a review to a history, and to its findings since when they are seen. A history is JSON
 * Lines, one for each finding: `firstSeen` and `lastSeen` in ms since 1970, `runs` reviews. A
 * review counts once. Throws WrongInput on another line.
 */
export function addToHistory(
  history: NamedText | undefined,
  review: Review,
): { readonly text: string; readonly review: Review } {
  const seen = new Map(history === undefined ? [] : historyLines(history).map((line) => [line.id, line]));
  const now = review.started;
  for (const { id } of [...review.findings, ...review.ignored.map(({ finding }) => finding)]) {
    const before = seen.get(id);
    if (before === undefined) seen.set(id, { id, firstSeen: now, lastSeen: now, runs: 1 });
    else if (before.lastSeen < now) seen.set(id, { ...before, lastSeen: now, runs: before.runs + 1 });
  }
  const withHistory = (finding: DriftFinding): DriftFinding => {
    const line = seen.get(finding.id);
    return line === undefined ? finding : { ...finding, history: { firstSeen: line.firstSeen, runs: line.runs } };
  };
  const kept = [...seen.values()]
    .sort((left, right) => right.lastSeen - left.lastSeen)
    .slice(0, REMEMBERED)
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  return {
    text: kept.map((line) => `${JSON.stringify(line)}\n`).join(''),
    review: {
      ...review,
      findings: review.findings.map(withHistory),
      ignored: review.ignored.map((each) => ({ ...each, finding: withHistory(each.finding) })),
    },
  };
}

function historyLines({ text, name }: NamedText): readonly z.infer<typeof historyShape>[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data } = historyShape.safeParse(jsonOf(line));
    if (data === undefined) throw new WrongInput(`${name}:${index + 1} is no line of a history of drift reviews`);
    return [data];
  });
}

/** Two reviews compared: each finding is in one list, as the newer has it, except in `gone`. */
interface ReviewComparison {
  readonly new: readonly DriftFinding[];
  /** Found before, and found to hold now. */
  readonly gone: readonly DriftFinding[];
  /** Found in both with another live value, classification or severity. */
  readonly changed: readonly { readonly was: DriftFinding; readonly now: DriftFinding }[];
  readonly same: readonly DriftFinding[];
  /** Found before; the newer review ignores it. */
  readonly ignored: readonly DriftFinding[];
  /** Found before; the newer review could not read it. */
  readonly unread: readonly DriftFinding[];
}

export function compareReviews(older: Review, newer: Review): ReviewComparison {
  const before = new Map(older.findings.map((finding) => [finding.id, finding]));
  const after = new Set(newer.findings.map(({ id }) => id));
  const kept = new Set(newer.ignored.map(({ finding }) => finding.id));
  const left = older.findings.filter(({ id }) => !after.has(id));
  const fate = (finding: DriftFinding): 'ignored' | 'unread' | 'gone' => {
    if (kept.has(finding.id)) return 'ignored';
    return newer.outcome === 'refused' || newer.unread.some((each) => covers(each, finding)) ? 'unread' : 'gone';
  };
  const both = newer.findings.flatMap((now) => {
    const was = before.get(now.id);
    return was ? [{ was, now }] : [];
  });
  const differs = ({ was, now }: (typeof both)[number]): boolean => !isDeepStrictEqual(saidBy(was), saidBy(now));
  return {
    new: newer.findings.filter(({ id }) => !before.has(id)),
    gone: left.filter((finding) => fate(finding) === 'gone'),
    changed: both.filter(differs),
    same: both.filter((pair) => !differs(pair)).map(({ now }) => now),
    ignored: left.filter((finding) => fate(finding) === 'ignored'),
    unread: left.filter((finding) => fate(finding) === 'unread'),
  };
}

/** Whether a finding is of a record that was not read, or of what nobody declares in one. */
const covers = (unread: Unread, { kind, address, classification }: DriftFinding): boolean =>
  (unread.kind === kind && unread.address === address) ||
  (['undeclared', 'unexpected'].includes(classification) && address.startsWith(`${unread.address}/`));

/** What a finding says, to compare it with another review: of a secret, who wrote it and when. */
const saidBy = ({ author, classification, severity, live }: DriftFinding): unknown => [
  ...[classification, severity, comparable(live)],
  ...(live?.is === 'secret' ? [author?.who ?? '', author?.when ?? 0] : []),
];

/** A value to compare with those of other reviews: of a secret, only that it is one. */
export function comparable(shown: Shown | undefined): unknown {
  if (shown === undefined) return null;
  return shown.is === 'value' ? [shown.is, sorted(shown.value)] : [shown.is];
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

type Reviewed = Pick<Review, 'service' | 'organization' | 'project' | 'stack'>;

/**
 * The beginning of a sentence where a review is of another service, organization, project or stack,
 * as far as both name one.
 */
export function reviewedElsewhere(review: Reviewed, here: Reviewed): string | undefined {
  const nameOf = (stack: string | undefined): string | undefined => stack?.split('/').at(-1);
  const pairs = [
    ['the service', bareService(review.service), bareService(here.service)],
    ['organization', review.organization, here.organization],
    ['project', review.project, here.project],
    ['stack', nameOf(review.stack), nameOf(here.stack)],
  ] as const;
  const [found] = pairs.flatMap(([what, there, own]) =>
    there === undefined || own === undefined || there === own
      ? []
      : [`the review is of ${what} ${oneLine(there)}, and this is ${oneLine(own)}`],
  );
  return found;
}
