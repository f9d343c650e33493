// A Diagnostic joined with its place in a file, and the one place where findings of a run are
// collected.
import { problem, warning, type Diagnostic } from '../../api/contract';
import { nearest } from '../../provider/values';
import type { Range } from '../yaml/source';
import { keyPlace, type Entry, type MeantKeys, type Placed, type Via } from '../yaml/tree';

/** One finding with its place. `path` leads from the root of the file. */
export interface Finding extends Diagnostic {
  readonly at: Range;
  /** The lines it is on hold a secret: none of them is shown. */
  readonly secret: boolean;
  /** Other places that belong to it: where a template is used, or the first of two values. */
  readonly related?: readonly RelatedPlace[];
}

/** A place of a finding, and what is there, as a phrase: `template service is used here`. */
interface RelatedPlace {
  readonly at: Range;
  readonly text: string;
}

/** Collects what one reading of a stack finds. Made per reading, never shared. */
export type Report = ReturnType<typeof newReport>;

/** An empty report. `files` are names in the order findings are to be reported. */
export function newReport(files: readonly string[]) {
  const found: Finding[] = [];
  const hidden: Range[] = [];
  const meantKeys = new Map<string, string>();
  /** Reports the finding of a checked value at its place in the file, with related places. */
  const add = (diagnostic: Diagnostic, place: Placed, other: readonly RelatedPlace[] = []): void => {
    const related = distinct([...other, ...wayOf(place)]);
    const places = related.length > 0 ? { related } : {};
    found.push({ ...diagnostic, path: place.path, at: place.at, secret: false, ...places });
  };
  return {
    add,
    /** Returns undefined: what is wrong has no value. */
    error(place: Placed, code: string, message: string, hint?: string, related?: readonly RelatedPlace[]): undefined {
      add(problem(code, place.path, message, hint), place, related);
    },
    warning(place: Placed, code: string, message: string, hint?: string, related?: readonly RelatedPlace[]): void {
      add(warning(code, place.path, message, hint), place, related);
    },
    /** Adds something found elsewhere, as it is. */
    pass: (findings: readonly Finding[]): void => void found.push(...findings),
    /** Says which key a misspelt one may mean, to distinguish what follows from other mistakes. */
    misspelt: ({ key, at }: Entry, known: readonly string[]): void => {
      const meant = nearest(key, known);
      if (meant !== undefined) meantKeys.set(keyPlace(at), meant);
    },
    meant: (): MeantKeys => meantKeys,
    /** Says that what exists there is secret. */
    hide: (at: Range): void => void hidden.push(at),
    hidden: (): readonly Range[] => [...hidden],
    /** Everything reported so far, in the order of the files, each place and code once. */
    findings: (): readonly Finding[] =>
      sortFindings(withoutRepeats(found), files).map((finding) => ({
        ...finding,
        secret: finding.secret || hidden.some((range) => sharesLine(range, finding.at)),
      })),
  };
}

const WAYS: { readonly [how in Via['how']]: (name: string) => string } = {
  template: (name) => `template ${name} is used here`,
  argument: (name) => `it is the value of ${name} here`,
  each: (name) => `${name} is made here`,
  include: (name) => `${name} is included here`,
  overlay: (name) => `overlay ${name} is here`,
};

/** The places that brought a value to where it counts. */
export const wayOf = ({ via = [] }: Placed): readonly RelatedPlace[] =>
  distinct(via.map(({ how, name, at }) => ({ at, text: WAYS[how](name) })));

/** Each place once: an argument and the body that uses it can come from the same included file. */
const distinct = (places: readonly RelatedPlace[]): readonly RelatedPlace[] => eachOnce(places);

/** Of items that are known by the same text only the last, in the place of the first. */
export const eachOnce = <T>(items: readonly T[], textOf: (item: T) => string = JSON.stringify): readonly T[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
];

/** What a finding says, and where. */
export const identityOf = ({ code, message, at }: Finding): string => JSON.stringify([code, message, at]);

/** By file, then place; errors before warnings. Unnamed files come last, by name. */
export function sortFindings(findings: readonly Finding[], files: readonly string[]): readonly Finding[] {
  const rank = ({ at }: Finding): number => (files.includes(at.file) ? files.indexOf(at.file) : files.length);
  const severity = (finding: Finding): number => (finding.severity === 'error' ? 0 : 1);
  return [...findings].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      Number(left.at.file > right.at.file) - Number(left.at.file < right.at.file) ||
      left.at.start.offset - right.at.start.offset ||
      severity(left) - severity(right),
  );
}

/** A value behind an alias is read once per use, and found wrong as often. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, message, at }) => {
    const key = JSON.stringify([code, message, at.file, at.start.offset]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function sharesLine(left: Range, right: Range): boolean {
  return left.file === right.file && left.start.line <= right.end.line && right.start.line <= left.end.line;
}

/** The hint to the first of two places, with its file where that is another one. */
export const firstAt = ({ file, start }: Range, second: Range): string =>
  `the first is ${file === second.file ? '' : `in ${file} `}at ${start.line}:${start.column}`;
