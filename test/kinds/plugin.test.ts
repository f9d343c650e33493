// The plugin answers what the dynamic provider answers: the same life of every kind's sample
// through both, in two equal services. What only the plugin protocol has is tested for itself:
// previews, paths of differences, envelopes, imports.
import { status, type ServiceError } from '@grpc/grpc-js';
import { PartialFailure } from '../../provider/errors';
import { providerText, type Inputs, type Kind } from '../../provider';
import { UNKNOWN } from '../../provider/values';
import { face, type Face, type Host, plain } from '../../provider/faces/dynamic/face';
import { enveloped, received, sent } from '../../provider/faces/plugin/properties';
import { kindsInTurn } from '../world/each-dialect';
import { connectionIn } from '../world/engine-simulation';
import { initFailureOf, pluginClient, pluginFaces, urnOf, type Call } from '../world/plugin-face';
import { closedAfterEach, eachWorld, kindOf, type World } from '../world/world';

function hostOf(world: World): Host {
  const connection = connectionIn(world);
  return { configure: () => undefined, connection: () => connection };
}

/** Ids of the records that are listed in addition to the sample. */
async function listed(call: Call, of: Kind, { name: _, ...beside }: Inputs): Promise<readonly string[]> {
  const answers = await call('list', { token: `oneops:index:${of.token}`, query: beside });
  return answers.map((answer) => answer.getResult()?.getId() ?? '');
}

/** The plugin's inputs have no text of the dynamic provider; its differences say what replaces. */
const comparable = (answer: { readonly inputs?: Inputs; readonly changes?: boolean }): object => {
  const { inputs: { __provider: _, ...inputs } = {}, changes, ...rest } = answer;
  return { replaces: [], ...rest, inputs, isSame: changes === false, deleteBeforeReplace: true };
};

const { faceOf } = pluginFaces(/never/);

const valuesOf = (struct: Parameters<typeof received>[0]): Inputs => received(struct).values;

describe.each(kindsInTurn())('%s %s', (dialect, _, of) => {
  const urn = urnOf(of.token);
  const open = closedAfterEach();
  let worlds: readonly [World, World];
  let dynamic: () => Face;
  let plugin: () => Call;
  let address: Inputs;
  let news: Inputs;

  beforeEach(async () => {
    worlds = [open(dialect), open(dialect)];
    [address = {}] = await Promise.all(worlds.map((world) => world.prepare(of)));
    dynamic = () => face(of, hostOf(worlds[0]));
    plugin = () => pluginClient(connectionIn(worlds[1]));
    news = plain({ ...address, ...of.sample.create });
  });

  const text = { __provider: providerText(of.token) };

  /** What both faces answer to a verb in runs of their own: the same, by the same requests. */
  const both = async <Answer extends object>(verb: (face: Face) => Promise<Answer>): Promise<Answer> => {
    const [answer, also] = await Promise.all([verb(dynamic()), verb(faceOf(of, hostOf(worlds[1])))]);
    expect(comparable(also)).toEqual(comparable(answer));
    expect(worlds[1].requests()).toEqual(worlds[0].requests());
    return answer;
  };

  test('lives the same life under both faces', async () => {
    const { inputs = {}, failures } = await both((face) => face.check({}, { ...news, ...text }));
    expect(failures).toEqual([]);
    const { id, outs = {} } = await both((face) => face.create({ ...inputs, ...text }));
    expect((await both((face) => face.diff(id, outs, inputs))).changes).toBe(false);
    const edited = plain({ ...inputs, ...of.sample.update, ...text });
    await both((face) => face.diff(id, outs, edited));
    const { outs: known = {} } = await both((face) => face.update(id, outs, edited));
    expect(await both((face) => face.read(id, known))).toMatchObject({ id });
    if (of.found !== undefined) expect(await listed(plugin(), of, address)).toContain(id);
    worlds[1].requests();
    await both(async (face) => ({ gone: await face.delete(id, known) }));
  });

  test('a preview sends nothing; what only the service knows is unknown', async () => {
    worlds[1].requests();
    const made = await plugin()('create', { urn, properties: news, preview: true });
    expect(valuesOf(made.getProperties())).toMatchObject({ ...news, ciId: UNKNOWN, revision: UNKNOWN });
    const olds = { ...news, ciId: 7, revision: 'r', origin: 'created' };
    const edited = plain({ ...news, ...of.sample.update });
    const updated = await plugin()('update', { urn, id: 'id', olds, news: edited, preview: true });
    const known = { ciId: 7, origin: 'created', revision: UNKNOWN };
    expect(valuesOf(updated.getProperties())).toMatchObject({ ...edited, ...known });
    expect(worlds[1].requests()).toEqual([]);
  });
});

describe('what only the protocol has', () => {
  const world = eachWorld('documented');
  let call: () => Call;

  beforeEach(async () => {
    await world.prepare(kindOf('Component'));
    call = () => pluginClient(connectionIn(world));
  });

  const URN = urnOf('Component', 'deployer');
  const DEPLOYER = {
    assembly: 'shop',
    platform: 'web',
    name: 'deployer',
    type: 'user',
    attributes: { username: 'one' },
  };

  test('a resource without a name is called as the program calls it', async () => {
    const { name: _, ...unnamed } = DEPLOYER;
    const answer = await call()('check', { urn: URN, news: unnamed });
    expect(valuesOf(answer.getInputs())).toEqual(DEPLOYER);
  });

  test('differences have paths, and top-level names next to them', async () => {
    const olds = { ...DEPLOYER, attributes: { username: 'one', ulimit: '20000' }, revision: 'r' };
    const news = { ...DEPLOYER, type: 'os', attributes: { username: 'two', 'odd name': 'x' } };
    const answer = await call()('diff', { urn: URN, id: 'acme/shop/web/deployer', olds, news });
    const paths = (answer.getDetaileddiffMap().toArray() as [string, unknown][]).map(([path]) => path);
    expect(paths.sort()).toEqual(['attributes.ulimit', 'attributes.username', 'attributes["odd name"]', 'type']);
    expect(answer.getDiffsList().sort()).toEqual(['attributes', 'type']);
    expect([answer.getReplacesList(), answer.getDeletebeforereplace()]).toEqual([['type'], true]);
  });

  test('an import reads everything that can be declared', async () => {
    const made = await call()('create', { urn: URN, properties: DEPLOYER });
    const read = await call()('read', { urn: URN, id: made.getId() });
    expect(valuesOf(read.getInputs())).toEqual(DEPLOYER);
    const gone = await call()('read', { urn: URN, id: 'acme/shop/web/nobody' });
    expect(gone.getId()).toBe('');
  });

  test('an attribute that its class encrypts leaves in an envelope, and the others beside it do not', async () => {
    const type = 'certificate';
    const inputs = { ...DEPLOYER, name: 'web', type, attributes: { cert: 'a', key: 'hush', passphrase: 'hush' } };
    const made = await call()('create', { urn: URN, properties: sent(inputs) });
    expect(made.getProperties()?.toJavaScript()['attributes']).toMatchObject({
      cert: 'a',
      passphrase: enveloped('hush'),
    });
  });

  test('a secret that came in an envelope stays in one, wherever it is', async () => {
    const inputs = { ...DEPLOYER, attributes: { username: 'one', description: 'hush' } };
    const properties = sent(inputs, { attributes: { description: true } });
    const made = await call()('create', { urn: URN, properties });
    expect(made.getProperties()?.toJavaScript()['attributes']).toEqual({
      username: 'one',
      description: enveloped('hush'),
    });
  });

  test('wrong arguments are failures, an unknown type is an error', async () => {
    const answer = await call()('check', { urn: URN, news: { ...DEPLOYER, nmae: 1 } });
    expect(answer.getFailuresList().map((found) => found.getReason())).toEqual([
      expect.stringContaining('did you mean "name"'),
    ]);
    const details = expect.stringContaining('oneops:index:Componet') as string;
    await expect(call()('check', { urn: urnOf('Componet') })).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details,
    });
  });

  test('what exists but not right is kept: the error carries what is known', async () => {
    const half = { id: 'acme/shop/web/deployer', outputs: DEPLOYER, reasons: ['half done'] as const };
    const broken: World['api'] = { ...world.api, call: () => Promise.reject(new PartialFailure(half)) };
    const failing = pluginClient(connectionIn({ ...world, api: broken }));
    const error: unknown = await failing('create', { urn: URN, properties: DEPLOYER }).catch(
      (thrown: unknown) => thrown,
    );
    const kept = initFailureOf(error as ServiceError)!;
    expect(kept.getId()).toBe('acme/shop/web/deployer');
    expect(kept.getReasonsList().join()).toContain('half done');
    expect(valuesOf(kept.getProperties())).toMatchObject(DEPLOYER);
    expect(valuesOf(kept.getInputs())).toEqual(DEPLOYER);
  });
});
