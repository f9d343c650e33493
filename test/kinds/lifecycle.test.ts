// The laws of a lifecycle, for every kind from its own sample, in both dialects, in this process.
import { type Dialect, routes } from '../../api/contract';
import { AlreadyExists, LifecycleError } from '../../provider/errors';
import { COMPUTED, diff, type Inputs, type Kind, snakeCase } from '../../provider';
import type { Lifecycle, State } from '../../provider/lifecycle';
import { secretAttributes } from '../../provider/secrets';
import { isPlainObject, type Shape, valueIn, withoutAt } from '../../provider/values';
import { kindsInTurn, TITLED } from '../world/each-dialect';
import { closedAfterEach, comesWithPull, eachWorld, kindOf, outlivesDelete, ROW, type World } from '../world/world';
import { createApi } from '../../api/client';
import { rowsInTurn } from '../dialects-in-turn';
import { goesAlong, tampered, type Tampering, tamperings } from '../world/tampering';

const isAction = (of: Kind): boolean => of.verbs.isAction === true;

/** Kinds whose records are always there, and written. */
const isAlwaysThere = (of: Kind): boolean => ['EnvironmentPlatform', 'CloudConfiguration'].includes(of.token);

describe.each(kindsInTurn())('%s %s', (dialect, _, of) => {
  const { token } = of;
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;

  beforeEach(async () => {
    ({ inputs, made } = await world.makeSample(of));
  });

  const readBack = async (known: Inputs): Promise<State> => {
    const state = await world.life(token).read(made.id, known, ROW);
    if (!state) throw new Error('read says gone');
    return state;
  };

  test('created, its outputs are the inputs and the computed names, and a read finds nothing changed', async () => {
    expect(made.outputs).toMatchObject(inputs);
    const names = [...Object.keys(inputs), ...Object.keys(of.computed), ...Object.keys(COMPUTED)];
    expect(Object.keys(made.outputs).sort()).toEqual([...new Set(names)].sort());
    const state = await readBack(made.outputs);
    expect(diff(of, inputs, state.inputs)).toEqual([]);
    expect(state.outputs['revision']).toBe(made.outputs['revision']);
  });

  test('update brings the record to what is declared', async () => {
    const news = { ...inputs, ...of.sample.update };
    world.nextRun();
    const state = await world.life(token).update(made.id, made.outputs, news, ROW);
    expect(diff(of, news, (await readBack(state.outputs)).inputs)).toEqual([]);
  });

  test('a value that is no longer declared goes back to its base', async () => {
    for (const { name, rest } of removals(of, inputs, dialect)) {
      world.nextRun();
      world.clock.advance(1000);
      const less = await world.life(token).update(made.id, made.outputs, rest, ROW);
      const full = await readBack(made.outputs);
      const left = diff(of, inputs, full.inputs);
      const shown = !of.fields[name]?.writeOnly;
      // A secret next to it may have been written with it, for all that a read shows.
      const names = left
        .map((change) => String(change.path[0]))
        .filter((each) => each === name || !isSecretOf(of, each));
      expect({ name, left: names }).toEqual({ name, left: shown ? [name] : [] });
      made = await world.life(token).update(made.id, less.outputs, inputs, ROW);
      expect(diff(of, inputs, (await readBack(made.outputs)).inputs)).toEqual([]);
    }
  });

  test('deleted, it no longer exists; deleted again, nothing is wrong', async () => {
    world.nextRun();
    await world.life(token).delete(made.id, made.outputs, ROW);
    const after = await world.life(token).read(made.id, made.outputs, ROW);
    expect(after !== undefined).toBe(outlivesDelete(of));
    world.nextRun();
    await world.life(token).delete(made.id, made.outputs, ROW);
  });

  test('created again with adopt, it is taken over; otherwise the differences are named', async () => {
    if (isAction(of) || isAlwaysThere(of)) return;
    world.nextRun();
    world.notices.length = 0;
    const again = await world.life(token).create({ ...inputs, ...('adopt' in of.fields ? { adopt: true } : {}) }, ROW);
    expect(again.outputs['ciId']).toBe(made.outputs['ciId']);
    const hasSecret = seenNames(of, {}, inputs).length < declaredNames(of, inputs).length;
    expect(world.notices).toEqual([
      hasSecret
        ? expect.stringMatching(/^was already there, made by admin: taken over; \w+ written again, because/)
        : 'was already there with these values: taken over',
      ...('adopt' in of.fields ? ['adopt: true can be taken out once this run has ended'] : []),
    ]);
    world.nextRun();
    const other = { ...inputs, ...of.sample.update };
    const refused = world.life(token).create(other, ROW);
    await expect(refused).rejects.toThrow(AlreadyExists);
    const [, ...lines] = await refused.then(
      () => [],
      ({ message }: Error) => message.split('\n'),
    );
    expect(lines.join('\n')).toContain(
      `pulumi-oneops import-file ${token}:${made.id} --output import.json && pulumi import --file import.json`,
    );
    const named = lines.flatMap((line) => /^ +(\w+): (?:there|differs)/.exec(line)?.[1] ?? []);
    expect(named.sort()).toEqual([...seenNames(of, inputs, of.sample.update ?? {})].sort());
    const adopted = await world.life(token).create({ ...other, adopt: true }, ROW);
    expect(diff(of, other, (await readBack(adopted.outputs)).inputs)).toEqual([]);
  });

  test('what another user changed is found, never overwritten unseen, and repaired once seen', async () => {
    if (isAction(of)) return;
    world.nextRun();
    world.clock.advance(1000);
    await world.life(token).update(made.id, made.outputs, { ...made.outputs, ...of.sample.update }, ROW);
    const seen = await readBack(made.outputs);
    const found = diff(of, inputs, seen.inputs).map((change) => change.path[0]);
    const visible = Object.keys(of.sample.update ?? {}).filter(
      (name) => (of.fields[name]?.secret === false || readsBack(of, name)) && !of.fields[name]?.writeOnly,
    );
    expect(found.filter((name) => !isSecretOf(of, String(name))).sort()).toEqual(visible.sort());
    if (visible.length === 0) return;
    await expect(world.life(token).update(made.id, made.outputs, inputs, ROW)).rejects.toThrow(LifecycleError);
    const repaired = await world.life(token).update(made.id, seen.outputs, inputs, ROW);
    expect(diff(of, inputs, (await readBack(repaired.outputs)).inputs)).toEqual([]);
  });
});

/** Secrets that the service stores as they are, and answers. */
const IN_CLEAR: { readonly [path: string]: string } = {
  'Cloud.auth': 'the service has no encryption for it; we keep it as a secret all the same (flows §3.9)',
};

/** Wire names of the values that differ and that a read shows. */
function seenNames(of: Kind, before: Inputs, update: Inputs): readonly string[] {
  const hidden = secretAttributes(of, { ...before, ...update })?.names ?? [];
  return Object.entries(update).flatMap(([name, value]) => {
    const field = of.fields[name];
    if (field === undefined || field.writeOnly || (field.secret && !readsBack(of, name))) return [];
    if (field.shape.type !== 'open') return [snakeCase(name)];
    const entries = Object.entries(value as Inputs).filter(([entry]) => !hidden.includes(entry));
    const old = (before[name] ?? {}) as Inputs;
    return entries.flatMap(([entry, now]) => (JSON.stringify(old[entry]) === JSON.stringify(now) ? [] : [entry]));
  });
}

/** Wire names of everything that is declared. */
const declaredNames = (of: Kind, inputs: Inputs): readonly string[] =>
  Object.entries(inputs).flatMap(([name, value]) => {
    const field = of.fields[name];
    if (field === undefined || field.writeOnly) return [];
    return field.shape.type === 'open' ? Object.keys(value as Inputs) : [snakeCase(name)];
  });

/** Whether a field is a secret that no read shows. */
const isSecretOf = (of: Kind, name: string): boolean => of.fields[name]?.secret === true && !readsBack(of, name);

const readsBack = (of: Kind, name: string): boolean => `${of.token}.${name}` in IN_CLEAR;

/** What cannot be left out, and why. */
const STAYING: { readonly [path: string]: string } = {
  'Component.attributes': 'its user name is required: removed attribute by attribute',
  'Component.attributes.username': 'required by its class, and the template has none',
  'Assembly.owner': 'required by its class: it stays as it is',
  'CloudService.attributes': 'the template has no account to sign in with: removed attribute by attribute',
  'CloudService.attributes.endpoint': 'required by its class, and the template has none',
  'CloudService.attributes.tenant': 'required by its class, and the template has none',
  'CloudService.attributes.username': 'required by its class, and the template has none',
  'CloudService.attributes.password': 'required by its class, and the template has none',
  'EnvironmentComponent.type': 'without it another component may be meant: replaced',
  'Variable.value': 'a variable has a value, or an encrypted one',
  'Relay.emails': 'a relay of the stack has somebody to mail',
  'Cloud.location': 'a cloud does not move: without a location it is refused before any request',
  'Environment.platformAvailability':
    'what a platform was pulled with stays: without it, the environment would say otherwise',
  'Environment.platformAvailability.web': 'the same',
  'Environment.clouds': 'an environment without clouds has no primary: a story of its own',
};

/** The sample's inputs, each time without one optional field or entry of an open map. */
function removals(
  of: Kind,
  inputs: Inputs,
  dialect: Dialect,
): readonly { readonly name: string; readonly rest: Inputs }[] {
  const stays = (path: string): boolean => `${of.token}.${path}` in STAYING || goesAlong(of, path, dialect);
  const names = Object.keys(of.sample.create).filter(
    (name) => of.fields[name]?.required === false && of.fields[name].channel !== 'control',
  );
  const whole = names
    .filter((name) => !stays(name))
    .map((name) => ({ name, rest: Object.fromEntries(Object.entries(inputs).filter(([other]) => other !== name)) }));
  const parts = names.flatMap((name) =>
    partsOf(of.fields[name]?.shape as Shape, inputs[name])
      .filter((part) => !stays([name, ...part].join('.')))
      .map((part) => ({ name, rest: { ...inputs, [name]: withoutAt(inputs[name] as Inputs, part) } })),
  );
  return [...whole, ...parts];
}

/**
 * Paths of what can be left out of a map by itself: entries, and members that have no base value.
 */
function partsOf(shape: Shape, value: unknown): readonly (readonly string[])[] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]): readonly (readonly string[])[] => {
    const below = (inner: Shape) => partsOf(inner, entry).map((part) => [key, ...part]);
    switch (shape.type) {
      case 'map':
        // What an object in a map belongs to is there with all that it has, or not at all.
        return shape.values.type === 'object' ? below(shape.values) : [[key]];
      case 'object':
        return shape.members[key]?.base === String(entry) ? [] : [[key]];
      case 'open':
        return [[key], ...below({ type: 'open' })];
      default:
        return [];
    }
  });
}

const open = closedAfterEach();

// What a record lives in is deleted while the record itself is being deleted, as an engine does
// with records between which its state has no dependency: whatever the moment, the delete succeeds.
describe('deleted with what is above', () => {
  const DESIGN = { assembly: 'shop' };

  const isWithin = (of: Kind, token: string): boolean =>
    of.within !== undefined && (of.within.token === token || isWithin(of.within, token));

  const samples = TITLED.filter(([, of]) => isWithin(of, 'Assembly')).map(
    ([title, of]) => [title, of, of.sample.create] as const,
  );

  /** The sample of a component is optional in its pack; this one is given back. */
  const OS = { name: 'os', type: 'os', attributes: { timezone: 'CET' } };

  const cases = rowsInTurn([...samples, ['Component of the pack', kindOf('Component'), OS] as const]);

  test.each(cases)('%s %s: its delete succeeds', async (dialect, _, of, declared) => {
    const world = open(dialect);
    const failed: string[] = [];
    for (let point = 1, isBeyond = false; !isBeyond; point += 1) {
      const { made } = await world.makeSample(of, declared);
      let requests = 0;
      const api = createApi({
        url: 'http://127.0.0.1',
        organization: 'acme',
        token: 'admin-token',
        dialect: 'auto',
        send: async (request) => {
          requests += 1;
          if (requests === point) await deleteAbove(world);
          return world.service.handle(request);
        },
      });
      await world
        .lifeOf(of, api)
        .delete(made.id, made.outputs, ROW)
        .catch((error: unknown) => failed.push(`${String(point)}: ${String(error)}`));
      isBeyond = requests < point;
      world.nextRun();
    }
    expect(failed).toEqual([]);
  });

  /** Takes each environment down and deletes it, and then what is above it. */
  async function deleteAbove(world: World): Promise<void> {
    const environments = await world.api.call(routes.environments.list, { address: DESIGN });
    for (const { ciName: environment } of environments) {
      world.nextRun();
      const known = { ...DESIGN, environment, stamps: '' };
      await world.life('Deployment').delete(`acme/shop/${environment}`, known, ROW);
      await world.api.call(routes.environments.delete, { address: { ...DESIGN, environment } });
    }
    await world.api.call(routes.assemblies.delete, { address: DESIGN });
  }
});

test.each(rowsInTurn([['Environment']]))('%s %s: what a targeted destroy takes along has no plan', async (dialect) => {
  const world = open(dialect);
  const { inputs, made } = await world.makeSample(kindOf('Environment'));
  // The terminal keeps the last message of a row.
  expect(world.messages.at(-1)).toBe('the design is pulled');
  const news = { ...inputs, designRelease: '99' };
  const planOf = async (isChecked: boolean): Promise<string | undefined> => {
    world.nextRun();
    const life = world.life('Environment');
    return (await life.diff(made.id, made.outputs, isChecked ? life.check(news).inputs : news)).plan;
  };
  // The engine asks for its difference without a check, and deletes it.
  expect([await planOf(true), await planOf(false)]).toEqual(['will pull the design', undefined]);
});

// The law that what a stack does not declare it never touches: others' values on its own records,
// others' records next to them, and others' open changes outlive its create, update and delete.
describe('what is not declared', () => {
  /** What cannot be left to others, and why. */
  const DECLARED: { readonly [path: string]: string } = {
    'Component.attributes.username': 'its class requires it',
    'CloudService.attributes.endpoint': 'its class requires it',
    'CloudService.attributes.tenant': 'its class requires it',
    'CloudService.attributes.username': 'its class requires it',
    'Environment.clouds': 'one value: the map of clouds is the environment’s membership',
    'Assembly.owner': 'the live service demands an owner',
    'Cloud.location': 'a cloud needs one',
  };

  /** Whether no second record of a kind can be: the name of a service is its template. */
  const isAlone = (of: Kind): boolean => comesWithPull(of) || of.token === 'CloudService';

  describe.each(kindsInTurn((of) => !isAction(of)))('%s %s', (dialect, _, of) => {
    const { token } = of;
    const world = eachWorld(dialect);
    let maria: Lifecycle;
    /** What a sample says, and which of its values are left to Maria. */
    let full: Inputs;
    let theirs: readonly Tampering[];
    let declared: Inputs;

    beforeEach(async () => {
      const address = await world.prepare(of);
      world.nextRun();
      maria = world.lifeOf(of);
      full = { ...address, ...of.sample.create };
      // Of the other values of one attribute any will do: the first.
      const all = tamperings(of, full, dialect);
      const firsts = all.filter(
        ({ path }, at) => at === all.findIndex((other) => other.path.join('.') === path.join('.')),
      );
      const free = firsts.filter(({ path }) => {
        const required = path.length === 1 && of.fields[path[0] ?? '']?.required === true;
        return !required && !([token, ...path].join('.') in DECLARED);
      });
      // One value is ours to change, unless there is only one: then it is theirs.
      theirs = free.length > 1 ? free.slice(1) : free;
      declared = theirs.reduce((left, { path }) => withoutAt(left, path), full);
    });

    const read = (id: string, known?: Inputs): Promise<State | undefined> => {
      world.nextRun();
      return world.life(token).read(id, known, ROW);
    };

    /** Read as somebody would who declares what Maria wrote. */
    const standsAsTheirs = async ({ id, outputs }: State): Promise<void> => {
      const all = tampered(full, theirs);
      const there = await read(id, { ...outputs, ...all });
      for (const { path } of theirs) expect([path, valueIn(there?.inputs, path)]).toEqual([path, valueIn(all, path)]);
    };

    test("others' values outlive our update, and, of what we only adopted, our delete", async () => {
      const { inputs } = world.life(token).check(declared);
      const made = await world.life(token).create(inputs, ROW);
      world.clock.advance(1000);
      await maria.update(made.id, made.outputs, { ...made.outputs, ...tampered(full, theirs) }, ROW);
      await standsAsTheirs(made);
      world.nextRun();
      const own = tamperings(of, declared, dialect).slice(0, 1);
      const changed = await world.life(token).update(made.id, made.outputs, tampered(inputs, own), ROW);
      await standsAsTheirs(made);
      world.nextRun();
      await world.life(token).delete(made.id, changed.outputs, ROW);
      const left = await read(made.id);
      expect(left === undefined).toBe(made.outputs['origin'] === 'created');
      if (left !== undefined && token !== 'Variable') await standsAsTheirs(made);
    });

    if (!isAlone(of))
      test("others' records next to ours outlive our whole life as they are, open changes too", async () => {
        const hers = await maria.create({ ...full, name: 'hers' }, ROW);
        const before = await read(hers.id);
        world.nextRun();
        const { inputs } = world.life(token).check(full);
        const made = await world.life(token).create(inputs, ROW);
        world.nextRun();
        const changed = await world.life(token).update(made.id, made.outputs, { ...inputs, ...of.sample.update }, ROW);
        world.nextRun();
        await world.life(token).delete(made.id, changed.outputs, ROW);
        expect(before).toBeDefined();
        expect(await read(hers.id)).toEqual(before);
      });
  });
});
