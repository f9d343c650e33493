// Reads of the service with many records next to few, writes next to bare commits of the same size, and its memory.
import { copyFileSync, statSync } from 'node:fs';
import { bareCommits } from './bare-commits';
import { assemblyName, type Filled } from './fill';
import { loadOf, type LoadRequest } from './load';
import { measure } from './measure';
import { memoryOf, startService, TOKEN } from './process';
import type { ListeningProcess } from '../listening-process';
import { type Chapter, type Finding } from './report';

/** A database of so many records, ready to be served. */
export interface Prepared extends Filled {
  readonly file: string;
}

const CALLERS = [1, 16];

const HEADERS = {
  authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`,
  accept: 'application/json',
};

/** Reads of one record by its path, and of one with those it depends on. */
const READS: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'an assembly', path: '' },
  { what: 'a variable', path: '/design/variables/LOG_LEVEL' },
  { what: 'a platform with its links', path: '/design/platforms/web' },
  { what: 'a component with its neighbours', path: '/design/platforms/web/components/compute' },
];

const thousands = (count: number): string => count.toLocaleString('en-US');
const callersText = (callers: number): string => (callers === 1 ? '1 caller' : `${callers} callers`);

const anyOf = (database: Filled): string => assemblyName(Math.floor(Math.random() * database.assemblies));

/** Reads of random assemblies. */
const reading = (database: Filled, path: string) => (): LoadRequest => ({
  method: 'GET',
  path: `/acme/assemblies/${anyOf(database)}${path}`,
  headers: HEADERS,
});

/** Addressed reads: the service with many records next to few. */
export async function benchReads(few: Prepared, many: Prepared): Promise<Chapter> {
  const [small, large] = [await startService(few.file), await startService(many.file)];
  const findings: Finding[] = [];
  for (const { what, path } of READS) {
    for (const callers of CALLERS) {
      const loads = [
        { name: 'few', ...loadOf(small.url, callers, reading(few, path)) },
        { name: 'many', ...loadOf(large.url, callers, reading(many, path)) },
      ];
      // Every record was read before it counts, and node has compiled what it runs.
      const { of, ratio } = await measure(loads, { turns: 7, calls: 1500, first: 8000 });
      await Promise.all(loads.map((load) => load.close()));
      findings.push({
        what: `read ${what}, ${callersText(callers)}: growth`,
        against: `${thousands(few.records)} records`,
        figure: of('many'),
        reference: of('few'),
        unit: 'µs',
        ratio: ratio('many', 'few'),
        target: { atMost: 2.5 },
      });
    }
  }
  await Promise.all([small, large].map((listener) => listener.end('SIGTERM')));
  return {
    heading: 'Reads',
    about:
      'Each caller has a connection and sends one request at a time. The ratio is how much longer a read takes with many records.',
    findings,
  };
}

/** Updates of the variables of a few assemblies; every one changes something. */
function writing(database: Filled) {
  return (number: number): LoadRequest => {
    const path = `/acme/assemblies/${assemblyName(number % Math.min(20, database.assemblies))}/design/variables/LOG_LEVEL`;
    const body = JSON.stringify({ cms_dj_ci: { ciAttributes: { value: `level-${process.pid}-${number}` } } });
    return { method: 'PUT', path, headers: { ...HEADERS, 'content-type': 'application/json' }, body };
  };
}

/** Pages that one write puts into the write-ahead log, before anything moves them on. */
async function pagesOf(listener: ListeningProcess, database: Prepared): Promise<number> {
  const load = loadOf(listener.url, 1, writing(database));
  const size = (): number => statSync(`${database.file}-wal`).size;
  await load.run(40);
  const before = size();
  await load.run(40);
  await load.close();
  return Math.max(1, Math.round((size() - before) / 40 / 4120));
}

/** Durable writes: the service next to a loop of commits that write as many pages. */
export async function benchWrites(databases: readonly Prepared[], folder: string): Promise<Chapter> {
  const findings: Finding[] = [];
  for (const database of databases) {
    const copied = { ...database, file: `${folder}/written-${database.records}.db` };
    for (const end of ['', '-key']) copyFileSync(`${database.file}${end}`, `${copied.file}${end}`);
    const listener = await startService(copied.file);
    const pages = await pagesOf(listener, copied);
    const bare = bareCommits(`${folder}/bare-${database.records}.db`, pages);
    for (const callers of CALLERS) {
      const load = loadOf(listener.url, callers, writing(copied));
      const { of, ratio } = await measure(
        [
          { name: 'bare', run: bare.run },
          { name: 'service', run: (calls) => load.run(calls) },
        ],
        // Enough calls before it counts that node has compiled what it runs, as with reads.
        { turns: 9, calls: 200, first: 2000 },
      );
      await load.close();
      findings.push({
        what: `update a variable, ${callersText(callers)}, ${thousands(database.records)} records`,
        against: `bare commits of ${pages} pages`,
        figure: of('service'),
        reference: of('bare'),
        unit: 'µs',
        ratio: ratio('bare', 'service'),
      });
    }
    bare.close();
    await listener.end('SIGTERM');
  }
  return {
    heading: 'Durable writes',
    about:
      'Every write is answered when it is on the disk (`synchronous = FULL`, write-ahead log). A bare commit is a transaction of the same library ' +
      'on the same disk that writes as many pages, without HTTP. Writes that arrive while another is committed share the next commit.',
    findings,
  };
}

/** Requests a service answers before its memory is looked at. */
const REQUESTS = 30_000;

/** Resident memory of a fresh process, and of the same one when it has answered many requests. */
export async function benchMemory(none: Prepared, many: Prepared): Promise<Chapter> {
  const limit = 150;
  const measured = async (database: Prepared): Promise<{ readonly fresh: number; readonly used: number }> => {
    const listener = await startService(database.file);
    const paths = ['', '/design/platforms', '/design/variables/LOG_LEVEL', '/design/platforms/web/components'];
    const load = loadOf(listener.url, 16, (number) => {
      return reading(database, paths[number % paths.length] ?? '')();
    });
    const list = loadOf(listener.url, 1, () => ({ method: 'GET', path: '/acme/assemblies', headers: HEADERS }));
    await list.run(1);
    const fresh = memoryOf(listener) / 1e6;
    if (database.assemblies > 0) await load.run(REQUESTS);
    await list.run(1);
    const used = memoryOf(listener) / 1e6;
    await Promise.all([load.close(), list.close()]);
    await listener.end('SIGTERM');
    return { fresh, used };
  };
  const [empty, full] = [await measured(none), await measured(many)];
  const row = (what: string, figure: number, reference: number) => ({
    what,
    against: 'no records, fresh',
    figure,
    reference,
    unit: 'MB' as const,
    ratio: figure / limit,
    target: { atMost: 1 },
  });
  const records = thousands(many.records);
  return {
    heading: 'Memory',
    about: `Resident memory of the process after its first list of all assemblies, and after ${thousands(REQUESTS)} further reads. The ratio is to the limit of ${limit} MB.`,
    findings: [
      row(`${records} records, fresh`, full.fresh, empty.fresh),
      row(`${records} records, after ${thousands(REQUESTS)} reads`, full.used, empty.fresh),
    ],
  };
}
