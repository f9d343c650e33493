// Sends requests with axios: the one file that names it. An adapter of ours carries them, so that times, sizes, proxies and kept connections
// are ours, and a request takes half of what axios' own adapter needs. It must not know routes, dialects, tokens, retries or times.
import { Axios, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import type { WireResponse } from '../contract';
import { carrier, type Carrying } from './carry';
import type { Exchange } from './timed';

/** Exchanges over axios. Rejects with TransportError. */
export function axiosExchange(carrying: Carrying): Exchange {
  const carry = carrier(carrying);
  // Without axios' defaults: no transformations, no headers of its own, no status that is an error.
  const client = new Axios({ headers: new AxiosHeaders() });

  return async ({ method, path, headers, body }, progress) => {
    const adapter = async (config: InternalAxiosRequestConfig) => {
      const sent = { method, path, headers: config.headers.toJSON(true) as WireResponse['headers'] };
      const answer = await carry(body === undefined ? sent : { ...sent, body }, progress);
      return { data: answer, status: answer.status, statusText: '', headers: {}, config };
    };
    // axios names a form as the type of a body that is not there.
    const typed = { 'content-type': false, ...headers };
    return (await client.request<WireResponse>({ adapter, method, url: path, headers: typed })).data;
  };
}
