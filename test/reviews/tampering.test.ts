// The promise of a drift review: every single attribute of every kind, changed by another user, is found, named, attributed to that user and
// located in the file that declares it; in an environment also once that user deployed it. Rows follow from the kinds and their samples.
import { routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { orNone } from '../../api/errors';
import { scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type State } from '../../provider/lifecycle';
import { rowsInTurn } from '../dialects-in-turn';
import { reviewIn } from '../world/drift-world';
import { keysOfSample, keysWithin, yamlOfSample } from '../world/sample-yaml';
import { lineOf } from '../world/stack-yaml';
import { differingPaths, tampered, tamperings } from '../world/tampering';
import { eachWorld, ROW, titleOf, type World } from '../world/world';

/** Attributes whose change no release lists while nothing of the record is committed, and why; `changed-relations` judges them afterwards. */
const UNLISTED: { readonly [path: string]: string } = {
  'classic Platform.links': 'a relation that is added and removed in one open release leaves nothing in it',
  'classic Component.depends': 'a relation that is added and removed in one open release leaves nothing in it',
};

/** Whether records of a kind exist in an environment, or are one. */
const isOfEnvironment = (of: Kind): boolean =>
  of.token === 'Environment' || (of.within !== undefined && isOfEnvironment(of.within));

const reachesOf = (of: Kind) => (isOfEnvironment(of) ? (['open', 'deployed'] as const) : (['open'] as const));

const cases = rowsInTurn(
  kinds
    .filter(({ verbs }) => verbs.isAction !== true)
    .flatMap(scopesOf)
    .flatMap((of) => reachesOf(of).map((reach) => [titleOf(of), reach, of] as const)),
);

/** Commits an environment, and deploys what there is to deploy. */
async function deployed({ clock }: World, api: Api, environment: string): Promise<void> {
  const address = { assembly: 'shop', environment };
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 60; round += 1) {
      clock.advance(10_000);
      const { ciState } = await api.call(routes.environments.read, { address });
      const newest = await orNone(api.call(routes.deployments.latest, { address }));
      if (ciState === 'default' && newest?.deploymentState !== 'active') return;
    }
    throw new Error('the environment did not settle');
  };
  await api.call(routes.environments.commit, { address, body: {} });
  await settle();
  const plan = await orNone(api.call(routes.environmentReleases.bom, { address }));
  if (plan?.releaseState !== 'open') return;
  const body = { cms_deployment: { releaseId: String(plan.releaseId), nsPath: `/acme/shop/${environment}/bom` } };
  await api.call(routes.deployments.create, { address, body });
  await settle();
}

describe.each(cases)('%s %s, %s', (dialect, _, reach, of) => {
  const { token } = of;
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;

  /** What is written reaches the machines, where the row says so. */
  const reached = async (api: Api): Promise<void> => {
    if (reach === 'deployed') await deployed(world, api, String(inputs['environment'] ?? inputs['name']));
    world.requests();
  };

  beforeEach(async () => {
    const address = await world.prepare(of);
    world.nextRun();
    inputs = world.life(token).check({ ...address, ...of.sample.create }).inputs;
    made = await world.life(token).create(inputs, ROW);
    await reached(world.api);
  });

  /** What another user's own run writes. */
  const writtenByMaria = async (values: Inputs): Promise<void> => {
    world.clock.advance(1000);
    const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(made.id, made.outputs, ROW);
    await life.update(made.id, seen?.outputs ?? {}, values, ROW);
    await reached(world.other);
  };

  const kept = () => [{ token, name: 'sample', ...made }];

  if (reach === 'open')
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
      expect([...differingPaths(of, made.inputs, read?.inputs ?? {})].sort()).toEqual([...named].sort());
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
      await reached(world.api);
    }
  });
});
