// Sends requests with axios: the one file that names it. undici carries them, as an adapter of axios, so that limits, proxies and kept connections
// are this package's own.
import { Axios, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import type { WireResponse } from '../contract';
import type { TimedExchange } from './timed';

/** An exchange through axios. */
export function axiosExchange(carry: TimedExchange): TimedExchange {
  // Without axios' defaults: no transformations, no headers of its own, no status that is an error.
  const client = new Axios({ headers: new AxiosHeaders() });

  return async ({ method, path, headers, body }, progress) => {
    const adapter = async (config: InternalAxiosRequestConfig) => {
      const sent = { method, path, headers: config.headers.toJSON(true) as WireResponse['headers'] };
      const answer = await carry(body === undefined ? sent : { ...sent, body }, progress);
      return { data: answer, status: answer.status, statusText: '', headers: {}, config };
    };
    // axios names a form as the type of a body that does not exist.
    const typed = { 'content-type': false, ...headers };
    return (await client.request<WireResponse>({ adapter, method, url: path, headers: typed })).data;
  };
}
