// What a record lives in is deleted while the record itself is being deleted, as an engine does with records between which its state has no
// dependency: whatever the moment, the delete succeeds. For every kind from its own sample, in both dialects.
import { createApi } from '../../api/client';
import { routes } from '../../api/contract';
import { scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type State } from '../../provider/lifecycle';
import { rowsInTurn } from '../dialects-in-turn';
import { eachWorld, kindOf, ROW, titleOf } from '../world/world';

const DESIGN = { assembly: 'shop' };

const isWithin = (of: Kind, token: string): boolean =>
  of.within !== undefined && (of.within.token === token || isWithin(of.within, token));

interface Case {
  readonly title: string;
  readonly of: Kind;
  readonly inputs?: Inputs;
}

const samples = kinds
  .flatMap(scopesOf)
  .filter((of) => isWithin(of, 'Assembly'))
  .map((of): Case => ({ title: titleOf(of), of }));

/** The sample of a component is optional in its pack; this one is given back. */
const BORN_WITH_PLATFORM: Case = {
  title: 'Component of the pack',
  of: kindOf('Component'),
  inputs: { name: 'os', type: 'os', attributes: { timezone: 'CET' } },
};

const cases = rowsInTurn([...samples, BORN_WITH_PLATFORM].map((each) => [each.title, each] as const));

describe.each(cases)('%s %s', (dialect, _, { of, inputs: declared = of.sample.create }) => {
  const world = eachWorld(dialect);

  const make = async (): Promise<State> => {
    const address = await world.prepare(of);
    world.nextRun();
    const { inputs } = world.life(of.token).check({ ...address, ...declared });
    return world.life(of.token).create(inputs, ROW);
  };

  /** Takes each environment down and deletes it, and then what is above it. */
  const deleteAbove = async (): Promise<void> => {
    const { api } = world;
    const names = (await api.call(routes.environments.list, { address: DESIGN })).map(({ ciName }) => ciName);
    for (const environment of names) {
      world.nextRun();
      const known = { ...DESIGN, environment, stamps: '' };
      await world.life('Deployment').delete(`acme/shop/${environment}`, known, ROW);
      await api.call(routes.environments.delete, { address: { ...DESIGN, environment } });
    }
    await api.call(routes.assemblies.delete, { address: DESIGN });
  };

  test('its delete succeeds', async () => {
    const failed: string[] = [];
    for (let point = 1, isBeyond = false; !isBeyond; point += 1) {
      const made = await make();
      let requests = 0;
      const api = createApi({
        url: 'http://127.0.0.1',
        organization: 'acme',
        token: 'admin-token',
        dialect: 'auto',
        send: async (request) => {
          requests += 1;
          if (requests === point) await deleteAbove();
          return world.service.handle(request);
        },
      });
      const life = lifecycle(of, () => Promise.resolve(api), world.freshSession());
      await life
        .delete(made.id, made.outputs, ROW)
        .catch((error: unknown) => failed.push(`${String(point)}: ${String(error)}`));
      isBeyond = requests < point;
      world.nextRun();
    }
    expect(failed).toEqual([]);
  });
});
