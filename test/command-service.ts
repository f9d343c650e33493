// A service that listens, for commands that are run in this process and only read: nothing but GETs
// may be sent, and no secret shown. Secrets of tests have the word canary in them.
import { type Api, createApi } from '../api/client';
import type { Dialect } from '../api/contract';
import type { Command } from '../cli/command';
import type { Inputs } from '../provider';
import { kinds } from '../provider/kinds';
import { lifecycle, SILENT } from '../provider/lifecycle';
import { newSession } from '../provider/session';
import { createService, listen, manualClock, type Service, type ServiceOptions } from '../service';
import { type Outcome, runToEnd } from './run-command';

interface CommandService {
  readonly service: Service;
  readonly api: Api;
  /** Variables that name the service, and its user. */
  readonly settings: { readonly [name in 'ONEOPS_URL' | 'ONEOPS_ORGANIZATION' | 'ONEOPS_TOKEN']: string };
  /** Creates a record, as a run does. */
  make(kind: string, inputs: Inputs): Promise<void>;
  /** Runs a command to its end, without Pulumi's CLI. */
  read(command: Command, ...words: readonly string[]): Promise<Outcome>;
}

/** A service for the tests of a block, closed after them. `prepare` may use it. */
export function commandService(
  dialect: Dialect,
  prepare: () => unknown = () => undefined,
  options: Partial<ServiceOptions> = {},
): CommandService {
  const current = {} as CommandService;
  const token = 'canary-token-31c7';
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const clock = manualClock(Date.UTC(2026, 0, 5));
    const users = [{ name: 'admin', token }, ...(options.users ?? [])];
    const service = createService({ database: ':memory:', dialect, clock, ...options, users });
    const { url, close: stop } = await listen(service, { port: 0 });
    const api = createApi({ url, organization: 'acme', token, dialect });
    const settings = { ONEOPS_URL: url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: token };
    const sleep = async (milliseconds: number): Promise<void> => clock.advance(Math.ceil(milliseconds));
    const make: CommandService['make'] = async (kind, inputs) => {
      const of = kinds.find((each) => each.token === kind);
      if (of === undefined) throw new Error(`no kind ${kind}`);
      const session = newSession(kinds, { now: clock.now, sleep });
      await lifecycle(of, () => Promise.resolve(api), session).create(inputs, SILENT);
    };
    const read: CommandService['read'] = async (command, ...words) => {
      const before = service.journal().length;
      const ended = await runToEnd(command, { ...settings, PATH: '' }, ...words);
      const sent = service.journal().slice(before);
      expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(ended.stdout + ended.stderr).not.toContain('canary');
      return ended;
    };
    close = async () => {
      api.close();
      await stop();
      service.close();
    };
    Object.assign(current, { service, api, settings, make, read });
    await prepare();
  });
  afterAll(() => close());
  return current;
}
