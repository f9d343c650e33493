// The `adopt` verbs: records that come with a pack, a pull or a cloud are written, and given back.
import { besideOthers } from '../session';
import { AlreadyThere } from './presence';
import type { Live } from '../address/live';
import type { UpdateWork, Verbs, Work } from '../kind';

/** How records of a kind are adopted. `R`: a record as it was found. */
interface Adoption<R> extends Pick<Verbs, 'base'> {
  /** The record; undefined when it no longer exists, or is to be deleted. */
  find(work: Work): Promise<R | undefined>;
  /** The record as it reads; where it comes from follows from `isGiven`. */
  live(work: Work, record: R): Live | Promise<Live>;
  /** Whether something else brings the record. Default: always. `live`: a record that was found. */
  isGiven?(work: Work, live?: Live): boolean | Promise<boolean>;
  /** Creates first, and asks `isGiven` only when the name is taken. */
  readonly makesFirst?: boolean;
  /** Creates an own record. Throws AlreadyThere when the name is taken, or LifecycleError. */
  make(work: Work): Promise<Live>;
  /** Writes to a record that something else brought. Throws AlreadyThere for a user's values. */
  take(work: Work, record: R): Promise<Live>;
  write(work: UpdateWork): Promise<Live>;
  /** Makes the record follow again what brought it. */
  giveBack(work: Work, record: R): Promise<void>;
  /** Deletes a record of the stack. Default: there is none, every record is given back. */
  remove?(work: Work, record: R): Promise<void>;
  /** Writes wait for what has the turn under this key. Default: for nothing. */
  queue?(work: Work): string;
}

export function adopt<R>(adoption: Adoption<R>): Verbs {
  const queued = <T>(work: Work, job: () => Promise<T>): Promise<T> =>
    adoption.queue ? besideOthers(work.session, adoption.queue(work), job) : job();
  return {
    async read(work) {
      const record = await adoption.find(work);
      if (record === undefined) return undefined;
      const live = await adoption.live(work, record);
      return { ...live, origin: await broughtOrMade(adoption, work, live) };
    },
    create: (work) => queued(work, () => createOrTake(adoption, work)),
    update: (work) => queued(work, async () => ({ ...(await adoption.write(work)), origin: work.live.origin })),
    delete: (work) =>
      queued(work, async () => {
        const record = await adoption.find(work);
        if (record === undefined) return;
        const isOwn = adoption.remove !== undefined && work.known?.['origin'] !== 'pack';
        await (isOwn ? adoption.remove?.(work, record) : adoption.giveBack(work, record));
      }),
    ...(adoption.base && { base: adoption.base.bind(adoption) }),
  };
}

/** What brought a record: as the last run knew, or else as it is now. */
async function broughtOrMade<R>(adoption: Adoption<R>, work: Work, live: Live): Promise<Live['origin']> {
  const known = adoption.isGiven && work.known?.['origin'];
  const isOfPack = known === undefined ? ((await adoption.isGiven?.(work, live)) ?? true) : known === 'pack';
  return isOfPack ? 'pack' : 'created';
}

const ofPack = (live: Live): Live => ({ ...live, origin: 'pack' });

async function take<R>(adoption: Adoption<R>, work: Work, record: R): Promise<Live> {
  try {
    return ofPack(await adoption.take(work, record));
  } catch (error) {
    throw error instanceof AlreadyThere ? new AlreadyThere(ofPack(error.live)) : error;
  }
}

async function createOrTake<R>(adoption: Adoption<R>, work: Work): Promise<Live> {
  const isGiven = async (): Promise<boolean> => adoption.isGiven?.(work) ?? true;
  if (adoption.makesFirst !== true && (await isGiven())) {
    const record = await adoption.find(work);
    return record === undefined ? adoption.make(work) : take(adoption, work, record);
  }
  try {
    return await adoption.make(work);
  } catch (error) {
    if (!(error instanceof AlreadyThere) || adoption.makesFirst !== true) throw error;
    const record = await adoption.find(work);
    if (record === undefined || !(await isGiven())) throw error;
    return take(adoption, work, record);
  }
}
