// A procedure's definition: text that says what runs where in which order (service-facts §4.8).
import { z } from 'zod';
import { readLenient } from './lenient-json';

interface Flow {
  readonly targetIds?: readonly (string | number | null)[] | null | undefined;
  readonly relationName?: string | null | undefined;
  readonly relationShortName?: string | null | undefined;
  readonly direction: 'from' | 'to';
  readonly targetClassName?: string | null | undefined;
  readonly nsPath?: string | null | undefined;
  readonly execStrategy?: string | null | undefined;
  readonly actions?: readonly FlowAction[] | null | undefined;
  readonly flow?: readonly Flow[] | null | undefined;
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish();

const flowAction = z.looseObject({
  actionName: z.union([z.string().min(1), z.number(), z.boolean()]).transform(String),
  stepNumber: z.union([z.number().int(), z.string().regex(/^\d+$/)]).nullish(),
  isCritical: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
  extraInfo: text,
  arglist: text,
});
type FlowAction = z.output<typeof flowAction>;

const flow: z.ZodType<Flow> = z
  .looseObject({
    targetIds: z.array(z.union([z.string(), z.number(), z.null()])).nullish(),
    relationName: z.string().nullish(),
    relationShortName: z.string().nullish(),
    direction: z.enum(['from', 'to']),
    targetClassName: z.string().nullish(),
    nsPath: z.string().nullish(),
    execStrategy: z.string().nullish(),
    actions: z.array(flowAction).nullish(),
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

/** What a definition requests. */
interface Definition {
  readonly name: string | undefined;
  /** One after the other. */
  readonly flow: readonly Flow[];
  /** Actions on the anchor itself; they come first. */
  readonly actions: readonly FlowAction[];
}

/** A definition that was read, or why not. */
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

/** One action on one record; equal orders run in parallel. */
export interface PlannedAction {
  readonly recordId: number;
  readonly name: string;
  /** From 1. */
  readonly execOrder: number;
  readonly isCritical: boolean;
  readonly extraInfo: string | null;
  readonly arguments: string | null;
}

/** A record at the other end of a relation. */
interface Related {
  readonly id: number;
  readonly className: string;
  readonly namespace: string;
}

/** Which relations of a record a flow follows: by name in full, or by its last part (`RealizedAs`). */
interface Followed {
  readonly relationName: string | undefined;
  readonly relationShortName: string | undefined;
  readonly direction: 'from' | 'to';
}

/** Records related to one. */
export type RelatedTo = (recordId: number, followed: Followed) => readonly Related[];

/** What a complete procedure says about its actions. */
export interface ProcedureSettings {
  /** What every action is given; an action's own text counts where this is null or empty. */
  readonly arguments: string | null;
  /** Whether actions are critical, whatever they say themselves. */
  readonly isCritical: boolean | undefined;
  /** Percentage, from 1 to 99, of the targets of a flow that run at one time; else all of them do. */
  readonly rollAt: number | undefined;
}

/** Most targets a definition may reach: flows that go to and fro would multiply without end. */
const MOST = 10_000;

/** What a walk over flows needs at every step. */
interface Walk {
  readonly relatedTo: RelatedTo;
  readonly running: ProcedureSettings;
  readonly planned: PlannedAction[];
}

/**
 * The actions of a definition, anchored at a record. Actions of the definition itself run on the anchor. Targets of a flow are the related
 * records, those in `targetIds` when given; each target runs its actions by step number, then what is nested, anchored at the target. All
 * targets run at the same time, one after the other with `execStrategy: one-by-one`. With `rollAt` a flow of n targets becomes several flows of at
 * most n * rollAt / 100 (rounded up) that run one after the other. Undefined when it reaches more than 10,000 targets.
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

/** The record a flow is anchored at, the first order of its actions, and how many of its targets run at one time. */
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

/** Plans what runs on one record, then what is nested; returns the first order that is free after it. */
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
