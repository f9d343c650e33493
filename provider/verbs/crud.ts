// The `crud` verbs: records that the stack creates, updates and deletes (architecture §2).
import { orNone, StaleConnection } from '../../api/errors';
import type { Attributes, Record as WireRecord, Route } from '../../api/contract';
import { commentsIn, commentsOf } from './comments';
import { liveOf } from './live';
import { AlreadyThere, mayBeThere } from './presence';
import { addressIn, readRecord, type Readable } from './records';
import type { Live } from '../address/live';
import type { UpdateWork, Verbs, Work } from '../kind';
import type { Texts } from '../values/plain';

export interface CollectionRoutes extends Readable {
  readonly create: Route;
  readonly update: Route;
  readonly delete: Route;
}

/** How a kind's record is written and read. */
export interface Recording {
  /** `cms_dj_ci`: changes wait for a commit, and attributes are locked (service-facts §2.1.5). */
  readonly wrapper: 'cms_ci' | 'cms_dj_ci';
  /** Wire names of members next to the attributes: the comments, and others. */
  readonly memberNames: readonly string[];
  /** Texts of the other members, from a record on GET. */
  members?(record: WireRecord): Texts;
  /** Members of a body beside the record, from texts to write. `live` on update. */
  beside?(texts: Texts, live: Live | undefined): object;
}

/** Of a record with comments beside its attributes, which are committed directly. */
export const DIRECT: Recording = { wrapper: 'cms_ci', memberNames: ['comments'] };

const isCommented = ({ memberNames }: Recording): boolean => memberNames.includes('comments');

/** A record as it is read, with its members. */
export const liveIn = (recording: Recording, record: WireRecord): Live =>
  liveOf(record, { ...(isCommented(recording) ? commentsOf(record) : {}), ...recording.members?.(record) });

/** Verbs over a collection. Overrides come last and win. */
export function crud(at: CollectionRoutes, recording: Recording, overrides: Partial<Verbs> = {}): Verbs {
  const read = async (work: Work): Promise<Live | undefined> => {
    const record = await readRecord(work, at);
    return record && liveIn(recording, record);
  };
  return {
    read,
    create: (work) =>
      createOrFind(
        work,
        read,
        () => work.api.call(at.create, { address: work.at, body: bodyOf(work, recording, work.wire) }),
        recording,
      ),
    async update(work) {
      const body = bodyOf(work, recording, work.changes, work.live);
      const record = (await work.api.call(at.update, { address: addressIn(work, at, work.live), body })) as WireRecord;
      return afterWrite(
        record,
        { ...membersOf(work.live.wire, recording), ...membersOf(work.changes, recording) },
        work.live,
      );
    },
    delete: (work) => deleteFound(work, at),
    ...overrides,
  };
}

export const createOrFind = (
  work: Work,
  read: (work: Work) => Promise<Live | undefined>,
  send: () => Promise<unknown>,
  recording: Recording,
): Promise<Live> =>
  sendOrFind(work, read, async () => afterWrite((await send()) as WireRecord, membersOf(work.wire, recording)));

/**
 * Sends a create; a refused or unanswered one is settled by reading back. Throws AlreadyThere when
 * the name is taken. What was sent on a closed connection and does not exist is sent again.
 */
export async function sendOrFind(
  work: Work,
  read: (work: Work) => Promise<Live | undefined>,
  send: () => Promise<Live>,
  isAgain = false,
): Promise<Live> {
  try {
    return await send();
  } catch (error) {
    if (!mayBeThere(error)) throw error;
    const there = await read(work);
    if (there !== undefined) throw new AlreadyThere(there);
    if (!(error instanceof StaleConnection) || isAgain) throw error;
    return sendOrFind(work, read, send, true);
  }
}

/** A delete that finds nothing has succeeded. */
export async function deleteOnce(send: () => Promise<unknown>): Promise<void> {
  await orNone(send());
}

/** Deletes the record that is meant; one that no longer exists, or about to be, already is. */
export async function deleteFound(work: Work, at: CollectionRoutes): Promise<void> {
  const found = at.isMeant && (await readRecord(work, at));
  if (at.isMeant && found === undefined) return;
  const address = found ? addressIn(work, at, found) : work.at;
  await deleteOnce(() => work.api.call(at.delete, { address }));
}

/** The answer of a write: it may lack members, which then are what we sent. */
function afterWrite(record: WireRecord, members: Attributes, before?: Live): Live {
  const comments = 'comments' in members && typeof record.comments === 'string' ? { comments: record.comments } : {};
  return { ...liveOf(record, { ...members, ...comments }), origin: before?.origin ?? 'created' };
}

function membersOf(texts: Attributes, recording: Recording): Attributes {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => recording.memberNames.includes(name)));
}

/**
 * `{ wrapper: { ciName, ciAttributes, … }, … }` for the given texts. On update `ciAttrProps`
 * replaces the map of locks (service-facts §2.1.5): ours, and those of other users; texts given
 * back lose their lock.
 */
export function bodyOf(work: Work | UpdateWork, recording: Recording, texts: Texts, live?: Live): object {
  const isAttribute = ([name]: readonly [string, unknown]): boolean => !recording.memberNames.includes(name);
  const ciAttributes = Object.fromEntries(Object.entries(texts).filter(isAttribute));
  const declared = Object.keys({ ...work.wire, ...ciAttributes }).filter((name) => isAttribute([name, '']));
  const ours = Object.fromEntries(declared.map((name) => [name, name in work.wire ? 'design' : '']));
  return {
    [recording.wrapper]: {
      ...(live ? { ciId: live.ciId } : {}),
      ciName: work.address['name'],
      ciAttributes,
      ...(recording.wrapper === 'cms_dj_ci' ? { ciAttrProps: { owner: { ...live?.owners, ...ours } } } : {}),
      ...(isCommented(recording) ? commentsIn(texts) : {}),
    },
    ...recording.beside?.(texts, live),
  };
}
