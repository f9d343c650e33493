// Copies of an assembly: as another assembly, or as a design in the catalogue (service-facts §4.4).
import type { Api } from '../api/client';
import { nameRules, RESERVED_NAMES, routes, type Record as WireRecord } from '../api/contract';
import { ContractError, isApiError, orNone, TransportError } from '../api/errors';
import { UsageError } from './command';

/** The copy to make. */
interface Wanted {
  readonly assembly: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Another organization for the copy. */
  readonly organization?: string | undefined;
  /** Whether it becomes a design in the catalogue, and not an assembly. */
  readonly isSaved: boolean;
}

/** Throws UsageError for a name that no copy can have. */
export function checkCopyName(name: string, noun: 'assembly' | 'design'): void {
  const { pattern, says } = nameRules[noun];
  if (!pattern.test(name) || RESERVED_NAMES.includes(name))
    throw new UsageError(
      `"${name}" is not a name of ${noun === 'assembly' ? 'an assembly' : 'a design'}: must be ${says}`,
    );
}

/** Whether a list contains a name; the service ignores case. */
export const isTaken = (records: readonly Pick<WireRecord, 'ciName'>[], name: string): boolean =>
  records.some(({ ciName }) => ciName.toLowerCase() === name.toLowerCase());

/** The open release of a design; undefined when none is open. */
export async function openReleaseOf(api: Api, assembly: string): Promise<number | undefined> {
  const release = await orNone(api.call(routes.designReleases.latest, { address: { assembly } }));
  return release?.releaseState === 'open' ? release.releaseId : undefined;
}

/** Whether a design was ever committed: only a committed design can be saved. */
export async function isCommitted(api: Api, assembly: string): Promise<boolean> {
  const ended = await api.call(routes.designReleases.list, { address: { assembly }, query: { size: '100' } });
  if (ended.some(({ releaseState }) => releaseState === 'closed')) return true;
  const latest = await orNone(api.call(routes.designReleases.latest, { address: { assembly } }));
  return latest?.releaseState === 'closed';
}

/** Makes the copy. If the answer is lost, looks for the copy by name: the name was free before. */
export async function makeCopy(api: Api, wanted: Wanted): Promise<WireRecord> {
  const { assembly, name, description, organization, isSaved } = wanted;
  const body = {
    ciName: name,
    ...(description === undefined ? {} : { description }),
    ...(organization === undefined ? {} : { to_org: organization }),
    ...(isSaved ? { export: 'true' } : {}),
  };
  try {
    return await api.call(routes.assemblies.clone, { address: { assembly }, body });
  } catch (error) {
    if (!isLost(error)) throw error;
    const made = await orNone(readCopy(api, wanted));
    if (made === undefined) throw error;
    return made;
  }
}

/** Whether the copy may exist although no valid answer came. */
const isLost = (error: unknown): boolean =>
  error instanceof TransportError || error instanceof ContractError || (isApiError(error) && error.status >= 500);

function readCopy(api: Api, { name, organization, isSaved }: Wanted): Promise<WireRecord> {
  const where = organization === undefined ? {} : { organization };
  return isSaved
    ? api.call(routes.designs.read, { address: { ...where, design: name } })
    : api.call(routes.assemblies.read, { address: { ...where, assembly: name } });
}
