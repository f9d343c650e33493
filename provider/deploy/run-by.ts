// Environments that run a record of a design, with the number of their instances.
import { routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import type { Work } from '../model';
import { platformOf } from '../address/namespace';

/** An environment, and the instances in it of what was asked for. */
export interface RunBy {
  readonly environment: string;
  readonly instances: number;
}

type Asking = Pick<Work, 'api' | 'at'>;

/** Names of the environments of an assembly. None where it no longer exists. */
export async function environmentNames({ api, at }: Asking): Promise<readonly string[]> {
  const all = (await orNone(api.call(routes.environments.list, { address: at }))) ?? [];
  return all.map(({ ciName }) => ciName);
}

/** Those of some environments, by default all of the assembly, that have the platform that a record is or is in; all for what is in no platform. */
export async function environmentsWith({ api, at }: Asking, among?: readonly string[]): Promise<readonly string[]> {
  const names = among ?? (await environmentNames({ api, at }));
  if (at['platform'] === undefined) return names;
  const found = await Promise.all(
    names.map(async (environment) => {
      const platforms = await api.call(routes.environmentPlatforms.list, { address: { ...at, environment } });
      return platforms.some(({ ciName }) => ciName === at['platform']) ? [environment] : [];
    }),
  );
  return found.flat();
}

/**
 * The environments that run an assembly, a record of its design, or are an environment, by the parameters of its path: with the instances of the
 * platform that the record is or is in, otherwise with all. Empty for what is in no assembly. `among`: names of the environments of interest.
 */
export async function runBy({ api, at }: Asking, among?: readonly string[]): Promise<readonly RunBy[]> {
  if (at['assembly'] === undefined) return [];
  const names = at['environment'] === undefined ? await environmentsWith({ api, at }, among) : [at['environment']];
  return Promise.all(
    names.map(async (environment) => {
      const address = { ...at, environment };
      const query = { instances_state: 'all' };
      const all = await api.call(routes.operations.environmentInstances, { address, query });
      const own = at['platform'] === undefined ? all : all.filter((each) => platformOf(each) === at['platform']);
      return { environment, instances: own.length };
    }),
  );
}

/** `environment prod (7 instances), environment qa (1 instance)`. */
export const runByText = (all: readonly RunBy[]): string =>
  all
    .map(
      ({ environment, instances }) => `environment ${environment} (${instances} instance${instances === 1 ? '' : 's'})`,
    )
    .join(', ');
