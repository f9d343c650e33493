// How long the process of each face takes from its start to its first answers, without an engine.
import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { CheckRequest, ConfigureRequest } from '@pulumi/pulumi/proto/provider_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerText } from '../../../provider/lifecycle/registration';
import { REPOSITORY } from '../../engine';
import type { Finding } from '../finding';
import { median } from '../measure';
import { OURS } from './contestant';

const TURNS = 7;

/** How a face's process is started, and what a resource of it is. */
interface FaceProcess {
  /** File that Node runs. */
  readonly file: string;
  readonly type: string;
  readonly more: { readonly [argument: string]: string };
}

const FACES = {
  dynamic: {
    file: join(REPOSITORY, 'node_modules', '@pulumi', 'pulumi', 'cmd', 'dynamic-provider', 'index.js'),
    type: 'pulumi-nodejs:dynamic/oneops:Assembly',
    more: { __provider: providerText('Assembly') },
  },
  plugin: {
    file: join(REPOSITORY, 'dist', 'plugins', 'resource', 'pulumi-resource-oneops'),
    type: 'oneops:index:Assembly',
    more: {},
  },
} as const satisfies { readonly [face: string]: FaceProcess };

/** A check sends nothing, but wants to know where it would be sent. */
const SETTINGS = { ONEOPS_URL: 'http://127.0.0.1:1', ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'token-of-bench' };

/** ms from the start of the process to its first answer, and to the first checked resource. */
interface Start {
  readonly answer: number;
  readonly check: number;
}

/** Starts the processes of both faces by turns. */
export async function benchFaceStart(): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oneops-bench-start-'));
  await mkdir(join(folder, 'node_modules'));
  for (const [name, target] of Object.entries(OURS.packages)) await symlink(target, join(folder, 'node_modules', name));
  const engine = new Server();
  const port = await new Promise<number>((resolve, reject) => {
    engine.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const seen: { readonly [face in keyof typeof FACES]: Start[] } = { dynamic: [], plugin: [] };
  try {
    for (let turn = 0; turn <= TURNS; turn += 1)
      for (const face of Object.keys(FACES) as (keyof typeof FACES)[]) {
        const start = await startOf(FACES[face], `127.0.0.1:${port}`, folder);
        if (turn > 0) seen[face].push(start);
      }
  } finally {
    engine.forceShutdown();
    await rm(folder, { recursive: true });
  }
  const row = (what: string, figure: keyof Start): Finding => ({
    what,
    against: 'dynamic',
    figure: median(seen.plugin.map((start) => start[figure])),
    reference: median(seen.dynamic.map((start) => start[figure])),
    unit: 'ms',
    ratio: median(seen.plugin.map((start, turn) => start[figure] / (seen.dynamic[turn]?.[figure] ?? Number.NaN))),
  });
  return [
    row('start of the process to its first answer', 'answer'),
    row('start of the process to the first checked resource', 'check'),
  ];
}

async function startOf({ file, type, more }: FaceProcess, engine: string, folder: string): Promise<Start> {
  const began = performance.now();
  const env = { ...process.env, ...SETTINGS };
  const child = spawn(process.execPath, [file, engine], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const client = new ResourceProviderClient(`127.0.0.1:${String(port).trim()}`, credentials.createInsecure());
  const asked = <Request, Answer>(
    method: (request: Request, answered: (error: Error | null, answer: Answer) => void) => unknown,
    request: Request,
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      method.call(client, request, (error) => (error ? reject(error) : resolve(performance.now() - began)));
    });
  try {
    const answer = await asked(client.getPluginInfo, new Empty());
    const configuration = new ConfigureRequest();
    configuration.setArgs(Struct.fromJavaScript({}));
    await asked(client.configure, configuration);
    const request = new CheckRequest();
    request.setUrn(`urn:pulumi:dev::bench::${type}::shop`);
    request.setOlds(Struct.fromJavaScript({}));
    request.setNews(Struct.fromJavaScript({ name: 'shop', owner: 'team@acme.io', ...more }));
    return { answer, check: await asked(client.check, request) };
  } finally {
    client.close();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
