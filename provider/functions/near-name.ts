// What an argument names that is not there, with the nearest of the names there are: asked only after the service answered that something is missing.
// It must not know any single function.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { isNumber } from '../releases/named-component';
import { nearest } from '../nearest';

type Given = { readonly [name: string]: unknown };

/** A thing that arguments name, and the list of its neighbours. */
interface Named {
  readonly noun: string;
  list(api: Api, names: { readonly [noun: string]: string }): Promise<readonly WireRecord[]>;
}

/** Outermost first: what lies in something that is missing cannot be asked for. */
const NAMED: readonly Named[] = [
  { noun: 'cloud', list: (api) => api.call(routes.clouds.list, {}) },
  { noun: 'assembly', list: (api) => api.call(routes.assemblies.list, {}) },
  {
    noun: 'environment',
    list: (api, { assembly = '' }) => api.call(routes.environments.list, { address: { assembly } }),
  },
  {
    noun: 'platform',
    list: (api, { assembly = '', environment }) =>
      environment === undefined
        ? api.call(routes.platforms.list, { address: { assembly } })
        : api.call(routes.environmentPlatforms.list, { address: { assembly, environment } }),
  },
];

/** `no assembly is called "shpo": did you mean "shop"?`; undefined where everything is there, or nothing is near. */
export async function nearName(api: Api, token: string, given: Given): Promise<string | undefined> {
  const names = namesIn(token, given);
  try {
    for (const named of NAMED) {
      const { noun } = named;
      const wanted = names[noun];
      if (wanted === undefined || isNumber(wanted)) continue;
      const known = (await named.list(api, names)).map(({ ciName }) => ciName);
      if (known.includes(wanted)) continue;
      const near = nearest(wanted, known);
      return near === undefined ? undefined : `no ${noun} is called "${wanted}": did you mean "${near}"?`;
    }
  } catch (error) {
    // The failure that is told is the one that came first.
    if (!(error instanceof OneOpsError)) throw error;
  }
  return undefined;
}

/** What each argument names, by the thing: the `name` of getPlatform is that of a platform. */
function namesIn(token: string, { name, ...others }: Given): { readonly [noun: string]: string } {
  const own = token.replace(/^get/, '').toLowerCase();
  const all = Object.entries({ ...others, [own]: name });
  return Object.fromEntries(all.flatMap(([noun, text]) => (typeof text === 'string' ? [[noun, text]] : [])));
}
