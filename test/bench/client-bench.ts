// What a call costs the client: this package's, next to bare undici and axios as it comes.
import axios from 'axios';
import { Pool } from 'undici';
import { createApi } from '../../api/client';
import { routes } from '../../api/contract';
import { assemblyName } from './fill';
import { measure } from './measure';
import { answerOf, startEmptyHandler, startService, TOKEN } from './process';
import { type Chapter, type Finding } from './report';
import { CALLERS, callersText, HEADERS, type Prepared } from './service-bench';

/** Reads of one record from a listener that always answers the same, by each client. */
export async function benchClient(database: Prepared): Promise<Chapter> {
  const address = { assembly: assemblyName(0) };
  const path = `/acme/assemblies/${address.assembly}`;
  const service = await startService(database.file);
  const listener = await startEmptyHandler(await answerOf(`${service.url}${path}`, HEADERS));
  await service.end('SIGTERM');
  const pool = new Pool(listener.url, { connections: 16 });
  const usual = axios.create({ baseURL: listener.url });
  const api = createApi({ url: listener.url, organization: 'acme', token: TOKEN, dialect: 'documented' });
  const calls: { readonly [name: string]: () => Promise<unknown> } = {
    undici: async () => (await pool.request({ path, method: 'GET', headers: HEADERS })).body.json(),
    axios: () => usual.get(path, { headers: HEADERS }),
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
    const { of, ratio } = await measure(contenders, { turns: 9, calls: 400 });
    const row = (name: 'axios' | 'undici', against: string): Finding => ({
      what: `the client, checked answer, ${callersText(callers)}, CPU`,
      against,
      figure: of('client', 'cpu'),
      reference: of(name, 'cpu'),
      unit: 'µs',
      ratio: ratio('client', name, 'cpu'),
    });
    findings.push({ ...row('axios', 'default axios'), target: { atMost: 0.5 } }, row('undici', 'bare undici'));
  }
  api.close();
  await pool.close();
  await listener.end('SIGTERM');
  return {
    heading: 'The client',
    about:
      'Reads of one record. The client checks the answer against the contract, keeps count for its retries and its log; undici and axios only ' +
      'parse the JSON. CPU is that of the calling process, all threads, user and system. The ratio is to the other library: below 1 is cheaper.',
    findings,
  };
}
