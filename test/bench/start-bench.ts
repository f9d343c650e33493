// How long the service takes to start, and how much memory it has, with many records and with none.
import { type Chapter } from './finding';
import { loadOf, requestText } from './load';
import { median } from './measure';
import { startService, TOKEN } from './process';
import { type Prepared } from './service-bench';
import { assemblyName } from './fill';

const TURNS = 7;

/** Requests a service answers before its memory is looked at. */
const REQUESTS = 30_000;

const HEADERS = {
  authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`,
  accept: 'application/json',
};

/** Starts with many records next to starts with none but the seed's, by turns. */
export async function benchStart(none: Prepared, many: Prepared): Promise<Chapter> {
  const times: { readonly none: number[]; readonly many: number[] } = { none: [], many: [] };
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [name, database] of Object.entries({ none, many }) as [keyof typeof times, Prepared][]) {
      const began = performance.now();
      const listener = await startService(database.file);
      const load = loadOf(listener.url, 1, () => requestText('GET', '/acme/clouds', HEADERS));
      await load.run(1);
      if (turn > 0) times[name].push(performance.now() - began);
      load.close();
      await listener.close();
    }
  }
  const ratios = times.many.map((time, turn) => time / (times.none[turn] ?? Number.NaN));
  return {
    heading: 'Start',
    about: 'From the start of the process (`pulumi-oneops serve`) to its first answer; median of starts by turns.',
    findings: [
      {
        what: `start with ${many.records.toLocaleString('en-US')} records`,
        against: 'start with none',
        figure: median(times.many),
        reference: median(times.none),
        unit: 'ms',
        ratio: median(ratios),
        target: { atMost: 2 },
      },
    ],
  };
}

/** Resident memory of a fresh process, and of the same one when it has answered many requests. */
export async function benchMemory(none: Prepared, many: Prepared): Promise<Chapter> {
  const limit = 150;
  const measured = async (database: Prepared): Promise<{ readonly fresh: number; readonly used: number }> => {
    const listener = await startService(database.file);
    const paths = ['', '/design/platforms', '/design/variables/LOG_LEVEL', '/design/platforms/web/components'];
    const load = loadOf(listener.url, 16, (number) => {
      const assembly = assemblyName(Math.floor(Math.random() * database.assemblies));
      return requestText('GET', `/acme/assemblies/${assembly}${paths[number % paths.length] ?? ''}`, HEADERS);
    });
    const list = loadOf(listener.url, 1, () => requestText('GET', '/acme/assemblies', HEADERS));
    await list.run(1);
    const fresh = listener.memory() / 1e6;
    if (database.assemblies > 0) await load.run(REQUESTS);
    await list.run(1);
    const used = listener.memory() / 1e6;
    load.close();
    list.close();
    await listener.close();
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
  const records = many.records.toLocaleString('en-US');
  return {
    heading: 'Memory',
    about: `Resident memory of the process after its first list of all assemblies, and after ${REQUESTS.toLocaleString('en-US')} further reads. The ratio is to the limit of ${limit} MB.`,
    findings: [
      row(`${records} records, fresh`, full.fresh, empty.fresh),
      row(`${records} records, after ${REQUESTS.toLocaleString('en-US')} reads`, full.used, empty.fresh),
    ],
  };
}
