// Everything below a record: for taking over an assembly or an environment whole. Sends GETs only.
// It knows no single kind: each says how its records are found below a parent.
import type { Api } from '../../api/client';
import { LifecycleError } from '../errors';
import { formatId, parseId } from '../address/ids';
import { addressNames, scopesOf, type Kind } from '../kind';
import { kinds } from '../kinds';
import { findIn, inside } from '../verbs/find-in';
import type { RecordPlace } from './addresses';

/** A record below another. */
interface Below extends RecordPlace {
  /** It came with its platform or environment, and no field shows that a user set a value in it: only its values can show that. */
  readonly onlyIfDeclared: boolean;
}

/** Which kinds are looked for; what is in records of another kind is not. */
type Wanted = (of: Kind) => boolean;

/** What a record has below it, parents first. Throws LifecycleError for kinds that have nothing below them. */
export async function recordsBelow(
  api: Api,
  { of, id, at }: RecordPlace,
  isWanted: Wanted = () => true,
): Promise<readonly Below[]> {
  if (childrenOf(of).length === 0) throw new LifecycleError(`${of.token} ${id}: there is nothing below it`);
  return allBelow(api, of, { id, ...(at === undefined ? {} : { at }) }, isWanted);
}

/** The kinds whose records are found in one of a kind, each with its scope there. */
const childrenOf = (of: Kind): readonly { readonly kind: Kind; readonly scope: Kind }[] =>
  kinds
    .flatMap((kind) => scopesOf(kind).map((scope) => ({ kind, scope })))
    .filter(({ scope: { within, found } }) => within?.token === of.token && found !== undefined);

/** An id, and the one to read by, where a name may mean several records. */
type Ids = Pick<RecordPlace, 'id' | 'at'>;

/** One after the other: a whole assembly is hundreds of reads, and the service has other callers. */
async function allBelow(api: Api, of: Kind, ids: Ids, isWanted: Wanted): Promise<readonly Below[]> {
  const parent = parseId(of, ids.id);
  const asked = parseId(of, ids.at ?? ids.id);
  if (parent === undefined || asked === undefined) return [];
  const below: Below[] = [];
  for (const { kind, scope } of childrenOf(of).filter(({ scope }) => isWanted(scope))) {
    const askedAt = inside(of, asked.address);
    for (const { address, number, isGiven } of await findIn(api, scope, askedAt)) {
      const ownName = addressNames(scope).at(-1) ?? 'name';
      const numbered = number === undefined ? address : { ...address, [ownName]: String(number) };
      const id = formatId(scope, parent.organization, { ...inside(of, parent.address), ...address });
      const at = formatId(scope, parent.organization, { ...askedAt, ...numbered });
      const own = { id, ...(at === id ? {} : { at }) };
      const inner = await allBelow(api, scope, own, isWanted);
      below.push({ of: kind, ...own, onlyIfDeclared: isGiven && inner.length === 0 }, ...inner);
    }
  }
  return below;
}
