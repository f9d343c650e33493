// The work of a request, in rows and statements, grows no faster than the records it is about.
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { eachFolder } from '../../test/folder';
import { shopOf, type Shop } from '../../test/shop';

/** Work of requests: a statement counts as much as some bytes of rows. */
interface Counted {
  /** The most that one request of each kind did. */
  readonly most: { readonly [request: string]: number };
  readonly instances: number;
}

const STATEMENT = 100;
const TOMCAT = { pack: 'tomcat' };
const REDUNDANT = { attributes: { availability: 'redundant' } };

/** Rows as a statement answers them. */
type Rows = readonly { readonly [column: string]: unknown }[];

const sizeOf = (rows: Rows): number =>
  rows
    .flatMap((row) => Object.values(row))
    .reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 1), 0);

/** Counts what statements do, for as long as `work` runs. */
async function counting<T>(work: (spent: () => number) => Promise<T>): Promise<T> {
  let spent = 0;
  const { get, all, run } = StatementSync.prototype;
  const counted = (method: (...parameters: never[]) => unknown, rowsOf: (answer: unknown) => Rows) =>
    function (this: StatementSync, ...parameters: never[]): unknown {
      const answer = method.apply(this, parameters);
      spent += STATEMENT + sizeOf(rowsOf(answer));
      return answer;
    };
  Object.assign(StatementSync.prototype, {
    get: counted(get, (row) => (row === undefined ? [] : [row as Rows[number]])),
    all: counted(all, (rows) => rows as Rows),
    run: counted(run, () => []),
  });
  try {
    return await work(() => spent);
  } finally {
    Object.assign(StatementSync.prototype, { get, all, run });
  }
}

/** A search of a whole table, or of a whole index, that grows with the records. */
const GROWING =
  /^SCAN (records|relations|\w+_changes|releases|deployments|\w+_records|\w+_moves|\w+_runs|procedures|actions|approvals)\b/;

/** Statements that a service runs once, when it starts. */
const isAskedAtStart = (sql: string): boolean => sql.includes('AS newest');

/** Numbers and names of a path that differ between shops are left out. */
const kindOf = (method: string, path: string): string => `${method} ${path.replace(/\?.*/, '').replace(/\d+/g, 'N')}`;

/** How large a shop is: platforms, and how often each is scaled. */
interface Size {
  readonly platforms: number;
  readonly scale: number;
  readonly database?: string;
}

/** The shop with so many platforms, each scaled so many times, from its design until nothing runs. */
async function livedThrough({ platforms, scale, database = ':memory:' }: Size): Promise<Counted> {
  const most: { [request: string]: number } = {};
  return counting(async (spent) => {
    const inner = shopOf('documented', { database });
    const send: Shop['send'] = async (method, path, ...rest) => {
      const before = spent();
      const reply = await inner.send(method, path, ...rest);
      const kind = kindOf(method, path);
      most[kind] = Math.max(most[kind] ?? 0, spent() - before);
      return reply;
    };
    const shop = shopOf('documented', {}, { ...inner, send });
    const names = Array.from({ length: platforms }, (_, index) => `p${index + 1}`);
    await shop.build(Object.fromEntries(names.map((name) => [name, TOMCAT])), { east: '1' }, REDUNDANT);
    for (const name of names) await shop.ok(shop.configure('prod', name, 'east', { pct_scale: String(100 * scale) }));
    await send('POST', shop.at('prod', '/deployments/bom'), { commit: 'true' });
    await send('GET', shop.at('prod', '/deployments/bom'));
    expect(await shop.deploy('prod')).toBe('complete');
    const { length: instances } = await shop.instances('prod');
    for (const list of ['', '/platforms', '/releases', '/deployments', '/timeline', '/variables', '/relays'])
      await send('GET', shop.at('prod', list));
    await send('GET', shop.at('prod', '/releases/latest?include_rfcs=true'));
    for (const path of ['/acme/assemblies/shop', '/acme/assemblies/shop/design/extract', '/acme/reports/compute.json'])
      await send('GET', path);
    await shop.pull('prod', { none: 'default' });
    const ids = (await shop.ok<{ ciId: number }[]>(send('GET', shop.at('prod', '/platforms')))).map(({ ciId }) => ciId);
    expect((await send('PUT', shop.at('prod', '/disable'), { platformCiIds: ids.map(String) })).status).toBe(200);
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.instances('prod')).toEqual([]);
    expect(shop.bugs).toEqual([]);
    shop.close();
    return { most, instances };
  });
}

/** Requests whose work grew more than the records did. */
function growingFaster(small: Counted, large: Counted): string[] {
  const growth = large.instances / small.instances;
  return Object.entries(large.most)
    .map(([kind, work]) => ({ kind, ratio: work / (small.most[kind] ?? work) }))
    .filter(({ ratio }) => ratio > growth * 1.25)
    .map(
      ({ kind, ratio }) => `${kind}: ${ratio.toFixed(1)} times the work for ${growth.toFixed(1)} times the instances`,
    );
}

describe('the work of a request', () => {
  const folder = eachFolder();

  test.each([
    ['platforms', { platforms: 4, scale: 1 }, { platforms: 16, scale: 1 }],
    ['instances of a platform', { platforms: 1, scale: 5 }, { platforms: 1, scale: 20 }],
  ])('grows no faster than the number of %s', async (_, few, many) => {
    expect(growingFaster(await livedThrough(few), await livedThrough(many))).toEqual([]);
  });

  test('is a part of a large deployment, which goes on between requests', () =>
    counting(async (spent) => {
      const shop = shopOf('documented');
      await shop.build({ web: TOMCAT }, { east: '1' }, REDUNDANT);
      await shop.configure('prod', 'web', 'east', { pct_scale: '6000' });
      await shop.prod('POST', '/deployments/bom', { commit: 'true' });
      const before = spent();
      await shop.show('/deployments/bom');
      const showing = spent() - before;
      const { bom } = await shop.commit('prod');
      const id = await shop.start('prod');
      shop.clock.advance(3_600_000);
      const status = (): Promise<{ readonly rfc_info: Rows }> => shop.show(`/deployments/${id}/status`);
      const left = async (): Promise<number> =>
        Object.values((await status()).rfc_info).filter(({ state }) => state !== 'complete').length;
      const all = bom?.changes.length ?? 0;
      expect(all).toBeGreaterThan(400);
      // Written, it would take a statement for each record and each of its relations.
      expect(showing).toBeLessThan(2 * STATEMENT * all);
      await left();
      expect(all - (await left())).toBeLessThanOrEqual(120);
      for (let before = -1; before !== spent();) {
        before = spent();
        await new Promise(setImmediate);
      }
      expect(await left()).toBe(0);
      expect(shop.bugs).toEqual([]);
      shop.close();
    }));

  test('is done again, and once, when the service ends in the middle of a plan', async () => {
    const database = join(folder.path, 'oneops.db');
    const first = shopOf('documented', { database });
    await first.build({ web: TOMCAT }, { east: '1' }, REDUNDANT);
    await first.configure('prod', 'web', 'east', { pct_scale: '3000' });
    await first.send('POST', first.at('prod', '/commit'), {});
    first.clock.advance(60_000);
    type Bom = { readonly releaseState: string; readonly rfc_cis: readonly unknown[] };
    const bomOf = (shop: Shop): Promise<Bom> => shop.show('/releases/bom?include_rfcs=cis');
    const begun = (await bomOf(first)).rfc_cis.length;
    expect((await first.send('GET', first.at('prod', '/releases'))).text).not.toContain('canceled');
    first.close();
    const second = shopOf('documented', { database });
    second.clock.advance(60_000);
    expect((await second.settled('prod')).comments).toMatch(/^SUCCESS:/);
    expect((await bomOf(second)).rfc_cis.length).toBeGreaterThan(begun);
    const releases = await second.send('GET', second.at('prod', '/releases'));
    expect(releases.text).not.toContain('canceled');
    expect(await second.deploy('prod')).toBe('complete');
    expect([...first.bugs, ...second.bugs]).toEqual([]);
    second.close();
  });

  test('searches no table from its beginning that grows with the records', async () => {
    const { prepare } = DatabaseSync.prototype;
    const asked = new Set<string>();
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql) {
      asked.add(sql);
      return prepare.call(this, sql);
    };
    try {
      const file = join(folder.path, 'oneops.db');
      const starting = shopOf('documented', { database: file });
      starting.close();
      asked.clear();
      const { instances } = await livedThrough({ platforms: 2, scale: 2, database: file });
      expect(instances).toBeGreaterThan(0);
      const connection = new DatabaseSync(file, { readOnly: true });
      const scans = [...asked]
        .filter((sql) => /^\s*(SELECT|UPDATE|DELETE)/.test(sql) && !isAskedAtStart(sql))
        .flatMap((sql) =>
          (connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as { readonly detail: string }[])
            .filter(({ detail }) => GROWING.test(detail))
            .map(({ detail }) => `${detail}: ${sql}`),
        );
      connection.close();
      expect(scans).toEqual([]);
    } finally {
      DatabaseSync.prototype.prepare = prepare;
    }
  });
});
