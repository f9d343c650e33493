// What a call costs the client: this package's, next to bare undici and axios as it comes.
import axios from 'axios';
import { Pool } from 'undici';
import { createApi } from '../../api/client';
import { routes } from '../../api/contract';
import { httpTransport } from '../../api/transport';
import { type Chapter, type Finding } from './report';
import { measure } from './measure';
import { answerOf, type Constant, startEmptyHandler, startService, TOKEN } from './process';
import { assemblyName } from './fill';
import { type Prepared } from './service-bench';

const HEADERS = {
  authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}`,
  accept: 'application/json',
};

const CALLERS = [1, 16];

/** A record as the service answers it. */
async function recordOf(database: Prepared, path: string): Promise<Constant> {
  const listener = await startService(database.file);
  const answer = await answerOf(`${listener.url}${path}`, HEADERS);
  await listener.close();
  return answer;
}

/** Reads of one record from a listener that always answers the same, by each client. */
export async function benchClient(database: Prepared): Promise<Chapter> {
  const path = `/acme/assemblies/${assemblyName(0)}`;
  const listener = await startEmptyHandler(await recordOf(database, path));
  const pool = new Pool(listener.url, { connections: 16 });
  const usual = axios.create({ baseURL: listener.url });
  const transport = httpTransport({ url: listener.url });
  const api = createApi({ url: listener.url, organization: 'acme', token: TOKEN, dialect: 'documented' });
  const address = { assembly: assemblyName(0) };
  const calls: { readonly [name: string]: () => Promise<unknown> } = {
    undici: async () => (await pool.request({ path, method: 'GET', headers: HEADERS })).body.json(),
    axios: () => usual.get(path, { headers: HEADERS }),
    transport: async () =>
      JSON.parse((await transport.send({ method: 'GET', path, headers: HEADERS })).body) as unknown,
    client: () => api.call(routes.assemblies.read, { address }),
  };
  const findings: Finding[] = [];
  for (const callers of CALLERS) {
    const contenders = Object.entries(calls).map(([name, call]) => ({
      name,
      run: async (count: number): Promise<void> => {
        let left = count;
        const caller = async (): Promise<void> => {
          while (left > 0) {
            left -= 1;
            await call();
          }
        };
        await Promise.all(Array.from({ length: callers }, caller));
      },
    }));
    const { measured, ratio } = await measure(contenders, { turns: 9, calls: 400 });
    const of = (name: string): { readonly wall: number; readonly cpu: number } =>
      measured.find((each) => each.name === name) ?? { wall: Number.NaN, cpu: Number.NaN };
    const row = (name: string, what: string, against: string, figure: 'cpu' | 'wall', target?: number): Finding => ({
      what: `${what}, ${callers === 1 ? '1 caller' : `${callers} callers`}, ${figure === 'cpu' ? 'CPU' : 'wall'}`,
      against: against === 'axios' ? 'default axios' : 'bare undici',
      figure: of(name)[figure],
      reference: of(against)[figure],
      unit: 'µs',
      ratio: ratio(name, against, figure),
      ...(target === undefined ? {} : { target: { atMost: target } }),
    });
    findings.push(
      row('client', 'the client, checked answer', 'axios', 'cpu', 0.5),
      row('client', 'the client, checked answer', 'axios', 'wall'),
      row('client', 'the client, checked answer', 'undici', 'cpu'),
      row('client', 'the client, checked answer', 'undici', 'wall'),
      row('transport', 'its transport alone', 'axios', 'cpu'),
      row('transport', 'its transport alone', 'undici', 'cpu'),
    );
  }
  api.close();
  transport.close();
  await pool.close();
  await listener.close();
  return {
    heading: 'The client',
    about:
      'Reads of one record. The client checks the answer against the contract, keeps count for its retries and its log; undici and axios only ' +
      'parse the JSON. CPU is that of the calling process, all threads, user and system. The ratio is to the other library: below 1 is cheaper.',
    findings,
  };
}
