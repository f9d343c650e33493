// What a request brought and the service left out, reported next to the answer: bodies stay as clients of the live service know them.
import { WARNINGS_HEADER } from '../api/contract';
import type { Answer } from './handler';

/** Most warnings of an answer, and most characters of each: clients read no more than 16 kB of headers. */
const MOST_WARNINGS = 10;
const LONGEST_WARNING = 150;

/** Collects warnings; one that is added twice counts once. */
export interface Warnings {
  readonly warn: (warning: string) => void;
  /** Headers that report them. */
  readonly headers: () => Answer['headers'];
}

/** No warnings yet. */
export function collectWarnings(): Warnings {
  const all = new Set<string>();
  return {
    warn: (warning) => {
      all.add(warning);
    },
    headers: () => (all.size === 0 ? {} : { [WARNINGS_HEADER]: asciiOf([...all]) }),
  };
}

function asciiOf(warnings: readonly string[]): string {
  const shown = warnings
    .slice(0, MOST_WARNINGS)
    .map((each) => (each.length <= LONGEST_WARNING ? each : `${each.slice(0, LONGEST_WARNING)} ...`));
  const more = warnings.length - shown.length;
  const text = JSON.stringify(more === 0 ? shown : [...shown, `and ${more} more`]);
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The warning about an attribute of a document that its class does not have. */
export const unknownAttribute = (at: string, className: string, attribute: string): string =>
  `${at}: class ${className} has no attribute ${attribute}: it was left out`;
