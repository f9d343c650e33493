// What a writer may request: creates, updates and deletes all over an assembly's life, drawn by
// chance, with at most one writing request each.
import { pick, type Random } from './random';

/** An answer as far as a writer looks at it. */
interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Sends one request as the administrator; rejects when there is no answer. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>;

/** A write that can be sent to several services; `on` resolves to the status of its request. */
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

/** Name of a writer's variable, without four digits in a row: they look like a record's number. */
const sharedName = (writer: Writer, count: number): string => `${writer.name}-v${count.toString(36)}`;

const change = (ciName: string, ciAttributes: object): object => ({ cms_dj_ci: { ciName, ciAttributes } });

const named = (writer: Writer, ciAttributes: object): object => change(pick(writer.random, NAMES), ciAttributes);

const user = (writer: Writer): string => `user-${pick(writer.random, NAMES)}`;
const word = (writer: Writer): string => pick(writer.random, ['red', 'green', 'blue', 'white', 'black']);

const design = ({ name }: Writer): string => `${ASSEMBLIES}/${name}/design`;
const variables = (writer: Writer): string => `${design(writer)}/variables`;
const platforms = (writer: Writer): string => `${design(writer)}/platforms`;
const components = (writer: Writer): string => `${platforms(writer)}/${pick(writer.random, NAMES)}/components`;
const attachments = (writer: Writer): string => `${components(writer)}/${user(writer)}/attachments`;
const one = (of: (writer: Writer) => string, writer: Writer): string => `${of(writer)}/${pick(writer.random, NAMES)}`;
const environment = ({ name }: Writer): string => `${ASSEMBLIES}/${name}/transition/environments/prod`;
const sharedVariables = `${ASSEMBLIES}/${SHARED}/design/variables`;

type Request = readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object];

const assemblyRequest = (ciName: string): Request => [
  'POST',
  ASSEMBLIES,
  { cms_ci: { ciName, ciAttributes: { owner: 'team@acme.io' } } },
];

/** A change of a description or a value, which is of the record in the path. */
const put = (path: string, ciAttributes: object): Request => ['PUT', path, { cms_dj_ci: { ciAttributes } }];

/** What happens, and how often in a hundred or so: one request. */
const REQUESTS: readonly (readonly [weight: number, name: string, request: (writer: Writer) => Request])[] = [
  [3, 'create assembly', (w) => assemblyRequest(w.name)],
  [1, 'delete assembly', (w) => ['DELETE', `${ASSEMBLIES}/${w.name}`]],
  [
    10,
    'create platform',
    (w) => ['POST', platforms(w), named(w, { source: 'oneops', pack: pick(w.random, PACKS), version: '1' })],
  ],
  [3, 'delete platform', (w) => ['DELETE', one(platforms, w)]],
  [6, 'update platform', (w) => put(one(platforms, w), { description: word(w) })],
  [
    10,
    'create component',
    (w) => ['POST', components(w), { ...change(user(w), { username: 'one' }), template_name: 'user' }],
  ],
  [6, 'update component', (w) => ['PUT', components(w), change(user(w), { description: word(w) })]],
  [3, 'delete component', (w) => ['DELETE', `${components(w)}/${user(w)}`]],
  [
    6,
    'create attachment',
    (w) => ['POST', attachments(w), named(w, { content: word(w), path: '/etc/motd', runs_on: 'after-add' })],
  ],
  [3, 'delete attachment', (w) => ['DELETE', one(attachments, w)]],
  [6, 'create variable', (w) => ['POST', variables(w), named(w, { value: word(w) })]],
  [6, 'update variable', (w) => put(one(variables, w), { value: word(w) })],
  [3, 'delete variable', (w) => ['DELETE', one(variables, w)]],
  [1, 'delete environment', (w) => ['DELETE', environment(w)]],
  [
    12,
    'create shared variable',
    (w) => ['POST', sharedVariables, change(sharedName(w, (w.made += 1)), { value: word(w) })],
  ],
  [6, 'update shared variable', (w) => put(`${sharedVariables}/${someShared(w)}`, { value: word(w) })],
  [10, 'delete shared variable', (w) => ['DELETE', `${sharedVariables}/${someShared(w)}`]],
];

/** What needs a look first, or begins work of the service. */
const FLOWS: readonly (readonly [
  weight: number,
  name: string,
  starts: boolean,
  on: (writer: Writer) => Write['on'],
])[] = [
  [8, 'commit design', false, (w) => closing(w, 'commit')],
  [1, 'discard design', false, (w) => closing(w, 'discard')],
  [6, 'create environment', true, createEnvironment],
  [5, 'pull', true, (w) => sending(['POST', `${environment(w)}/pull`, { platform_availability: {}, async: 'true' }])],
  [6, 'commit environment', true, (w) => sending(['POST', `${environment(w)}/commit`, {}])],
  [8, 'deploy', true, deploy],
];

const sending =
  ([method, path, body]: Request): Write['on'] =>
  async (ask) =>
    (await ask(method, path, body)).status;

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

const WRITES: readonly (readonly [weight: number, make: (writer: Writer) => Write])[] = [
  ...REQUESTS.map(
    ([weight, name, request]) =>
      [weight, (writer: Writer) => ({ name, starts: false, on: sending(request(writer)) })] as const,
  ),
  ...FLOWS.map(
    ([weight, name, starts, on]) => [weight, (writer: Writer) => ({ name, starts, on: on(writer) })] as const,
  ),
];
const TOTAL = WRITES.reduce((sum, [weight]) => sum + weight, 0);

/** The next write of a writer. */
export function nextWrite(writer: Writer): Write {
  let place = writer.random() * TOTAL;
  for (const [weight, make] of WRITES) {
    place -= weight;
    if (place < 0) return make(writer);
  }
  throw new Error('chance is not below one');
}

/** Makes an assembly. */
export const makeAssembly = (name: string): Write => ({
  name: 'create assembly',
  starts: false,
  on: sending(assemblyRequest(name)),
});

/** Reads until nothing is under way in the writer's environment, as a person does. */
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
