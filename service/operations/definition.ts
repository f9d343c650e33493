// A procedure's definition: text that says what runs where in which order (service-facts §4.8).
import * as z from 'zod';
import type { StoredAction, StoredRecord } from '../store';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish();

const flowAction = z.looseObject({
  actionName: z.union([z.string().min(1), z.number(), z.boolean()]).transform(String),
  stepNumber: z.union([z.number().int(), z.string().regex(/^\d+$/)]).nullish(),
  isCritical: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
  extraInfo: text,
  arglist: text,
});
type FlowAction = z.output<typeof flowAction>;

const ownFlow = z.looseObject({
  targetIds: z.array(z.union([z.string(), z.number(), z.null()])).nullish(),
  relationName: z.string().nullish(),
  relationShortName: z.string().nullish(),
  direction: z.enum(['from', 'to']),
  targetClassName: z.string().nullish(),
  nsPath: z.string().nullish(),
  execStrategy: z.string().nullish(),
  actions: z.array(flowAction).nullish(),
});
type Flow = z.output<typeof ownFlow> & { readonly flow?: readonly Flow[] | null | undefined };

const flow: z.ZodType<Flow> = ownFlow
  .extend({
    get flow() {
      return z.array(flow).nullish();
    },
  })
  .refine(({ relationName, relationShortName }) => Boolean(relationName) || Boolean(relationShortName), {
    message: 'relationName or relationShortName is needed',
  });

const definition = z.looseObject({
  name: text,
  flow: z.array(flow).nullish(),
  actions: z.array(flowAction).nullish(),
});

interface Definition {
  readonly name: string | undefined;
  /** One after the other. */
  readonly flow: readonly Flow[];
  /** Actions on the anchor itself; they come first. */
  readonly actions: FlowAction[];
}

type Reading = { readonly ok: true; readonly definition: Definition } | { readonly ok: false; readonly reason: string };

/** Reads the text: JSON, or what the live service's lenient reader takes for it. */
export function readDefinition(sent: string): Reading {
  const read = readLenient(sent);
  if (!read.ok) return { ok: false, reason: `definition cannot be read: ${read.reason}` };
  const result = definition.safeParse(read.value);
  if (!result.success) {
    return {
      ok: false,
      reason: result.error.issues
        .map((issue) => `${['definition', ...issue.path].join('.')}: ${issue.message}`)
        .join('; '),
    };
  }
  const { name, flow: flows, actions } = result.data;
  return { ok: true, definition: { name: name ?? undefined, flow: flows ?? [], actions: actions ?? [] } };
}

/** An action to run; `execOrder` counts from 1. */
export type PlannedAction = Pick<
  StoredAction,
  'recordId' | 'name' | 'execOrder' | 'isCritical' | 'extraInfo' | 'arguments'
>;

/** A record at the other end of a relation. */
type Related = Pick<StoredRecord, 'id' | 'className' | 'namespace'>;

/** Relations that a flow follows: by complete name, or its last part (`RealizedAs`). */
interface Followed {
  readonly relationName: string | undefined;
  readonly relationShortName: string | undefined;
  readonly direction: 'from' | 'to';
}

export type RelatedTo = (recordId: number, followed: Followed) => readonly Related[];

/** What a complete procedure says about its actions. */
export interface ProcedureSettings {
  /** What every action is given; an action's own text counts where this is null or empty. */
  readonly arguments: string | null;
  /** Whether actions are critical, whatever they say themselves. */
  readonly isCritical: boolean | undefined;
  /** Percentage, 1 to 99, of the targets that run at one time. Default: all of them. */
  readonly rollAt: number | undefined;
}

/** Most targets a definition may reach: flows that go to and fro would multiply without end. */
const MOST = 10_000;

interface Walk {
  readonly relatedTo: RelatedTo;
  readonly running: ProcedureSettings;
  readonly planned: PlannedAction[];
}

/**
 * The actions of a definition, anchored at a record. Actions of the definition itself run on the
 * anchor. Targets of a flow are the related records, those in `targetIds` when given; each target
 * runs its actions by step number, then what is nested, anchored at the target. All targets run at
 * the same time, one after the other with `execStrategy: one-by-one`. With `rollAt` a flow of n
 * targets becomes several flows of at most n * rollAt / 100 (rounded up) that run one after the
 * other. Undefined when it reaches more than 10,000 targets.
 */
export function plannedActions(
  { flow: flows, actions }: Pick<Definition, 'flow' | 'actions'>,
  anchorId: number,
  relatedTo: RelatedTo,
  running: ProcedureSettings,
): PlannedAction[] | undefined {
  let reached = 0;
  const counted: RelatedTo = (...asked) => {
    if (reached > MOST) return [];
    const related = relatedTo(...asked);
    reached += related.length;
    return related;
  };
  const walk: Walk = { relatedTo: counted, running, planned: [] };
  const start = planTarget(walk, { actions }, anchorId, 1);
  flows.reduce((first, each) => walkFlow(walk, each, { anchorId, start: first, rollAt: running.rollAt }), start);
  return reached > MOST ? undefined : walk.planned;
}

/** The anchor of a flow, the first order of its actions, and how many targets run at once. */
interface FlowStart {
  readonly anchorId: number;
  readonly start: number;
  readonly rollAt?: number | undefined;
}

/** Plans a flow from `start` on; returns the first order that is free after it. */
function walkFlow(walk: Walk, flow: Flow, { anchorId, start, rollAt }: FlowStart): number {
  const targets = targetsOf(walk, flow, anchorId);
  const step = rollAt === undefined ? targets.length : Math.ceil((targets.length * rollAt) / 100);
  const size = flow.execStrategy === 'one-by-one' ? 1 : step;
  let next = start;
  for (let at = 0; at < targets.length; at += size) {
    const ends = targets.slice(at, at + size).map((target) => planTarget(walk, flow, target.id, next));
    next = Math.max(next, ...ends);
  }
  return next;
}

function targetsOf({ relatedTo }: Walk, flow: Flow, anchorId: number): readonly Related[] {
  const { relationName, relationShortName, direction, targetClassName, nsPath } = flow;
  // A list with an element selects, whatever the element is: `[null]` selects nothing.
  const only = flow.targetIds?.length ? new Set(flow.targetIds.map(String)) : undefined;
  const followed = { relationName: relationName || undefined, relationShortName: relationShortName || undefined };
  return relatedTo(anchorId, { ...followed, direction }).filter(
    ({ id, className, namespace }) =>
      (only?.has(String(id)) ?? true) &&
      (!targetClassName || targetClassName === className) &&
      (!nsPath || namespace === nsPath || namespace.startsWith(`${nsPath.replace(/\/$/, '')}/`)),
  );
}

/** Plans the actions on one record, then nested ones; returns the next free order. */
function planTarget(
  walk: Walk,
  { actions, flow: nested }: Pick<Flow, 'actions' | 'flow'>,
  recordId: number,
  from: number,
): number {
  const own = (actions ?? []).map((action, index) => {
    const given = action.stepNumber;
    const step = given === null || given === undefined ? index + 1 : Number(given);
    return planned(walk.running, action, recordId, from + Math.max(1, step) - 1);
  });
  walk.planned.push(...own);
  const after = Math.max(from, ...own.map(({ execOrder }) => execOrder + 1));
  return (nested ?? []).reduce((first, each) => walkFlow(walk, each, { anchorId: recordId, start: first }), after);
}

function planned(running: ProcedureSettings, action: FlowAction, recordId: number, execOrder: number): PlannedAction {
  return {
    recordId,
    name: action.actionName,
    execOrder,
    isCritical: running.isCritical ?? (action.isCritical === true || action.isCritical === 'true'),
    extraInfo: action.extraInfo ?? null,
    arguments: running.arguments || (action.arglist ?? running.arguments),
  };
}

// Reads JSON as leniently as the live service reads definitions: JSON itself, and what a Java map
// prints (`{name=reboot, targetIds=[1]}`).

export type Lenient = string | number | boolean | null | readonly Lenient[] | { readonly [name: string]: Lenient };

/** What was read, or why the text could not be. Offsets count characters from 1. */
type LenientReading = { readonly ok: true; readonly value: Lenient } | { readonly ok: false; readonly reason: string };

/** How deep lists and maps may be nested. */
const DEEPEST = 24;

/** Characters that end a word without quotes. */
const ENDS_WORD = /[\s/\\;#={}[\]:,]/;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const ESCAPED: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Unreadable extends Error {}

function valueOfWord(word: string): Lenient {
  const lower = word.toLowerCase();
  if (lower === 'null') return null;
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return NUMBER.test(word) ? Number(word) : word;
}

/** Reads the value that a text begins with, from a place that moves on. */
function reader(text: string) {
  let at = 0;
  const ahead = (): string => text.charAt(at);
  const fail = (expected: string): Unreadable => {
    const found = at < text.length ? JSON.stringify(ahead()) : 'the end';
    return new Unreadable(`expected ${expected} at character ${at + 1}, found ${found}`);
  };
  const skipSpace = (): void => {
    while (/\s/.test(ahead())) at += 1;
  };
  /** Takes one of these characters if it comes next. */
  const take = (characters: string): boolean => {
    skipSpace();
    const isNext = ahead() !== '' && characters.includes(ahead());
    if (isNext) at += 1;
    return isNext;
  };
  const escaped = (): string => {
    const letter = ahead();
    if (letter === '') throw fail('an escaped character');
    at += 1;
    if (letter !== 'u') return ESCAPED[letter] ?? letter;
    const digits = text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw fail('four hexadecimal digits');
    at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  };
  const quoted = (quote: string): string => {
    for (let read = ''; ;) {
      const next = ahead();
      if (next === '') throw fail(`the closing ${quote}`);
      at += 1;
      if (next === quote) return read;
      read += next === '\\' ? escaped() : next;
    }
  };
  /** A text in quotes, or a word as `read` takes it. */
  const scalar = <T>(expected: string, read: (word: string) => T): T | string => {
    skipSpace();
    const quote = ahead();
    if (take(`"'`)) return quoted(quote);
    const start = at;
    while (at < text.length && !ENDS_WORD.test(ahead())) at += 1;
    if (at === start) throw fail(expected);
    return read(text.slice(start, at));
  };
  /** Members or elements up to a bracket. */
  const each = <T>(close: '}' | ']', read: () => T): T[] => {
    const all: T[] = [];
    if (take(close)) return all;
    for (;;) {
      all.push(read());
      if (take(close)) return all;
      if (!take(',;')) throw fail(`"," or "${close}"`);
    }
  };
  const value = (depth: number): Lenient => {
    if (depth > DEEPEST) throw new Unreadable(`it is nested more than ${DEEPEST} deep`);
    /** A value, or what stands for one that is left out. */
    const valueOr = <T>(missing: T, close: '}' | ']'): Lenient | T => {
      skipSpace();
      return [',', ';', close].includes(ahead()) ? missing : value(depth + 1);
    };
    const member = (): [string, Lenient] => {
      const name = scalar('a name', String);
      if (!take(':=')) throw fail('":" or "="');
      // `=>` is one separator.
      if (text.charAt(at - 1) === '=' && ahead() === '>') at += 1;
      // What a Java map prints for an empty text is nothing at all.
      return [name, valueOr('', '}')];
    };
    if (take('{')) return Object.fromEntries(each('}', member));
    if (take('[')) return each(']', () => valueOr(null, ']'));
    return scalar('a value', valueOfWord);
  };
  return {
    value,
    /** Throws Unreadable where more follows. */
    end: (): void => {
      skipSpace();
      if (at < text.length) throw fail('the end');
    },
  };
}

/**
 * Reads one value. Every JSON text nested no deeper than 24 reads as JSON.parse reads it. Also
 * allowed: `=` or `=>` for `:`, `;` for `,`, names and words without quotes (they end at white
 * space or a separator), single quotes. Words are true, false, null or a number where they look
 * like one, else text; a missing value of a map is `''`, a missing element of a list null.
 */
export function readLenient(text: string): LenientReading {
  const { value, end } = reader(text);
  try {
    const read = value(0);
    end();
    return { ok: true, value: read };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}
