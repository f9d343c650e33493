// Creates and deletes a record.
import { NotFound } from '../../api/errors';
import type { Live } from '../address/live';
import { deleteOwn, isTakenAlong, ownAddress, refuseWriteInAnother } from '../address/place';
import type { Inputs } from './check';
import { deletedReference } from '../deploy/losses/design-losses';
import { refuseDeleteElsewhere } from '../deploy/run-elsewhere';
import { LifecycleError } from '../errors';
import { addressOf, type Kind, type Work } from '../kind';
import { refuseUnknownSecrets } from '../secrets/writes';
import {
  askingAnew,
  finishDelete,
  isDeclared,
  memoryOfCommit,
  rememberNumber,
  type Session,
  stageKey,
  subjectKey,
} from '../session';
import { isKeptIn, KEPT } from './leaving';
import { kept, type Managed, type Row, workOn, describingFailure } from './managed';
import { asUsed, isReference } from './refer';
import { inTurnOfRelations, relationsTo, restoreRelations, announceLostRelations } from './relations';
import { declaredOf, type State, stateOf } from './state';
import { createOrTakeOver } from './take-over';

/** Creates a record, or takes over the one that exists. */
export async function create(managed: Managed, inputs: Inputs, row: Row): Promise<State> {
  const { of, session } = managed;
  const work = await workOn(managed, { address: addressOf(of, inputs), inputs }, row);
  return describingFailure('create', of, work.id, async () => {
    refuseUnknownSecrets(of, inputs);
    const key = subjectKey(of, work.id);
    // Another resource of this run may give the name up, as when two swap theirs.
    await session.memory.of(key).deletion;
    if (!isReference(inputs)) await refuseWriteInAnother(of, work);
    const live = await kept(of, work, () => (isReference(inputs) ? referred(of, work) : createOrTakeOver(of, work)));
    // If the run ends before the engine knows the record, the next one creates it again.
    const { lost = [] } = session.memory.of(key);
    if (lost.length > 0)
      await inTurnOfRelations(managed, work.address, () => restoreRelations(managed, { lost, inputs }, row));
    session.memory.note(key, { isMade: true });
    rememberNumber(session, of, work.address, live);
    return knowing(managed, stateOf(work.id, inputs, live));
  });
}

/** A record of another stack. Throws LifecycleError when it does not exist, with who deleted it. */
export async function referred(of: Kind, work: Work): Promise<Live> {
  try {
    return await asUsed(of, work.args).verbs.create(work);
  } catch (error) {
    if (!(error instanceof LifecycleError)) throw error;
    throw (await deletedReference(of, work)) ?? error;
  }
}

export function knowing({ of, session }: Managed, state: State): State {
  session.memory.note(subjectKey(of, state.id), { known: state.outputs });
  return state;
}

export async function remove(managed: Managed, leaving: Leaving, row: Row): Promise<void> {
  const { of, session } = managed;
  const { id, known } = leaving;
  if (isReference(known)) return;
  const address = await ownAddress(of, id, managed.connect);
  const deletion = deletionOf(managed, leaving);
  const stays = STAYS[deletion];
  if (stays) row.notice(stays(id));
  if (deletion !== 'delete' && deletion !== 'delete amid the run') return;
  const work = await workOn(managed, { address, inputs: declaredOf(of, known), known }, row);
  await describingFailure('delete', of, id, async () => {
    if (deletion === 'delete amid the run') return deleteAmidRun(managed, work, row);
    const left = await refuseDeleteElsewhere(of, work);
    await deleteOrFindGone(of, work);
    if (left !== undefined) row.notice(left);
  });
  // A replaced record is deleted in the run: the commit comes later.
  if (deletion === 'delete' && of.stage !== 'none') await finishDelete(session, stageKey(of.stage, work.at), row);
}

/** Deletes a record that is created again, and remembers the relations to it that go with it. */
function deleteAmidRun(managed: Managed, work: Work, row: Row): Promise<void> {
  const { memory } = managed.session;
  const key = subjectKey(managed.of, work.id);
  const deletion = inTurnOfRelations(managed, work.address, async () => {
    const lost = await relationsTo(managed, work, row);
    if (lost !== undefined) memory.note(key, { lost });
    await deleteOrFindGone(managed.of, work);
    if (!isDeclared(memory.of(key))) announceLostRelations(managed, work.id, lost ?? [], row);
  });
  memory.note(key, { deletion: deletion.catch(() => undefined) });
  return deletion;
}

/** Deletes a record. The engine may have deleted its parent before, as after an import. */
async function deleteOrFindGone(of: Kind, work: Work): Promise<void> {
  refuseStrangersWithin(of, work);
  try {
    await deleteOwn(of, work);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    // Earlier answers say nothing after the delete.
    if ((await of.verbs.read({ ...work, api: askingAnew(work.api) })) !== undefined) throw error;
  }
}

/** The delete of a record would delete what another user put in it in place of this stack's. */
function refuseStrangersWithin(of: Kind, { id, session }: Work): void {
  const own = subjectKey({ token: '' }, id);
  const strangers = session.memory.all().flatMap(([key, { isStranger }]) => (isStranger ? [key] : []));
  const inside = strangers.filter((key) => key.slice(key.indexOf(' ')).startsWith(`${own}/`));
  if (inside.length === 0) return;
  const names = inside.map((key) => key.replace(' /', ' ')).join(', ');
  throw new LifecycleError(
    `${names} in it ${inside.length === 1 ? 'is another record than this stack made, and would be' : 'are other records than this stack made, and would be'} deleted with it`,
    `delete or move them in the service, or take this ${of.token} out of the state with pulumi state delete`,
  );
}

const STAYS: { readonly [deletion: string]: (id: string) => string } = {
  'given to another name': (id) =>
    `${id} is declared under another name, so nothing was deleted: when you rename a resource, add an alias with its old name`,
  'kept under another name': (id) => `${id} is kept under another name in the state, so nothing was deleted`,
  'created again': () =>
    'stays as it is: the engine made the replacement first, which took it over; to have it deleted and created again, set deleteBeforeReplace: true on it',
};

// The engine's delete means the record itself, or only a name of the program.

/** What a delete does. Everything but the first two leaves the service as it is. */
type Deletion =
  /** The record leaves: it is deleted, and what commits its stage goes again. */
  | 'delete'
  /** It is deleted to be created again: the commit comes later in the run. */
  | 'delete amid the run'
  /** Another resource declares it, or this run made it: a rename without an alias. */
  | 'given to another name'
  /** The state has it under another name, too, which is protected or retained. */
  | 'kept under another name'
  /** The engine made the replacement before this delete, and that took the record over. */
  | 'created again'
  /** A sweep deleted it before a commit. */
  | 'swept'
  /** The delete of a record above it, which is replaced, takes it along. */
  | 'inside replaced';

interface Leaving {
  readonly id: string;
  readonly known: Inputs;
  readonly urn: string | undefined;
}

/** What the delete of a record does, by what this run declared and did. */
export function deletionOf(
  { of, session }: { readonly of: Kind; readonly session: Session },
  { id, known, urn }: Leaving,
): Deletion {
  const memory = session.memory.of(subjectKey(of, id));
  const isRecreated = urn !== undefined && memory.newUnder === urn;
  const isReplaced = isRecreated || memory.replaced !== undefined || memory.isAskedAgain === true;
  if (memory.isMade || (isDeclared(memory) && !isReplaced))
    return isRecreated ? 'created again' : 'given to another name';
  const design = memoryOfCommit({ session, at: { assembly: id.split('/')[1] ?? '' } }, 'design');
  if (known[KEPT] === '' && isKeptIn(design.pending?.['leaving'], of, id)) return 'kept under another name';
  if (memory.swept === Number(known['ciId'] ?? 0)) return 'swept';
  if (isTakenAlong(of, { id, session })) return 'inside replaced';
  return isReplaced ? 'delete amid the run' : 'delete';
}
