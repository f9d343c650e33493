// A Diagnostic joined with its place in a file, and the one place where findings of a run are collected.
// It must not know YAML, kinds, or how findings are shown.
import { problem, warning, type Diagnostic } from '../../api/contract';
import type { Range } from '../reader/source';
import type { Placed } from '../reader/tree';

/** One finding with its place. `path` leads from the root of the file. */
export interface Finding extends Diagnostic {
  readonly at: Range;
  /** The lines it stands on hold a secret: none of them is shown. */
  readonly secret: boolean;
}

/** Collects what one reading of a stack finds. Made per reading, never shared. */
export interface Report {
  error(place: Placed, code: string, message: string, hint?: string): void;
  warning(place: Placed, code: string, message: string, hint?: string): void;
  /** Tells a checked value's finding, at its place in the file. */
  tell(diagnostic: Diagnostic, place: Placed): void;
  /** Tells something found elsewhere, as it is. */
  pass(findings: readonly Finding[]): void;
  /** Says that what stands there is secret. */
  hide(at: Range): void;
  /** Everything hidden so far. */
  hidden(): readonly Range[];
  /** Everything told so far, in the order of the files, each place and code once. */
  findings(): readonly Finding[];
}

/** Keys under which people keep secrets, wherever they stand. */
export const SECRET_WORD = /pass?w|passphrase|pwd|secret|token|private|credential|auth_?key/i;

/** An empty report. `files` are names in the order findings are to be told. */
export function newReport(files: readonly string[]): Report {
  const told: Finding[] = [];
  const hidden: Range[] = [];
  const tell = (diagnostic: Diagnostic, place: Placed): void => {
    told.push({ ...diagnostic, path: place.path, at: place.at, secret: false });
  };
  return {
    error: (place, code, message, hint) => tell(problem(code, place.path, message, hint), place),
    warning: (place, code, message, hint) => tell(warning(code, place.path, message, hint), place),
    tell,
    pass: (findings) => told.push(...findings),
    hide: (at) => hidden.push(at),
    hidden: () => [...hidden],
    findings: () =>
      sortFindings(withoutRepeats(told), files).map((finding) => ({
        ...finding,
        secret: finding.secret || hidden.some((range) => sharesLine(range, finding.at)),
      })),
  };
}

/** By file, then place; errors before warnings of one place. */
export function sortFindings(findings: readonly Finding[], files: readonly string[]): readonly Finding[] {
  const order = (finding: Finding): readonly number[] => [
    files.indexOf(finding.at.file),
    finding.at.start.offset,
    finding.severity === 'error' ? 0 : 1,
  ];
  return [...findings].sort((left, right) => {
    const [a, b] = [order(left), order(right)];
    const index = a.findIndex((value, position) => value !== b[position]);
    return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
  });
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
