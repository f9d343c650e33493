// Inputs and dependencies that follow from everything a program declares.
import { mapValues } from '../api/contract';
import { all, output, Output, unsecret, type Input } from '@pulumi/pulumi/output';
import { Resource, type CustomResource } from '@pulumi/pulumi/resource';
import { type ComesAfter, type DeclaredRecord, type Derive, type Fact, type Kind, type SettledBy } from '../provider';
import { isAcross, predecessorsOf, settlingRules, surroundingsOf } from '../provider/kinds/settled';
import { entryNames, UNKNOWN, type Values } from '../provider/values';
import { resourceOutput } from './links';
import { recordsBelow, type StackComponent } from './state-records';
import { treeOfRun, valueOf, type NamesByArgument, type ProgramResource, type TreeScope, type Tree } from './tree';

export interface Registering {
  readonly of: Kind;
  /** Arguments as given. */
  readonly args: Values;
  readonly address: NamesByArgument;
  readonly tree: Tree;
  /** The component of a stack file that it is a child of. */
  readonly component?: StackComponent | undefined;
}

/** Arguments that follow from other resources; those the program gives itself are left to it. */
export function settledArguments(own: Registering): { readonly [name: string]: Input<unknown> } {
  const rules = Object.entries(settlingRules(own.of)).filter(([name]) => own.args[name] === undefined);
  return Object.fromEntries(rules.map(([name, rule]) => [name, settled(own, rule)]));
}

async function settled(own: Registering, rule: SettledBy): Promise<Input<unknown>> {
  const found = await candidates(own, rule);
  return rule.value(
    await recordOf(own, rule),
    await Promise.all(found.map((each) => recordOf(each, rule))),
    derived,
    (make) => own.tree.state().then((state) => make(recordsBelow(state, own.component))),
  );
}

/** Resources of the program that one comes after; undefined where its arguments say it all. */
export function predecessors(own: Registering): Promise<readonly CustomResource[]> | undefined {
  const rule = own.of.after;
  return rule && cameBefore(own, rule);
}

async function cameBefore(own: Registering, rule: ComesAfter): Promise<readonly CustomResource[]> {
  const found = await candidates(own, rule);
  const itself = found.find(({ args }) => args === own.args);
  // What cannot be declared before this one is must not be waited for.
  const waitedFor = found.filter(
    (each) => each !== itself && !(itself && [...madeOf(each.args, own.tree)].includes(itself)),
  );
  const isAlike = ({ of }: ProgramResource): boolean => of.token === own.of.token;
  const record = await recordOf(own, rule);
  const around = await Promise.all(waitedFor.filter((each) => !isAlike(each)).map((each) => recordOf(each, rule)));
  // A value may come from this resource unseen: what cannot come before it is not read.
  const alike = waitedFor.filter(isAlike).map(async (each) => {
    const mayPrecede = rule.mayPrecede?.(record, await recordOf(each, {}), around) ?? true;
    return mayPrecede ? [await recordOf(each, rule)] : [];
  });
  const others = [...around, ...(await Promise.all(alike)).flat()];
  return predecessorsOf(record, others).flatMap(({ resource }) => resource ?? []);
}

function candidates({ of, args, address, tree }: Registering, rule: SettledBy | ComesAfter) {
  const { environment, ...around } = surroundingsOf(of, address);
  const isWhole = environment === undefined || isAcross(rule);
  const scope: TreeScope = { args, address: isWhole ? around : { ...around, environment } };
  const { stage } = rule as Partial<SettledBy>;
  return stage === undefined ? tree.within(scope, rule.from) : tree.collect(stage, scope);
}

/** A declared resource with what a rule reads of it known. */
interface KnownRecord extends DeclaredRecord {
  readonly resource?: CustomResource;
}

export async function recordOf(
  declared: Pick<ProgramResource, 'of' | 'address' | 'args'> & Partial<Pick<ProgramResource, 'resource'>>,
  { reads = [] }: Pick<ComesAfter, 'reads'>,
): Promise<KnownRecord> {
  const { of, args, resource } = declared;
  const words = Object.entries(declared.address).map(async ([name, word]) => [name, (await valueOf(word)) ?? '']);
  const known = reads.map(async (fact) => {
    const name = 'argument' in fact ? fact.argument : fact.entriesOf;
    const value = args[name];
    if (value === undefined || value === null) return [name, value];
    return [name, (await valueOf('argument' in fact ? output(value) : value)) ?? UNKNOWN];
  });
  return {
    of,
    address: Object.fromEntries(await Promise.all(words)) as DeclaredRecord['address'],
    args: { ...args, ...(Object.fromEntries(await Promise.all(known)) as Values) },
    ...(resource ? { resource, isRetained: treeOfRun().isRetained(resource) } : {}),
  };
}

/** Facts about a resource as outputs, so that the engine sees where a value comes from. */
const derived: Derive<KnownRecord> = (records, facts, make) =>
  all(records.map((record) => all(mapValues(facts, (fact) => inputOf(record, fact))))).apply(make);

function inputOf({ resource, args }: KnownRecord, fact: Fact): Input<unknown> {
  if ('output' in fact) return resource && resourceOutput(resource, fact.output);
  return 'argument' in fact ? args[fact.argument] : namesIn(args[fact.entriesOf]);
}

/** The entries of a map as given, without their values: names of secrets are no secrets. */
function namesIn(map: unknown): Input<object> {
  const named = (known: unknown): object => Object.fromEntries(entryNames(known).map((name) => [name, true]));
  return Output.isInstance(map) || map instanceof Promise
    ? unsecret(output(map as Input<unknown>)).apply(named)
    : named(map);
}

/**
 * The resources that a value is made of, directly or through others, as far as is known.
 * `isFollowed`: whether what a resource is made of counts, too.
 */
export function* madeOf(
  value: unknown,
  tree: Tree,
  isFollowed: (declared: ProgramResource) => boolean = () => true,
): Generator<ProgramResource> {
  const seen = new Set<unknown>();
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null || seen.has(each)) continue;
    seen.add(each);
    if (Resource.isInstance(each)) {
      const declared = tree.of(each as CustomResource);
      if (declared === undefined) continue;
      yield declared;
      if (isFollowed(declared)) left.push(declared.args);
    } else left.push(...(Output.isInstance(each) ? sourcesOf(each) : Object.values(each)));
  }
}

/** Resources an output is known to come from immediately, without waiting for it. */
const sourcesOf = (value: object): ReadonlySet<Resource> =>
  (value as { resources(): ReadonlySet<Resource> }).resources();
