// The provider's client, loaded with the first request, and a layer that counts its writes.
import type { Api, Observe } from '../../api/client';
import { layered, type Layer } from '../../api/contract';
import { wordsFor, type Settings } from './settings';

/** Makes a client, loaded only for requests. `observe` receives its events. */
export async function openApi(settings: Settings, observe?: Observe): Promise<Api> {
  const { createApi } = await import('../../api/client/index.js');
  return createApi({ ...settings, words: wordsFor(settings), ...(observe ? { observe } : {}) });
}

/** The same client, and whether one of its writes was answered. */
export function countWrites(api: Api): { readonly api: Api; readonly wrote: () => boolean } {
  let answered = false;
  const counting: Layer = (next) => async (route, input) => {
    const answer = await next(route, input);
    answered ||= route.method !== 'GET';
    return answer;
  };
  return { api: layered(api, counting), wrote: () => answered };
}
