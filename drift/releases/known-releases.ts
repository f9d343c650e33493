// Which releases a stack's state knows: those that its own runs committed, pulled and deployed.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import type { Kind } from '../../provider';
import type { LiveReader } from './live-reader';

/** Releases that the state of a stack knows, by number. */
export interface KnownReleases {
  /** The newest committed one of each design, by the assembly's id. */
  readonly designs: { readonly [assembly: string]: number };
  /** By the environment's id. */
  readonly environments: {
    readonly [environment: string]: {
      /** The design release that was pulled last; 0 where the state does not say. */
      readonly pulled: number;
      /** The deployment that ended last. */
      readonly deployment: number;
    };
  };
}

/** A record as the state holds it. */
interface StateRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly outputs: { readonly [name: string]: unknown };
}

/** The releases that the records of a state know. */
export function knownReleases(records: readonly StateRecord[]): KnownReleases {
  const designs: { [assembly: string]: number } = {};
  const environments: { [environment: string]: { pulled: number; deployment: number } } = {};
  for (const { kind, id, outputs } of records) {
    const number = (name: string): number => Number(outputs[name]) || 0;
    if (kind.token === 'DesignRelease') designs[id] = number('releaseId');
    if (kind.token !== 'Deployment' && kind.token !== 'Environment') continue;
    const known = environments[id] ?? { pulled: 0, deployment: 0 };
    environments[id] =
      kind.token === 'Environment'
        ? { ...known, pulled: number('pulled') }
        : { ...known, deployment: number('deploymentId') };
  }
  return { designs, environments };
}

/** The newest design release that an environment has pulled, by its own list of releases; 0 without one. */
export async function newestPull(api: Api, reader: LiveReader, id: string): Promise<number> {
  const [, assembly = '', environment = ''] = id.split('/');
  const address = { assembly, environment };
  const all = await reader.read(`the releases of ${id}`, () => api.call(routes.environmentReleases.list, { address }));
  const pulls = (all ?? []).filter(
    ({ nsPath, releaseState }) => nsPath.endsWith('/manifest') && releaseState !== 'canceled',
  );
  return Math.max(0, ...pulls.map(({ parentReleaseId }) => parentReleaseId ?? 0));
}
