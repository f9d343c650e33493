// The fault matrix: 25 faults on the way, times six kinds of calls, over sockets, against the
// service. Each cell says what the caller gets, how often the request is sent, and what the service
// contains afterwards. It must not wait: times run out when the relay says so.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { type ClientEvent, createApi, OneOps } from '../../api/client';
import { type Dialect, routes } from '../../api/contract';
import { createService, fastClock, listen, type Listening, manualClock, type Service } from '../../service';
import { handTimers, until } from '../hand-timers';
import { ANSWER_LIMIT, type CallKind, CALLS, ELSEWHERE, type Fault, FAULTS, FURTHER_FAULTS } from './faults';
import { startRelay, type Step } from './relay';
import { pulumiWords } from '../../provider/session/settings';

describe('client faults', () => {
  const TOKEN = 'canary-51be07';
  const ANSWER_TIMEOUT = 130_000;
  const TOTAL_TIMEOUT = 180_000;

  const service = createService({
    database: ':memory:',
    dialect: 'classic',
    clock: manualClock(Date.UTC(2026, 0, 5)),
    users: [{ name: 'admin', token: TOKEN }],
  });

  /** The service without anything in between. */
  const direct = createApi({
    url: 'http://127.0.0.1',
    organization: 'acme',
    token: TOKEN,
    dialect: 'classic',
    send: service.handle,
  });

  /** Another host, which no redirect may lead to. */
  const elsewhere = createServer((_, response) => {
    strayed += 1;
    response.end('{}');
  });
  let strayed = 0;
  let elsewhereUrl = '';
  let refusedUrl = '';

  beforeAll(async () => {
    const opened = async (): Promise<string> => {
      await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    };
    // A port that was free a moment ago, and that nobody listens on.
    refusedUrl = await opened();
    await once(elsewhere.close(), 'close');
    elsewhereUrl = await opened();
  });

  afterAll(async () => {
    await once(elsewhere.close(), 'close');
    service.close();
  });

  /** One call on its own assembly: how it is sent, and whether the service contains its change. */
  interface Subject {
    send(api: OneOps): Promise<unknown>;
    isHeld(): Promise<boolean>;
  }

  let subjects = 0;

  async function subjectOf(kind: CallKind): Promise<Subject> {
    const name = `shop${(subjects += 1)}`;
    const body = (description: string) => ({
      cms_ci: { ciName: name, ciAttributes: { owner: 'team@acme.io', description } },
    });
    const descriptions = async (): Promise<readonly unknown[]> =>
      (await direct.call(routes.assemblies.list))
        .filter((record) => record.ciName === name)
        .map((record) => record.ciAttributes['description']);
    if (kind !== 'create') await direct.call(routes.assemblies.create, { body: body('before') });
    const changed = async (): Promise<boolean> => (await descriptions()).join() !== 'before';
    switch (kind) {
      case 'list':
        return { send: (api) => api.assemblies.list(), isHeld: changed };
      case 'read':
        return { send: (api) => api.assemblies.read(name), isHeld: changed };
      case 'create':
        return {
          send: (api) => api.assemblies.create(body('after')),
          isHeld: async () => (await descriptions()).length > 0,
        };
      case 'update':
        return {
          send: (api) => api.assemblies.update(name, body('after')),
          isHeld: async () => (await descriptions()).join() === 'after',
        };
      case 'delete':
        return { send: (api) => api.assemblies.delete(name), isHeld: async () => (await descriptions()).length === 0 };
      case 'action': {
        const address = { assembly: name };
        const platform = { ciName: 'web', ciAttributes: { source: 'oneops', pack: 'custom', version: '1' } };
        await direct.call(routes.platforms.create, { address, body: { cms_dj_ci: platform } });
        const release = await direct.call(routes.designReleases.latest, { address });
        return {
          send: (api) => api.designReleases.commit(name, release.releaseId),
          isHeld: async () => (await direct.call(routes.designReleases.latest, { address })).releaseState === 'closed',
        };
      }
    }
  }

  /** A step with the address of the other host put in. */
  const pointed = (step: Step): Step =>
    step.kind === 'answer' && step.headers?.['location'] === ELSEWHERE
      ? { ...step, headers: { ...step.headers, location: elsewhereUrl } }
      : step;

  interface Observed {
    readonly cell: string;
    readonly pauses: readonly number[];
    /** What is wrong beyond the cell itself. */
    readonly findings: readonly string[];
  }

  /** Sends one call through one fault, and says what came of it in the words of the table. */
  async function observe(fault: Fault, kind: CallKind): Promise<Observed> {
    const subject = await subjectOf(kind);
    const timers = handTimers();
    const events: ClientEvent[] = [];
    const pauses: number[] = [];
    const relay = await startRelay({
      handle: service.handle,
      step: (nth) => pointed(fault.step?.(nth) ?? { kind: 'pass' }),
      endAnswerWait: () => void timers.expire(ANSWER_TIMEOUT),
      endTotalWait: async () => {
        await until(() => !timers.waiting().includes(ANSWER_TIMEOUT));
        timers.expire(TOTAL_TIMEOUT);
      },
    });
    const api = new OneOps({
      url: fault.step === undefined ? refusedUrl : relay.url,
      organization: 'acme',
      token: TOKEN,
      dialect: 'classic',
      environment: {},
      answerLimit: ANSWER_LIMIT,
      answerTimeout: ANSWER_TIMEOUT,
      totalTimeout: TOTAL_TIMEOUT,
      timers: timers.after,
      random: () => 0.5,
      pause: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      observe: (event) => events.push(event),
    });
    const failure = await subject.send(api).then(
      () => undefined,
      (error: Error) => error,
    );
    api.close();
    await relay.close();
    const requests = events.filter((event) => event.kind === 'request');
    // The call's own; a create whose answer was lost is looked for by a read besides.
    const attempts = requests.filter(({ route }) => route === requests[0]?.route).length;
    const calls = new Set(requests.map(({ route }) => route)).size;
    const isHeld = await subject.isHeld();
    const isRead = kind === 'list' || kind === 'read';
    const outcome = failure?.name ?? 'ok';
    const findings = [
      ...(relay.arrived() === (fault.step === undefined ? 0 : requests.length)
        ? []
        : [`${relay.arrived()} requests arrived`]),
      ...(pauses.length === requests.length - calls ? [] : [`${pauses.length} pauses, ${requests.length} requests`]),
      ...(isRead && isHeld ? ['a read changed something'] : []),
      ...(timers.waiting().length === 0 ? [] : ['something is still waited for']),
      ...(/canary|Basic /.test(inspect([failure, events], { depth: 20, showHidden: true })) ? ['the token shows'] : []),
    ];
    return { cell: `${outcome} ${attempts}${isRead ? '' : isHeld ? ' +' : ' -'}`, pauses, findings };
  }

  describe.each([
    ['', FAULTS, 150],
    ['further ', FURTHER_FAULTS, 12],
  ] as const)('%scells', (which, faults, size) => {
    let cells = 0;
    let wrong = 0;

    test.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
      const observed: Observed[] = [];
      for (const kind of CALLS) observed.push(await observe(fault, kind));
      cells += observed.length;
      wrong += observed.filter(
        ({ cell, findings }, index) => cell !== fault.cells[index] || findings.length > 0,
      ).length;
      const table = (rows: readonly string[]): object =>
        Object.fromEntries(CALLS.map((kind, index) => [kind, rows[index]]));
      expect(table(observed.map(({ cell }) => cell))).toEqual(table(fault.cells));
      expect(observed.flatMap(({ findings }) => findings)).toEqual([]);
      expect(strayed).toBe(0);
      if (fault.name.includes('with Retry-After'))
        expect(observed.flatMap(({ pauses }) => pauses)).toEqual(Array(5).fill(2000));
    });

    afterAll(() => {
      process.stdout.write(`${which}cells ${cells}, wrong ${wrong}\n`);
    });

    test('are as many as there should be', () => {
      expect(faults.length * CALLS.length).toBe(size);
    });
  });
});

// Settings that lead nowhere: the hint names the one that is wrong, in the words of who set it.

describe.each<Dialect>(['documented', 'classic'])('%s', (dialect) => {
  let service: Service;
  let listening: Listening;
  beforeAll(async () => {
    service = createService({
      database: ':memory:',
      dialect,
      clock: fastClock(100),
      users: [{ name: 'admin', token: 'token' }],
    });
    listening = await listen(service, { port: 0 });
  });
  afterAll(async () => {
    await listening.close();
    service.close();
  });

  const refusalAt = async (
    url: string,
    organization: string,
    address: { readonly [name: string]: string } = {},
  ): Promise<string> => {
    const api = createApi({ url, organization, token: 'token', dialect, attempts: 1, words: pulumiWords });
    const route = 'assembly' in address ? routes.assemblies.read : routes.assemblies.list;
    const message = await api.call(route, { address }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    api.close();
    return message;
  };

  test('an address with the organization in it', async () => {
    expect(await refusalAt(`${listening.url}/acme`, 'acme')).toMatch(/oneops:url ends in "\/acme".*the service alone/);
  });

  test('https to a port of plain http', async () => {
    const message = await refusalAt(listening.url.replace('http:', 'https:'), 'acme');
    expect(message).toMatch(
      /does not speak TLS \(ERR_SSL_WRONG_VERSION_NUMBER\)\ncheck the protocol and the port in oneops:url/,
    );
  });

  test('an organization that does not exist', async () => {
    expect(await refusalAt(listening.url, 'acmee')).toMatch(/check oneops:organization/);
  });

  test('of a record that is missing no setting is blamed', async () => {
    const message = await refusalAt(listening.url, 'acme', { assembly: 'nowhere' });
    expect(message).toMatch(/404/);
    expect(message).not.toMatch(/oneops:/);
  });
});
