// What changed from one reading of a stack to the next: nothing but what was accepted may have.
import { fieldOf, sameValue, type Shape } from '../../provider';
import { EXPRESSION, type ReadStack, type ResourceDeclaration, type ResourceKey, type StackPlan } from '../../stack';

/** One accepted change: an argument's new value (absent: no longer declared), or a resource that left or came. */
export type PlanChange =
  | { readonly of: 'argument'; readonly key: ResourceKey; readonly argument: string; readonly value: unknown }
  | { readonly of: 'gone'; readonly key: ResourceKey }
  | { readonly of: 'new'; readonly key: ResourceKey; readonly args: { readonly [name: string]: unknown } };

/** Nothing when a new reading says what the old one did but for the change; else what is wrong with it, in one line. */
export function wrongWith(before: StackPlan, after: ReadStack, change: PlanChange): string | undefined {
  const { plan, findings } = after;
  if (plan === undefined) {
    const [first] = findings.filter(({ severity }) => severity === 'error');
    if (first === undefined) return 'the file could not be read again';
    const { file, start } = first.at;
    return `the file would no longer be valid: ${file}:${start.line}:${start.column} ${first.message}`;
  }
  const old = byKey(before);
  const now = byKey(plan);
  const leaving = change.of === 'gone' ? withinOf(before, change.key) : new Set<ResourceKey>();
  const coming = change.of === 'new' ? new Set([change.key]) : new Set<ResourceKey>();
  const lost = [...old.keys()].find((key) => !now.has(key) && !leaving.has(key));
  if (lost !== undefined) return `${lost} would no longer be declared`;
  const extra = [...now.keys()].find((key) => (!old.has(key) && !coming.has(key)) || leaving.has(key));
  if (extra !== undefined) return `${extra} would be declared`;
  for (const [key, declaration] of old) {
    const next = now.get(key);
    if (next === undefined) continue;
    const own = change.of === 'argument' && change.key === key ? change : undefined;
    if (own && !holds(next, own.argument, own.value)) return `${own.argument} would be read as another value`;
    if (textOf(declaration, own?.argument) !== textOf(next, own?.argument)) return `${key} would change, too`;
  }
  if (change.of === 'new') {
    const made = now.get(change.key);
    const wrong = Object.entries(change.args).find(([name, value]) => made === undefined || !holds(made, name, value));
    if (wrong) return `${change.key} would be declared with another ${wrong[0]}`;
  }
  return surroundingsOf(before) === surroundingsOf(plan) ? undefined : 'configuration or outputs would change, too';
}

const surroundingsOf = ({ config, outputs }: StackPlan): string => JSON.stringify(comparable({ config, outputs }));

/** What a plan declares, as text that is equal for plans that mean the same. */
export const meaningOf = (plan: StackPlan): string =>
  JSON.stringify([plan.resources.map((each) => [each.key, textOf(each, undefined)]), surroundingsOf(plan)]);

const byKey = (plan: StackPlan): ReadonlyMap<ResourceKey, ResourceDeclaration> =>
  new Map(plan.resources.map((each) => [each.key, each]));

/** A resource and everything in it. */
function withinOf({ resources }: StackPlan, key: ResourceKey): ReadonlySet<ResourceKey> {
  const all = new Set([key]);
  // Parents come before what is in them.
  for (const each of resources) if (each.within !== undefined && all.has(each.within)) all.add(each.key);
  return all;
}

const holds = ({ kind, args }: ResourceDeclaration, name: string, value: unknown): boolean => {
  const shape: Shape = fieldOf(kind, name)?.shape ?? { type: 'open' };
  return sameValue(shape, comparable(args[name]), comparable(value));
};

/** What a declaration says, without one of its arguments, as text that is equal for what means the same. */
function textOf({ args, options, secrets }: ResourceDeclaration, without: string | undefined): string {
  const rest = Object.entries(args).filter(([name]) => name !== without);
  return JSON.stringify(comparable([Object.fromEntries(rest), options, [...secrets].map(String).sort()]));
}

/** Plain data that is equal for what means the same: expressions without their places. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(comparable);
  const kept = Object.entries(value).filter(([name]) => !['place', 'at'].includes(name));
  const plain = Object.fromEntries(kept.map(([name, item]) => [name, comparable(item)]));
  return EXPRESSION in value ? JSON.stringify([value[EXPRESSION], plain]) : plain;
}
