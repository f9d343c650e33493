// Where a record is, from its id: its address, and what is above it.
import { askingAnew } from '../session/answers';
import type { Api } from '../../api/client';
import { LifecycleError } from '../errors';
import type { Live } from './live';
import { formatId, parseId, pathAddress, type Placed, recordsAbove } from './ids';
import { addressNames, scopesOf, type Address, type Kind, type Work } from '../kind';
import { isReference } from '../lifecycle/refer';
import { declaredKey, lookUp, memoryOf, subjectKey } from '../session';
import { liveOf } from '../verbs/live';
import { environmentOf } from '../verbs/presence';

/** Keys of the records above one whose delete deletes it, the nearest first (architecture §3). */
export function ancestorsTakingAlong(of: Kind, id: string): readonly string[] {
  const address = parseId(of, id)?.address;
  const above = address === undefined ? [] : recordsAbove(of, address);
  const last = [of, ...above.map((each) => each.of)].findIndex(({ cascades }) => !cascades);
  return above.slice(0, last === -1 ? undefined : last).map((each) => declaredKey(each.of, each.address));
}

/** Whether the delete of a record above one, which this run replaces, deletes that one, too. */
export const isTakenAlong = (of: Kind, { id, session }: Pick<Work, 'id' | 'session'>): boolean =>
  ancestorsTakingAlong(of, id).some((above) => session.memory.of(above).replaced === 'deletes');

/** The address in an id. Throws for another kind's id, and for another organization. */
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

// Whether the record at an address is the one that this stack wrote: names are given again.

/** Whether the number of a record identifies it: a pull gives new numbers, actions have none. */
const isNumbered = (of: Kind): boolean =>
  of.verbs.isAction !== true && (of.stage !== 'environment' || of.token === 'Environment');

/** Whether a record is another one than the state knows. */
export const isAnother = (of: Kind, known: Work['known'], live: Pick<Live, 'ciId'>): boolean => {
  const ciId = Number(known?.['ciId'] ?? 0);
  return isNumbered(of) && ciId > 0 && live.ciId > 0 && live.ciId !== ciId;
};

/**
 * Deletes a record, unless another one has its name by now, which the row says. Answers whether it
 * no longer exists. `begins` is called before the delete.
 */
export async function deleteOwn(of: Kind, work: Work, begins: () => void = () => undefined): Promise<boolean> {
  if (isNumbered(of) && Number(work.known?.['ciId'] ?? 0) > 0) {
    const there = await thereNow(of, work);
    if (there === undefined) return true;
    if (isAnother(of, work.known, there)) {
      work.session.memory.note(subjectKey(of, work.id), { isStranger: true });
      work.notice(`${whose(of, work, there)}: nothing was deleted`);
      return false;
    }
  }
  // What is in an environment goes by its name, and in another one of that name nothing is ours.
  if (of.stage === 'environment') await refuseWriteInAnother(of, work);
  begins();
  await of.verbs.delete(work);
  return true;
}

/** The work on another record. */
export const workAt = (work: Work, { of, address }: Placed): Work => ({
  ...work,
  address,
  at: pathAddress(of, work.api.organization, address),
  id: formatId(of, work.api.organization, address),
});

/** A record as it is now; of an environment without its links, which need the list of clouds. */
async function thereNow(of: Kind, work: Work): Promise<Live | undefined> {
  const anew = { ...work, api: askingAnew(work.api) };
  if (of.token !== 'Environment') return of.verbs.read(anew);
  const record = await environmentOf(anew);
  return record && liveOf(record);
}

/** `Platform acme/shop/db is another record than this stack's: 1240 instead of 1233, …` */
export const whose = (of: Kind, { id, known }: Pick<Work, 'id' | 'known'>, live: Live): string =>
  `${of.token} ${id} is another record than this stack's: ${live.ciId} instead of ${String(known?.['ciId'])}` +
  (live.updatedBy === '' ? '' : `, last written by ${live.updatedBy}`);

/** Throws where what a record is in has been made again by somebody: nothing is created in that. */
export async function refuseInAnother(of: Kind, work: Work): Promise<void> {
  for (const above of recordsAbove(of, work.address)) await refuseAnother(above, work);
}

/**
 * Throws where the assembly or environment of a record has been made again by somebody, before a
 * write: asked once in a run.
 */
export async function refuseWriteInAnother(of: Kind, work: Work): Promise<void> {
  const place = recordsAbove(of, work.address).find((each) => ['Environment', 'Assembly'].includes(each.of.token));
  if (place === undefined || of.verbs.isAction === true) return;
  const key = declaredKey(place.of, place.address);
  if (work.session.memory.of(key).isMade !== true)
    await lookUp(work.session, `whose ${key}`, () => refuseAnother(place, work));
}

async function refuseAnother({ of: above, address }: Placed, work: Work): Promise<void> {
  const { inputs: args = {}, known } = memoryOf(work.session, above, address);
  if (known === undefined || isReference(known)) return;
  const own = { ...workAt(work, { of: above, address }), args, known };
  const there = await thereNow(above, own);
  if (there !== undefined && isAnother(above, known, there))
    throw new LifecycleError(
      `${whose(above, own, there)}; nothing is written in it`,
      'pulumi up --refresh takes it over, or says whose it is',
    );
}
