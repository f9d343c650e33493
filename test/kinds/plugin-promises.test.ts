// Every promise of every kind's lifecycle through the plugin, over a real gRPC server in this process, in both dialects: one stack contains a sample of every
// kind in every scope. The suite on the engine (test/engine/conformance.test.ts) plays the dynamic provider; this one prints the same table.
import { routes } from '../../api/contract';
import { everyAddressName, type Kind } from '../../provider';
import { lifecycle, type Lifecycle } from '../../provider/lifecycle';
import { newConnection } from '../../provider/faces/dynamic/connection';
import type { Host } from '../../provider/faces/dynamic/face';
import { dialectsInTurn } from '../dialects-in-turn';
import type { ProgramResource } from '../world/engine';
import {
  drift,
  emptyStack,
  inOrder,
  preview,
  reference,
  run,
  type Declared,
  type Run,
  type Stack,
} from '../world/engine-simulation';
import { BY_ITSELF, ofActions, promiseTable, UNDELETABLE } from '../world/kind-promises';
import { servePlugin, type ServedPlugin } from '../world/plugin-face';
import { programOf, sampledAs, sampleKey, type Variant } from '../world/samples';
import { nameIn, settled } from '../world/stack-spec';
import { tampered, tamperings, type Tampering } from '../world/tampering';
import { kindOf, makeWorld, ROW, type World } from '../world/world';

const PROMISES = [
  'created',
  'preview empty',
  'refresh empty',
  'updated in place',
  'replaced',
  'deleted by somebody: made again',
  'tampering named',
  'tampering repaired',
  'imported by its id',
  'moves to the dynamic provider',
  'gone after destroy',
] as const;
type Promised = (typeof PROMISES)[number];

const table = promiseTable(PROMISES, {
  'deleted by somebody: made again': UNDELETABLE,
  'tampering named': ofActions('an action, not a record: it has no attributes'),
  replaced: {
    DesignRelease: 'its address is its assembly: replaced along with it',
    Deployment: 'its address is its environment: replaced along with it',
  },
});

/** Secrets of the samples. */
const SECRET = /s3cret|k3y-|canary/;

const isResource = (value: unknown): value is { readonly resource: string } =>
  typeof value === 'object' && value !== null && 'resource' in value;

/** A reference to a name, with the name it will turn out to be. */
const named = (key: string, name: string) =>
  Object.assign(
    reference([key], (outputs) => outputs?.['name']),
    { name },
  );

/** What a program registers, with the names of parents and what follows from all of it, as the SDK fills it in. */
function registered(program: readonly ProgramResource[]): readonly Declared[] {
  const all = new Map<string, Declared>();
  for (const { token, name, args, options } of program) {
    const of = kindOf(token);
    const parents = Object.values(args).filter(isResource);
    const words = parents.flatMap(({ resource }) => Object.entries(all.get(resource)?.args ?? {}));
    const places = everyAddressName(of).filter((each) => each !== 'name');
    const linked = Object.entries(args).map(([argument, value]) => {
      if (!isResource(value)) return [argument, value] as const;
      return [argument, named(value.resource, nameIn(all.get(value.resource)?.args['name']))] as const;
    });
    const after = (options?.['dependsOn'] ?? []) as readonly { readonly resource: string }[];
    const key = `${token}::${name}`;
    all.set(key, {
      key,
      token,
      after: after.map(({ resource }) => resource),
      args: {
        ...Object.fromEntries(
          words.filter(([word]) => places.includes(word)).map(([word, value]) => [word, nameIn(value)]),
        ),
        ...(of.named ? { name } : {}),
        ...Object.fromEntries(linked),
      },
    });
  }
  return inOrder(settled([...all.values()]));
}

afterAll(() => {
  process.stdout.write(`${table.lines('kind × promise through the plugin').join('\n')}\n`);
});

describe.each(dialectsInTurn(1))('every kind keeps every promise through the plugin, %s', (dialect) => {
  let plugin: ServedPlugin;
  let world: World;
  let stack: Stack = emptyStack;

  beforeAll(async () => {
    plugin = await servePlugin(SECRET);
    world = { ...makeWorld(dialect), faceOf: plugin.faceOf };
  });

  afterAll(() => {
    plugin.close();
    world.close();
  });

  const declared = (variant: Variant): readonly Declared[] => registered(programOf(variant, dialect));

  /** A process of its own. */
  const hostOf = (): Host => {
    const settings = { url: 'http://127.0.0.1', organization: 'acme', token: 'a token', dialect, allowHttp: false };
    const resolved = { settings } as Parameters<typeof newConnection>[0];
    const connection = {
      ...newConnection(resolved, () => Promise.resolve(world.api), undefined),
      session: world.freshSession(),
    };
    return { configure: () => undefined, connection: () => connection };
  };

  const keeps = (promise: Promised, isKept: (of: Kind) => boolean): void => table.keeps(dialect, promise, isKept);

  const up = async (variant: Variant, options = {}): Promise<Run> => {
    const done = await run(world, stack, declared(variant), options);
    expect(done.errors).toEqual([]);
    stack = done.stack;
    return done;
  };

  const did = ({ steps }: Pick<Run, 'steps'>, op: string) => {
    return (of: Kind): boolean => steps.includes(`${op} ${sampleKey(of)}`);
  };

  const nothingLeft = async (variant: Variant): Promise<void> => {
    expect(await preview(world, stack, declared(variant))).toEqual({ steps: [], errors: [] });
    expect(await drift(world, stack)).toEqual([]);
  };

  const samples = () => [...stack.values()].filter(({ key }) => sampledAs(key) !== undefined);

  /** A kind's lifecycle in the hands of another user. */
  const lifeOfOther = (token: string): Lifecycle =>
    lifecycle(kindOf(token), () => Promise.resolve(world.other), world.freshSession());

  test('created, and nothing is left to do', async () => {
    keeps('created', did(await up('create'), 'create'));
    await nothingLeft('create');
    keeps('preview empty', () => true);
    keeps('refresh empty', () => true);
  });

  test('imported by its id: nothing is missing, and nothing differs', async () => {
    const host = hostOf();
    const wrong: string[] = [];
    for (const { key, token, id } of stack.values()) {
      const of = kindOf(token);
      const at = plugin.faceOf(of, host);
      const { inputs: read = {}, props = {} } = await at.read(id, {});
      const { failures = [], inputs: checked = {} } = await at.check(read, read);
      wrong.push(...failures.map(({ reason }) => `${key}: ${reason}`));
      wrong.push(...(await plugin.differences(of, host, id, props, checked)).map((path) => `${key} changes ${path}`));
    }
    expect(wrong).toEqual([]);
    keeps('imported by its id', () => true);
  });

  test('moves to the dynamic provider, and nothing changes', async () => {
    const { faceOf: _, ...dynamic } = world;
    expect(await preview(dynamic, stack, declared('create'))).toEqual({ steps: [], errors: [] });
    keeps('moves to the dynamic provider', () => true);
  });

  test('updated in place', async () => {
    keeps('updated in place', did(await up('update'), 'update'));
    await nothingLeft('update');
  });

  test('replaced', async () => {
    keeps('replaced', did(await up('replace'), 'delete'));
    await nothingLeft('replace');
  });

  test('deleted by somebody: made again', async () => {
    const promise = 'deleted by somebody: made again';
    const doomed = samples().filter(({ key }) => !table.isExcepted(promise, sampledAs(key) as Kind));
    const second = stack.get('Deployment::second');
    for (const { token, id, outputs } of [...(second ? [second] : []), ...doomed.reverse()]) {
      world.clock.advance(1000);
      await lifeOfOther(token).delete(id, outputs, ROW);
    }
    keeps(promise, did(await up('replace', { refresh: true }), 'create'));
    await nothingLeft('replace');
  });

  test('every single attribute tampered with: named, and repaired', async () => {
    const host = hostOf();
    const pathOf = ({ path, within }: Tampering): string => [...path, ...within].join('.');
    const named = new Set<string>();
    const unnamed: string[] = [];
    for (const { key, token, id, inputs, outputs } of samples()) {
      const of = kindOf(token);
      const changes = tamperings(of, inputs, dialect).filter((each) => !(`${token}.${pathOf(each)}` in BY_ITSELF));
      if (changes.length === 0) continue;
      world.clock.advance(1000);
      await lifeOfOther(token).update(id, outputs, { ...outputs, ...tampered(inputs, changes) }, ROW);
      const { props = {} } = await plugin.faceOf(of, host).read(id, outputs);
      const paths = await plugin.differences(of, host, id, props, inputs);
      const tells = (path: string): boolean =>
        paths.some((each) => each === path || (each.startsWith(path) && /^[.[]/.test(each.slice(path.length))));
      unnamed.push(
        ...changes
          .map(pathOf)
          .filter((path) => !tells(path))
          .map((path) => `${key} ${path}`),
      );
      named.add(key);
    }
    expect(unnamed).toEqual([]);
    keeps('tampering named', (of) => named.has(sampleKey(of)));
    await up('replace', { refresh: true });
    await nothingLeft('replace');
    keeps('tampering repaired', () => true);
  });

  test('deleted after destroy, and no answer ever held a secret in clear', async () => {
    const done = await run(world, stack, []);
    expect(done.errors).toEqual([]);
    expect([...done.stack.keys()]).toEqual([]);
    expect(await world.other.call(routes.assemblies.list, {})).toEqual([]);
    keeps('gone after destroy', did(done, 'delete'));
    expect(plugin.leaks).toEqual([]);
  });
});
