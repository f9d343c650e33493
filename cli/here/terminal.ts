// What commands write for people: findings, times, tables, and lines as wide as the terminal; and how
// they follow what goes on.
import { setTimeout } from 'node:timers/promises';
import { mayPass } from '../../api/errors';
import { secondText, tableText, timeText, wrapped } from '../../drift';
import { columnsOf, renderFindings } from '../../stack';
import type { Found } from './project';

/** Colours are for people who look at a terminal and did not refuse them. */
export const isColourful = ({ isTTY }: { readonly isTTY?: boolean }): boolean =>
  isTTY === true && process.env['NO_COLOR'] === undefined;

/** Findings as they are written to the standard error; empty for none. */
export const findingsText = ({ findings, files }: Found): string =>
  renderFindings(findings, files, { colour: isColourful(process.stderr) });

/** Columns of a terminal; 80 where there is none, and for one without a size, which says 0. */
export const columnsOn = ({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  (isTTY === true && columns) || 80;

/** `2026-11-26 14:03 UTC`; `?` for a time that the service does not say. */
export const moment = (time: number | null | undefined): string => (time ? timeText(time) : '?');

/** The same with seconds, for what happens one after the other. */
export const second = (time: number | null | undefined): string => (time ? secondText(time) : '?');

/** Columns of the terminal; without a terminal, a line is as long as it is. */
const columns = (): number => (process.stdout.isTTY ? columnsOn(process.stdout) : Infinity);

/** Rows below a head, as wide as the terminal. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], indent = ''): string =>
  tableText(rows, head, indent, columns());

/** Lines as wide as the terminal: the rest of a longer one is further in. */
export function fitLines(text: string, width = columns()): string {
  const lines = text.split('\n').flatMap((line) => {
    if (columnsOf(line) <= width) return [line];
    const [indent = ''] = /^ */.exec(line) ?? [];
    return wrapped(line.slice(indent.length), width, indent, `${indent}  `);
  });
  return lines.join('\n');
}

/** Milliseconds between two looks at something that goes on. */
const LOOK_AGAIN = 1000;
/** Milliseconds of an outage that following outlives. */
const OUTAGE = 15 * 60_000;

/**
 * Looks until something is over, and calls `seen` each time. Returns the last look. Throws where
 * the first look fails, or the service is out for a quarter of an hour.
 */
export async function follow<T>(
  look: () => Promise<T>,
  isOver: (now: T) => boolean,
  seen: (now: T) => void | Promise<void>,
): Promise<T> {
  for (let now = await look(); ; now = await lookAgain(look)) {
    await seen(now);
    if (isOver(now)) return now;
  }
}

async function lookAgain<T>(look: () => Promise<T>): Promise<T> {
  const end = Date.now() + OUTAGE;
  for (let isSaid = false; ; isSaid = true) {
    await setTimeout(LOOK_AGAIN);
    try {
      return await look();
    } catch (error) {
      if (!mayPass(error) || Date.now() > end) throw error;
      const [reason = ''] = error.message.split('\n');
      if (!isSaid) process.stderr.write(`the service does not answer, and is asked again: ${reason}\n`);
    }
  }
}

/** The same for what has a line that says how far it is: says the line when it changes. */
export function followLines<T>(
  look: () => Promise<T>,
  isOver: (now: T) => boolean,
  lineOf: (now: T) => string,
  say: (line: string) => void,
): Promise<T> {
  let said = '';
  return follow(look, isOver, (now) => {
    const line = lineOf(now);
    if (line !== said) say(line);
    said = line;
  });
}
