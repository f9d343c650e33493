// Registers the resources and outputs of a plan, for the language host and for `stack()` in
// programs: in their order, few enough at a time, each at its place in the file.
import { createHash } from 'node:crypto';
import { all, output, secret, type Input, type Output } from '@pulumi/pulumi/output';
import {
  Resource,
  type ComponentResource,
  type CustomResource,
  type CustomResourceOptions,
  type ProviderResource,
} from '@pulumi/pulumi/resource';
import { RunError } from '@pulumi/pulumi/errors';
import { getOrganization, getProject, getRootDirectory, getStack } from '@pulumi/pulumi/runtime/settings';
import { StackReference } from '@pulumi/pulumi/stackReference';
import { addressNames, fieldOf, IGNORED, PLACES } from '../../provider';
import { addressToCome } from '../../provider/kinds';
import { settledNames } from '../../provider/kinds/settled';
import { coversPath, defined, isPlainObject, parsePropertyPath } from '../../provider/values';
import { declareResource, hold, invokeOutput } from '../../sdk';
import { secretsOf, type ResourceDeclaration, type StackPlan } from '../plan';
import { CallFault, plainCarrier, resolve, valueAt, type Carrier } from '../values/resolve';
import {
  resourceKey,
  withSecrets,
  type PULUMI_NAMES,
  type ResourceKey,
  type Target,
  type Value,
} from '../values/value';
import { type FilePlace, rangeText } from '../yaml/source';
import type { Placed } from '../yaml/tree';

export interface PlanRun {
  readonly plan: StackPlan;
  /** Values of the plan's configuration, including defaults. */
  readonly config: { readonly [name: string]: unknown };
  /** Names of configuration values that the engine keeps as secrets. */
  readonly secretConfig: ReadonlySet<string>;
  /** Absolute path of a file of the plan. */
  readonly pathOf: (file: string) => string;
  /** The component that all resources are children of. */
  readonly within?: Within;
}

/** A component of a program, whose name comes before the names of its children. */
interface Within {
  readonly component: ComponentResource;
  readonly name: string;
  readonly provider: ProviderResource | undefined;
  readonly dependsOn: Input<Resource> | Input<Input<Resource>[]>;
}

interface RegisteredStack {
  readonly resources: ReadonlyMap<ResourceKey, CustomResource>;
  readonly outputs: { readonly [name: string]: Output<unknown> };
}

/** Registers a plan, each resource after its predecessors. Call it in a run of the engine. */
export function register(run: PlanRun): RegisteredStack {
  const steps = registrations(run);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/**
 * Registers the same with a limited number of resources in progress: until the engine has answered,
 * the SDK keeps ten times the memory for a resource that it keeps afterwards. What waits for the
 * end of all declarations continues when they are all made.
 */
export async function registerInTurns(run: PlanRun, pace = newPace(run.plan)): Promise<RegisteredStack> {
  const release = hold();
  try {
    const steps = registrations(run);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await pace.after(step.value.key, step.value.resource);
    }
  } finally {
    release();
  }
}

/** Registers one resource after the other. Yields each of them and returns them all. */
function* registrations(
  run: PlanRun,
): Generator<{ readonly key: ResourceKey; readonly resource: CustomResource }, RegisteredStack> {
  const resources = new Map<ResourceKey, CustomResource>();
  const carrier = carrierOf(run, resources);
  for (const declaration of run.plan.resources) {
    const { start, file } = declaration.at;
    const { kind, logicalName } = declaration;
    const place = { file: run.pathOf(file), line: start.line, column: start.column };
    const resource = at(place, () =>
      declareResource(
        kind.token,
        run.within === undefined ? logicalName : `${run.within.name}/${logicalName}`,
        {
          ...argumentsOf(declaration, withOwnAddresses(run.plan, declaration, carrier), resources),
          ...keptOf(declaration, carrier),
          ...objectionPlaces(declaration),
        },
        { ...optionsWithin(run), ...optionsOf(declaration, carrier, resources) },
      ),
    );
    resources.set(declaration.key, resource);
    yield { key: declaration.key, resource };
  }
  const outputs = run.plan.outputs.map(
    ({ name, value }) => [name, output<unknown>(resolve(value, carrier)) as Output<unknown>] as const,
  );
  return { resources, outputs: Object.fromEntries(outputs) };
}

/** The provider replaces these words by addresses, which only a deployment shows. */
function withOwnAddresses(
  { resources }: StackPlan,
  { key }: ResourceDeclaration,
  carrier: Carrier<Output<unknown>>,
): Carrier<Output<unknown>> {
  const isOwn = (target: Target): boolean =>
    target.of === 'resource' && target.key === key && target.output === 'addresses';
  const toCome = (): object =>
    Object.fromEntries(
      resources
        .filter(({ kind }) => kind.token === 'Platform')
        .map(({ logicalName }) => [logicalName, Array.from({ length: 10 }, (_, at) => addressToCome(logicalName, at))]),
    );
  return { ...carrier, lookup: (target) => (isOwn(target) ? carried(toCome()) : carrier.lookup(target)) };
}

/** Where the file says what the service may object to: the clouds of an environment. */
function objectionPlaces({ kind, places }: ResourceDeclaration): object {
  if (kind.verbs.foresee === undefined) return {};
  const named = places.flatMap(({ path, key }) => (path.length === 2 ? [[path.join('.'), rangeText(key)]] : []));
  return named.length === 0 ? {} : { [PLACES]: Object.fromEntries(named) as object };
}

/** Arguments with resources in place of parents' names, so that Pulumi sees dependencies. */
function argumentsOf(
  declaration: ResourceDeclaration,
  carrier: Carrier<Output<unknown>>,
  resources: ReadonlyMap<ResourceKey, CustomResource>,
): { readonly [name: string]: unknown } {
  const { kind, args, secrets } = declaration;
  const parents = addressNames(kind).flatMap((name) => {
    const parent = parentAt(name, declaration, resources);
    return parent === undefined ? [] : [[name, parent] as const];
  });
  return { ...(resolve(withSecrets(args, secrets), carrier) as object), ...Object.fromEntries(parents) };
}

/** The resource of an address argument: the parent, or another one with that name. */
function parentAt(
  name: string,
  { kind, args, within }: ResourceDeclaration,
  resources: ReadonlyMap<ResourceKey, CustomResource>,
): CustomResource | undefined {
  const token = name.charAt(0).toUpperCase() + name.slice(1);
  if (within?.startsWith(`${token}::`)) return resources.get(within);
  const value = args[name];
  const isFarther = kind.within !== undefined && addressNames(kind.within).includes(name);
  return isFarther || typeof value !== 'string' ? undefined : resources.get(resourceKey(token, value));
}

/** Values that a child takes from its component. A child after another child waits through it. */
const optionsWithin = ({ within }: PlanRun): CustomResourceOptions =>
  within === undefined
    ? {}
    : {
        parent: within.component,
        dependsOn: within.dependsOn,
        ...(within.provider ? { provider: within.provider } : {}),
      };

function optionsOf(
  { options, after, related, trigger }: ResourceDeclaration,
  carrier: Carrier<Output<unknown>>,
  resources: ReadonlyMap<ResourceKey, CustomResource>,
): CustomResourceOptions {
  const { parent, deletedWith, replaceWith = [] } = related;
  const found = (key: ResourceKey | undefined) => (key === undefined ? undefined : resources.get(key));
  const [dependsOn, replaced] = [after, replaceWith].map((keys) => keys.flatMap((key) => found(key) ?? []));
  return {
    ...(options as CustomResourceOptions),
    ...defined({ parent: found(parent), deletedWith: found(deletedWith), dependsOn, replaceWith: replaced }),
    ...(trigger === undefined ? {} : { replacementTrigger: resolve(trigger, carrier) }),
  };
}

/** Attributes that rules keep, with fingerprints of declared values, without secrets. */
function keptOf({ kind, args, secrets, kept = [] }: ResourceDeclaration, carrier: Carrier<Output<unknown>>): object {
  const rules = kept.map(({ path, ...rule }) => {
    const steps = parsePropertyPath(path) ?? [];
    const isSecret =
      fieldOf(kind, String(steps[0]))?.secret === true ||
      secrets.some((secretPath) => coversPath(steps, secretPath) || coversPath(secretPath, steps));
    const value = resolve(args[String(steps[0])] ?? null, carrier);
    const declared = isSecret
      ? undefined
      : (output(value) as Output<unknown>).apply((whole) => fingerprint(valueAt(whole, steps.slice(1))));
    return [path, { ...rule, ...(declared === undefined ? {} : { declared }) }] as const;
  });
  return rules.length === 0 ? {} : { [IGNORED]: Object.fromEntries(rules) };
}

const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16);

function carrierOf(
  { config, plan, secretConfig }: PlanRun,
  resources: ReadonlyMap<ResourceKey, CustomResource>,
): Carrier<Output<unknown>> {
  const hidden = secretsOf(plan, secretConfig);
  const lookup = (target: Target): Output<unknown> => {
    switch (target.of) {
      case 'config':
        return hidden.has(target.name) ? secret<unknown>(config[target.name]) : carried(config[target.name]);
      case 'pulumi':
        return carried(PULUMI_VALUES[target.name]());
      case 'resource':
        return outputOf(resources.get(target.key), target.output);
    }
  };
  const ofOtherStack = stackOutputs((target) => {
    if (target.of === 'config') return config[target.name];
    return target.of === 'pulumi' ? PULUMI_VALUES[target.name]() : null;
  });
  return {
    lookup,
    combine: (value, compute) => carried(value).apply<unknown>((plain) => placed(() => compute(plain))),
    secret: (value) => secret<unknown>(value) as Output<unknown>,
    invoke: ({ function: token, place, steps, argument }, args) => {
      if (token === 'stackReference') {
        const { stack } = argument as { readonly stack: Value };
        return ofOtherStack(stack, (args as { readonly output: unknown }).output, place);
      }
      const result = invokeOutput<unknown>(token, args as object, { place: rangeText(place.at) });
      return result.apply((whole) => valueAt(whole, steps) ?? null);
    },
  };
}

/** Names below `pulumi`, with where their values come from. */
const PULUMI_VALUES: { readonly [name in (typeof PULUMI_NAMES)[number]]: () => string } = {
  stack: getStack,
  project: getProject,
  organization: getOrganization,
  cwd: () => process.cwd(),
  rootDirectory: getRootDirectory,
};

function placed(compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    throw new RunError(error.message);
  }
}

const carried = (value: unknown): Output<unknown> => output(value) as Output<unknown>;

const outputOf = (resource: CustomResource | undefined, name: string): Output<unknown> =>
  (resource as unknown as { readonly [name: string]: Output<unknown> })[name] as Output<unknown>;

/**
 * Limits the resources that depend only on resources registered before them. A resource that waits
 * for the end of all declarations, and everything after it, does not count: it gets no answer while
 * others still wait for their turn. `room`: resources without an answer at one time; the engine
 * works on 16 by default. `patience`: milliseconds without an answer that end the limit, since a
 * failing run may give none.
 */
export function newPace(plan: StackPlan, { room = 64, patience = 10_000 } = {}) {
  const waiting = waitingFor(plan);
  const underWay = new Set<ResourceKey>();
  let isBounded = true;
  let wake = (): void => undefined;
  return {
    /** Resolves when another resource may follow this one. */
    async after(key: ResourceKey, resource: CustomResource): Promise<void> {
      if (!isBounded || waiting.has(key)) return;
      underWay.add(key);
      const settle = (): void => {
        underWay.delete(key);
        wake();
      };
      void answered(resource).then(settle, settle);
      while (isBounded && underWay.size >= room) {
        const timer = setTimeout(() => {
          isBounded = false;
          wake();
        }, patience);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timer);
      }
    },
  };
}

/** Resources that wait until everything is declared, directly or through another resource. */
function waitingFor({ resources }: StackPlan): ReadonlySet<ResourceKey> {
  const waiting = new Set<ResourceKey>();
  for (const { key, kind, after } of resources)
    if (settledNames(kind).length > 0 || after.some((each) => waiting.has(each))) waiting.add(key);
  return waiting;
}

/** Settles when the engine has answered the registration. */
const answered = (resource: CustomResource): Promise<unknown> =>
  (resource.urn as unknown as { promise(): Promise<unknown> }).promise();

/** What the SDK reads call sites with; not part of its public types. */
interface Sdk {
  callsites?: () => readonly object[];
}

/** Frames of the SDK's own constructors, which it skips. */
const OWN_FRAMES = [{}, {}, {}, {}, {}];

/**
 * Frames of an error made in a registration. The SDK writes down the stack of every promise it
 * makes, for a search for leaks: that is half of what registering a large stack costs, and all
 * of it says that a file was registered. One shows where an error was made.
 */
const FRAMES = 1;

/** Runs a registration as if at a place, of an absolute path; just runs it with an SDK of other positions. */
export function at<T>(place: FilePlace, register: () => T): T {
  const sdk = Resource as unknown as Sdk;
  const original = sdk.callsites;
  if (typeof original !== 'function') return register();
  sdk.callsites = () => [...OWN_FRAMES, place];
  const { stackTraceLimit } = Error;
  if (process.env['PULUMI_DEBUG_PROMISE_LEAKS'] === undefined) Error.stackTraceLimit = FRAMES;
  try {
    return register();
  } finally {
    sdk.callsites = original;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Reads outputs of other stacks, each registered once. The name of a stack depends on nothing that
 * a resource returns; that of an output may be an output itself. `plain`: values known at once.
 */
function stackOutputs(plain: Carrier<unknown>['lookup']) {
  const references = new Map<string, StackReference>();
  const carrier = plainCarrier(plain);
  return (stack: Value, name: unknown, place: Placed): Output<unknown> => {
    const of = String(resolve(stack, carrier));
    const reference = references.get(of) ?? new StackReference(of);
    references.set(of, reference);
    const wanted = output(name as string).apply(String);
    const answers = all([reference.getOutput(wanted) as Output<unknown>, wanted, reference.secretOutputNames]);
    return answers.apply<unknown>(([value, word, secrets]) => {
      const at = `${rangeText(place.at)}: fn::stackReference`;
      if (value === undefined) throw new RunError(`${at}: stack "${of}" has no output "${word}"`);
      // The engine gives an empty map in the place of a secret that it cannot decrypt.
      if (!secrets.includes(word) || !isPlainObject(value) || Object.keys(value).length > 0) return value;
      throw new RunError(
        `${at}: the output "${word}" of stack "${of}" is a secret that cannot be decrypted here\n  both stacks need one passphrase, or a secrets provider that this run may use: pulumi stack change-secrets-provider`,
      );
    });
  };
}
