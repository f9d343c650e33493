// The files of a stack after a read: the plan, and the place of each declaration.
import {
  readStack,
  type ReadStack,
  type SourceFile,
  type StackEnvironment,
  type StackPlan,
  type WrittenResource,
  EXPRESSION,
  withTexts,
  type ResourceDeclaration,
  type ResourceKey,
} from '../../stack';
import { fieldOf } from '../../provider';
import { changedInside, isPlainObject, sameValue, type Shape } from '../../provider/values';

export interface StackReading {
  /** Those that were given, then those that they include. */
  readonly files: readonly SourceFile[];
  readonly plan: StackPlan;
  readonly written: readonly WrittenResource[];
  readonly included: ReadonlySet<string>;
}

/** Reads files; `reading` is there without an error. `edited`: texts in place of included files. */
export function readFiles(
  files: readonly SourceFile[],
  environment: StackEnvironment,
  edited: readonly SourceFile[] = [],
): { readonly read: ReadStack; readonly reading?: StackReading } {
  const texts = new Map(edited.map(({ name, text }) => [name, text]));
  const found = new Map<string, SourceFile>();
  const read = readStack(
    files,
    withTexts(
      environment,
      (name) => texts.get(name),
      (file) => found.set(file.name, file),
    ),
  );
  const { plan, written } = read;
  if (plan === undefined || written === undefined) return { read };
  for (const { name } of files) found.delete(name);
  return { read, reading: { files: [...files, ...found.values()], plan, written, included: new Set(found.keys()) } };
}

/** One accepted change: an argument's new value, or none, or a resource that left or came. */
export type PlanChange =
  | { readonly of: 'argument'; readonly key: ResourceKey; readonly argument: string; readonly value: unknown }
  | { readonly of: 'gone'; readonly key: ResourceKey }
  | { readonly of: 'new'; readonly key: ResourceKey; readonly args: { readonly [name: string]: unknown } };

/** The fault of a new reading, in one line; nothing if only the change differs. */
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

const meaningOf = (plan: StackPlan): string =>
  JSON.stringify([plan.resources.map((each) => [each.key, textOf(each, undefined)]), surroundingsOf(plan)]);

const byKey = (plan: StackPlan): ReadonlyMap<ResourceKey, ResourceDeclaration> =>
  new Map(plan.resources.map((each) => [each.key, each]));

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

/** A declaration without one of its arguments, as comparable text. */
function textOf({ args, options, secrets }: ResourceDeclaration, without: string | undefined): string {
  const rest = Object.entries(args).filter(([name]) => name !== without);
  return JSON.stringify(comparable([Object.fromEntries(rest), options, [...secrets].map(String).sort()]));
}

/** Plain data that is equal for what means the same: expressions without their places. */
function comparable(value: unknown): unknown {
  if (!isPlainObject(value)) return changedInside(value, comparable);
  const { place: _, at: __, ...kept } = value;
  const plain = changedInside(kept, comparable);
  return EXPRESSION in value ? JSON.stringify([value[EXPRESSION], plain]) : plain;
}

interface OtherStack {
  readonly name: string;
  readonly environment: StackEnvironment | undefined;
}

/** Names of other stacks of these files for which an accepted value changes something, or may. */
export interface OtherStacks {
  /** The files declare something else than before. */
  readonly changed: readonly string[];
  /** Their settings, or the files as they were, are not valid: what they declare is not known. */
  readonly unknown: readonly string[];
}

/** `before`: the given files; `after`: these and the ones they include, with what was accepted. */
export function changedStacks(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  stacks: readonly OtherStack[],
): OtherStacks {
  const given = new Set(before.map(({ name }) => name));
  const main = after.filter(({ name }) => given.has(name));
  const [changed, unknown]: [string[], string[]] = [[], []];
  for (const { name, environment } of stacks) {
    const declared = environment && readFiles(before, environment).reading;
    const now = declared && readFiles(main, environment, after).reading;
    if (declared === undefined) unknown.push(name);
    else if (now === undefined || meaningOf(declared.plan) !== meaningOf(now.plan)) changed.push(name);
  }
  return { changed, unknown };
}
