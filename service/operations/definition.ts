// A procedure's definition: JSON text that says what runs where in which order (api.md §4.8, wire-facts §4.8).
// It must not know procedures' states, nor the store: relations are asked of a function.
import { z } from 'zod';

interface Flow {
  readonly targetIds?: readonly (string | number)[] | null | undefined;
  readonly relationName: string;
  readonly direction: 'from' | 'to';
  readonly targetClassName?: string | null | undefined;
  readonly execStrategy?: string | null | undefined;
  readonly actions?: readonly FlowAction[] | null | undefined;
  readonly flow?: readonly Flow[] | null | undefined;
}

const flowAction = z.looseObject({
  actionName: z.string().min(1),
  stepNumber: z.union([z.number().int(), z.string().regex(/^\d+$/)]).nullish(),
  isCritical: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
  extraInfo: z.union([z.string(), z.number()]).nullish(),
  arglist: z.string().nullish(),
});
type FlowAction = z.output<typeof flowAction>;

const flow: z.ZodType<Flow> = z.looseObject({
  targetIds: z.array(z.union([z.string(), z.number()])).nullish(),
  relationName: z.string().min(1),
  direction: z.enum(['from', 'to']),
  targetClassName: z.string().nullish(),
  execStrategy: z.enum(['one-by-one', 'parallel']).nullish(),
  actions: z.array(flowAction).nullish(),
  get flow() {
    return z.array(flow).nullish();
  },
});

const definition = z.looseObject({ name: z.string().nullish(), flow: z.array(flow) });

/** A definition that was read, or why not. */
export type Reading =
  | { readonly ok: true; readonly name: string | undefined; readonly flow: readonly Flow[] }
  | { readonly ok: false; readonly reason: string };

/** How deep flows may be nested in JSON: a flow within a flow takes two. */
const DEEPEST = 24;

/** Depth of brackets in JSON text; those inside of strings count too, which only makes it stricter. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Reads the JSON text. */
export function readDefinition(text: string): Reading {
  if (depthOf(text) > DEEPEST) return { ok: false, reason: 'definition is nested too deeply' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: 'definition is no JSON text' };
    throw error;
  }
  const result = definition.safeParse(parsed);
  if (!result.success) {
    return {
      ok: false,
      reason: result.error.issues.map((issue) => `definition.${issue.path.join('.')}: ${issue.message}`).join('; '),
    };
  }
  return { ok: true, name: result.data.name ?? undefined, flow: result.data.flow };
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
export interface Related {
  readonly id: number;
  readonly className: string;
}

/** Records related to one, by relation name and direction. */
export type RelatedTo = (recordId: number, relationName: string, direction: 'from' | 'to') => readonly Related[];

/** Most targets a definition may reach: flows that go to and fro would multiply without end. */
const MOST = 10_000;

/**
 * The actions of a flow, anchored at a record. Targets are the related records, those in `targetIds` when given. Actions of a target run by
 * step number; targets one after the other, or at once with `execStrategy: parallel`; then what is nested, anchored at the target.
 * Undefined when it reaches more than 10,000 targets.
 */
export function plannedActions(
  flows: readonly Flow[],
  anchorId: number,
  relatedTo: RelatedTo,
): PlannedAction[] | undefined {
  const planned: PlannedAction[] = [];
  let reached = 0;
  const counted: RelatedTo = (...asked) => {
    if (reached > MOST) return [];
    const related = relatedTo(...asked);
    reached += related.length;
    return related;
  };
  walk(flows, anchorId, counted, 1, planned);
  return reached > MOST ? undefined : planned;
}

/** Adds the actions from `start` on; answers the first order that is free after them. */
function walk(
  flows: readonly Flow[],
  anchorId: number,
  relatedTo: RelatedTo,
  start: number,
  planned: PlannedAction[],
): number {
  return flows.reduce((first, each) => {
    const only = new Set((each.targetIds ?? []).map(String));
    const targets = relatedTo(anchorId, each.relationName, each.direction)
      .filter(({ id }) => only.size === 0 || only.has(String(id)))
      .filter(({ className }) => (each.targetClassName ?? className) === className);
    const parallel = each.execStrategy === 'parallel';
    return targets.reduce((next, target) => {
      const from = parallel ? first : next;
      const actions = (each.actions ?? []).map((action, index) => plan(action, index, target.id, from));
      planned.push(...actions);
      const after = Math.max(from, ...actions.map((action) => action.execOrder + 1));
      return Math.max(next, walk(each.flow ?? [], target.id, relatedTo, after, planned));
    }, first);
  }, start);
}

function plan(action: FlowAction, index: number, recordId: number, from: number): PlannedAction {
  const step = action.stepNumber === null || action.stepNumber === undefined ? index + 1 : Number(action.stepNumber);
  return {
    recordId,
    name: action.actionName,
    execOrder: from + Math.max(1, step) - 1,
    isCritical: action.isCritical === true || action.isCritical === 'true',
    extraInfo: action.extraInfo === null || action.extraInfo === undefined ? null : String(action.extraInfo),
    arguments: action.arglist ?? null,
  };
}
