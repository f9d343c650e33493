// The law that what a stack does not declare it never touches: others' values on its own records, others' records next to them, and others' open
// changes outlive its create, update and delete.
// Exceptions are data with a reason.
import { DIALECTS, type Dialect } from '../../api/contract';
import { scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Lifecycle, type State } from '../../provider/lifecycle';
import { tampered, tamperings, type Tampering } from '../world/tampering';
import { eachWorld, ROW, titleOf } from '../world/world';

/** Kinds that have no attribute of a record. */
const NO_ATTRIBUTES = ['DesignRelease', 'Deployment', 'Procedure', 'InstanceReplacement'];

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

/** Kinds of which no second record is next to the first, and why. */
const ALONE: { readonly [title: string]: string } = {
  EnvironmentPlatform: 'born with the pull',
  CloudConfiguration: 'one for each cloud of a platform: born with it',
  EnvironmentComponent: 'born with the pull',
  EnvironmentAttachment: 'born with the pull',
  'Monitor of Component in Environment': 'born with the pull',
  'Variable of Environment': 'born with the pull',
  'Variable of Platform in Environment': 'born with the pull',
  CloudService: 'its name is its template',
};

const cases = DIALECTS.flatMap((dialect) =>
  kinds
    .filter(({ token }) => !NO_ATTRIBUTES.includes(token))
    .flatMap(scopesOf)
    .map((of): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);

function without(inputs: Inputs, { path: [name = '', entry] }: Tampering): Inputs {
  const { [name]: value, ...rest } = inputs;
  if (entry === undefined) return rest;
  const { [entry]: _, ...others } = value as Inputs;
  return { ...rest, [name]: others };
}

const valueAt = (inputs: Inputs | undefined, [name = '', entry]: readonly string[]): unknown =>
  entry === undefined ? inputs?.[name] : (inputs?.[name] as Inputs | undefined)?.[entry];

describe.each(cases)('%s %s', (dialect, title, of) => {
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
    maria = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
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
    declared = theirs.reduce(without, full);
  });

  const read = (id: string, known?: Inputs): Promise<State | undefined> => {
    world.nextRun();
    return world.life(token).read(id, known, ROW);
  };

  /** Read as somebody would who declares what Maria wrote. */
  const standsAsTheirs = async ({ id, outputs }: State): Promise<void> => {
    const there = await read(id, { ...outputs, ...tampered(full, theirs) });
    // Several may be in one map.
    const all = tampered(full, theirs);
    for (const { path } of theirs) expect([path, valueAt(there?.inputs, path)]).toEqual([path, valueAt(all, path)]);
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

  if (!(title in ALONE))
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
