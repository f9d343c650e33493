// Clouds and their services in odd cases: locations by name and path, clouds in use, templates that do not exist.
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { diff, type Inputs } from '../../provider';
import { testInTurn } from '../dialects-in-turn';
import { eachWorld, kindOf, ROW } from '../world/world';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';

const NORTH = { name: 'north', location: 'aws' };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
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

// The availability of platforms that an environment runs: what cannot change is refused before anything is written, and what is declared for
// platforms to come reaches them. Judged by what the environment's platforms say.

const specOf = (environment: Partial<EnvironmentSpec>, platforms: readonly string[] = ['web', 'db']): StackSpec => ({
  platforms: Object.fromEntries(platforms.map((name) => [name, { pack: 'tomcat' }])),
  environments: { prod: { clouds: { east: { priority: 1 } }, ...environment } },
});

const SINGLE = specOf({ availability: 'single' });
const REDUNDANT = specOf({ availability: 'redundant' });

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const first = await run(world, emptyStack, resourcesOf(SINGLE));
    expect(first.errors).toEqual([]);
    stack = first.stack;
  });

  const up = (spec: StackSpec) => run(world, stack, resourcesOf(spec));

  const modes = async (): Promise<{ readonly [name: string]: string | null | undefined }> => {
    const address = { assembly: 'shop', environment: 'prod' };
    const platforms = await world.api.call(routes.environmentPlatforms.list, { address });
    return Object.fromEntries(platforms.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['availability']]));
  };

  const environment = () =>
    world.api.call(routes.environments.read, { address: { assembly: 'shop', environment: 'prod' } });

  test('of the environment, its platforms cannot follow: refused in preview and in the run, with the way out', async () => {
    const says = [
      expect.stringMatching(
        /Environment::prod: .*platform (web|db) runs single and cannot become redundant in place.*platformAvailability: \{ (web|db): single/s,
      ),
    ];
    expect((await preview(world, stack, resourcesOf(REDUNDANT))).errors).toEqual(says);
    world.requests();
    expect((await up(REDUNDANT)).errors).toEqual(says);
    expect(world.writes()).toEqual([]);
    expect((await environment()).ciAttributes['availability']).toBe('single');
    expect(await modes()).toEqual({ web: 'single', db: 'single' });
  });

  test('of a platform alone, too, and the same the other way round', async () => {
    const alone = specOf({ availability: 'single', platformAvailability: { web: 'redundant' } });
    const shown = await preview(world, stack, resourcesOf(alone));
    expect(shown.errors.join()).toMatch(/platform web runs single and cannot become redundant/);
    expect((await up(alone)).errors.join()).toMatch(/platform web runs single and cannot become redundant/);
  });

  test('with what runs declared as it is, platforms to come follow the environment', async () => {
    const kept = { availability: 'redundant', platformAvailability: { web: 'single', db: 'single' } };
    const both = await up(specOf(kept));
    expect(both.errors).toEqual([]);
    stack = both.stack;
    expect((await up(specOf(kept, ['web', 'db', 'cache']))).errors).toEqual([]);
    expect(await modes()).toEqual({ web: 'single', db: 'single', cache: 'redundant' });
  });

  test('a platform that leaves in the same run is in nobody’s way', async () => {
    const kept = { availability: 'redundant', platformAvailability: { web: 'single' } };
    const left = specOf(kept, ['web']);
    expect((await preview(world, stack, resourcesOf(left))).errors).toEqual([]);
    expect((await up(left)).errors).toEqual([]);
    expect(await modes()).toEqual({ web: 'single' });
  });

  test('of an environment that is taken over', async () => {
    stack = new Map([...stack].filter(([key]) => !/^(Environment|Deployment)::/.test(key)));
    const adopted = { ...REDUNDANT.environments?.['prod'], adopt: true };
    const { errors } = await up({ ...REDUNDANT, environments: { prod: adopted } });
    expect(errors.join()).toMatch(/runs single and cannot become redundant in place/);
    expect((await environment()).ciAttributes['availability']).toBe('single');
  });
});
