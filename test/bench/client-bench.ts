// What a call costs the client: this package's, next to axios as it comes.
import axios from 'axios';
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
  const usual = axios.create({ baseURL: listener.url });
  const api = createApi({ url: listener.url, organization: 'acme', token: TOKEN, dialect: 'documented' });
  const calls: { readonly [name: string]: () => Promise<unknown> } = {
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
    findings.push({
      what: `the client, checked answer, ${callersText(callers)}, CPU`,
      against: 'default axios',
      figure: of('client', 'cpu'),
      reference: of('axios', 'cpu'),
      unit: 'µs',
      ratio: ratio('client', 'axios', 'cpu'),
      target: { atMost: 0.5 },
    });
  }
  api.close();
  await listener.end('SIGTERM');
  return {
    heading: 'The client',
    about:
      'Reads of one record. The client checks the answer against the contract, keeps count for its retries and its log; axios only parses the ' +
      'JSON. CPU is that of the calling process, all threads, user and system. The ratio is to axios: below 1 is cheaper.',
    findings,
  };
}
