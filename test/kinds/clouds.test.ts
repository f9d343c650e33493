// Clouds and their services in odd cases: locations by name and path, clouds in use, templates that do not exist.
import { DIALECTS, routes } from '../../api/contract';
import { diff, type Inputs } from '../../provider';
import { eachWorld, kindOf, ROW } from '../world/world';

const NORTH = { name: 'north', location: 'aws' };

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);

  const locationOf = async (name: string): Promise<string | null | undefined> =>
    (await world.api.call(routes.clouds.read, { address: { cloud: name } })).ciAttributes['location'];

  test('a location by name and by path is the same', async () => {
    const made = await world.life('Cloud').create(NORTH, ROW);
    expect(await locationOf('north')).toBe('/public/oneops/clouds/aws');
    const byPath: Inputs = { ...NORTH, location: '/public/oneops/clouds/aws' };
    expect(await world.life('Cloud').diff(made.id, made.outputs, byPath)).toEqual({ changes: [], replaces: [] });
    const read = await world.life('Cloud').read(made.id, made.outputs, ROW);
    expect(read?.inputs).toEqual(NORTH);
  });

  test('a location that does not exist is reported with the nearest name, before anything is written', async () => {
    world.writes();
    await expect(world.life('Cloud').create({ ...NORTH, location: 'asw' }, ROW)).rejects.toThrow(
      /no location "asw"[^]*did you mean "aws"/,
    );
    expect(world.writes()).toEqual([]);
  });

  test("a cloud of the organization's own needs a key, and its name in its location is no difference", async () => {
    const own = { name: 'cellar', location: '/acme/_clouds', auth: 'k3y' };
    expect(world.life('Cloud').check({ ...own, auth: undefined }).findings).toMatchObject([{ path: ['auth'] }]);
    const made = await world.life('Cloud').create(own, ROW);
    expect(await locationOf('cellar')).toBe('/acme/_clouds/cellar');
    const read = await world.life('Cloud').read(made.id, made.outputs, ROW);
    expect(diff(kindOf('Cloud'), own, read?.inputs ?? {})).toEqual([]);
  });

  test('another location replaces; taken over, a cloud cannot move', async () => {
    const made = await world.life('Cloud').create(NORTH, ROW);
    const moved = { ...NORTH, location: 'openstack' };
    expect((await world.life('Cloud').diff(made.id, made.outputs, moved)).replaces).toEqual(['location']);
    world.nextRun();
    await expect(world.life('Cloud').create({ ...moved, adopt: true }, ROW)).rejects.toThrow(/cannot move/);
    expect(await locationOf('north')).toBe('/public/oneops/clouds/aws');
  });

  test('a cloud that is only referred to is neither written nor deleted', async () => {
    world.writes();
    const east = await world.life('Cloud').create({ name: 'east', existing: true }, ROW);
    expect(world.life('Cloud').check({ name: 'east', existing: true }).findings).toEqual([]);
    await world.life('Cloud').delete(east.id, east.outputs, ROW);
    expect(world.writes()).toEqual([]);
    await expect(world.life('Cloud').create({ name: 'nowhere', existing: true }, ROW)).rejects.toThrow(/no such cloud/);
  });

  test('a cloud in use is not deleted, and the environment is named', async () => {
    const east = await world.life('Cloud').create({ name: 'east', existing: true }, ROW);
    await world.prepare(kindOf('CloudConfiguration'));
    world.nextRun();
    const { existing: _, ...known } = east.outputs;
    await expect(world.life('Cloud').delete(east.id, known, ROW)).rejects.toThrow(/shop\/prod still uses it/);
    expect(await locationOf('east')).toBeTruthy();
  });

  test('a template that does not exist is reported with the nearest name', async () => {
    await world.life('Cloud').create(NORTH, ROW);
    await expect(world.life('CloudService').create({ cloud: 'north', name: 'nowa' }, ROW)).rejects.toThrow(
      /no template "nowa"[^]*did you mean "nova"/,
    );
  });

  test('a second service of one type is refused, and the first is named', async () => {
    await world.life('Cloud').create(NORTH, ROW);
    const account = { key: 'k', secret: 's3cret' };
    await world.life('CloudService').create({ cloud: 'north', name: 's3', attributes: account }, ROW);
    const swift = { cloud: 'north', name: 'swift', attributes: {} };
    await expect(world.life('CloudService').create(swift, ROW)).rejects.toThrow(/filestore already: s3/);
  });

  test('what is not declared has the value of the template, and secrets are never answered', async () => {
    await world.life('Cloud').create(NORTH, ROW);
    const attributes = { key: 'k', secret: 's3cret' };
    const made = await world.life('CloudService').create({ cloud: 'north', name: 'us-east-1', attributes }, ROW);
    const address = { cloud: 'north', service: 'us-east-1' };
    const live = await world.api.call(routes.cloudServices.read, { address });
    expect(live.ciAttributes).toMatchObject({ key: 'k', secret: '--ENCRYPTED--', region: 'us-east-1' });
    expect(await world.life('CloudService').read(made.id, made.outputs, ROW)).toMatchObject({ inputs: { attributes } });
  });
});
