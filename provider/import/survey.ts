// Everything that a record and what is in it say, as it is in the service now: for an export. Sends each GET once, and nothing else.
// It knows no single kind.
import type { Api } from '../../api/client';
import { cacheGets } from '../session/client';
import { parseId } from '../address/ids';
import type { Kind } from '../kind';
import { kinds } from '../kinds';
import { lifecycle, type Lifecycle } from '../lifecycle';
import { newSession } from '../session';
import { declaredName, placeAt } from './addresses';
import { inside } from '../verbs/find-in';
import { recordsBelow } from './below';
import { readTaken, type ReadRecords, type Taken, type TakenRecord } from './import-file';

/** What is surveyed. */
interface Surveyed {
  /** `Assembly:acme/shop` */
  readonly address: string;
  /** Which kinds are looked for below it. */
  readonly isWanted: (of: Kind) => boolean;
}

/** Reads a record and all that is in it. Throws LifecycleError when it does not exist; what cannot be understood is left out and reported. */
export async function survey(api: Api, { address, isWanted }: Surveyed): Promise<ReadRecords> {
  const session = newSession(kinds);
  const reading = session.reads ? cacheGets(api, session.reads) : api;
  const life = (of: Kind): Lifecycle => lifecycle(of, () => Promise.resolve(reading), session, true);
  const place = await placeAt(address, life);
  const below = await recordsBelow(reading, place, isWanted);
  const taken: readonly Taken[] = [place, ...below].map((each) => ({ ...each, name: declaredName(each) }));
  const { records, leftOut } = await readTaken(taken, life);
  const whole: TakenRecord[] = [];
  for (const record of records) whole.push(await withShownElsewhere(reading, record));
  return { records: whole, leftOut };
}

async function withShownElsewhere(api: Api, record: TakenRecord): Promise<TakenRecord> {
  const { of, id, inputs } = record;
  const address = parseId(of, id)?.address;
  if (of.shownElsewhere === undefined || address === undefined) return record;
  return { ...record, inputs: { ...inputs, ...(await of.shownElsewhere(api, inside(of, address), inputs)) } };
}
