// What a writer may request: creates, updates and deletes all over an assembly's life, drawn by chance; at most one writing request each.
import { pick, type Random } from './random';

/** An answer as far as a writer looks at it. */
interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Sends one request as the administrator; rejects when there is no answer. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>;

/** A write that can be requested more than once, of more than one service. Resolves to the status of its writing request. */
export interface Write {
  readonly name: string;
  /** Whether the service may work on after it answered: see `settled`. */
  readonly starts: boolean;
  readonly on: (ask: Ask) => Promise<number>;
}

/** Who writes: the assembly that is its own, and the one it shares with the other writers. */
export interface Writer {
  readonly name: string;
  readonly random: Random;
  /** Counts the variables it made in the shared assembly, each of which has its own name. */
  made: number;
}

/** The assembly all writers write into at the same time. */
export const SHARED = 'shared';

const ASSEMBLIES = '/acme/assemblies';
const PACKS = ['custom', 'custom', 'tomcat', 'redisio'];
const NAMES = ['a', 'b'];

/** Name of a writer's variable: without a run of four digits, which would look like a record's number. */
const sharedName = (writer: Writer, count: number): string => `${writer.name}-v${count.toString(36)}`;

const change = (ciName: string, ciAttributes: object): object => ({ cms_dj_ci: { ciName, ciAttributes } });

type Maker = (writer: Writer) => { readonly on: Write['on']; readonly starts?: true };

const sending =
  (method: string, path: string, body?: unknown): Write['on'] =>
  async (ask) =>
    (await ask(method, path, body)).status;

const design = (writer: Writer): string => `${ASSEMBLIES}/${writer.name}/design`;
const environment = (writer: Writer): string => `${ASSEMBLIES}/${writer.name}/transition/environments/prod`;
const somePlatform = (writer: Writer): string => `${design(writer)}/platforms/${pick(writer.random, NAMES)}`;
const someUser = (writer: Writer): string => `user-${pick(writer.random, NAMES)}`;
const someText = (writer: Writer): string => pick(writer.random, ['red', 'green', 'blue', 'white', 'black']);

const assemblyBody = (ciName: string): object => ({ cms_ci: { ciName, ciAttributes: { owner: 'team@acme.io' } } });

/** What happens, and how often in a hundred or so. */
const WRITES: readonly (readonly [weight: number, name: string, make: Maker])[] = [
  [3, 'create assembly', (w) => ({ on: sending('POST', ASSEMBLIES, assemblyBody(w.name)) })],
  [1, 'delete assembly', (w) => ({ on: sending('DELETE', `${ASSEMBLIES}/${w.name}`) })],
  [
    10,
    'create platform',
    (w) => {
      const attributes = { source: 'oneops', pack: pick(w.random, PACKS), version: '1' };
      return { on: sending('POST', `${design(w)}/platforms`, change(pick(w.random, NAMES), attributes)) };
    },
  ],
  [3, 'delete platform', (w) => ({ on: sending('DELETE', somePlatform(w)) })],
  [
    6,
    'update platform',
    (w) => ({ on: sending('PUT', somePlatform(w), { cms_dj_ci: { ciAttributes: { description: someText(w) } } }) }),
  ],
  [
    10,
    'create component',
    (w) => {
      const name = someUser(w);
      const body = { ...change(name, { username: name }), template_name: 'user' };
      return { on: sending('POST', `${somePlatform(w)}/components`, body) };
    },
  ],
  [
    6,
    'update component',
    (w) => {
      const name = someUser(w);
      return { on: sending('PUT', `${somePlatform(w)}/components`, change(name, { description: someText(w) })) };
    },
  ],
  [3, 'delete component', (w) => ({ on: sending('DELETE', `${somePlatform(w)}/components/${someUser(w)}`) })],
  [
    6,
    'create attachment',
    (w) => {
      const body = change(pick(w.random, NAMES), { content: someText(w), path: '/etc/motd', runs_on: 'after-add' });
      return { on: sending('POST', `${somePlatform(w)}/components/${someUser(w)}/attachments`, body) };
    },
  ],
  [
    3,
    'delete attachment',
    (w) => {
      const name = pick(w.random, NAMES);
      return { on: sending('DELETE', `${somePlatform(w)}/components/${someUser(w)}/attachments/${name}`) };
    },
  ],
  [
    6,
    'create variable',
    (w) => ({ on: sending('POST', `${design(w)}/variables`, change(pick(w.random, NAMES), { value: someText(w) })) }),
  ],
  [
    6,
    'update variable',
    (w) => {
      const body = { cms_dj_ci: { ciAttributes: { value: someText(w) } } };
      return { on: sending('PUT', `${design(w)}/variables/${pick(w.random, NAMES)}`, body) };
    },
  ],
  [3, 'delete variable', (w) => ({ on: sending('DELETE', `${design(w)}/variables/${pick(w.random, NAMES)}`) })],
  [8, 'commit design', (w) => ({ on: closing(w, 'commit') })],
  [1, 'discard design', (w) => ({ on: closing(w, 'discard') })],
  [6, 'create environment', (w) => ({ on: createEnvironment(w), starts: true })],
  [1, 'delete environment', (w) => ({ on: sending('DELETE', environment(w)) })],
  [
    5,
    'pull',
    (w) => {
      const body = { platform_availability: {}, async: 'true' };
      return { on: sending('POST', `${environment(w)}/pull`, body), starts: true };
    },
  ],
  [6, 'commit environment', (w) => ({ on: sending('POST', `${environment(w)}/commit`, {}), starts: true })],
  [8, 'deploy', (w) => ({ on: deploy(w), starts: true })],
  [
    12,
    'create shared variable',
    (w) => {
      w.made += 1;
      const body = change(sharedName(w, w.made), { value: someText(w) });
      return { on: sending('POST', `${ASSEMBLIES}/${SHARED}/design/variables`, body) };
    },
  ],
  [
    6,
    'update shared variable',
    (w) => {
      const path = `${ASSEMBLIES}/${SHARED}/design/variables/${someShared(w)}`;
      return { on: sending('PUT', path, { cms_dj_ci: { ciAttributes: { value: someText(w) } } }) };
    },
  ],
  [
    10,
    'delete shared variable',
    (w) => ({ on: sending('DELETE', `${ASSEMBLIES}/${SHARED}/design/variables/${someShared(w)}`) }),
  ],
];

/** One of the newest variables of a writer, which may be gone. */
function someShared(writer: Writer): string {
  return sharedName(writer, Math.max(1, writer.made - Math.floor(writer.random() * 8)));
}

function closing(writer: Writer, way: 'commit' | 'discard'): Write['on'] {
  return async (ask) => {
    const latest = await ask('GET', `${design(writer)}/releases/latest`);
    if (latest.status !== 200) return latest.status;
    const { releaseId } = latest.body as { readonly releaseId: number };
    return (await ask('POST', `${design(writer)}/releases/${releaseId}/${way}`, {})).status;
  };
}

function createEnvironment(writer: Writer): Write['on'] {
  return async (ask) => {
    const clouds = (await ask('GET', '/acme/clouds')).body as { readonly ciName: string; readonly ciId: number }[];
    return (
      await ask('POST', environment(writer), {
        clouds: Object.fromEntries(clouds.map(({ ciId, ciName }) => [String(ciId), ciName === 'east' ? '1' : '2'])),
        platform_availability: {},
        cms_ci: { ciName: 'prod', ciAttributes: { availability: 'single' } },
      })
    ).status;
  };
}

function deploy(writer: Writer): Write['on'] {
  return async (ask) => {
    const bom = await ask('GET', `${environment(writer)}/releases/bom`);
    if (bom.status !== 200) return bom.status;
    const { releaseId } = bom.body as { readonly releaseId: number };
    const body = { cms_deployment: { releaseId, nsPath: `/acme/${writer.name}/prod/bom` } };
    return (await ask('POST', `${environment(writer)}/deployments/`, body)).status;
  };
}

const TOTAL = WRITES.reduce((sum, [weight]) => sum + weight, 0);

/** The next write of a writer. */
export function nextWrite(writer: Writer): Write {
  let place = writer.random() * TOTAL;
  for (const [weight, name, make] of WRITES) {
    place -= weight;
    if (place < 0) return { name, starts: false, ...make(writer) };
  }
  throw new Error('chance is not below one');
}

/** Makes an assembly. */
export const makeAssembly = (name: string): Write => ({
  name: 'create assembly',
  starts: false,
  on: sending('POST', ASSEMBLIES, assemblyBody(name)),
});

/** Reads until nothing is under way in the writer's environment: what a person does before the next step. */
export async function settled(ask: Ask, writer: Writer): Promise<void> {
  const path = `${ASSEMBLIES}/${writer.name}/transition/environments/prod`;
  for (let turn = 0; turn < 10_000; turn += 1) {
    const { status, body } = await ask('GET', path);
    if (status === 404) return;
    const { body: newest } = await ask('GET', `${path}/deployments/latest`);
    const state = (newest as { readonly deploymentState?: string } | undefined)?.deploymentState;
    const idle = (body as { readonly ciState: string }).ciState === 'default';
    if (idle && state !== 'active' && state !== 'pending') return;
  }
  throw new Error(`the environment of ${writer.name} does not settle`);
}
