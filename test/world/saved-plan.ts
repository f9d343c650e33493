// Plans as the engine saves them, of edits of a stack in a world, and the verification of one as a later run makes it.
import { type PlanFile, readPlanFile, type Verification, type VerifyOptions, verifyPlan } from '../../preview';
import type { Inputs, Kind } from '../../provider';
import { exportOf, keptOf, urnOf, written } from './drift-world';
import { preview, type Declared, type Stack } from './engine-simulation';
import { kindOf, type World } from './world';

/** Inputs of a plan's step, with what differs from those before; secrets encrypted. */
function inputDiff(of: Kind, before: Inputs, after: Inputs): { readonly [part: string]: unknown } {
  const differs = (name: string): boolean => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const encrypted = written(of, after, true);
  const pick = (names: readonly string[]): Inputs => Object.fromEntries(names.map((name) => [name, encrypted[name]]));
  return {
    adds: pick(Object.keys(after).filter((name) => !(name in before))),
    updates: pick(Object.keys(after).filter((name) => name in before && differs(name))),
    deletes: Object.keys(before).filter((name) => !(name in after)),
  };
}

const STEPS: { readonly [step: string]: readonly string[] } = {
  replace: ['delete-replaced', 'replace', 'create-replacement'],
};

/** What `pulumi preview --save-plan` writes for an edit of a stack; undefined when the preview fails. `by`: whose previews of updates they are. */
export async function savedPlan(
  world: World,
  stack: Stack,
  declared: readonly Declared[],
  by: 'dynamic' | 'plugin' = 'dynamic',
): Promise<PlanFile | undefined> {
  const { steps, errors, inputs } = await preview(world, stack, declared);
  if (errors.length > 0) return undefined;
  const named = new Map(steps.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
  const goals = [...inputs].map(([key, after]) => {
    const { token, inputs: before = {}, outputs = {} } = { token: key.split('::')[0] ?? '', ...stack.get(key) };
    const of = kindOf(token);
    const step = named.get(key) ?? 'same';
    const goal = { inputDiff: inputDiff(of, before, after) };
    const stays = by === 'plugin' && step === 'update' ? { ciId: outputs['ciId'], origin: outputs['origin'] } : {};
    const state = written(of, step === 'same' ? outputs : { ...after, ...stays }, true);
    return [urnOf(key), { goal, steps: STEPS[step] ?? [step], state }] as const;
  });
  const gone = [...named].flatMap(([key, step]) =>
    step === 'delete' ? [[urnOf(key), { steps: ['delete'] }] as const] : [],
  );
  world.clock.advance(1_000);
  return readPlanFile({
    manifest: { time: new Date(world.clock.now()).toISOString() },
    config: { 'oneops:organization': 'acme' },
    resourcePlans: Object.fromEntries([...goals, ...gone]),
  });
}

/** Whether a plan may still be applied to what a stack is now. Time passes first: nobody verifies immediately. */
export function verifiedIn(
  world: World,
  stack: Stack,
  plan: PlanFile,
  options: Partial<VerifyOptions> = {},
): Promise<Verification> {
  world.clock.advance(60_000);
  // The run that made the start ended a second before.
  const saved = new Date(Date.parse(plan.manifest.time) - 1_000).toISOString();
  const exported = exportOf(keptOf(stack), { encrypted: true, saved });
  return verifyPlan({ plan, exported, api: world.api, clock: world.freshSession().clock, ...options });
}
