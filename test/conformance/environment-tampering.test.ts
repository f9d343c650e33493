// The tamper table of environments: every attribute of every record that exists in one, changed by another user, with and without a deployment of
// theirs, is found, named, attributed and located.
// Rows follow from the kinds and their samples. Exceptions are data with a reason.
import { dialectRules, routes, type Dialect } from '../../api/contract';
import type { Api } from '../../api/client';
import { orNone } from '../../api/errors';
import { kinds, lifecycle, scopesOf, type Inputs, type Kind, type State } from '../../provider';
import { dialectsInTurn } from '../dialects-in-turn';
import { reviewIn } from './drift-world';
import { keysOfSample, keysWithin, yamlOfSample } from './sample-yaml';
import { lineOf } from './stack-yaml';
import { tampered, tamperings, type Tampering } from './tampering';
import { eachWorld, makeWorld, ROW, titleOf, type World } from './world';

/** Whether records of a kind exist in an environment, or are one. */
const isOfEnvironment = (of: Kind): boolean =>
  of.holds === 'environment' || (of.within !== undefined && isOfEnvironment(of.within));

const rows = kinds
  .filter(({ verbs }) => verbs.isAction !== true)
  .flatMap(scopesOf)
  .filter(isOfEnvironment);

const cases = rows.flatMap((of, turn) =>
  dialectsInTurn(turn).map((dialect): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);

/** Comments alone make no change where the dialect does not store them so: nothing is written then. */
const isStored = (dialect: Dialect, { path: [argument] }: Tampering): boolean =>
  argument !== 'comments' || dialectRules[dialect].designCommentsStored;

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

describe.each(cases)('%s %s', (dialect, _, of) => {
  const { token } = of;
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;
  let environment: string;

  beforeEach(async () => {
    const address = await world.prepare(of);
    world.nextRun();
    inputs = world.life(token).check({ ...address, ...of.sample.create }).inputs;
    made = await world.life(token).create(inputs, ROW);
    environment = String(inputs['environment'] ?? inputs['name']);
    await deployed(world, world.api, environment);
    world.requests();
  });

  /** What another user's own run writes on a record of ours. */
  const writtenByMaria = async (one: Tampering): Promise<void> => {
    world.clock.advance(1000);
    const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(made.id, made.outputs, ROW);
    await life.update(made.id, seen?.outputs ?? {}, { ...made.outputs, ...tampered(inputs, [one]) }, ROW);
  };

  /** Ours again, and deployed. */
  const writtenBack = async (): Promise<void> => {
    world.nextRun();
    const seen = await world.life(token).read(made.id, made.outputs, ROW);
    made = await world.life(token).update(made.id, seen?.outputs ?? {}, inputs, ROW);
    await deployed(world, world.api, environment);
  };

  test.each(['open', 'deployed'] as const)(
    'each declared attribute that another user changed is found, named, attributed and located: %s',
    async (reach) => {
      const keys = keysOfSample(of, made.id, inputs);
      const text = yamlOfSample(of, made.id, inputs);
      const found: unknown[] = [];
      const expected: unknown[] = [];
      for (const one of tamperings(of, inputs).filter((each) => isStored(dialect, each))) {
        await writtenByMaria(one);
        if (reach === 'deployed') await deployed(world, world.other, environment);
        world.requests();
        const { findings, outcome } = await reviewIn(world, [{ token, name: 'sample', ...made }], { text });
        expect(world.writes()).toEqual([]);
        const own = findings.filter(({ kind, address }) => kind === token && address === made.id);
        found.push([
          one.path.join('.'),
          outcome,
          ...own
            .filter(({ classification }) => classification !== 'touched')
            .map(({ classification, attribute, author, at }) => [classification, attribute, author?.who, at?.line]),
        ]);
        const line = lineOf(text, [...keys, ...keysWithin(of, one.path)]);
        expected.push([one.path.join('.'), 'drift', ['changed', one.path.join('.'), 'maria', line]]);
        await writtenBack();
      }
      expect(found).toEqual(expected);
    },
  );
});

/** An environment that is declared, and nothing in it. */
const ENVIRONMENT = kinds.find(({ holds }) => holds === 'environment') as Kind;

describe.each(cases.filter(([, , of]) => of.holds === undefined))('%s %s, which nobody declares', (dialect, _, of) => {
  test.each(['open', 'deployed'] as const)('what another user set in it is found: %s', async (reach) => {
    const world = makeWorld(dialect);
    try {
      const address = await world.prepare(of);
      await deployed(world, world.api, 'prod');
      world.nextRun();
      const environment = await world.life(ENVIRONMENT.token).read('acme/shop/prod', undefined, ROW);
      if (environment === undefined) throw new Error('the environment is gone');
      const kept = [{ token: ENVIRONMENT.token, name: 'prod', ...environment }];
      const text = yamlOfSample(ENVIRONMENT, environment.id, environment.inputs);
      const before = await reviewIn(world, kept, { text });
      world.clock.advance(1000);
      const maria = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
      const { inputs } = maria.check({ ...address, ...of.sample.create });
      const hers = await maria.create(inputs, ROW);
      if (reach === 'deployed') await deployed(world, world.other, 'prod');
      world.requests();
      const { findings, outcome } = await reviewIn(world, kept, { text });
      expect(world.writes()).toEqual([]);
      const own = findings.filter(({ kind, address: id }) => kind === of.token && id === hers.id);
      const isWhole = own.some(({ classification }) => classification === 'undeclared');
      const names = isWhole ? [] : attributesOf(of, inputs);
      const seen = new Map(own.map((each) => [each.attribute ?? '', each]));
      // The records of the design that it follows are undeclared, too.
      expect([before.findings.filter(({ address: id }) => id === hers.id), outcome]).toEqual([
        [],
        isWhole ? outcome : 'drift',
      ]);
      expect(names.filter((name) => !seen.has(name))).toEqual([]);
      const line = lineOf(text, keysOfSample(ENVIRONMENT, environment.id, environment.inputs));
      const places = own.map(({ author, at }) => `${author?.who} ${isWhole ? line : at?.line}`);
      expect([...new Set(places)]).toEqual([`maria ${line}`]);
    } finally {
      world.close();
    }
  });
});

/** The attributes of a sample, each with a value that nothing else makes. */
const attributesOf = (of: Kind, inputs: Inputs): readonly string[] => [
  ...new Set(tamperings(of, inputs).map(({ path }) => path.join('.'))),
];
