// The slowest request of the service while a large environment goes from its design to what runs, and is read, changed and emptied.
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { type Caller, callerOf } from '../service-caller';
import { shopOf } from '../shop';
import { type Chapter, type Finding } from './report';

/** What no request may take longer than, in ms. */
const LIMIT = 100;

/** Instances of an environment, and the platforms that they belong to. */
const SIZES = [
  { platforms: 2, percent: 1200 },
  { platforms: 5, percent: 2400 },
  { platforms: 15, percent: 2450 },
] as const;

/** Notes the slowest time of a kind of request, or of the work after it. */
type Note = (what: string, ms: number) => void;

/** The caller with its requests timed. All work between requests is done before an answer is given back, turn by turn. */
function timing(caller: Caller, note: Note): Caller {
  return {
    ...caller,
    send: async (method, path, ...rest) => {
      const what = `${method} ${path.replace(/\?.*/, '').replace(/\d+/g, 'N').replace('/acme/assemblies/shop', '')}`;
      const reply = await caller.send(method, path, ...rest);
      note(what, caller.service.journal().at(-1)?.ms ?? Number.NaN);
      for (let quiet = 0; quiet < 3;) {
        const began = performance.now();
        await turn();
        const ms = performance.now() - began;
        note(`between requests, after ${what}`, ms);
        quiet = ms < 1 ? quiet + 1 : 0;
      }
      return reply;
    },
  };
}

/** Brings an environment of so many platforms up, reads and changes it, and empties it; every request is noted. */
async function life(database: string, size: (typeof SIZES)[number], note: Note): Promise<number> {
  const caller = timing(callerOf('documented', { database }), note);
  const { send, ok, ...shop } = shopOf('documented', {}, caller);
  const names = Array.from({ length: size.platforms }, (_, index) => `web${index}`);
  const platforms = Object.fromEntries(names.map((name) => [name, { pack: 'tomcat' }]));
  await shop.build(platforms, { east: '1' }, { attributes: { availability: 'redundant' } });
  for (const name of names) await ok(shop.configure('prod', name, 'east', { pct_scale: String(size.percent) }));
  await ok(send('POST', shop.at('prod', '/deployments/bom'), { commit: 'true' }));
  await send('GET', shop.at('prod', '/deployments/bom'));
  await shop.deploy('prod');
  const { deploymentId } = await shop.show<{ readonly deploymentId: number }>('/deployments/latest');
  const reads = [
    shop.at('prod'),
    shop.at('prod', '/deployments/'),
    ...['/status', '', '/log_data'].map((rest) => shop.at('prod', `/deployments/${deploymentId}${rest}`)),
    shop.at('prod', '/deployments/bom'),
    shop.at('prod', '/releases/'),
    shop.at('prod', '/releases/bom?include_rfcs=true'),
    shop.at('prod', '/timeline'),
  ];
  for (const path of reads) await send('GET', path);
  const instances = await shop.instances('prod');
  await ok(send('POST', shop.at('prod', '/commit'), {}));
  await shop.settled('prod');
  await shop.pull('prod');
  for (const name of names) await ok(send('POST', shop.at('prod', `/platforms/${name}/components/compute/touch`), {}));
  await shop.deploy('prod');
  const made = await shop.show<readonly { readonly ciId: number }[]>('/platforms');
  await ok(send('PUT', shop.at('prod', '/disable'), { platformCiIds: made.map(({ ciId }) => ciId) }));
  await shop.deploy('prod');
  await ok(send('DELETE', shop.at('prod')));
  if (caller.bugs.length > 0) throw new Error(String(caller.bugs[0]));
  caller.close();
  return instances.length;
}

/** The slowest requests of environments of growing size. */
export async function benchSlowest(folder: string): Promise<Chapter> {
  const findings: Finding[] = [];
  for (const size of SIZES) {
    const slowest = new Map<string, number>();
    const note: Note = (what, ms) => slowest.set(what, Math.max(ms, slowest.get(what) ?? 0));
    const instances = (await life(`${folder}/slowest-${size.platforms}.db`, size, note)).toLocaleString('en-US');
    const [[what, figure] = ['', Number.NaN]] = [...slowest].sort(([, one], [, other]) => other - one);
    findings.push({
      what: `${instances} instances: ${what}`,
      against: 'limit',
      figure,
      reference: LIMIT,
      unit: 'ms',
      ratio: figure / LIMIT,
      target: { atMost: 1 },
    });
  }
  return {
    heading: 'Slowest request',
    about:
      'One client brings an environment up, reads it, commits, pulls, deploys everything again, and empties it. Work between two requests counts, ' +
      'because a request that comes meanwhile waits for it.',
    findings,
  };
}
