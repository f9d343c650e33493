// Where a record is, from its id: its address, and what is above it.
import type { Api } from '../../api/client';
import { LifecycleError } from '../errors';
import { formatId, parentAddress, parseId } from './ids';
import { addressNames, scopesOf, type Address, type Kind } from '../kind';
import { declaredKey } from '../session';

/** Keys of the records above one whose delete deletes it, too, the nearest first (architecture §3). */
export function ancestorsTakingAlong(of: Kind, id: string): readonly string[] {
  const keys: string[] = [];
  let child = of;
  let address = parseId(of, id)?.address;
  while (address && child.cascades && child.within) {
    address = parentAddress(child, address);
    child = child.within;
    if (address) keys.push(declaredKey(child, address));
  }
  return keys;
}

/** The address in an id. Throws when it is not one of this kind, or of another organization: a record of the same name there is not ours. */
export async function ownAddress(of: Kind, id: string, connect: () => Promise<Api>): Promise<Address> {
  const { organization } = await connect();
  const parsed = parseId(of, id);
  if (parsed?.organization === organization) return parsed.address;
  const forms = scopesOf(of).map((scope) => formatId(scope, organization, wordsFor(scope)));
  throw new LifecycleError(
    `${JSON.stringify(id)} is not an id of kind ${of.token} in organization ${organization}`,
    `ids look like ${forms.join(', ')}; resources of another organization need a separate stack or provider`,
  );
}

const wordsFor = (of: Kind): Address => Object.fromEntries(addressNames(of).map((name) => [name, `<${name}>`]));
