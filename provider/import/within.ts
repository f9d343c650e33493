// The records of one kind in an organization, or in a part of it: for `pulumi do … list`. Sends GETs only.
// It knows no single kind.
import type { Api } from '../../api/client';
import { formatId } from '../address/ids';
import { addressNames, argumentFor, scopesOf, type Address, type Kind } from '../kind';
import { findIn, inside } from '../verbs/find-in';
import { declaredName } from './addresses';

/** A record that was found: its id, and the name under which a stack file declares it. */
interface FoundByKind {
  readonly id: string;
  readonly name: string;
}

/** Whether the records of a kind can be found at all. */
export const canBeFound = (of: Kind): boolean => scopesOf(of).some(({ found }) => found !== undefined);

/** The names by which a search is narrowed: `assembly`, `platform`. */
export const searchNames = (of: Kind): readonly string[] => [
  ...new Set(scopesOf(of).flatMap((scope) => (scope.found === undefined ? [] : addressNames(scope).slice(0, -1)))),
];

/** The records of a kind whose address has the given names, in the order of the service. Each list is read when its first record is requested. */
export async function* recordsWithin(api: Api, of: Kind, narrowed: Address): AsyncGenerator<FoundByKind> {
  const seen = new Set<string>();
  for (const scope of scopesOf(of)) {
    const isMeant = Object.keys(narrowed).every((name) => addressNames(scope).includes(name));
    if (scope.found === undefined || !isMeant) continue;
    for await (const address of addressesOf(api, scope, narrowed)) {
      const id = formatId(scope, api.organization, address);
      if (!seen.has(id)) yield { id, name: declaredName({ of, id }) };
      seen.add(id);
    }
  }
}

/** Addresses of the records of a kind in one scope. */
async function* addressesOf(api: Api, scope: Kind, narrowed: Address): AsyncGenerator<Address> {
  for await (const at of parentsOf(api, scope, narrowed))
    for (const { address } of await findIn(api, scope, at)) {
      const whole = { ...at, ...address };
      if (Object.entries(narrowed).every(([name, value]) => whole[name] === value)) yield whole;
    }
}

/** Addresses of the records in which those of a scope lie: one where its name is given, otherwise all. */
async function* parentsOf(api: Api, { within }: Kind, narrowed: Address): AsyncGenerator<Address> {
  if (within === undefined) {
    yield {};
    return;
  }
  const { [argumentFor(within)]: name, ...above } = narrowed;
  const outer = Object.fromEntries(Object.entries(above).filter(([key]) => addressNames(within).includes(key)));
  if (name === undefined) {
    for await (const address of addressesOf(api, within, outer)) yield inside(within, address);
    return;
  }
  for await (const at of parentsOf(api, within, outer)) yield { ...at, [argumentFor(within)]: name };
}
