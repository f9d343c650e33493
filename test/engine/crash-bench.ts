// A stack and a service that can be put back to where they were, and a CLI that is killed at a
// request's boundary: what a crash trial needs.
import { copyFile, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Api } from '../../api/client';
import type { Dialect } from '../../api/contract';
import { createService, fastClock, listen, type Service } from '../../service';
import { TOKEN } from './live-service';
import type { StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { descendantsOf, killAll, newProject, survivorsOf, type Engine, type Project, type Run } from '../world/engine';

/** Where a run is killed. */
export interface Boundary {
  /** Its request of this number. */
  readonly nth: number;
  /** Whether the service has carried it out. Its answer never arrives. */
  readonly when: 'before' | 'after';
  /** The CLI and everything it started, or the CLI alone. */
  readonly whom: 'everything' | 'the CLI alone';
}

/** How a killed run ended. */
interface Crash {
  /** Whether there was such a request. */
  readonly killed: boolean;
  /** Processes it started that went on by themselves. */
  readonly survivors: number;
  readonly requests: number;
  /** Number of the first request that was no read; undefined when there was none. */
  readonly firstWrite: number | undefined;
  readonly run: Run;
}

export interface Bench {
  readonly project: Project;
  /** Starts again: with nothing, or where `keep` left it. */
  restart(from: 'nothing' | 'kept'): Promise<void>;
  /** Remembers service and state as they are; the service stops until the next `restart`. */
  keep(): Promise<void>;
  /** Runs a command with further variables, killed at a boundary when there is one. */
  crash(
    words: readonly string[],
    boundary?: Boundary,
    environment?: { readonly [name: string]: string },
  ): Promise<Crash>;
  /** What in the service is not as declared; pulls and commits its environments. */
  differences(spec: StackSpec | undefined): Promise<readonly string[]>;
  close(): Promise<void>;
}

const SPEED = 2000;

/** A project on its own service. */
export async function openBench(dialect: Dialect, engine: Engine): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'oneops-crashes-'));
  // One clock for all services of the bench: what is kept must never be in the future.
  const clock = fastClock(SPEED);
  const serve = (database: string): Service =>
    createService({ database, dialect, clock, users: [{ name: 'admin', token: TOKEN }] });
  const [working, kept] = ['working.db', 'kept.db'].map((name) => join(folder, name)) as [string, string];
  let service = serve(working);
  let requests = 0;
  let firstWrite: number | undefined;
  let onRequest = (_nth: number, _when: Boundary['when']): void => undefined;

  const handle: Service['handle'] = async (request, signal) => {
    requests += 1;
    const nth = requests;
    if (request.method !== 'GET') firstWrite ??= nth;
    const { handle: present } = service;
    onRequest(nth, 'before');
    if (broken) return { status: 503, headers: {}, body: '' };
    const answer = await present(request, signal);
    onRequest(nth, 'after');
    return answer;
  };
  let broken = false;
  const listening = await listen({ ...service, handle }, { port: 0 });
  const project = await newProject({
    engine,
    config: { 'oneops:url': listening.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
  const state = join(project.dir, 'state');
  const states = { fresh: join(folder, 'fresh'), kept: join(folder, 'kept') };
  await cp(state, states.fresh, { recursive: true });

  const asking = async <T>(ask: (api: Api) => Promise<T>): Promise<T> => {
    const api = createApi({ url: listening.url, organization: 'acme', token: TOKEN, dialect, send: service.handle });
    const found = await ask(api);
    api.close();
    return found;
  };

  return {
    project,

    async restart(from) {
      service.close();
      await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${working}${end}`, { force: true })));
      if (from === 'kept') await copyFile(kept, working);
      service = serve(working);
      await rm(state, { recursive: true });
      await cp(from === 'kept' ? states.kept : states.fresh, state, { recursive: true });
    },

    async keep() {
      // A closed database is in one file.
      service.close();
      await copyFile(working, kept);
      service = serve(working);
      await rm(states.kept, { recursive: true, force: true });
      await cp(state, states.kept, { recursive: true });
    },

    async crash(words, boundary, environment = {}) {
      requests = 0;
      firstWrite = undefined;
      broken = false;
      const running = project.start(words, environment);
      let started: readonly number[] = [];
      let killed = false;
      onRequest = (nth, when) => {
        if (killed || nth !== boundary?.nth || when !== boundary.when) return;
        killed = true;
        // A request that was on its way when its sender died is not carried out.
        broken = boundary.whom === 'everything' || when === 'before';
        started = descendantsOf(running.pid);
        killAll(boundary.whom === 'everything' ? [running.pid, ...started] : [running.pid]);
      };
      const run = await running.ended;
      onRequest = () => undefined;
      const survivors = (await survivorsOf(started)).length;
      if (killed) await restoreCutState(join(state, '.pulumi', 'stacks', 'story', 'dev.json'));
      broken = false;
      return { killed, survivors, requests, firstWrite, run };
    },

    // Time passes by itself.
    differences: (spec) => asking((api) => differences({ api, clock: { advance: () => undefined } }, spec)),

    async close() {
      await listening.close();
      service.close();
      await project.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * The engine's file backend may be killed while it writes the state, or the file of metadata next
 * to it. docs/recovery.md says what to do: take the previous state, which the backend keeps, and
 * remove empty metadata.
 */
async function restoreCutState(file: string): Promise<void> {
  const isEmpty = (path: string): Promise<boolean> =>
    stat(path).then(
      ({ size }) => size === 0,
      () => false,
    );
  if (await isEmpty(`${file}.attrs`)) await rm(`${file}.attrs`);
  if (await isEmpty(file)) await copyFile(`${file}.bak`, file);
}
