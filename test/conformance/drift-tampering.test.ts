// The promise of a drift review: every single attribute of every kind, changed by another user, is found, named, attributed to that user and
// located in the file that declares it.
import { kinds, lifecycle, scopesOf, type Inputs, type State } from '../../provider';
import { rowsInTurn } from '../dialects-in-turn';
import { reviewIn } from './drift-world';
import { keysOfSample, keysWithin, yamlOfSample } from './sample-yaml';
import { lineOf } from './stack-yaml';
import { differingPaths, tampered, tamperings } from './tampering';
import { eachWorld, ROW, titleOf } from './world';

/** Attributes whose change no release lists while nothing of the record is committed, and why; `changed-relations` judges them afterwards. */
const UNLISTED: { readonly [path: string]: string } = {
  'classic Platform.links': 'a relation that is added and removed in one open release leaves nothing in it',
  'classic Component.depends': 'a relation that is added and removed in one open release leaves nothing in it',
};

const cases = rowsInTurn(
  kinds
    .filter(({ verbs }) => verbs.isAction !== true)
    .flatMap(scopesOf)
    .map((of) => [titleOf(of), of] as const),
);

describe.each(cases)('%s %s', (dialect, _, of) => {
  const { token } = of;
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;

  beforeEach(async () => {
    const address = await world.prepare(of);
    world.nextRun();
    inputs = world.life(token).check({ ...address, ...of.sample.create }).inputs;
    made = await world.life(token).create(inputs, ROW);
    world.requests();
  });

  /** What another user's own run writes. */
  const writtenByMaria = async (values: Inputs): Promise<void> => {
    world.clock.advance(1000);
    const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(made.id, made.outputs, ROW);
    await life.update(made.id, seen?.outputs ?? {}, values, ROW);
    world.requests();
  };

  const kept = () => [{ token, name: 'sample', ...made }];

  test('nothing is found as long as nobody writes', async () => {
    const review = await reviewIn(world, kept());
    expect([review.outcome, review.findings]).toEqual(['in-sync', []]);
    expect(world.writes()).toEqual([]);
  });

  test('each single attribute that another user changes is found, named, attributed and located', async () => {
    const keys = keysOfSample(of, made.id, inputs);
    const text = of.inFile === undefined ? undefined : yamlOfSample(of, made.id, inputs);
    for (const one of tamperings(of, inputs, dialect)) {
      world.nextRun();
      await writtenByMaria({ ...made.outputs, ...tampered(inputs, [one]) });
      const { findings: all, outcome } = await reviewIn(world, kept(), text === undefined ? {} : { text });
      // What the sample is in is declared, but in no state.
      const findings = all.filter(({ kind, address }) => kind === token && address === made.id);
      expect(world.writes()).toEqual([]);
      const found = findings.map(({ classification, attribute, author, at }) => [
        classification,
        attribute,
        author?.who,
        at?.line,
      ]);
      // A refresh finds the same, including secrets that may have been written with it.
      world.nextRun();
      const read = await world.life(token).read(made.id, made.outputs, ROW);
      const named = findings.flatMap(({ attribute }) => (attribute === undefined ? [] : [attribute]));
      expect(
        differingPaths(of, made.inputs, read?.inputs ?? {})
          .slice()
          .sort(),
      ).toEqual(named.slice().sort());
      // What names no writer of ours names none of anybody's.
      const isNamed = made.outputs['updatedBy'] !== '' && !(`${dialect} ${token}.${one.path.join('.')}` in UNLISTED);
      const who = isNamed ? 'maria' : '';
      // A secret next to it may have been written with it: said so, as no finding that counts.
      expect(found.filter(([classification]) => classification !== 'touched')).toEqual([
        ['changed', one.path.join('.'), who, text && lineOf(text, [...keys, ...keysWithin(of, one.path)])],
      ]);
      expect(outcome).toBe('drift');
      world.nextRun();
      const seen = await world.life(token).read(made.id, made.outputs, ROW);
      made = await world.life(token).update(made.id, seen?.outputs ?? {}, inputs, ROW);
    }
  });
});
