// Durability: acknowledged writes outlive a sudden end of the service, others are whole or not
// there, and what was under way goes on. ROUNDS and SEED say how many rounds, and which; `make soak`
// plays two hundred.
import { openDatabase } from '../../service/store/database';
import { eachFolder } from '../folder';
import { type ListeningProcess, startListening } from '../listening-process';
import { ADMIN_TOKEN, basic } from '../service-caller';
import { named, record } from '../shop';
import { pick, randomOf, type Random } from './random';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** The longest wait of a kill after its request, in ms: most requests take less. */
const AIM = 4;

/** Requests of a round at most. */
const MOST = 160;

/** The speed of the service's own work: pulls and deployments are over within milliseconds. */
const SPEED = 2000;

const folder = eachFolder();

/** There was no answer: the service is gone. */
class Gone extends Error {}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}
type Ask = (method: string, path: string, body?: object) => Promise<Answered>;

/** Asks over HTTP, once. Rejects with Gone when there is no answer, or not all of it. */
const askOver =
  ({ url }: ListeningProcess, sent = (): void => undefined): Ask =>
  async (method, path, body) => {
    sent();
    const headers = {
      authorization: basic(ADMIN_TOKEN),
      accept: 'application/json',
      'content-type': 'application/json',
    };
    try {
      const answer = await fetch(`${url}/acme${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    } catch (error) {
      throw new Gone(`${method} ${path}`, { cause: error });
    }
  };

/** The packs of the platforms that are made. */
const PACKS = ['custom', 'tomcat', 'redisio'];

/** Who writes: platforms of its own assembly, and variables of the one that all share. */
interface Writer {
  readonly assembly: string;
  readonly random: Random;
  made: number;
  /** What was acknowledged to be there, by its path: the pack of a platform. */
  readonly there: Map<string, string>;
  /** What the last request without an answer makes, or deletes. */
  open: string | undefined;
  acknowledged: number;
}

const platformsOf = ({ assembly }: Pick<Writer, 'assembly'>): string => `/assemblies/${assembly}/design/platforms`;
const VARIABLES = '/assemblies/shared/design/variables';
const environmentOf = ({ assembly }: Writer): string => `/assemblies/${assembly}/transition/environments/prod`;

/** Sends one write of a record, and notes what came of it. */
async function writeOne(ask: Ask, writer: Writer): Promise<void> {
  const { random, there } = writer;
  const gone = random() < 0.4 ? pick(random, [...there.keys(), undefined]) : undefined;
  const pack = pick(random, [...PACKS, '']);
  writer.made += 1;
  const list = pack === '' ? VARIABLES : platformsOf(writer);
  const name = pack === '' ? `${writer.assembly}-v${writer.made}` : `p${writer.made}`;
  writer.open = gone ?? `${list}/${name}`;
  const values = pack === '' ? { value: 'x' } : { source: 'oneops', pack, version: '1' };
  const { status } = await (gone === undefined ? ask('POST', list, named(name, values)) : ask('DELETE', gone));
  if (status !== 200) throw new Error(`${writer.open} was answered ${status}`);
  if (gone === undefined) there.set(writer.open, pack);
  else there.delete(gone);
  writer.open = undefined;
  writer.acknowledged += 1;
}

/** The answer to the question for the availability of platforms: that of the environment. */
const NONE = { none: 'default' };

/** Work of the service that goes on after its answer; what it refuses at that moment is left out. */
async function beginWork(ask: Ask, writer: Writer): Promise<void> {
  const path = environmentOf(writer);
  const rest = pick(writer.random, ['/pull', '/commit', '/deployments/bom']);
  await ask(
    'POST',
    `${path}${rest}`,
    rest === '/pull' ? { platform_availability: NONE, async: 'true' } : { commit: 'true' },
  );
}

/** Writes until the service is gone. */
async function writeOn(ask: Ask, writer: Writer): Promise<void> {
  try {
    for (;;) await (writer.random() < 0.15 ? beginWork : writeOne)(ask, writer);
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}

/** Reads until nothing is under way in the writer's environment. */
async function settled(ask: Ask, writer: Writer): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    const { ciState } = (await ask('GET', environmentOf(writer))).body as { readonly ciState: string };
    const { body } = await ask('GET', `${environmentOf(writer)}/deployments/latest`);
    const { deploymentState = '' } = (body ?? {}) as { readonly deploymentState?: string };
    if (!ciState.includes('locked') && !['active', 'pending'].includes(deploymentState)) return;
  }
  throw new Error(`the environment of ${writer.assembly} does not settle`);
}

const namesAt = async (ask: Ask, path: string): Promise<readonly string[]> =>
  ((await ask('GET', path)).body as { readonly ciName: string }[]).map(({ ciName }) => ciName).sort();

/** What is there of a writer is what was acknowledged, and all of it. `parts`: components by pack. A write without an answer counts as done where it is found. */
async function expectKept(ask: Ask, writer: Writer, parts: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const variables = (await namesAt(ask, VARIABLES)).filter((name) => name.startsWith(`${writer.assembly}-`));
  const platforms = await namesAt(ask, platformsOf(writer));
  const found = [
    ...variables.map((name) => `${VARIABLES}/${name}`),
    ...platforms.map((name) => `${platformsOf(writer)}/${name}`),
  ];
  const { open, there } = writer;
  const isSure = (path: string): boolean => path !== open;
  expect(found.filter(isSure).sort()).toEqual([...there.keys()].filter(isSure).sort());
  for (const name of platforms) {
    const path = `${platformsOf(writer)}/${name}`;
    const { pack } = ((await ask('GET', path)).body as { readonly ciAttributes: { readonly pack: string } })
      .ciAttributes;
    expect([pack, await namesAt(ask, `${path}/components`)]).toEqual([pack, parts.get(pack)]);
    if (path === open) there.set(path, pack);
  }
  if (open !== undefined && !found.includes(open)) there.delete(open);
  else if (open !== undefined && !there.has(open)) there.set(open, '');
  writer.open = undefined;
}

test(
  'every acknowledged write is there after kill -9, and no half one',
  async () => {
    process.stdout.write(`kill rounds with SEED=${SEED}\n`);
    const [file, start, random] = [`${folder.path}/killed.db`, String(Date.now()), randomOf(SEED)];
    const serve = (): Promise<ListeningProcess> =>
      startListening(['--require', './test/run-source.cjs', 'test/soak/serve.ts', file, start, String(SPEED)]);
    const writers = ['writer-a', 'writer-b', 'writer-c', 'writer-d'].map((assembly, index): Writer => ({
      ...{ assembly, random: randomOf(SEED + 1 + index), made: 0 },
      ...{ there: new Map(), open: undefined, acknowledged: 0 },
    }));
    let served = await serve();
    try {
      const ask = askOver(served);
      const [cloud] = (await ask('GET', '/clouds')).body as { readonly ciId: number }[];
      for (const name of ['shared', ...writers.map(({ assembly }) => assembly)])
        expect((await ask('POST', '/assemblies', record(name, { owner: 'team@acme.io' }))).status).toBe(200);
      const parts = new Map<string, readonly string[]>();
      for (const pack of PACKS) {
        const place = platformsOf({ assembly: 'shared' });
        await ask('POST', place, named(pack, { source: 'oneops', pack, version: '1' }));
        parts.set(pack, await namesAt(ask, `${place}/${pack}/components`));
      }
      for (const writer of writers) {
        await writeOne(ask, writer);
        const body = { clouds: { [String(cloud?.ciId)]: '1' }, platform_availability: NONE, ...record('prod', {}) };
        expect(await ask('POST', environmentOf(writer), body)).toMatchObject({ status: 200 });
        await settled(ask, writer);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        let left = 1 + Math.floor(random() * MOST);
        const moment = random() * AIM;
        const killing = Promise.withResolvers<unknown>();
        const sending = askOver(served, () => {
          left -= 1;
          if (left === 0) setTimeout(() => killing.resolve(served.end('SIGKILL')), moment);
        });
        await Promise.all(writers.map((writer) => writeOn(sending, writer)));
        await killing.promise;
        served = await serve();
        for (const writer of writers) {
          await settled(askOver(served), writer);
          await expectKept(askOver(served), writer, parts);
        }
        const database = openDatabase(file);
        expect(database.get('PRAGMA integrity_check(1)')).toEqual({ integrity_check: 'ok' });
        database.close();
      }
    } finally {
      await served.end('SIGKILL');
    }
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
    process.stdout.write(`rounds ${ROUNDS}, acknowledged ${acknowledged}\n`);
    expect(acknowledged).toBeGreaterThan(10 * ROUNDS);
  },
  60_000 + ROUNDS * 15_000,
);
