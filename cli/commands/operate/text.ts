// Texts of the commands for operators: tables, times, and what follows a run on a terminal.
import { setTimeout } from 'node:timers/promises';
import { columnsOf, oneLine, padded } from '../../../drift';

/** Rows as lines whose cells are below each other; cells that are empty in all rows are left out. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[], indent = ''): string {
  const used = head.map((_, index) => rows.some((row) => (row[index] ?? '') !== ''));
  const all = [head, ...rows].map((row) => row.filter((_, index) => used[index]).map(oneLine));
  const widths = (all[0] ?? []).map((_, index) => Math.max(...all.map((row) => columnsOf(row[index] ?? ''))));
  const lines = all.map((row) => indent + row.map((cell, index) => padded(cell, widths[index] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** `2026-11-26 14:03 UTC`; `?` for a time that the service does not say. */
export const moment = (time: number | null | undefined): string =>
  time === undefined || time === null || time === 0
    ? '?'
    : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Prints a value for programs, or a text for people. `hidden` takes secrets out of either; default: there are none. */
export function print(
  json: boolean,
  value: unknown,
  text: () => string,
  hidden = (shown: string): string => shown,
): void {
  process.stdout.write(hidden(json ? `${JSON.stringify(value, null, 2)}\n` : text()));
}

/** Milliseconds between two looks at something that goes on. */
const LOOK_AGAIN = 1000;

/** Looks again and again until something is over. Returns the last look. `seen` is called with each look. */
export async function follow<T>(
  look: () => Promise<T>,
  isOver: (now: T) => boolean,
  seen: (now: T) => void | Promise<void>,
): Promise<T> {
  for (;;) {
    const now = await look();
    await seen(now);
    if (isOver(now)) return now;
    await setTimeout(LOOK_AGAIN);
  }
}
