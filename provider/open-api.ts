// A client for settings, loaded with the first request: checks, previews and programs that ask for nothing do without it.
// It must not know who sends requests, nor where settings come from.
import type { Api, Observe } from '../api/client';
import { pulumiWords } from './setting-words';
import type { Settings } from './settings';

/** Makes a client; `observe`, if there is one, is told of its work. */
export async function openApi(settings: Settings, observe?: Observe): Promise<Api> {
  const { createApi } = await import('../api/client/index.js');
  return createApi({ ...settings, words: pulumiWords, ...(observe ? { observe } : {}) });
}
