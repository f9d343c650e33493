// A process that reviews a generated fleet, and reports to its starter what that took: the memory is its own.
import type { Api } from '../../api/client';
import { fillPath, type CallInput, type Route } from '../../api/contract';
import { setHeapFlags } from '../../cli/heap-flags';
import { fleetOf, readState, reviewFleet } from '../../drift';
import { exportOf, keptOf } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld } from '../world/world';

/** What was measured. */
export interface FleetFigures {
  readonly outcome: string;
  readonly stacks: number;
  readonly records: number;
  readonly seconds: number;
  readonly requests: number;
  /** Requests of the collection that was read most often. */
  readonly most: number;
  /** Megabytes of the process before the first review: the compiler of the sources, and the generator of answers. */
  readonly before: number;
  /** Megabytes at the most, of the whole process, those before included. */
  readonly memory: number;
}

/** What is generated: so many stacks, and milliseconds until a request is answered. */
export interface FleetCourse {
  readonly stacks: number;
  readonly latency: number;
}

const each = <T>(count: number, name: string, make: (number: number) => T): { readonly [name: string]: T } =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`${name}${number}`, make(number)]));

/** 500 records, the assembly and its design release included. */
const SHOP: StackSpec = {
  variables: each(18, 'GLOBAL', (number) => `value ${number}`),
  platforms: each(5, 'web', () => ({
    variables: each(75, 'LEVEL', (number) => `value ${number}`),
    components: each(20, 'user', (number) => ({
      type: 'user',
      attributes: { username: `user${number}`, description: `User ${number}` },
    })),
  })),
};

/** The shop under another name, wherever a text names it. */
const renamed = (text: string, name: string): string =>
  text.replaceAll('acme/shop', `acme/${name}`).replaceAll('"shop"', `"${name}"`);

/** A service that has as many shops as it is asked for: what one shop answers, under the name of each. It counts what it is asked. */
function manyShops(
  one: Api,
  names: readonly string[],
  latency: number,
): { readonly api: Api; readonly asked: ReadonlyMap<string, number> } {
  const asked = new Map<string, number>();
  const answers = new Map<string, Promise<string>>();
  const answerOf = (route: Route, input: CallInput): Promise<string> => {
    const key = JSON.stringify([route.name, input.address, input.query]);
    const answer = answers.get(key) ?? one.call(route, input).then((found) => JSON.stringify(found) ?? 'null');
    answers.set(key, answer);
    return answer;
  };
  const call = async (route: Route, input: CallInput = {}): Promise<unknown> => {
    const { assembly, ...rest } = input.address ?? {};
    const path = `${fillPath(route.path, { organization: 'acme', ...input.address })}?${new URLSearchParams(input.query).toString()}`;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const [text] = await Promise.all([
      answerOf(route, assembly === undefined ? input : { ...input, address: { ...rest, assembly: 'shop' } }),
      new Promise((resolve) => setTimeout(resolve, latency)),
    ]);
    if (assembly !== undefined) return JSON.parse(renamed(text, assembly));
    const found: unknown = JSON.parse(text);
    return route.name === 'assemblies.list' && Array.isArray(found)
      ? names.flatMap((name) => JSON.parse(renamed(text, name)) as unknown[])
      : found;
  };
  return { api: { ...one, call: call as Api['call'] }, asked };
}

async function measured({ stacks, latency }: FleetCourse): Promise<FleetFigures> {
  const world = makeWorld('documented');
  const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const kept = keptOf(stack);
  const exported = JSON.stringify(exportOf(kept));
  const names = Array.from({ length: stacks }, (_, number) => `shop-${number}`);
  const { api, asked } = manyShops(world.api, names, latency);
  const before = process.memoryUsage.rss() / 2 ** 20;
  const began = performance.now();
  const facts = await reviewFleet(
    names.map((name) => ({ name, stack: name })),
    { open: ({ name }) => Promise.resolve({ api, state: readState(JSON.parse(renamed(exported, name))) }) },
  );
  const fleet = fleetOf({ ...facts, notes: [] });
  const seconds = (performance.now() - began) / 1000;
  world.close();
  return {
    outcome: fleet.summary,
    stacks,
    records: kept.length,
    seconds,
    requests: fleet.calls,
    most: Math.max(...asked.values()),
    before,
    memory: process.resourceUsage().maxRSS / 1024,
  };
}

process.once('message', (course: FleetCourse) => {
  // As the installed program does for a fleet.
  setHeapFlags();
  measured(course).then(
    (figures) => process.send?.(figures),
    (error: unknown) => process.send?.({ outcome: String(error) }),
  );
});
