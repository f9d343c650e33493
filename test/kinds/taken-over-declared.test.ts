// What a stack declares of a record, of every kind, is what `import-file --declared` takes over: the next preview has nothing to change. A secret that
// the stack does not declare is left out.
import { importFile } from '../../provider/import';
import { diff, scopesOf, secretIn, secretNames, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle } from '../../provider/lifecycle';
import { cacheGets } from '../../provider/session';
import { secretAttributes } from '../../provider/secrets';
import { isPlainObject } from '../../provider/values';
import { rowsInTurn } from '../dialects-in-turn';
import { eachWorld, ROW, titleOf } from '../world/world';

const cases = rowsInTurn(kinds.flatMap(scopesOf).map((of) => [titleOf(of), of] as const));

describe.each(cases)('%s %s', (dialect, _, of) => {
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let id: string;

  beforeEach(async () => {
    const address = await world.prepare(of);
    world.nextRun();
    inputs = world.life(of.token).check({ ...address, ...of.sample.create }).inputs;
    ({ id } = await world.life(of.token).create(inputs, ROW));
  });

  /** What differs from what is declared after it was taken over, as the command does it. */
  const differing = async (declared: Inputs): Promise<readonly string[]> => {
    const session = world.freshSession();
    const reading = session.reads ? cacheGets(world.api, session.reads) : world.api;
    const life = (kind: Kind) => lifecycle(kind, () => Promise.resolve(reading), session, true);
    const { resources, leftOut } = await importFile([{ of, id, name: 'sample', declared }], life);
    expect(leftOut).toEqual([]);
    const { inputs: taken = {}, outputs = {} } = resources[0] ?? {};
    expect(outputs).toMatchObject(taken);
    return diff(of, opened(taken), declared)
      .map(({ path }) => path.join('.'))
      .filter((path) => !(`${of.token}.${path}` in SETTLED));
  };

  test('everything declared', async () => {
    expect(await differing(inputs)).toEqual([]);
  });

  test('everything declared but its secrets', async () => {
    expect(await differing(withoutSecrets(of, inputs))).toEqual([]);
  });

  // Such as a cloud that an administrator owns: nothing of it but its name is declared.
  if ('existing' in of.fields)
    test('only referred to', async () => {
      expect(await differing({ name: inputs['name'], existing: true })).toEqual([]);
    });
});

/** What follows from everything else that is taken over, which here is nothing. */
const SETTLED: { readonly [path: string]: string } = {
  'DesignRelease.stamps': 'the records of the design',
  'Environment.designRelease': 'the release of the design',
  'Deployment.stamps': 'the records of the environment',
};

const opened = (values: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== '__provider')
      .map(([name, value]) => {
        const secret = secretIn(value);
        if (typeof secret === 'object') return [name, secret.value];
        return [name, isPlainObject(value) ? opened(value) : value];
      }),
  );

function withoutSecrets(of: Kind, inputs: Inputs): Inputs {
  const { argument = '', names = [] } = secretAttributes(of, inputs) ?? {};
  const without = (values: Inputs, left: readonly string[]): Inputs =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !left.includes(name)));
  const values = inputs[argument];
  return {
    ...without(inputs, secretNames(of)),
    ...(isPlainObject(values) ? { [argument]: without(values, names) } : {}),
  };
}
