// Laws of answers kept in memory: the same as fresh ones, whatever is written in between; and never more than their share of it.
// It must not know how the service finds out.
import { DIALECTS, type Dialect } from '../../api/contract';
import { ADMIN_TOKEN, basic, type Caller, callerOf } from '../../test/service-caller';
import { shopOf } from '../../test/shop';
import { createAnswerMemory } from './answer-memory';

const LEVEL = '/acme/assemblies/shop/design/variables/LEVEL';

async function withVariable(dialect: Dialect, options: Parameters<typeof callerOf>[1] = {}): Promise<Caller> {
  const caller = callerOf(dialect, options);
  const variable = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'info' } } };
  await caller.send('POST', '/acme/assemblies', { cms_ci: { ciName: 'shop', ciAttributes: { owner: 'a@acme.io' } } });
  await caller.send('POST', '/acme/assemblies/shop/design/variables', variable);
  return caller;
}

/** Another path to the same answer, which is therefore not in memory. */
let count = 0;
const fresh = (path: string): string => `${path}?fresh=${(count += 1)}`;

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  test('a read after every write answers what a fresh one does', async () => {
    const caller = await withVariable(dialect);
    const seen = new Set<string>();
    for (let value = 0; value < 5; value += 1) {
      await caller.send('PUT', LEVEL, { cms_dj_ci: { ciAttributes: { value: `level-${value}` } } });
      const answers = [await caller.send('GET', LEVEL), await caller.send('GET', LEVEL)];
      const expected = await caller.send('GET', fresh(LEVEL));
      expect(answers.map(({ status, text, headers }) => ({ status, text, headers }))).toEqual(
        Array.from({ length: 2 }, () => ({ status: 200, text: expected.text, headers: expected.headers })),
      );
      seen.add(expected.text);
    }
    expect(seen.size).toBe(5);
    await caller.send('DELETE', '/acme/assemblies/shop');
    expect((await caller.send('GET', LEVEL)).status).toBe((await caller.send('GET', fresh(LEVEL))).status);
    expect(caller.bugs).toEqual([]);
    caller.close();
  });

  test('what one user was answered is no answer to another', async () => {
    const users = [{ name: 'stranger', token: 'token-of-stranger', organizations: ['other'] }];
    const caller = await withVariable(dialect, { users });
    const stranger = { authorization: basic('token-of-stranger') };
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await caller.send('GET', LEVEL, undefined, { authorization: basic(ADMIN_TOKEN) })).status).toBe(200);
      expect((await caller.send('GET', LEVEL, undefined, stranger)).status).toBeGreaterThanOrEqual(400);
      expect((await caller.send('GET', LEVEL, undefined, { authorization: basic('wrong') })).status).toBe(401);
    }
    caller.close();
  });

  test('HEAD has no body, and GET has one after it', async () => {
    const caller = await withVariable(dialect);
    const whole = (await caller.send('GET', LEVEL)).text;
    expect((await caller.send('HEAD', LEVEL)).text).toBe('');
    expect((await caller.send('GET', LEVEL)).text).toBe(whole);
    caller.close();
  });

  test('the journal tells of both alike', async () => {
    const caller = await withVariable(dialect);
    await caller.send('GET', LEVEL);
    await caller.send('GET', LEVEL);
    const [first, second] = caller.service.journal().slice(-2);
    expect({ ...second, n: first?.n, at: first?.at, ms: first?.ms }).toEqual(first);
    expect(first).toMatchObject({ route: 'designVariables.read', status: 200 });
    caller.close();
  });
});

test('work that is due is done before a read is answered', async () => {
  const shop = shopOf('documented');
  await shop.assembly();
  await shop.platform('web');
  await shop.commitDesign();
  await shop.ok(shop.createEnvironment('prod', { east: '1' }));
  await shop.ok(shop.send('POST', shop.at('prod', '/commit'), {}));
  // The same path each time, and no write of ours in between.
  const seen: unknown[] = [];
  for (let turn = 0; turn < 300 && seen.at(-1) !== 'default'; turn += 1)
    seen.push((await shop.ok<{ readonly ciState: string }>(shop.send('GET', shop.at('prod')))).ciState);
  expect([...new Set(seen)]).toEqual(['locked', 'default']);
  shop.close();
});

test('keeps at most four mebibytes, the newest', () => {
  const memory = createAnswerMemory<number>(() => 0);
  for (let number = 0; number < 2000; number += 1) memory.keep(String(number), number, 5000);
  const kept = Array.from({ length: 2000 }, (_, number) => memory.recall(String(number))).filter(
    (each) => each !== undefined,
  );
  expect(kept.length * 10_000).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(kept.length).toBeGreaterThan(380);
  expect(kept.at(-1)).toBe(1999);
  memory.keep('large', 1, 100_000);
  expect(memory.recall('large')).toBeUndefined();
});
