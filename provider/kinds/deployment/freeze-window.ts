// Windows of time in which nothing may be deployed: between two moments, or on days of the week between two hours.
import { z } from 'zod';
import { nearest } from '../../nearest';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A day, or a moment with its zone: without one, each machine would take its own. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

const moment = z.string().refine((text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)));

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);

/** A window between two moments, or one that comes again each week. */
export const windowShape = z.union(
  [
    z
      .strictObject({ from: moment, to: moment, reason: z.string().optional() })
      .refine(({ from, to }) => Date.parse(from) < Date.parse(to)),
    z.strictObject({
      days: z.array(z.enum(DAYS)).min(1).optional(),
      from: hour.default('00:00'),
      to: hour.default('24:00'),
      zone: z
        .string()
        .refine(isZone, {
          error: ({ input }) => `there is no time zone ${JSON.stringify(input)}${nearZone(String(input))}`,
        })
        .default('UTC'),
      reason: z.string().optional(),
    }),
  ],
  {
    error:
      'must be a from and a later to, as 2026-12-20 or 2026-12-20T00:00Z; or days (Sun to Sat), from and to as 18:00, and a zone as Europe/Berlin; each with a reason or without',
  },
);
type Window = z.output<typeof windowShape>;

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    // RangeError: there is no such zone.
    return false;
  }
}

function nearZone(zone: string): string {
  const near = nearest(zone, Intl.supportedValuesOf('timeZone'));
  return near === undefined ? ': give a name as Europe/Berlin' : `; did you mean "${near}"?`;
}

/** Whether a moment is in a window. A window from 22:00 to 06:00 ends on the next day, and belongs to the day on which it begins. */
export function isFrozen(window: Window, now: Date): boolean {
  if (!('zone' in window)) return now >= new Date(window.from) && now < new Date(window.to);
  const { day, minutes } = localTime(now, window.zone);
  const from = minutesOf(window.from);
  const to = minutesOf(window.to);
  const isOn = (which: number): boolean => window.days?.includes(DAYS[which % 7] as (typeof DAYS)[number]) ?? true;
  if (from < to) return isOn(day) && minutes >= from && minutes < to;
  return (isOn(day) && minutes >= from) || (isOn(day + 6) && minutes < to);
}

/** A window as a phrase. */
export function windowText(window: Window): string {
  const reason = window.reason === undefined ? '' : ` (${window.reason})`;
  if (!('zone' in window)) return `${window.from} to ${window.to}${reason}`;
  return `${window.days?.join(', ') ?? 'each day'} ${window.from} to ${window.to} ${window.zone}${reason}`;
}

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

function localTime(now: Date, zone: string): { readonly day: number; readonly minutes: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(parts.get('weekday') as (typeof DAYS)[number]),
    minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}
