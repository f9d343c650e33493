// What a program has declared so far, so that releases know their members (architecture §5).
import { setImmediate } from 'node:timers/promises';
import { RunError } from '@pulumi/pulumi/errors';
import { Output, type Input } from '@pulumi/pulumi/output';
import type { CustomResource, ProviderResource, Resource } from '@pulumi/pulumi/resource';
import { getMonitor } from '@pulumi/pulumi/runtime/settings';
import { addressNames, argumentFor, type Kind } from '../provider';
import { surroundingsOf } from '../provider/kinds/settled';
import { optionsByState } from '../provider/lifecycle';
import { readStateRecords } from './state-records';

/** Names by argument: plain words where the program gave words, outputs elsewhere. */
export interface NamesByArgument {
  readonly [argument: string]: Input<string | undefined>;
}

/** One resource of ours that the program declared. */
export interface ProgramResource {
  readonly of: Kind;
  readonly logicalName: string;
  readonly resource: CustomResource;
  /** Its provider, when it is not the stack's own. */
  readonly provider: ProviderResource | undefined;
  /** The service of the outermost resource around it: several users of one service share a tree. */
  readonly service: unknown;
  /** The record that contains it, where an object names it. */
  readonly container: ProgramResource | undefined;
  readonly address: NamesByArgument;
  /** Arguments as given. */
  readonly args: { readonly [name: string]: unknown };
}

/** The records of one assembly or environment, at the service of the resource with these arguments. */
export interface TreeScope {
  readonly address: NamesByArgument;
  readonly args: object;
}

interface Place extends Pick<TreeScope, 'address'>, Pick<ProgramResource, 'service'> {}

/** What a run has declared so far. */
export type Tree = ReturnType<typeof newTree>;

const TREE = Symbol('pulumi-oneops: what the program declared');

/** The tree of the run this code is executed in, kept at the SDK's connection to the engine. */
export function treeOfRun(): Tree {
  const run = (getMonitor() ?? globalThis) as { [TREE]?: Tree };
  return (run[TREE] ??= newTree());
}

function newTree() {
  // Asked before the first registration: the answer is the state as the last run left it.
  const state = readStateRecords();
  // A failed read stops only the resources that commit, and there may be none.
  const byState = state.catch(() => []).then(optionsByState);
  const all = new Map<CustomResource, ProgramResource>();
  const byArguments = new Map<object, ProgramResource>();
  const retained = new Set<Resource>();
  const places = new Map<string, ProgramResource>();
  const collected: { readonly stage: Kind['stage']; readonly place: Place }[] = [];
  const holds = newHolds();

  /** Transformations and parents name a provider late: where a resource is, is known afterwards. */
  const quiet = async ({ address, args }: TreeScope): Promise<Place> => {
    let seen: number;
    do {
      seen = all.size;
      await holds.released();
      await setImmediate();
    } while (seen !== all.size || holds.isHeld());
    return { address, service: byArguments.get(args)?.service };
  };

  const inside = async (place: Place, ofKind: (of: Kind) => boolean): Promise<readonly ProgramResource[]> => {
    const candidates = [...all.values()].filter(({ of }) => ofKind(of));
    const verdicts = await Promise.all(candidates.map((declared) => liesWithin(declared, place)));
    return candidates.filter((_, index) => verdicts[index]);
  };

  return {
    /** What the state of the stack held of our records before this run. */
    state: () => state,
    /** What it says of a declared name; nothing where it could not be read. */
    optionsByState: () => byState,
    /** The engine leaves the record in the service when it goes. */
    retain: (resource: Resource): unknown => retained.add(resource),
    isRetained: (resource: Resource): boolean => retained.has(resource),
    /** Throws RunError when the members it would belong to were collected already. */
    add(declared: ProgramResource): void {
      const late = collected.some(({ stage, place }) => stage === declared.of.stage && mayLieWithin(declared, place));
      if (late) throw tooLate(declared);
      all.set(declared.resource, declared);
      byArguments.set(declared.args, declared);
      const place = placeText(declared.of, declared.address);
      if (place !== undefined) places.set(place, declared);
    },
    /** What was declared for a resource object. */
    of: (resource: CustomResource): ProgramResource | undefined => all.get(resource),
    /** The record at an address, if the program declared it before with plain names. */
    at({ of, address, service }: Place & Pick<ProgramResource, 'of'>): ProgramResource | undefined {
      const found = places.get(placeText(of, address) ?? '');
      return found?.service === service ? found : undefined;
    },
    /** The same of the record that contains one. */
    parentOf({ of: { within }, address, service }: Place & Pick<ProgramResource, 'of'>): ProgramResource | undefined {
      if (within === undefined) return undefined;
      const own = Object.entries(address).filter(([name]) => name !== 'name');
      const names = own.map(([name, word]) => [name === argumentFor(within) ? 'name' : name, word]);
      return this.at({ of: within, address: Object.fromEntries(names) as NamesByArgument, service });
    },
    /**
     * What is declared of some kinds in a scope, once the program has stopped declaring: a whole
     * turn of the event loop without a new resource, and nobody holding.
     */
    async within(scope: TreeScope, ofKind: (of: Kind) => boolean): Promise<readonly ProgramResource[]> {
      return inside(await quiet(scope), ofKind);
    },
    /** The same for one stage, as members: who declares another one later gets an error. */
    async collect(stage: Kind['stage'], scope: TreeScope): Promise<readonly ProgramResource[]> {
      const place = await quiet(scope);
      collected.push({ stage, place });
      return inside(place, (of) => of.stage === stage);
    },
    /** Keeps `within` and `collect` waiting until the returned function is called. */
    hold: holds.hold,
  };
}

/** What holds a run open: it goes on when every hold was released. */
function newHolds() {
  const open = new Set<Promise<void>>();
  return {
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.add(promise);
      return () => {
        open.delete(promise);
        resolve();
      };
    },
    isHeld: (): boolean => open.size > 0,
    /** Resolves when the present holds are released. */
    released: async (): Promise<void> => void (await Promise.all(open)),
  };
}

/** A kind and an address as text; undefined where one of its names is no plain word. */
function placeText(of: Kind, address: NamesByArgument): string | undefined {
  const words = addressNames(of).map((name) => address[name]);
  return words.every((word) => typeof word === 'string') ? `${of.token} ${words.join('/')}` : undefined;
}

/** The value itself, or what an output turns out to be; undefined while unknown. */
export async function valueOf<T>(value: Input<T>): Promise<T | undefined> {
  return Output.isInstance(value) ? (value as unknown as { promise(): Promise<T | undefined> }).promise() : value;
}

/** The names of a place that a resource's address has, too, in pairs. */
function namesInBoth(
  { of, address }: ProgramResource,
  place: Place,
): readonly (readonly Input<string | undefined>[])[] {
  const own = surroundingsOf(of, address);
  return Object.entries(place.address).flatMap(([argument, word]) => (argument in own ? [[own[argument], word]] : []));
}

/** Whether plain words do not distinguish a resource from a place. */
const mayLieWithin = (declared: ProgramResource, place: Place): boolean =>
  declared.service === place.service &&
  namesInBoth(declared, place).every(
    ([own, word]) => typeof own !== 'string' || typeof word !== 'string' || own === word,
  );

async function liesWithin(declared: ProgramResource, place: Place): Promise<boolean> {
  if (!mayLieWithin(declared, place)) return false;
  const verdicts = namesInBoth(declared, place).map(async (names) => {
    const [own, word] = await Promise.all(names.map(valueOf));
    return own !== undefined && own === word;
  });
  return (await Promise.all(verdicts)).every(Boolean);
}

function tooLate({ of, logicalName }: ProgramResource): RunError {
  const waiting = of.stage === 'design' ? 'design release' : 'deployment';
  return new RunError(
    [
      `${of.token} "${logicalName}" was declared after the ${waiting} it belongs to, so it would never be deployed`,
      '  a program that waits between its declarations holds its assembly open meanwhile:',
      '    const release = assembly.hold();  // … await …, new Platform(…) …',
      '    release();',
    ].join('\n'),
  );
}
