// The relay that comes with an environment (service-facts §4.7.1 rule 7): written where it is, given back, and never mistaken for one that somebody set.
import { DIALECTS, routes } from '../../api/contract';
import { AlreadyExists } from '../../provider/errors';
import type { Inputs } from '../../provider';
import type { State } from '../../provider/lifecycle';
import { reviewIn } from '../world/drift-world';
import { eachWorld, kindOf, ROW } from '../world/world';

const AT = { assembly: 'shop', environment: 'prod' };
const IN = { organization: 'acme', ...AT };
const OWN = { ...AT, name: 'default' };

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);

  beforeEach(async () => {
    await world.prepare(kindOf('Relay'));
    world.nextRun();
    world.requests();
  });

  const texts = async (): Promise<Inputs> => {
    const list = await world.other.call(routes.relays.list, { address: IN });
    return list.find(({ ciName }) => ciName === 'default')?.ciAttributes ?? {};
  };

  const create = (args: Inputs): Promise<State> => world.life('Relay').create({ ...OWN, ...args }, ROW);

  const writtenByMaria = (ciAttributes: { readonly [name: string]: string }): Promise<unknown> =>
    world.other.call(routes.relays.update, {
      address: { ...IN, relay: 'default' },
      body: { cms_ci: { ciName: 'default', ciAttributes } },
    });

  test('what nobody set is written with one request, and given back with another', async () => {
    const before = await texts();
    world.requests();
    const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
    expect(world.writes()).toEqual(['PUT relays.update']);
    expect(made.outputs['origin']).toBe('pack');
    expect(await texts()).toEqual({ ...before, severity: 'critical', emails: 'ops@acme.io' });
    world.nextRun();
    world.requests();
    await world.life('Relay').delete(made.id, made.outputs, ROW);
    expect(world.writes()).toEqual(['PUT relays.update']);
    expect(await texts()).toEqual(before);
  });

  test('what is declared as it is anyway is not written', async () => {
    await create({ severity: ['critical', 'info', 'warning'], emails: ['team@acme.io'] });
    expect(world.writes()).toEqual([]);
  });

  test('what is no longer declared goes back, the address to the owner of the assembly', async () => {
    const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
    world.nextRun();
    await world.life('Relay').update(made.id, made.outputs, { ...OWN, correlation: false }, ROW);
    expect(await texts()).toMatchObject({
      severity: 'info,warning,critical',
      emails: 'team@acme.io',
      correlation: 'false',
    });
  });

  test('what somebody set stays until it is adopted', async () => {
    await writtenByMaria({ emails: 'maria@acme.io' });
    await expect(create({ emails: ['ops@acme.io'] })).rejects.toThrow(AlreadyExists);
    expect((await texts())['emails']).toBe('maria@acme.io');
    world.nextRun();
    await create({ emails: ['ops@acme.io'], adopt: true });
    expect((await texts())['emails']).toBe('ops@acme.io');
  });

  test('what somebody set of it, and nobody declares, stays', async () => {
    await writtenByMaria({ text_regex: 'failed' });
    const made = await create({ emails: ['ops@acme.io'] });
    world.nextRun();
    await world.life('Relay').delete(made.id, made.outputs, ROW);
    expect(await texts()).toMatchObject({ text_regex: 'failed', emails: 'team@acme.io' });
  });

  test('one that somebody deleted is created again, and deleted with the stack', async () => {
    await world.other.call(routes.relays.delete, { address: { ...IN, relay: 'default' } });
    const made = await create({ severity: ['critical'] });
    expect(made.outputs['origin']).toBe('created');
    expect(await texts()).toMatchObject({ severity: 'critical', emails: 'team@acme.io' });
    world.nextRun();
    await world.life('Relay').delete(made.id, made.outputs, ROW);
    expect(await texts()).toEqual({});
  });

  test('a review reports relays that somebody made or set, and not the one that came with the environment', async () => {
    const made = await world.life('Relay').create({ ...AT, name: 'ops', emails: ['ops@acme.io'] }, ROW);
    const environment = await world.life('Environment').read('acme/shop/prod', undefined, ROW);
    const kept = [
      { token: 'Environment', name: 'prod', id: 'acme/shop/prod', ...environment },
      { token: 'Relay', name: 'ops', ...made },
    ] as Parameters<typeof reviewIn>[1];
    const found = async (): Promise<readonly string[]> => {
      world.nextRun();
      const { findings } = await reviewIn(world, kept);
      return findings.filter(({ kind }) => kind === 'Relay').map(({ address }) => address);
    };
    expect(await found()).toEqual([]);
    world.clock.advance(1000);
    await writtenByMaria({ enabled: 'false' });
    await world.other.call(routes.relays.create, {
      address: IN,
      body: { cms_ci: { ciName: 'watch', ciAttributes: { emails: 'maria@acme.io' } } },
    });
    expect(await found()).toEqual(['acme/shop/prod/relays/default', 'acme/shop/prod/relays/watch']);
  });
});
