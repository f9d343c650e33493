// Whether a job wrote anything before it failed.
// It must not know what is written, nor why.
import type { Api } from '../api/client';

/** The same client, and whether one of its writes was answered. */
export function watched(api: Api): { readonly api: Api; readonly wrote: () => boolean } {
  let answered = false;
  return {
    api: {
      ...api,
      async call(route, input) {
        const answer = await api.call(route, input);
        answered ||= route.method !== 'GET';
        return answer;
      },
    },
    wrote: () => answered,
  };
}
