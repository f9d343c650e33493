// Pieces that all parts of a preview's comment are made of.
import { code, fitting } from '../drift';

/** Lines within a number of characters; the rest by their number. */
export function linesWithin(
  lines: readonly string[],
  longest: number,
  rest: (count: number) => string,
): readonly string[] {
  const { shown, left } = fitting(lines, longest, '\n');
  return left === 0 ? shown : [...shown, rest(left)];
}

/** A part that is opened by a click. */
export const foldedPart = (title: string, body: string): string =>
  `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`;

/** The line of a list in place of those left out. */
export const moreLine = (count: number): string => `- … and ${count} more`;

/** Members of a release are shown up to this number. */
const SHOWN_MEMBERS = 12;

/** `~web/compute -web/cron`, the first of them. */
export function memberList(members: readonly string[]): string {
  const shown = members.slice(0, SHOWN_MEMBERS).map((member) => code(member, 80));
  return `${shown.join(' ')}${members.length > SHOWN_MEMBERS ? ` and ${members.length - SHOWN_MEMBERS} more` : ''}`;
}
