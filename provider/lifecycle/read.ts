// Reads a record: for a refresh, which compares it, and for an import, which takes all of it.
import { formatId } from '../address/ids';
import type { Live } from '../address/live';
import { isAnother, ownAddress, whose } from '../address/place';
import type { Inputs } from './check';
import { snakeCase } from '../values/field';
import { type Kind, type Work, distinguishedBy } from '../kind';
import { changedText, serviceStamp, unknownSecrets, writtenSecrets } from '../secrets/writes';
import { rememberDistinction, rememberNumber, subjectKey } from '../session';
import { baseText, emptiedTexts, inputsFromLive, projectLive, unseenInLive, withDeclaredBesides } from '../values/wire';
import { askInside, refreshing } from '../verbs/records';
import { defined } from '../values/plain';
import { type Managed, type Row, workOn, describingFailure } from './managed';
import { declaredOf, revisionRead, type State, stateOf } from './state';
import { adopted } from './take-over';

interface Asked {
  readonly id: string;
  /** The outputs of the last run; without them everything that can be set is read. */
  readonly known: Inputs | undefined;
  /** What a stack declares of a record that is to be imported. */
  readonly declared?: Inputs | undefined;
}

export async function read(
  managed: Managed,
  { id, known, declared: wanted }: Asked,
  row: Row,
): Promise<State | undefined> {
  const { of, session } = managed;
  const address = await ownAddress(of, id, managed.connect);
  const declared = known && declaredOf(of, known);
  const inputs = declared ?? { ...address, ...distinction(of, wanted) };
  const subject = { address, inputs, known };
  const work = refreshing(await workOn(managed, subject, row), managed.isSurvey);
  session.memory.note(subjectKey(of, id), { isRead: true });
  askInside(work, of);
  if (declared) rememberDistinction(session, of, declared);
  return describingFailure('read', of, id, async () => {
    const live = await of.verbs.read(work);
    if (live !== undefined && isAnother(of, known, live))
      work.notice(`${whose(of, work, live)}: this stack's own no longer exists`);
    if (live === undefined || isAnother(of, known, live)) {
      session.memory.note(subjectKey(of, id), { isGone: true });
      return undefined;
    }
    if (known === undefined) return imported(of, work, live, wanted);
    session.memory.note(subjectKey(of, id), { refreshed: { of, address, known } });
    const state = await refreshed(of, work, live, known);
    return managed.isSurvey ? state : withoutOwnCommit(state, known);
  });
}

/** The state after a refresh: of what is declared, the values that exist. */
async function refreshed(of: Kind, work: Work, live: Live, known: Inputs): Promise<State> {
  const { session, args: declared } = work;
  rememberNumber(session, of, work.address, live);
  const written = await writtenSecrets(of, work, known, live);
  for (const each of written) work.notice(`${changedText(...each)}: "pulumi up" writes the declared value again`);
  const inputs = projectLive(of, declared, { ...live.wire, ...unknownSecrets(written) });
  // Values that a refresh finds empty leave the file, or are written.
  session.own.noteWanted(live.ciId, emptiedTexts(of, declared, live.wire));
  const stamp = revisionRead(of, { known, inputs }, live, session.clock.now());
  return stateOf(work.id, { ...inputs, ...live.fills }, { ...live, stamp }, known);
}

/** A commit moves an unwritten record's time: a refresh keeps the old one, a review does not. */
function withoutOwnCommit(state: State, known: Inputs): State {
  const { revision, updated, updatedBy } = state.outputs;
  const isWritten = serviceStamp(revision) !== serviceStamp(known['revision']) || updatedBy !== known['updatedBy'];
  if (updated === known['updated'] || (isWritten && Number(updated) > 0)) return state;
  const times = { updated: known['updated'], updatedBy: known['updatedBy'] };
  return { ...state, outputs: defined({ ...state.outputs, ...times }) };
}

function distinction(of: Kind, declared: Inputs = {}): Inputs {
  const name = distinguishedBy(of);
  return name === undefined || declared[name] === undefined ? {} : { [name]: declared[name] };
}

/** The state of an undeclared record: everything that was set, and what is declared now. */
async function imported(of: Kind, work: Work, live: Live, declared: Inputs = {}): Promise<State> {
  const names = Object.keys(live.wire);
  // What a stack leaves out of what is there is no change of it.
  const whole = { ...work, isWhole: Object.keys(declared).length === 0 };
  const bases = of.verbs.base ? await of.verbs.base(whole, live, names) : {};
  const isBase = (name: string, text: string): boolean => {
    const base = bases[name] ?? baseText(of, name) ?? '';
    return base === text && (text === '' || live.owners?.[name] === undefined);
  };
  const inputs = withDeclaredBesides(of, live.wire, inputsFromLive(of, live.wire, isBase), declared);
  const named = { ...work.address, ...live.named };
  const all = { ...named, ...inputs, ...of.fills, ...live.fills };
  const own = formatId(of, work.api.organization, named);
  const unseen = unseenInLive(of, live.wire);
  // A secret cannot be compared: one that came with the record has no lock.
  const isOwn = (name: string): boolean =>
    live.owners?.[name] !== undefined ||
    (live.origin === 'created' && (bases[name] ?? baseText(of, name) ?? '') === '');
  const ownSecrets = unseen.filter(([argument = '', name = snakeCase(argument)]) => isOwn(name));
  return { ...stateOf(own, all, adopted(of, live)), unseen, ownSecrets };
}
