// A secret cannot be compared: a record that contains one is taken over when it is ours alone, or when that is declared, and is refused otherwise.
// In both dialects, in every place that may contain a secret.
import { DIALECTS } from '../../api/contract';
import type { Inputs } from '../../provider';
import { testInTurn } from '../dialects-in-turn';
import { emptyStack, preview, run, type Declared, type Run, type Stack } from '../world/engine-simulation';
import { commit, HOMES, holdsDeclared, resources, write, type Home } from '../world/secret-homes';
import { makeWorld, ROW, type World } from '../world/world';

/** `adopt: true` on what is topmost holds for everything below. */
const adopting = (declared: readonly Declared[], adopt: boolean): readonly Declared[] =>
  declared.map((each) =>
    adopt && ['Assembly', 'Cloud'].includes(each.token) ? { ...each, args: { ...each.args, adopt } } : each,
  );

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  let world: World;

  beforeEach(() => {
    world = makeWorld(dialect);
  });

  afterEach(() => {
    world.close();
  });

  const up = async (by: World, before: Stack = emptyStack, adopt = false): Promise<Run> => {
    const done = await run(by, before, adopting(resources({ adopt }), adopt));
    expect(done.errors).toEqual([]);
    return done;
  };

  const asMaria = (): World => ({ ...world, api: world.other });

  /** The arguments of a resource, as its last run was given them. */
  const argumentsOf = (stack: Stack, { key }: Home): { readonly token: string; readonly inputs: Inputs } => {
    const kept = stack.get(key);
    const { __provider: _, __kept: __, ...inputs } = kept?.inputs ?? {};
    return { token: kept?.token ?? '', inputs };
  };

  const refusal = ({ wire }: Home): RegExp =>
    new RegExp(
      `already there and holds a secret, whose value cannot be compared:\\n {2}${wire}: a secret, which cannot be compared\\n[^]*adopt: true`,
    );

  const refused = async (stack: Stack): Promise<void> => {
    for (const home of HOMES) {
      world.nextRun();
      world.writes();
      const { token, inputs } = argumentsOf(stack, home);
      await expect(world.life(token).create(inputs, ROW)).rejects.toThrow(refusal(home));
      expect([home.title, world.writes().filter((request) => request.startsWith('PUT'))]).toEqual([home.title, []]);
    }
  };

  test('created by another user: refused, and written again when adopt: true is declared', async () => {
    const { stack } = await up(asMaria());
    await refused(stack);
    const done = await up(world, emptyStack, true);
    const rows = done.notices.filter((notice) => notice.includes('written again'));
    expect(rows).toHaveLength(HOMES.length);
    rows.forEach((row) => expect(row).toMatch(/taken over; \w+ written again, because no read shows a secret/));
    expect(await preview(world, done.stack, adopting(resources({ adopt: true }), true))).toEqual({
      steps: [],
      errors: [],
    });
  });

  test('made by our own run, and written by another user since: refused', async () => {
    const { stack } = await up(world);
    world.clock.advance(1000);
    for (const home of HOMES) {
      await write(world.other, home, { [home.wire]: 'foreign' });
      await commit(world.other, home);
    }
    await refused(stack);
  });

  test('created by our own run whose state is lost: refused, then taken over with adopt: true, its secrets written again', async () => {
    await up(world);
    // The file contains other secrets by now: what exists there must not be taken for them.
    const homes = HOMES.filter(({ attribute }) => attribute === 'encryptedValue');
    expect((await run(world, emptyStack, resources())).errors.join()).toContain('adopt: true');
    const edited = adopting(resources({ adopt: true }), true).map((each) =>
      homes.some(({ key }) => key === each.key) ? { ...each, args: { ...each.args, encryptedValue: 'canary' } } : each,
    );
    const done = await run(world, emptyStack, edited);
    expect(done.errors).toEqual([]);
    const rows = done.notices.filter((notice) => notice.includes('taken over') && notice.includes('written again'));
    expect(rows).toHaveLength(HOMES.length);
    expect(await preview(world, done.stack, edited)).toEqual({ steps: [], errors: [] });
    for (const home of homes)
      expect([home.title, await holdsDeclared(world, { ...home, declared: 'canary' })]).toEqual([home.title, true]);
  });

  test('a first run killed after a write: the next one finishes it', async () => {
    const { stack } = await up(world);
    expect((await run(world, stack, [])).errors).toEqual([]);
    world.writes();
    await up(world);
    const count = world.writes().length;
    world.close();
    for (let killAfter = 1; killAfter <= count; killAfter += 3) {
      world = makeWorld(dialect);
      const crashed = await run(world, emptyStack, resources(), { killAfter });
      const { stack: after } = await up(world, crashed.stack);
      expect([killAfter, await preview(world, after, resources())]).toEqual([killAfter, { steps: [], errors: [] }]);
      for (const home of HOMES)
        expect([killAfter, home.title, await holdsDeclared(world, home)]).toEqual([killAfter, home.title, true]);
      if (killAfter + 3 <= count) world.close();
    }
  });
});
