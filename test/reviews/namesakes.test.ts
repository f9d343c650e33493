// What reads, reviews and imports say where two components of a platform have one name: each finds its own, and an ambiguous name is refused.
import { DIALECTS, routes, type Record as WireRecord, type Route } from '../../api/contract';
import { applyReversal, planRevert, type RevertContext } from '../../drift';
import { functions, type ApiFunction } from '../../provider/functions';
import { importFile, placeAt, recordsBelow } from '../../provider/import';
import { scopeAt, type Kind } from '../../provider';
import { lifecycle, type Lifecycle } from '../../provider/lifecycle';
import { testInTurn } from '../dialects-in-turn';
import { commitDesignByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Declared, type Stack } from '../world/engine-simulation';
import { EAST } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';

const AT = { assembly: 'shop', platform: 'web' };
const SPEC: StackSpec = {
  platforms: {
    web: {
      pack: 'tomcat',
      components: {
        tomcat: {
          type: 'user',
          attributes: { username: 'tomcat', sudoer: false },
          attachments: { motd: { path: '/etc/motd', content: 'hello' } },
        },
      },
    },
  },
  environments: { prod: { clouds: EAST } },
};

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;
  let server: WireRecord;
  let user: WireRecord;
  beforeEach(async () => {
    const first = await run(world, emptyStack, resourcesOf(SPEC));
    expect(first.errors).toEqual([]);
    stack = first.stack;
    [server, user] = (await both()) as [WireRecord, WireRecord];
    world.clock.advance(1000);
  });

  /** The pack's server and the user, both called tomcat. */
  const both = async (): Promise<readonly WireRecord[]> => {
    const list = await world.api.call(routes.components.list, { address: AT });
    return ['Tomcat', 'User'].flatMap(
      (tail) => list.find(({ ciName, ciClassName }) => ciName === 'tomcat' && ciClassName.endsWith(`.${tail}`)) ?? [],
    );
  };

  /** Maria changes an attribute of one of them, and leaves it open or commits it. */
  async function change({ ciId }: WireRecord, ciAttributes: object, commit = true): Promise<void> {
    const address = { ...AT, component: String(ciId) };
    const owner = Object.fromEntries(Object.keys(ciAttributes).map((name) => [name, 'design']));
    const body = { cms_dj_ci: { ciId, ciName: 'tomcat', ciAttributes, ciAttrProps: { owner } } };
    await world.other.call(routes.components.update, { address, body });
    if (commit) await commitDesignByHand(world.other);
  }

  const life = ({ token }: Pick<Kind, 'token'>): Lifecycle =>
    lifecycle(kindOf(token), () => Promise.resolve(world.api), world.freshSession());

  test('a review reports the user’s own change, and of none of the server’s', async () => {
    expect((await reviewIn(world, keptOf(stack))).findings).toEqual([]);
    await change(server, { max_threads: '77' });
    const { findings: all } = await reviewIn(world, keptOf(stack));
    // The change itself waits for the next deployment.
    expect(all.filter(({ waits }) => waits).map(({ address }) => address)).toEqual(['acme/shop']);
    expect(all.filter(({ waits }) => waits !== true)).toEqual([
      expect.objectContaining({
        classification: 'undeclared',
        kind: 'Component',
        address: `acme/shop/web/${server.ciId}`,
      }),
    ]);
    await change(user, { sudoer: 'true' });
    const { findings } = await reviewIn(world, keptOf(stack));
    expect(findings.filter(({ classification, waits }) => classification !== 'undeclared' && waits !== true)).toEqual([
      expect.objectContaining({ address: 'acme/shop/web/tomcat', attribute: 'attributes.sudoer' }),
    ]);
  });

  test('a revert writes the user and nothing else', async () => {
    await change(user, { sudoer: 'true' });
    const { findings } = await reviewIn(world, keptOf(stack));
    const [before] = await both();
    const declared = [...stack.values()].map(({ key, token, id, inputs }) => ({
      kind: scopeAt(kindOf(token), inputs) ?? kindOf(token),
      id,
      logicalName: key,
      inputs,
      hidden: [],
    }));
    const reverting: RevertContext = {
      api: world.api,
      declared,
      clock: world.freshSession().clock,
      tell: () => undefined,
    };
    const { reversals, refused } = await planRevert(reverting, findings);
    expect([reversals.length, refused]).toEqual([1, []]);
    for (const reversal of reversals) await applyReversal(reverting, reversal);
    const [after, now] = await both();
    expect([after, now?.ciAttributes['sudoer']]).toEqual([before, 'false']);
  });

  test('an import by an ambiguous name is refused with the numbers, by which it works', async () => {
    await expect(placeAt('Component:acme/shop/web/tomcat', life)).rejects.toThrow(
      new RegExp(
        `platform shop/web has 2 components named "tomcat": ${server.ciId} \\(\\S+\\.Tomcat\\), ${user.ciId} \\(\\S+\\.User\\)[^]*${server.ciId} or ${user.ciId}`,
      ),
    );
    const place = await placeAt(`acme/shop/web/${user.ciId}`, life);
    expect(place).toEqual({ of: kindOf('Component'), id: 'acme/shop/web/tomcat', at: `acme/shop/web/${user.ciId}` });
    const inside = await placeAt(`acme/shop/web/${user.ciId}/motd`, life);
    const file = await importFile(
      [
        { ...place, name: 'web/tomcat' },
        { ...inside, name: 'web/motd' },
      ],
      life,
    );
    expect(file.resources.map(({ id, inputs }) => [id, inputs['type'] ?? inputs['component'], inputs['name']])).toEqual(
      [
        ['acme/shop/web/tomcat', 'user', 'tomcat'],
        ['acme/shop/web/tomcat/motd', 'tomcat', 'motd'],
      ],
    );
    await expect(placeAt(`acme/shop/web/999999`, life)).rejects.toThrow('there is nothing at acme/shop/web/999999');
  });

  test('with everything below, what one stack cannot declare together is left out and reported', async () => {
    const take = async (): Promise<readonly [readonly string[], readonly string[]]> => {
      const below = await recordsBelow(world.api, { of: kindOf('Platform'), id: 'acme/shop/web' });
      const file = await importFile(
        below.map((each) => ({ ...each, name: each.id })),
        life,
      );
      return [
        file.resources
          .map(({ type, id }) => `${type.split(':').at(-1)} ${id}`)
          .filter((line) => line.includes('tomcat')),
        file.leftOut.map(({ of, id }) => `${of.token} ${id}`),
      ];
    };
    expect(await take()).toEqual([['Component acme/shop/web/tomcat', 'Attachment acme/shop/web/tomcat/motd'], []]);
    await change(server, { max_threads: '77' });
    expect(await take()).toEqual([
      ['Component acme/shop/web/tomcat'],
      [`Component acme/shop/web/${user.ciId}`, `Attachment acme/shop/web/${user.ciId}/motd`],
    ]);
  });

  test('an act on a component runs on the one that is declared; without one, an ambiguous name is refused', async () => {
    const act: Declared = {
      key: 'Procedure::repair',
      token: 'Procedure',
      args: { ...AT, environment: 'prod', component: 'tomcat', name: 'fix', action: 'repair' },
      after: ['Deployment::prod'],
    };
    const done = await run(world, stack, [...resourcesOf(SPEC), act]);
    expect(done.errors).toEqual([]);
    const running = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const own = running.find(({ ciClassName }) => ciClassName.endsWith('.User'));
    expect(done.stack.get(act.key)?.outputs['ciId']).toBe(own?.ciId);
    await expect(life(kindOf('Procedure')).create({ ...act.args, name: 'again' }, ROW)).rejects.toThrow(
      /platform shop\/prod\/web has 2 components named "tomcat"[^]*write the number/,
    );
    const byNumber = { ...act.args, name: 'again', component: String(own?.ciId) };
    expect((await life(kindOf('Procedure')).create(byNumber, ROW)).outputs['ciId']).toBe(own?.ciId);
  });

  test('functions of a component: the number says which, an ambiguous name is refused', async () => {
    const of = (token: string): ApiFunction | undefined => functions.find((each) => each.token === token);
    const ask = (route: Route, input: object): Promise<unknown> => world.api.call(route, input);
    const args = { ...AT, environment: 'prod', component: 'tomcat' };
    for (const each of [of('getActions'), of('getInstances')])
      await expect(each?.read(ask as never, args as never, 'acme')).rejects.toThrow(/2 components named "tomcat"/);
    const running = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const own = running.find(({ ciClassName }) => ciClassName.endsWith('.Tomcat'));
    const numbered = { ...args, component: String(own?.ciId) };
    const answer = await of('getActions')?.read(ask as never, numbered, 'acme');
    expect(answer?.['actions']).toContainEqual(expect.objectContaining({ name: 'threaddump' }));
  });
});
