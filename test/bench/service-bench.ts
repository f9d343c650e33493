// Reads of the service with many records next to few, and its memory.
import { assemblyName, type Filled } from './fill';
import { loadOf, type LoadRequest } from './load';
import { measure } from './measure';
import { memoryOf, startService, TOKEN } from './process';
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
