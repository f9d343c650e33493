// The promise of a review for what nobody declares: each attribute of every record that comes with an environment, set there by another user, is
// found, named and attributed, and is gone from the review once it was given back.
import { DIALECTS, type Dialect } from '../../api/contract';
import {
  addressOf,
  formatId,
  kinds,
  lifecycle,
  scopesOf,
  type Inputs,
  type Kind,
  type Lifecycle,
  type Row,
} from '../../provider';
import type { DriftFinding } from '../../drift';
import { reviewIn, type Kept } from './drift-world';
import { tampered, tamperings } from './tampering';
import { makeWorld, titleOf, type World } from './world';

const ROW: Row = { progress: () => undefined, notice: () => undefined };

/** Attributes that cannot be set alone, and why. */
const NOT_ALONE: { readonly [path: string]: string } = {
  'Variable.comments': 'a variable is declared with a value',
};

const cases = DIALECTS.flatMap((dialect) =>
  kinds
    .flatMap(scopesOf)
    .filter(({ stage, holds, verbs, found }) => stage === 'environment' && holds === undefined && verbs.base && found)
    .map((of): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);

describe.each(cases)('%s %s', (dialect, _, of) => {
  let world: World;
  let address: Inputs;
  let kept: readonly Kept[];

  beforeEach(async () => {
    world = makeWorld(dialect);
    address = await world.prepare(of);
    world.nextRun();
    const environment = { assembly: address['assembly'], name: address['environment'] };
    const state = await world
      .life('Environment')
      .read(`acme/${String(environment.assembly)}/${String(environment.name)}`, environment, ROW);
    if (state === undefined) throw new Error('there is no environment');
    kept = [{ token: 'Environment', name: 'prod', ...state }];
    world.requests();
  });

  afterEach(() => world.close());

  /** Another user's run. */
  const maria = (): Lifecycle => lifecycle(of, () => Promise.resolve(world.other), world.freshSession());

  const unexpected = async (): Promise<readonly DriftFinding[]> => {
    world.nextRun();
    const { findings, unread } = await reviewIn(world, kept);
    expect([unread, world.writes()]).toEqual([[], []]);
    return findings.filter(({ classification }) => classification === 'unexpected');
  };

  test('each attribute that another user sets is found, named and attributed', async () => {
    expect(await unexpected()).toEqual([]);
    const sample = { ...address, ...of.sample.create };
    const all = tamperings(of, sample).filter(({ path }) => !([of.token, ...path].join('.') in NOT_ALONE));
    const paths = [...new Map(all.map((each) => [each.path.join('.'), each])).values()];
    expect(paths.length).toBeGreaterThan(0);
    for (const one of paths) {
      const [name = '', entry] = one.path;
      const at = (inputs: Inputs): unknown =>
        entry === undefined ? inputs[name] : (inputs[name] as Inputs | undefined)?.[entry];
      const only = (inputs: Inputs): Inputs => ({
        ...address,
        ...required(of, sample),
        [name]: entry === undefined ? at(inputs) : { [entry]: at(inputs) },
      });
      const id = formatId(of, 'acme', addressOf(of, address));
      const before = (await maria().read(id, only(sample), ROW))?.inputs ?? {};
      const values = [sample, tampered(sample, [one])].find(
        (inputs) => JSON.stringify(at(inputs)) !== JSON.stringify(at(before)),
      );
      world.clock.advance(1000);
      const made = await maria().create(only(values ?? sample), ROW);
      world.requests();
      const found = await unexpected();
      expect(found.map(({ kind, address: where, attribute, author }) => [kind, where, attribute, author?.who])).toEqual(
        [[of.token, id, one.path.join('.'), made.outputs['updatedBy'] === '' ? '' : 'maria']],
      );
      await maria().delete(id, made.outputs, ROW);
      world.requests();
      expect(await unexpected()).toEqual([]);
    }
  });
});

const required = (of: Kind, sample: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(of.fields).flatMap(([name, { required: isRequired }]) =>
      isRequired && sample[name] !== undefined ? [[name, sample[name]]] : [],
    ),
  );
