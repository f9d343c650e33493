// A caller for tests of the service: JSON requests to its plain function, without a socket, on a clock that does not move.
import { type Dialect } from '../api/contract';
import { createService, loadCatalogue, manualClock, type Service, type ServiceOptions } from '../service';

/** An answer with its body read as JSON; an empty body is undefined. */
export interface Reply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  readonly body: unknown;
}

export interface Caller {
  readonly service: Service;
  readonly clock: ReturnType<typeof manualClock>;
  /** Mistakes of the service itself; a test that expects none says so. */
  readonly bugs: readonly unknown[];
  /** Sends with the admin's token; `headers` are laid over the usual ones, and one that is '' is left out. */
  send(method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<Reply>;
  /** The same, when only the status counts. */
  status(...sent: Parameters<Caller['send']>): Promise<number>;
  close(): void;
}

/** Token of the user `admin` of every caller's service. */
export const ADMIN_TOKEN = 'token-of-admin';

/** `Authorization` header of a token. */
export const basic = (token: string): string => `Basic ${Buffer.from(`${token}:`).toString('base64')}`;

/** Both ways of sending, by one of them. */
export const sending = (send: Caller['send']): Pick<Caller, 'send' | 'status'> => ({
  send,
  status: async (...sent) => (await send(...sent)).status,
});

/** Read once: making a service would take twice as long otherwise. */
const SHIPPED = loadCatalogue();

/** A fresh service in memory with its caller; the clock moves by one second before each request. */
export function callerOf(dialect: Dialect, options: Partial<ServiceOptions> = {}): Caller {
  const clock = manualClock();
  const bugs: unknown[] = [];
  const users = [{ name: 'admin', token: ADMIN_TOKEN }, ...(options.users ?? [])];
  const service = createService({
    database: ':memory:',
    dialect,
    clock,
    bug: (error) => bugs.push(error),
    ...(options.packs === undefined ? { catalogue: SHIPPED } : {}),
    ...options,
    users,
  });
  return {
    service,
    clock,
    bugs,
    close: () => service.close(),
    ...sending(async (method, path, body, headers = {}) => {
      clock.advance(1000);
      const usual = {
        authorization: basic(ADMIN_TOKEN),
        accept: 'application/json',
        'content-type': 'application/json',
      };
      const sent = Object.fromEntries(Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== ''));
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const response = await service.handle({
        method,
        path,
        headers: sent,
        ...(text === undefined ? {} : { body: text }),
      });
      const isJson = response.headers['content-type']?.startsWith('application/json') === true;
      return {
        status: response.status,
        headers: response.headers,
        text: response.body,
        body: response.body === '' || !isJson ? undefined : JSON.parse(response.body),
      };
    }),
  };
}

/** When the caller of a block of tests is made anew. */
export type Turn = 'each' | 'all';

/** A caller for each test of a block, or for all of them: made before, closed after. No test may meet a mistake of the service. */
export function lent<C extends Caller>(turn: Turn, make: () => C, prepare: () => unknown): C {
  const current = {} as C;
  const [before, after] = turn === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    Object.assign(current, make());
    await prepare();
  });
  after(() => {
    expect(current.bugs).toEqual([]);
    current.close();
  });
  return current;
}

/** A caller for each test, or for all tests, of the block that asks. `prepare` may use it. */
export const callerFor = (
  turn: Turn,
  dialect: Dialect,
  prepare: () => unknown = () => undefined,
  options: Partial<ServiceOptions> = {},
): Caller => lent(turn, () => callerOf(dialect, options), prepare);
