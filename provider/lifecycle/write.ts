// Creates, updates and deletes a record.
// It must not know any single kind, the engine or a file.
import { describe, NotFound } from '../../api/errors';
import { countWrites } from '../api-layers';
import { PartialFailure } from '../errors';
import { addressOf, type Kind } from '../kind';
import { metWriters, reportCrossed } from '../own-writes';
import { ownAddress } from '../place';
import { asUsed, isReference } from '../refer';
import { revisionUnwritten, revisionUpdated } from '../revision';
import type { Inputs } from '../rules';
import { refuseUnknownSecrets } from '../secret-writes';
import { commitKey, rememberNumber, subjectKey } from '../session';
import { declaredOf, halfDone, originOf, stateOf, type State } from '../state';
import { createOrTakeOver, takeOver } from '../take-over';
import { planUpdate } from '../update-plan';
import { describingFailure, leftUndone, subjectOf } from '../verb-failures';
import type { Live } from '../live';
import type { Work } from '../model';
import { deletionOf, type Leaving } from './deletion';
import { isRenewed, kept, workOn, type Managed, type Row } from './managed';
import { amongRelations, relationsLeft, relationsTo, restoreRelations, sayWhatGoes } from './relations';

/** Creates a record, or takes over the one that exists. */
export async function create(managed: Managed, inputs: Inputs, row: Row): Promise<State> {
  const { of, session } = managed;
  const work = await workOn(managed, { address: addressOf(of, inputs), inputs }, row);
  return describingFailure('create', of, work.id, async () => {
    refuseUnknownSecrets(of, inputs);
    const live = await kept(of, work, () =>
      isReference(inputs) ? asUsed(of, inputs).verbs.create(work) : createOrTakeOver(of, work),
    );
    // Before the engine knows the record: if the run ends in between, the next one creates it again.
    const lost = session.records.lostWith(subjectKey(of, work.id)) ?? [];
    if (lost.length > 0)
      await amongRelations(managed, work.address, () => restoreRelations(managed, { lost, inputs }, row));
    session.records.noteMade(subjectKey(of, work.id));
    rememberNumber(session, of, work.address, live);
    return stateOf(work.id, inputs, live);
  });
}

/** A record, with its arguments of the last run and of this one. */
interface UpdateOf {
  readonly id: string;
  readonly olds: Inputs;
  readonly news: Inputs;
}

/** Updates a record; creates it again when it no longer exists. */
export async function update(managed: Managed, change: UpdateOf, row: Row): Promise<State> {
  const { of, session } = managed;
  const { id, olds, news } = change;
  await ownAddress(of, id, managed.connect);
  const work = await workOn(managed, { address: addressOf(of, news), inputs: news, known: olds }, row);
  const live = await describingFailure('update', of, id, () =>
    amongRelations(managed, work.address, () => updated(managed, work, change, row)),
  );
  if (live === undefined) {
    row.notice('it was deleted by somebody since our last run: created again');
    return create(managed, news, row);
  }
  rememberNumber(session, of, work.address, live);
  const stamp = revisionUpdated(of, { olds, news }, live, session.clock.now());
  return stateOf(id, news, { ...live, origin: originOf(olds, live), stamp });
}

/** Brings what is declared to the record; undefined when it no longer exists. */
async function updated(
  managed: Managed,
  work: Work,
  { id, olds, news }: UpdateOf,
  row: Row,
): Promise<Live | undefined> {
  const { of, session } = managed;
  if (isReference(news)) return asUsed(of, news).verbs.create(work);
  const there = await of.verbs.read(work);
  if (there === undefined) return undefined;
  if (isReference(olds)) return kept(of, work, () => takeOver(of, work, there));
  metWriters(session.own, there);
  // What was created again has lost what we wrote to it: nobody else's value is overwritten.
  const planned = isRenewed(managed, id) ? { ...work, args: { ...work.args, overwrite: true } } : work;
  const changes = await planUpdate(of, planned, { ...olds, ...relationsLeft(managed, id, olds, there) }, there);
  if (Object.keys(changes).length === 0 && !of.verbs.acts)
    return { ...there, stamp: revisionUnwritten(of, { olds, news }, there) };
  const { api, wrote } = countWrites(work.api);
  try {
    const live = await kept(of, work, () => of.verbs.update({ ...work, api, live: there, changes }));
    reportCrossed(session.own, there.ciId, row);
    return live;
  } catch (error) {
    if (error instanceof PartialFailure || !wrote()) throw error;
    const reason = describe(error, { attempt: 'update', subject: subjectOf(of, id) });
    throw halfDone(of, { id, olds, news, now: session.clock.now() }, reason);
  }
}

/** Deletes a record, unless this run made or keeps it. */
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
  await describingFailure('delete', of, id, () =>
    leftUndone(() => (deletion === 'delete' ? deleteOrFindGone(of, work) : deleteAmidRun(managed, work, row))),
  );
  // What is replaced is deleted in the run: the commit comes later.
  if (deletion === 'delete') await session.stages.finishDelete(commitKey(of.stage, work.at), row);
}

/** Deletes a record that is created again, and remembers the relations to it that go with it. */
const deleteAmidRun = (managed: Managed, work: Work, row: Row): Promise<void> =>
  amongRelations(managed, work.address, async () => {
    const { declarations, records } = managed.session;
    const key = subjectKey(managed.of, work.id);
    const lost = await relationsTo(managed, work, row);
    if (lost !== undefined) records.noteLost(key, lost);
    await deleteOrFindGone(managed.of, work);
    if (!declarations.has(key)) sayWhatGoes(managed, work.id, lost ?? [], row);
  });

/**
 * Deletes a record. What it lives in may be deleted in between, because an engine knows no order where its state has no dependency, as after an
 * import: then the record was deleted with it, and there is nothing left to do.
 */
async function deleteOrFindGone({ verbs }: Kind, work: Work): Promise<void> {
  try {
    await verbs.delete(work);
  } catch (error) {
    if (!(error instanceof NotFound) || (await verbs.read(work)) !== undefined) throw error;
  }
}

/** What a person reads when a record stays. */
const STAYS: { readonly [deletion: string]: (id: string) => string } = {
  'given to another name': (id) =>
    `${id} is declared under another name, so nothing was deleted: when you rename a resource, add an alias with its old name`,
  'created again': () =>
    'stays as it is: the engine made the replacement first, which took it over; to have it deleted and created again, set deleteBeforeReplace: true on it',
};
