// Encrypted attributes of a component: no read shows them, so they are written when they are declared and when they change, and only then.
import { DIALECTS } from '../../api/contract';
import type { Inputs } from '../../provider';
import { makeWorld, ROW } from './world';

test.each(DIALECTS)('%s: a pack-born password is written once, and again when it changes', async (dialect) => {
  const world = makeWorld(dialect);
  await world.life('Assembly').create({ name: 'shop', owner: 'team@acme.io' }, ROW);
  await world
    .life('Platform')
    .create({ assembly: 'shop', name: 'db', source: 'oneops', pack: 'mysql', version: '1' }, ROW);
  const declared = (password: string): Inputs => ({
    assembly: 'shop',
    platform: 'db',
    name: 'mysql',
    type: 'mysql',
    attributes: { password },
  });
  world.writes();
  const made = await world.life('Component').create(declared('first-one'), ROW);
  expect(world.writes()).toEqual(['PUT components.update']);

  const same = await world.life('Component').update(made.id, made.outputs, declared('first-one'), ROW);
  expect(world.writes()).toEqual([]);

  // Committed in between, as every run does: a change of an open release keeps its number.
  await world.life('DesignRelease').create({ assembly: 'shop', stamps: 'new' }, ROW);
  world.nextRun();
  world.writes();
  const changed = await world.life('Component').update(same.id, same.outputs, declared('second-one'), ROW);
  expect(world.writes()).toEqual(['PUT components.update']);
  expect(changed.outputs['revision']).not.toBe(made.outputs['revision']);

  const read = await world.life('Component').read(changed.id, changed.outputs, ROW);
  expect(read?.inputs['attributes']).toEqual({ password: 'second-one' });
  world.close();
});
