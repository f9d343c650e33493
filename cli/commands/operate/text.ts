// Texts of the commands for operators: times, results, and what follows a run on a terminal.
import { setTimeout } from 'node:timers/promises';
import { timeText } from '../../../drift';

/** `2026-11-26 14:03 UTC`; `?` for a time that the service does not say. */
export const moment = (time: number | null | undefined): string => (time ? timeText(time) : '?');

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

/** The same for what has a line that says how far it is: prints the line when it changes, unless `json`. */
export function followLines<T>(
  look: () => Promise<T>,
  isOver: (now: T) => boolean,
  lineOf: (now: T) => string,
  json: boolean,
): Promise<T> {
  let said = '';
  return follow(look, isOver, (now) => {
    const line = lineOf(now);
    if (line !== said && !json) process.stdout.write(`${line}\n`);
    said = line;
  });
}
