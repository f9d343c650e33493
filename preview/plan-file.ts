// A saved plan of the engine, as `pulumi preview --save-plan` writes it, and the state that it
// starts from, as `pulumi stack export` prints it: the plan itself contains no start.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonOf } from '../drift';
import {
  type EngineState,
  MASK,
  memberPath,
  resourcesIn,
  state,
  values,
  type EngineDocument,
  type EngineResource,
  type EngineStep,
} from './document';
import { parseUrn, secretIn } from '../provider';
import type { ServiceIdentity } from '../provider/session/settings';
import { changedInside, isPlainObject, type Values, defined } from '../provider/values';
import { planOf } from './read-preview';
import type { Plan } from './plan';

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

export type ResourcePlan = z.output<typeof resourcePlan>;
export type PlanFile = z.output<typeof planFile>;

/** Reads a saved plan. Throws Error for anything else, without its text, which may have secrets. */
export function readPlanText(text: string): PlanFile {
  const parsed = jsonOf(text);
  const plan = readPlanFile(parsed);
  // Of two members of one name, this reader has the last one, and the engine has both.
  if (namesWritten(text) !== namesIn(parsed)) throw changedByHand('the same name is in it twice');
  return plan;
}

/** The same from its JSON, parsed. */
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

/** A name that the engine takes for one of these in other letters, and that nobody reads here. */
function misspelt(members: object, names: readonly string[]): string | undefined {
  const folded = (name: string): string => name.toUpperCase().toLowerCase();
  const known = new Set(names.map(folded));
  return Object.keys(members).find((name) => !names.includes(name) && known.has(folded(name)));
}

const changedByHand = (how: string): Error =>
  new Error(
    `it is not as "pulumi preview --save-plan" wrote it: ${how}, so a run would do something else; make it again`,
  );

/** How many names of members a JSON text has: its strings before a colon. */
function namesWritten(text: string): number {
  let names = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) names += 1;
  return names;
}

/** How many names of members a value has, at any depth. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, each) => sum + namesIn(each), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

export interface StartResource extends EngineState {
  readonly urn: string;
}

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
    resources: z.array(state.extend({ urn: z.string(), delete: z.boolean().optional() })).nullish(),
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

export const withoutSecrets = (value: unknown): unknown =>
  secretIn(value) === undefined ? changedInside(value, withoutSecrets) : MASK;

/** Inputs after the plan: those of the state with what the plan changes. Secrets are masked. */
export function plannedInputs({ goal }: ResourcePlan, before: StartResource | undefined): Values {
  const { adds, updates, deletes } = goal?.inputDiff ?? {};
  const gone = new Set(deletes ?? []);
  const kept = Object.entries(before?.inputs ?? {}).filter(([name]) => !gone.has(name));
  return withoutSecrets({ ...Object.fromEntries(kept), ...adds, ...updates }) as Values;
}

/** Steps that a preview shows; the first of them says what happens. */
const SHOWN = ['create', 'update', 'create-replacement', 'replace', 'delete', 'import', 'same'];

function stepOf(urn: string, plan: ResourcePlan, before: StartResource | undefined): EngineStep {
  const op = SHOWN.find((each) => plan.steps?.includes(each)) ?? plan.steps?.[0] ?? '';
  const { id, inputs: olds = {}, outputs = {}, additionalSecretOutputs, sourcePosition } = before ?? {};
  const kept = {
    ...defined({ id, additionalSecretOutputs, sourcePosition }),
    ...{ inputs: withoutSecrets(olds) as Values, outputs: withoutSecrets(outputs) as Values },
  };
  const oldState = before && op !== 'create' ? { oldState: kept } : {};
  // Without a goal nothing declares it, whatever the engine calls its step.
  if (op === 'delete' || !plan.goal) return { op, urn, ...oldState };
  const inputs = plannedInputs(plan, before);
  const newState = { inputs, protect: plan.goal['protect'] };
  return { op, urn, ...oldState, newState, ...secretDiff(plan, oldState.oldState?.inputs ?? {}, inputs) };
}

/** Secrets that an update writes, equal since masked, and every other path that differs. */
function secretDiff(
  { goal }: ResourcePlan,
  before: Values,
  after: Values,
): { readonly detailedDiff?: EngineStep['detailedDiff'] } {
  const written = Object.entries(goal?.inputDiff?.updates ?? {});
  const secrets = written.flatMap(([name, value]) => [...secretPaths(name, value)]);
  if (secrets.length === 0) return {};
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const plain = [...names].flatMap((name) => differing(name, before[name], after[name]));
  return { detailedDiff: Object.fromEntries([...plain, ...secrets].map((path) => [path, { kind: 'update' }])) };
}

function secretPaths(path: string, value: unknown): readonly string[] {
  if (secretIn(value) !== undefined) return [path];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretPaths(memberPath(path, key), item));
}

function differing(path: string, before: unknown, after: unknown): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isPlainObject(before) || !isPlainObject(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differing(memberPath(path, key), before[key], after[key]));
}

function countsOf(steps: readonly EngineStep[]): { readonly [operation: string]: number } {
  const counts: { [operation: string]: number } = {};
  for (const { op, urn } of steps)
    if (!parseUrn(urn)?.type.startsWith('pulumi:providers:')) {
      const name = op === 'create-replacement' ? 'replace' : op;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  return counts;
}

/** The stack and the project that a plan is of; undefined for a plan without a resource. */
export function stackOfPlan({
  resourcePlans,
}: PlanFile): { readonly stack: string; readonly project: string } | undefined {
  return parseUrn(Object.keys(resourcePlans)[0] ?? '');
}

/** The plan as the engine's document; a secret of the configuration is left out. */
function plannedDocument(plan: PlanFile, start: PlanStart): EngineDocument {
  const steps = Object.entries(plan.resourcePlans).map(([urn, each]) => stepOf(urn, each, start.resources.get(urn)));
  const config = Object.entries(plan.config ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { config: Object.fromEntries(config), steps, changeSummary: countsOf(steps) };
}

/** What a saved plan does, as a preview says it. */
export const describePlan = (plan: PlanFile, start: PlanStart, options: Parameters<typeof planOf>[1]): Plan =>
  planOf(plannedDocument(plan, start), { ...options, stack: options.stack ?? stackOfPlan(plan)?.stack });

/** The resources of ours that a plan declares, changed or not, and those that it deletes. */
export const plannedResources = (plan: PlanFile, start: PlanStart): readonly EngineResource[] =>
  resourcesIn(plannedDocument(plan, start), ({ oldState }) => oldState);

/**
 * SHA-256 over the goal and the steps of each resource, the configuration, the start and the
 * service. Often only the environment names the service, so the plan does not contain it. Secrets
 * of the plan take part as the file encrypts them, with a random nonce: nobody can guess a value by
 * hashing candidates, and nobody can exchange one without another digest. Secrets of the state are
 * left out, because its revisions change with them.
 */
export function planDigest(
  { config, resourcePlans }: PlanFile,
  start: PlanStart,
  service: ServiceIdentity = {},
): string {
  const resources = Object.fromEntries(
    Object.entries(resourcePlans).map(([urn, { goal, steps }]) => [urn, { goal, steps }]),
  );
  const from = Object.fromEntries(
    [...start.resources].map(([urn, { id, inputs, outputs }]) => {
      return [urn, withoutSecrets({ id, inputs: inputs ?? {}, outputs: outputs ?? {} })];
    }),
  );
  return createHash('sha256')
    .update(canonical({ version: 1, config, resources, start: from, service }))
    .digest('hex');
}

/** JSON with sorted keys, without what is absent and without secrets in clear. */
function canonical(value: unknown): string {
  const secret = secretIn(value);
  if (secret !== undefined && secret !== 'encrypted') return '"[secret]"';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value ?? null);
  const present = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  const sorted = present.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${sorted.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}
