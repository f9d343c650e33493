// Finds the records of a kind below one parent, as the kind says.
import type { Api } from '../../api/client';
import type { Record as WireRecord } from '../../api/contract';
import { argumentFor, type Address, type FoundRecord, type Kind, type List } from '../kind';
import { isPendingDelete } from './live';

/** The address arguments that records in a record have. */
export function inside(of: Kind, { name, ...outer }: Address): Address {
  return name === undefined ? outer : { ...outer, [argumentFor(of)]: name };
}

/** The records of a kind below one parent: `at` are the names of its address. Throws what the service reports. */
export function findIn(api: Api, { found }: Kind, at: Address): Promise<readonly FoundRecord[]> {
  if (found === undefined) return Promise.resolve([]);
  return 'search' in found ? found.search(api, at) : listed(api, found.list, at);
}

async function listed(api: Api, list: List, at: Address): Promise<readonly FoundRecord[]> {
  const all = (await api.call(list.route, { address: at })) as readonly WireRecord[];
  const records = all.filter((record) => !isPendingDelete(record));
  return records
    .filter((record) => list.counts?.(record) ?? true)
    .map((record) => {
      const isShared = records.some((other) => other !== record && other.ciName === record.ciName);
      const isGiven = list.isGiven?.(record) ?? false;
      return { address: { name: record.ciName }, isGiven, ...(isShared ? { number: record.ciId } : {}) };
    });
}
