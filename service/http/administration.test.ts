// The administrative prefix: closed unless opened, for administrators only, and what it shows and changes.
import { DIALECT_HEADER } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { basic, type Caller, callerOf, callerFor } from '../../test/service-caller';

const USERS = [
  { name: 'reader', token: 'token-of-reader', rights: 'read' },
  { name: 'partial', token: 'token-of-partial', organizations: ['acme'] },
  { name: 'member', token: 'token-of-member', teams: ['builders'] },
] as const;

test('is closed unless it is requested', async () => {
  const caller = callerOf('documented');
  expect(await caller.send('GET', '/_admin/faults')).toMatchObject({ status: 404, body: { errors: ['not found'] } });
  caller.close();
});

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const caller: Caller = callerFor('all', dialect, undefined, { administration: true, users: USERS });

  test.each([
    ['', 401, 'error'],
    ['Basic', 401, 'error'],
    [basic('wrong'), 401, 'error'],
    [basic('token-of-reader'), 403, 'errors'],
    [basic('token-of-partial'), 403, 'errors'],
    [basic('token-of-member'), 403, 'errors'],
  ])('authorization %j: %d', async (authorization, status, key) => {
    const answer = await caller.send('GET', '/_admin/faults', undefined, { authorization });
    expect(answer).toMatchObject({ status, body: { [key]: expect.anything() } });
    expect(answer.headers[DIALECT_HEADER]).toBe(dialect);
  });

  test('faults are set, listed and cleared', async () => {
    const faults = [{ effect: 'status', status: 503, route: 'clouds.list', nth: 2 }];
    expect(await caller.send('PUT', '/_admin/faults', { faults })).toMatchObject({ status: 200, body: { faults } });
    expect((await caller.send('GET', '/_admin/faults')).body).toEqual({ faults });
    expect(await caller.status('GET', '/acme/clouds')).toBe(200);
    expect(await caller.status('GET', '/acme/clouds')).toBe(503);
    await caller.send('PUT', '/_admin/faults', { faults: [{ effect: 'rate-limit', seconds: 1 }] });
    expect(await caller.status('GET', '/acme/clouds')).toBe(429);
    expect(await caller.send('DELETE', '/_admin/faults')).toMatchObject({ status: 200, body: { faults: [] } });
    expect(await caller.status('GET', '/acme/clouds')).toBe(200);
  });

  test.each([
    [{ faults: [{ effect: 'explode' }] }, /faults\[0\]\.effect/],
    [{ faults: [], more: 1 }, /more/],
    ['{"faults":', /not JSON/],
    [undefined, /expected object/],
  ])('faults that cannot be are refused and change nothing: %j', async (body, says) => {
    const before = (await caller.send('GET', '/_admin/faults')).body;
    const { status, text } = await caller.send('PUT', '/_admin/faults', body);
    expect([status, text]).toEqual([400, expect.stringMatching(says)]);
    expect((await caller.send('GET', '/_admin/faults')).body).toEqual(before);
  });

  test('the journal is read completely, from a number on, and as lines', async () => {
    await caller.send('GET', '/acme/clouds');
    const all = (await caller.send('GET', '/_admin/journal')).body as { n: number; route: string }[];
    const last = all.at(-1);
    expect(last).toMatchObject({ route: 'clouds.list', user: 'admin', status: 200 });
    await caller.send('GET', '/acme/assemblies');
    const since = (await caller.send('GET', `/_admin/journal?since=${last?.n}`)).body as { route: string }[];
    expect(since.map(({ route }) => route)).toEqual(['administration.journal', 'assemblies.list']);
    const lines = await caller.send('GET', `/_admin/journal.jsonl?since=${last?.n}`);
    expect(lines.headers['content-type']).toContain('application/x-ndjson');
    const read = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { route: string });
    expect(read.slice(0, 2)).toEqual(since);
    expect(await caller.status('GET', '/_admin/journal?since=x')).toBe(400);
  });

  test('a stopped clock is advanced, and what is due by then happens', async () => {
    const before = ((await caller.send('GET', '/_admin/clock')).body as { now: number; stands: true }).now;
    const after = await caller.send('POST', '/_admin/clock/advance', { ms: 60_000 });
    // The caller moves the clock by a second before each request.
    expect(after.body).toEqual({ now: before + 61_000, stands: true });
    for (const body of [{}, { ms: -1 }, { ms: 'x' }, undefined])
      expect(await caller.status('POST', '/_admin/clock/advance', body)).toBe(400);
  });

  test('outages are reported; elsewhere nothing is served', async () => {
    expect((await caller.send('GET', '/_admin/outages')).body).toEqual([]);
    for (const path of ['/_admin', '/_admin/', '/_admin/nothing', '/_admin/faults/1', '/_admin?x=1'])
      expect(await caller.status('GET', path)).toBe(404);
    expect(await caller.status('POST', '/_admin/faults', {})).toBe(404);
    expect((await caller.send('GET', '/_administer')).body).toEqual({ errors: ['not found'] });
  });
});

test('a clock that runs by itself cannot be advanced', async () => {
  const caller = callerOf('documented', { administration: true, clock: { now: () => 1_700_000_000_000 } });
  expect(await caller.status('POST', '/_admin/clock/advance', { ms: 1 })).toBe(422);
  expect((await caller.send('GET', '/_admin/clock')).body).toEqual({ now: 1_700_000_000_000, stands: false });
  caller.close();
});
