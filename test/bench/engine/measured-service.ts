// A service that counts what it is asked, as its starter sees it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY } from '../../world/engine';

/** What the process is asked: how much it had to do since it was last asked; `latency` in ms from now on. */
export interface Asked {
  readonly latency?: number;
}

/** What came in since it was last asked. */
export interface Traffic {
  readonly calls: number;
  /** Sockets open at one time, at most. */
  readonly connections: number;
}

/** What the process answers; the first time with its address. */
export interface Measured extends Traffic {
  readonly url?: string;
}

export type MeasuredService = Awaited<ReturnType<typeof startMeasuredService>>;

/** Starts the service. `latency`: ms before each request is carried out. */
export async function startMeasuredService(token: string, latency: number) {
  const child = fork(join(__dirname, 'service-process.ts'), [token], {
    cwd: REPOSITORY,
    execArgv: ['--require', './test/run-source.cjs'],
  });
  const ask = async (asked: Asked): Promise<Traffic> => {
    const answer = once(child, 'message') as Promise<[Measured]>;
    child.send(asked);
    return (await answer)[0];
  };
  const [{ url = '' }] = (await once(child, 'message')) as [Measured];
  await ask({ latency });
  return {
    url,
    /** What came in since this was last called. */
    taken: () => ask({}),
    async stop(): Promise<void> {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
