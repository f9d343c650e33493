// Environments that run a record of a design, with the number of their instances.
import { routes } from '../../api/contract';
import { platformOf } from '../history/committed';
import type { Work } from '../model';

/** An environment, and the instances in it of what was asked for. */
export interface RunBy {
  readonly environment: string;
  readonly instances: number;
}

type Asking = Pick<Work, 'api' | 'at'>;

/** Names of the environments of an assembly; of a record in a platform, only of those that have the platform. */
export async function environmentsWith({ api, at }: Asking): Promise<readonly string[]> {
  const all = await api.call(routes.environments.list, { address: at });
  const names = all.map(({ ciName }) => ciName);
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
 * The environments that run an environment's own assembly, a record of its design, or an environment itself, by the parameters of its path: with the
 * instances of the platform that the record is or is in, otherwise with all. Empty for what is in no assembly.
 */
export async function runBy({ api, at }: Asking): Promise<readonly RunBy[]> {
  if (at['assembly'] === undefined) return [];
  const names = at['environment'] === undefined ? await environmentsWith({ api, at }) : [at['environment']];
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
