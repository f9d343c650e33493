// Ends a plugin's work when the engine cancels it; the error says what is left.
import { type Api, type CallInput, fillPath, type Layer, layered, type Route, routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import type { Connection } from '../dynamic/connection';
import type { Texts, Values } from '../../values/plain';

/** Milliseconds for the answer of a write that was sent: an answer leaves nothing open. */
const GRACE = 800;

class Canceled extends LifecycleError {}

/** The connection for one verb: it ends when `stop` aborts; its error says what was written. */
export function stoppable(connection: Connection, stop: AbortSignal, grace = GRACE): Connection {
  const written: string[] = [];
  const unanswered: string[] = [];
  const canceled = (): Canceled => new Canceled('canceled', leftBehind(written, unanswered));
  const { clock } = connection.session;
  const sleep = (milliseconds: number): Promise<void> =>
    untilStopped(() => clock.sleep(milliseconds), { stop, grace: 0, canceled });
  const stopping =
    (organization: string): Layer =>
    (next) =>
    async (route, input) => {
      const job = (signal: AbortSignal): Promise<unknown> => next(route, { ...input, signal });
      if (route.method === 'GET' && route.repeat === 'read') return untilStopped(job, { stop, grace: 0, canceled });
      const request = requestOf(route, input, organization);
      const sent = (signal: AbortSignal): Promise<unknown> => {
        unanswered.push(request);
        return job(signal).finally(() => unanswered.splice(unanswered.indexOf(request), 1));
      };
      const answer = await untilStopped(sent, { stop, grace, canceled });
      written.push(sentWords(route, input, organization, answer));
      return answer;
    };
  return {
    ...connection,
    session: { ...connection.session, clock: { ...clock, sleep } },
    connect: async () => {
      const api = await connection.connect();
      return layered(api, stopping(api.organization));
    },
  };
}

/** A client whose reads end when `stop` aborts: for functions, which write nothing. */
export const stoppableReads = (api: Api, stop: AbortSignal): Api =>
  layered(api, (next) => (route: Route, input: CallInput) => {
    const canceled = (): Canceled => new Canceled('canceled');
    return untilStopped((signal) => next(route, { ...input, signal }), { stop, grace: 0, canceled });
  });

const AGAIN = 'run the same command again: it continues from what exists';

/** The state does not contain what was sent. */
const OTHERWISE =
  'to go back instead, run pulumi up --refresh: without --refresh, a preview and an up do not see what was sent';

function leftBehind(written: readonly string[], unanswered: readonly string[]): string {
  const lines = [
    ...written.map((words) => `done before: ${words}`),
    ...unanswered.map((request) => `sent and not answered, so it may have been carried out: ${request}`),
  ];
  if (lines.length === 0) return ['nothing was written for this resource', AGAIN].join('\n');
  return [...lines, AGAIN, OTHERWISE].join('\n');
}

interface Stopping {
  readonly stop: AbortSignal;
  readonly grace: number;
  readonly canceled: () => Error;
}

/** Runs a job, unless stopped. `grace` ms after the stop, its signal aborts and nobody waits. */
function untilStopped<T>(job: (signal: AbortSignal) => Promise<T>, { stop, grace, canceled }: Stopping): Promise<T> {
  if (stop.aborted) return Promise.reject(canceled());
  const own = new AbortController();
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      reject(canceled());
      own.abort();
    };
    const begin = (): void => {
      if (grace === 0) end();
      else timer = setTimeout(end, grace);
    };
    stop.addEventListener('abort', begin, { once: true });
    void job(own.signal)
      .then(resolve, reject)
      .finally(() => {
        stop.removeEventListener('abort', begin);
        clearTimeout(timer);
      });
  });
}

// What a canceled run sent, in plain words for a person. Others by method and path.

/** Requests that begin or end something, and what they did. */
const WORDS = new Map<Route, (of: Texts, answer: unknown) => string>([
  [routes.designReleases.commit, ({ assembly }) => `committed the design of ${assembly}`],
  [routes.environments.pull, ({ environment }) => `pulled the design into the environment ${environment}`],
  [routes.environments.disable, ({ environment }) => `disabled platforms of the environment ${environment}`],
  [routes.environments.enable, ({ environment }) => `enabled platforms of the environment ${environment}`],
  [routes.environments.commit, ({ environment }) => `committed the environment ${environment}`],
  [
    routes.deployments.create,
    ({ environment }, answer) =>
      `started deployment${numberIn(answer, 'deploymentId')} of the environment ${environment}, which goes on`,
  ],
  [routes.procedures.create, (_, answer) => `started procedure${numberIn(answer, 'procedureId')}, which goes on`],
]);

function sentWords(route: Route, input: CallInput, organization: string, answer: unknown): string {
  const words = WORDS.get(route);
  return words === undefined ? requestOf(route, input, organization) : words({ ...input.address }, answer);
}

const requestOf = ({ method, path }: Route, { address }: CallInput, organization: string): string =>
  `${method} ${fillPath(path, { organization, ...address })}`;

function numberIn(answer: unknown, name: string): string {
  const number = (answer as Values | undefined)?.[name];
  return typeof number === 'number' ? ` ${number}` : '';
}
