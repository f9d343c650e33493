// Finds the argument that names something that does not exist, and the nearest existing name. Called only after the service answered 404.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { isNumber } from '../verbs/named-component';
import { nearest } from '../values/nearest';

type Given = { readonly [name: string]: unknown };

/** A thing that arguments name, and the list of all things of its sort in the same place. */
interface Named {
  readonly noun: string;
  list(api: Api, names: { readonly [noun: string]: string }): Promise<readonly WireRecord[]>;
}

/** Outermost first: what is inside something missing cannot be listed. */
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

/** `no assembly is called "shpo": did you mean "shop"?`; undefined when everything exists, or no name is near. */
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
    // The caller reports the first failure, not this one.
    if (!(error instanceof OneOpsError)) throw error;
  }
  return undefined;
}

/** The names in the arguments, by what they name: the `name` of getPlatform is that of a platform. */
function namesIn(token: string, { name, ...others }: Given): { readonly [noun: string]: string } {
  const own = token.replace(/^get/, '').toLowerCase();
  const all = Object.entries({ ...others, [own]: name });
  return Object.fromEntries(all.flatMap(([noun, text]) => (typeof text === 'string' ? [[noun, text]] : [])));
}
