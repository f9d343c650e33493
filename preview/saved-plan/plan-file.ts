// A saved plan of the engine, as `pulumi preview --save-plan` writes it, as far as we read it, and the state that it starts from.
// The plan contains no start: what a step changes is in the state of the stack, as `pulumi stack export` prints it.
import { z } from 'zod';
import { jsonOf } from '../../drift';
import type { EngineState } from '../document';

const values = z.record(z.string(), z.unknown());

const inputDiff = z.looseObject({
  adds: values.nullish(),
  updates: values.nullish(),
  deletes: z.array(z.string()).nullish(),
});

const resourcePlan = z.looseObject({
  goal: z.looseObject({ inputDiff: inputDiff.nullish() }).nullish(),
  steps: z.array(z.string()).nullish(),
  state: values.nullish(),
});

const planFile = z.looseObject({
  manifest: z.looseObject({ time: z.string(), version: z.string().optional() }),
  config: values.nullish(),
  resourcePlans: z.record(z.string(), resourcePlan),
});

/** What the engine plans for one resource. */
export type ResourcePlan = z.output<typeof resourcePlan>;
/** A saved plan. */
export type PlanFile = z.output<typeof planFile>;

/** Reads the text of a saved plan. Throws Error for anything else, without its text, which may contain secrets. */
export function readPlanText(text: string): PlanFile {
  const parsed = jsonOf(text);
  const plan = readPlanFile(parsed);
  // Of two members of one name, this reader has the last one, and the engine has both.
  if (namesWritten(text) !== namesIn(parsed)) throw changedByHand('the same name is in it twice');
  return plan;
}

/** Reads a saved plan: its JSON, parsed. Throws Error for anything else, without its text, which may contain secrets. */
export function readPlanFile(parsed: unknown): PlanFile {
  const read = planFile.safeParse(parsed);
  if (!read.success || Number.isNaN(Date.parse(read.data.manifest.time)))
    throw new Error('it is not a plan that "pulumi preview --save-plan" wrote');
  const { resourcePlans } = read.data;
  const misread =
    misspelt(read.data, PLAN_NAMES) ??
    Object.values(resourcePlans)
      .map((each) => misspelt(each, RESOURCE_NAMES))
      .find((name) => name !== undefined);
  if (misread !== undefined) throw changedByHand(`"${misread}" is written in other letters`);
  return read.data;
}

const PLAN_NAMES = Object.keys(planFile.shape);
const RESOURCE_NAMES = Object.keys(resourcePlan.shape);

/** A name that the engine takes for one of these, since the case of letters means nothing to it, and that nobody reads here. */
function misspelt(members: object, names: readonly string[]): string | undefined {
  const folded = (name: string): string => name.toUpperCase().toLowerCase();
  const known = new Set(names.map(folded));
  return Object.keys(members).find((name) => !names.includes(name) && known.has(folded(name)));
}

const changedByHand = (how: string): Error =>
  new Error(
    `it is not as "pulumi preview --save-plan" wrote it: ${how}, so a run would do something else; make it again`,
  );

/** How many names of members a JSON text has. */
function namesWritten(text: string): number {
  const colon = /\s*:/y;
  let names = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    at = endOfText(text, at);
    colon.lastIndex = at + 1;
    if (colon.test(text)) names += 1;
  }
  return names;
}

/** Where the JSON string ends that begins at a place. */
function endOfText(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}

/** How many names of members a value has, at any depth. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, each) => sum + namesIn(each), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** A resource of the state. */
export interface StartResource extends EngineState {
  readonly urn: string;
}

/** The state that a plan starts from. */
export interface PlanStart {
  /** When it was saved, in milliseconds since 1970; undefined when the export does not say. */
  readonly saved: number | undefined;
  readonly resources: ReadonlyMap<string, StartResource>;
  /** Operations of an interrupted run, whose end the state does not have. */
  readonly pending: readonly { readonly urn: string; readonly operation: string }[];
}

const start = z.looseObject({
  deployment: z.looseObject({
    manifest: z.looseObject({ time: z.string().optional() }).nullish(),
    resources: z
      .array(
        z.looseObject({
          urn: z.string(),
          id: z.string().optional(),
          inputs: values.nullish(),
          outputs: values.nullish(),
          delete: z.boolean().optional(),
          additionalSecretOutputs: z.array(z.string()).nullish(),
          sourcePosition: z.string().optional(),
        }),
      )
      .nullish(),
    pending_operations: z
      .array(z.looseObject({ resource: z.looseObject({ urn: z.string() }), type: z.string() }))
      .nullish(),
  }),
});

/** Reads an export: its JSON, parsed. Throws Error for what is no export of a stack. */
export function readStart(exported: unknown): PlanStart {
  const read = start.safeParse(exported);
  if (!read.success) throw new Error('it is not an export of a stack');
  const { manifest, resources, pending_operations: pending } = read.data.deployment;
  const saved = Date.parse(manifest?.time ?? '');
  const kept = (resources ?? []).filter((each) => each.delete !== true);
  return {
    saved: Number.isNaN(saved) ? undefined : saved,
    resources: new Map(kept.map((each) => [each.urn, each])),
    pending: (pending ?? []).map(({ resource, type }) => ({ urn: resource.urn, operation: type })),
  };
}
