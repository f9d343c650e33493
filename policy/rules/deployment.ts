// Rules about deployments: freeze windows, comments, and whose work they may cancel.
import * as z from 'zod';
import { deployment } from '../../provider/kinds';
import { holdsUnknown, nearest } from '../../provider/values';
import { effectiveText, effectiveValue, policyRule, type PolicyRule } from './rule';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A day, or a moment with its zone: without one, each machine would take its own. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

const moment = z.string().refine((text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)));

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);

/** A window between two moments, or one that comes again each week. */
const windowShape = z.union(
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

/** Whether a moment is in a window. 22:00 to 06:00 belongs to the day on which it begins. */
function isFrozen(window: Window, now: Date): boolean {
  if (!('zone' in window)) return now >= new Date(window.from) && now < new Date(window.to);
  const { day, minutes } = localTime(now, window.zone);
  const from = minutesOf(window.from);
  const to = minutesOf(window.to);
  const isOn = (which: number): boolean => window.days?.includes(DAYS[which % 7] as (typeof DAYS)[number]) ?? true;
  if (from < to) return isOn(day) && minutes >= from && minutes < to;
  return (isOn(day) && minutes >= from) || (isOn(day + 6) && minutes < to);
}

function windowText(window: Window): string {
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

const stack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    deploy: { ${settings} }
`;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    // SyntaxError: it is none.
    return false;
  }
}

export const DEPLOYMENT_RULES: readonly PolicyRule[] = [
  policyRule({
    name: 'freeze',
    kinds: [deployment],
    demands:
      'Nothing is deployed, and nothing that runs is taken down, in a freeze window. Judged in runs and planned runs, by the clock of the machine that judges. A policy pack sees no deletions: only `preview-comment` and `plan verify` refuse one that takes down what runs.',
    parameters: z.strictObject({
      windows: z.array(windowShape).min(1).describe('Windows in which nothing is deployed'),
    }),
    sample: {
      parameters: { windows: [{ from: '2020-01-01T00:00Z', to: '2120-01-01T00:00Z' }] },
      wrong: stack('comment: roll-out'),
      right: stack('comment: roll-out').replace(/deploy: .*/, 'deploy: false'),
    },
    ofLeaving: true,
    judge: (record, { windows }, { now }) => {
      // What is retained continues to run.
      if (record.leaves && effectiveValue(record, 'onDelete') === 'retain') return [];
      const does = record.leaves ? 'is deleted, which takes down what runs,' : 'would run';
      return windows
        .filter((window) => now !== undefined && isFrozen(window, now))
        .map((window) => ({ message: `${does} in a freeze window: ${windowText(window)}` }));
    },
  }),
  policyRule({
    name: 'deployment-comment',
    kinds: [deployment],
    demands: 'Each deployment has a comment of a form, for example with the number of a change request.',
    parameters: z.strictObject({
      pattern: z
        .string()
        .refine(isPattern, 'must be a regular expression')
        .default('.')
        .describe('Regular expression that the comment matches'),
    }),
    sample: {
      parameters: { pattern: 'CHG[0-9]+' },
      wrong: stack('comment: roll-out'),
      right: stack('comment: CHG1234 roll-out'),
    },
    judge(record, { pattern }) {
      const comment = effectiveText(record, 'comment');
      if (comment === undefined || new RegExp(pattern).test(comment)) return undefined;
      return { message: `has no comment that matches ${pattern}`, path: ['comment'] };
    },
  }),
  policyRule({
    name: 'others-refused',
    kinds: [deployment],
    demands: 'No deployment brings along what other users committed and the file does not declare.',
    parameters: z.strictObject({}),
    sample: { parameters: {}, wrong: stack('comment: roll-out'), right: stack('others: refuse') },
    judge: ({ args: { others } }) =>
      holdsUnknown(others) || others === 'refuse'
        ? undefined
        : {
            message: 'brings along what other users committed: others: refuse is required',
            ...{ path: ['others'], remedy: { others: 'refuse' } },
          },
  }),
  policyRule({
    name: 'no-cancelling',
    kinds: [deployment],
    demands: 'No deployment cancels the deployment of another user.',
    parameters: z.strictObject({}),
    sample: { parameters: {}, wrong: stack('when_busy: proceed'), right: stack('when_busy: wait') },
    judge: (record) =>
      effectiveValue(record, 'whenBusy') === 'proceed'
        ? {
            message: 'cancels deployments of other users: fail or wait is required',
            ...{ path: ['whenBusy'], remedy: { whenBusy: 'wait' } },
          }
        : undefined,
  }),
];
