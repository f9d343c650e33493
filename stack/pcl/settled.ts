// What the SDK fills in for programs in TypeScript and for stack files, as values that any program
// can declare: members of a release, clouds, what comes before what.
import { addressOf, scopeAt, type DeclaredRecord, type Derive } from '../../provider';
import { predecessorsOf, settle } from '../../provider/kinds/settled';
import type { ResourceDeclaration, StackPlan } from '../plan';
import {
  EXPRESSION,
  isExpression,
  outputOf,
  textTemplate,
  type Reference,
  type ResourceKey,
  type Value,
} from '../values/value';

/** What follows for one resource from all of them. */
interface Settled {
  readonly args: { readonly [name: string]: Value };
  /** What it comes after although no argument of it says so. */
  readonly after: readonly ResourceKey[];
}

interface Declared extends DeclaredRecord {
  readonly declaration: ResourceDeclaration;
}

/** What follows for each resource of a plan. */
export function settledIn({ resources }: StackPlan): ReadonlyMap<ResourceKey, Settled> {
  const byKey = new Map(resources.map((each) => [each.key, each]));
  const records = resources.map((each) => recordOf(each, byKey));
  const reaches = reachability(resources);
  return new Map(
    records.map((own) => {
      const { key } = own.declaration;
      const args = settle(own, records, derived) as { readonly [name: string]: Value };
      const before = predecessorsOf(own, records).map(({ declaration }) => declaration.key);
      // What cannot be declared before this one is not waited for.
      const after = before.filter((other) => !reaches(other, key));
      after.forEach((other) => reaches.add(key, other));
      return [key, { args, after }];
    }),
  );
}

function recordOf(declaration: ResourceDeclaration, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): Declared {
  const { kind, args } = declaration;
  const words = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, wordOf(value, byKey)]));
  const of = scopeAt(kind, words) ?? kind;
  return { of, address: addressOf(of, words), args, declaration };
}

/** A name as far as the file says it: a parent's is a reference to that one's own. */
function wordOf(value: Value, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): unknown {
  if (typeof value !== 'object' || value === null || !isExpression(value)) return value;
  if (value[EXPRESSION] !== 'reference' || value.target.of !== 'resource' || value.target.output !== 'name')
    return value;
  const named = byKey.get(value.target.key);
  return named && wordOf(named.args['name'] ?? named.logicalName, byKey);
}

/** Stands for an output while a text is made of it; no text of a record contains it. */
const HOLE = '\u0000';

/** A value of one output of each record, with the text around the outputs. */
const derived: Derive<Declared> = (records, facts, make) => {
  const output = Object.values(facts).flatMap((fact) => ('output' in fact ? [fact.output] : []))[0];
  const made = make(
    records.map(({ declaration }) =>
      Object.fromEntries(
        Object.entries(facts).map(([name, fact]) => [
          name,
          'output' in fact ? HOLE : declaration.args['argument' in fact ? fact.argument : fact.entriesOf],
        ]),
      ),
    ),
  );
  if (typeof made !== 'string' || output === undefined) return made;
  const parts = made.split(HOLE).flatMap((text, index): readonly (string | Reference)[] => {
    const record = index === 0 ? undefined : records[index - 1];
    return [...(record ? [outputOf(record.declaration.key, output)] : []), ...(text === '' ? [] : [text])];
  });
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : textTemplate(parts);
};

/** Whether one resource comes after another, through any number of others. */
function reachability(resources: StackPlan['resources']) {
  const after = new Map<ResourceKey, Set<ResourceKey>>(resources.map((each) => [each.key, new Set(each.after)]));
  const reaches = (from: ResourceKey, to: ResourceKey, seen = new Set<ResourceKey>()): boolean =>
    from === to ||
    [...(after.get(from) ?? [])].some((next) => {
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return Object.assign((from: ResourceKey, to: ResourceKey) => reaches(from, to), {
    add: (from: ResourceKey, to: ResourceKey) => after.get(from)?.add(to),
  });
}
