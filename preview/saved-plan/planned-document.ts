// A saved plan and its start as the document that `pulumi preview --json` prints, so that one reader serves both.
import { isPlainObject, secretIn } from '../../provider';
import {
  kindToken,
  parseUrn,
  enginePlace,
  type EngineDocument,
  type EngineResource,
  type EngineStep,
} from '../document';
import { planOf } from '../read-preview';
import type { Plan } from '../plan';
import type { PlanFile, PlanStart, ResourcePlan, StartResource } from './plan-file';

type Values = { readonly [name: string]: unknown };

/** The engine's own word for a secret. */
const MASK = '[secret]';

/** The value without secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (secretIn(value) !== undefined) return MASK;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecrets(item)]));
}

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
  const state = (from: StartResource): EngineStep['oldState'] => ({
    ...(from.id === undefined ? {} : { id: from.id }),
    inputs: withoutSecrets(from.inputs ?? {}) as Values,
    outputs: withoutSecrets(from.outputs ?? {}) as Values,
    additionalSecretOutputs: from.additionalSecretOutputs ?? null,
    ...(from.sourcePosition === undefined ? {} : { sourcePosition: from.sourcePosition }),
  });
  const oldState = before && op !== 'create' ? { oldState: state(before) } : {};
  if (op === 'delete') return { op, urn, ...oldState };
  const inputs = plannedInputs(plan, before);
  return { op, urn, ...oldState, newState: { inputs }, ...secretDiff(plan, oldState.oldState?.inputs ?? {}, inputs) };
}

/**
 * Secrets that an update writes: masked they are equal, and encrypted they differ in any case. So that none is left out, each is listed that is in an
 * argument the plan writes. With them, every other path that differs.
 */
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

const inside = (path: string, key: string): string =>
  /^\w+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

function secretPaths(path: string, value: unknown): readonly string[] {
  if (secretIn(value) !== undefined) return [path];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretPaths(inside(path, key), item));
}

function differing(path: string, before: unknown, after: unknown): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isPlainObject(before) || !isPlainObject(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differing(inside(path, key), before[key], after[key]));
}

/** Numbers of resources as the engine counts them. */
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
export const plannedResources = ({ resourcePlans }: PlanFile, start: PlanStart): readonly EngineResource[] =>
  Object.entries(resourcePlans).flatMap(([urn, each]): readonly EngineResource[] => {
    const names = parseUrn(urn);
    const token = names && kindToken(names.type);
    if (names === undefined || token === undefined) return [];
    const before = start.resources.get(urn);
    const own = { token, logicalName: names.name, inputs: plannedInputs(each, before), ...enginePlace(before) };
    if (each.goal) return [{ ...own, isProtected: each.goal['protect'] === true }];
    return each.steps?.includes('delete') === true ? [{ ...own, leaves: true }] : [];
  });
