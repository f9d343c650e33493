// Work before a run writes anything: check, objections of the service, and the effect of a change.
import { type Diagnostic, problem } from '../../api/contract';
import { NotFound, OneOpsError } from '../../api/errors';
import { formatId, inside, recordsAbove } from '../address/ids';
import { isTakenAlong } from '../address/place';
import { leftAround, unchangedStamps } from '../commit/own-records';
import { judge } from '../kinds/catalogue/judge';
import { type Change, check, diff, type Inputs } from './check';
import { refuseRetained, refuseWithOthers, takesAssembly } from '../deploy/others/taken-down';
import { type AlreadyExists, isOutage, isTrouble, LifecycleError, orElse } from '../errors';
import { type Address, addressOf, type Kind, type Judgement, type Work } from '../kind';
import { declaredKey, isDeclared, lookUp, memoryOf, type Session, stageKey, subjectKey } from '../session';
import { holdsUnknown, entryNames, textAt } from '../values/plain';
import { findIn } from '../verbs/records';
import {
  isRenewed,
  type Managed,
  type Row,
  SILENT,
  workOn,
  isPending,
  pendingIn,
  withoutPending,
  describingFailure,
  subjectOf,
} from './managed';
import { asUsed, isReference } from './refer';
import { logicalName } from './registration';
import { relationsLeft } from './relations';
import { announceTakeOver, isAdopting, writesOrRefusal } from './take-over';
import { referred } from './write';

export interface Checked {
  readonly inputs: Inputs;
  readonly findings: readonly Diagnostic[];
}

export interface DiffAnswer {
  readonly changes: readonly Change[];
  /** Argument names whose change replaces; replaced resources are deleted first, always. */
  readonly replaces: readonly string[];
  /** Nothing may happen: the reason, to be shown as the error. */
  readonly refusal?: string;
  /** What the run will do, for the row: `will deploy: ~prod`. */
  readonly plan?: string;
  readonly warning?: string;
}

/** A record that is to be looked at again, without another difference. */
const ANEW_THERE: Change = { path: [], replaces: false };

export function checkInputs(
  { of, session }: Managed,
  news: Inputs,
  { isKnown, urn }: { readonly isKnown: boolean; readonly urn: string | undefined },
): Checked {
  const inputs = { ...withoutPending(of, news), ...of.fills };
  const address = addressOf(of, inputs);
  const key = declaredKey(of, address);
  const before = session.memory.of(key);
  session.memory.note(key, { inputs, pending: pendingIn(of, news) });
  if (!isUnclear(address)) {
    session.memory.note(key, { of, address, isChanged: before.isChanged ?? !isKnown });
    if (!isKnown)
      session.memory.note(key, { isNew: true, isAskedAgain: isDeclared(before), ...(urn && { newUnder: urn }) });
  }
  return {
    inputs,
    findings: [
      ...check(of, inputs),
      ...ruledOut(of, inputs, session),
      ...declaredTwice(of, inputs, session, urn),
      ...leftAround(of, address, session),
    ],
  };
}

const isUnclear = (address: Address): boolean =>
  Object.values(address).some((part) => part === '' || holdsUnknown(part));

/** Objections of the service. Throws LifecycleError for a new record that exists or is refused. */
export async function foreseen(managed: Managed, olds: Inputs, news: Inputs, row: Row): Promise<readonly Diagnostic[]> {
  const { of } = managed;
  const isNew = Object.keys(olds).length === 0;
  const address = addressOf(of, news);
  const isOther = declaredKey(of, addressOf(of, olds)) !== declaredKey(of, address);
  if (of.verbs.foresee === undefined && !isOther) return [];
  if (isOther && isReference(news)) await foreseenReference(managed, address, news, row);
  else if (isNew) {
    // A value that is not known yet has no text, and is compared with nothing.
    const known = Object.fromEntries(Object.entries(news).filter(([, value]) => !holdsUnknown(value)));
    const work = await workOn(managed, { address, inputs: known }, row);
    await describingFailure('create', of, work.id, () => refuseExisting(of, work));
  }
  const { verbs } = of;
  if (verbs.foresee === undefined) return [];
  const work = await workOn(managed, { address, inputs: news }, row);
  const asked = describingFailure(
    isNew ? 'create' : 'update',
    of,
    work.id,
    async () => verbs.foresee?.(work, olds) ?? [],
  );
  // A preview needs no service; the run itself says what is wrong with it.
  return orElse(asked, [], (error) => isTrouble(error) && !(error instanceof LifecycleError));
}

/**
 * The preview of a reference that is new or renamed. Throws LifecycleError where the record does not
 * exist, unless this run declares it, too, or replaces it.
 */
async function foreseenReference(managed: Managed, address: Address, inputs: Inputs, row: Row): Promise<void> {
  const { of, session } = managed;
  const { isAskedAgain, claimedBy } = memoryOf(session, of, address);
  if (!isUnclear(address) && isAskedAgain !== true && claimedBy === undefined) {
    const work = await workOn(managed, { address, inputs }, row);
    const asked = describingFailure('create', of, work.id, () => referred(of, work));
    await orElse(asked, undefined, (error) => isTrouble(error) && !(error instanceof LifecycleError));
  }
  row.notice('belongs to another stack: it is read, and not created');
}

/** What a change of inputs does; remembers that a record is replaced. */
export async function changeOf(
  managed: Managed,
  id: string,
  { olds, isRetained, ...given }: { readonly olds: Inputs; readonly news: Inputs; readonly isRetained: boolean },
): Promise<DiffAnswer> {
  const { of, session } = managed;
  const news = withWhatIsKnown(managed, olds, given.news);
  const isTaken = memoryOf(session, of, addressOf(of, news)).options?.takenId !== undefined;
  const isAnew = isTaken || isRenewed(managed, id, olds) || Object.keys(relationsLeft(managed, id, olds)).length > 0;
  const shown = [...diff(of, olds, news), ...(isAnew || isPending(of, session, news) ? [ANEW_THERE] : [])];
  const unshown = shown.length === 0 ? await unshownIn(managed, olds, news) : undefined;
  const changes = unshown === undefined ? shown : [ANEW_THERE];
  const replaces = changes.filter((change) => change.replaces).map((change) => change.path[0] as string);
  const before = { session, at: addressOf(of, olds), known: olds };
  if (replaces.length > 0 && takesAssembly(before))
    await describingFailure('delete', of, id, async () => {
      if (!refuseRetained(before)) return;
      const work = await workOn(managed, { address: addressOf(of, olds), inputs: olds, known: olds }, SILENT);
      await orElse(refuseWithOthers(work), undefined, (error) => isOutage(error) && !(error instanceof LifecycleError));
    });
  if (isRetained && replaces.length > 0 && !isTakenAlong(of, { id, session }) && keepsItsName(of, olds, news)) {
    const refusal = `${subjectOf(of, id)} cannot be replaced: the option retainOnDelete leaves it in the service, where the new one would need its name\n  give the new one another name, or take the option out and run pulumi up before this change`;
    return { changes, replaces, refusal };
  }
  const stays = isReference(olds) || olds['origin'] === 'pack' || isRetained;
  if (replaces.length > 0) session.memory.note(subjectKey(of, id), { replaced: stays ? 'keeps' : 'deletes' });
  const address = addressOf(of, news);
  const key = declaredKey(of, address);
  session.memory.note(key, { known: olds, last: olds, ...(changes.length > 0 && { isChanged: true }) });
  // In a destroy of a target, the engine asks for this without a check, and deletes the record.
  if (!isDeclared(session.memory.of(key)) && replaces.length === 0) return { changes, replaces };
  if (changes.length === 0 && of.token === 'DesignRelease')
    session.memory.note(stageKey('design', address), { settledAt: textAt(olds, 'revision') });
  if (changes.length === 0)
    of.verbs.unchanged?.(session, address, (row) => workOn(managed, { address, inputs: news, known: olds }, row));
  // The guard comes first: it notes what the plan names.
  const judgement = await guarded(managed, olds, news, { changes, replaces });
  const plan =
    unshown ??
    (changes.length > 0
      ? of.verbs.plan?.(olds, { session, address, args: { ...news, ...session.memory.of(key).pending } })
      : undefined);
  return { changes, replaces, ...(plan === undefined ? {} : { plan }), ...judgement };
}

/** In a preview, what comes of an update is unknown, also where nothing is written or committed. */
function withWhatIsKnown({ of, session }: Managed, olds: Inputs, news: Inputs): Inputs {
  const address = addressOf(of, news);
  const stage = of.settles?.['stamps']?.stage;
  const name = stage ? 'stamps' : 'designRelease';
  if (!(name in of.fields) || !holdsUnknown(news[name])) return news;
  const known = stage
    ? unchangedStamps({ session, address }, stage, olds)
    : session.memory.of(stageKey('design', address)).settledAt;
  if (known === undefined) return news;
  const inputs = { ...news, [name]: known };
  session.memory.note(declaredKey(of, address), { inputs });
  return inputs;
}

/** Whether a replacement needs the name of the old record. Names of attachments are of a platform. */
function keepsItsName(of: Kind, olds: Inputs, news: Inputs): boolean {
  const [before, now] = [olds, news].map((values) => {
    const address = addressOf(of, values);
    return declaredKey(of, of.token === 'Attachment' ? { ...address, component: '' } : address);
  });
  return before === now;
}

async function unshownIn(managed: Managed, olds: Inputs, news: Inputs): Promise<string | undefined> {
  const { of } = managed;
  if (of.verbs.unshown === undefined || isReference(news)) return undefined;
  const work = await workOn(managed, { address: addressOf(of, news), inputs: news, known: olds }, SILENT);
  return describingFailure('read', of, work.id, async () => of.verbs.unshown?.(work));
}

async function guarded(
  managed: Managed,
  olds: Inputs,
  news: Inputs,
  { changes, replaces }: Pick<DiffAnswer, 'changes' | 'replaces'>,
): Promise<Judgement> {
  const { of, session } = managed;
  const pending = memoryOf(session, of, addressOf(of, news)).pending ?? {};
  const left = Object.keys(pending).filter((name) => entryNames(pending[name]).length > 0);
  const names = [...changes.map(({ path: [name = ''] }) => name), ...left];
  const changed = names.filter((name) => of.verbs.guarded?.includes(name));
  const { verbs } = asUsed(of, news);
  if (verbs.guard === undefined || changed.length === 0) return {};
  // After a write, a refusal is too late; without the list of what leaves, a program may declare more.
  const mayLook = session.own.user === undefined && pending['leaving'] !== undefined && !session.isReplacing();
  const refusal =
    mayLook && of.token === 'DesignRelease' ? await orElse(takenName(managed, news), undefined, isTrouble) : undefined;
  if (refusal !== undefined) return { refusal };
  const work = await workOn(managed, { address: addressOf(of, olds), inputs: olds, known: olds }, SILENT);
  return verbs.guard(
    { ...work, args: { ...news, ...pending } },
    { changed, replaces: replaces.filter((name) => name in of.fields) },
  );
}

/** Why a renamed record does not get its name: a record that differs has it until later, or stays. */
async function takenName({ session, ...managed }: Managed, { assembly }: Inputs): Promise<string | undefined> {
  const isAsked = (key: string): boolean => session.memory.of(key).isAskedAgain === true;
  for (const [key, { of, address, inputs, known, options, replaced }] of session.memory.all()) {
    if (!isAsked(key) || replaced || options?.isNewName || !known || of?.stage !== 'design') continue;
    if (!address || address['assembly'] !== assembly || declaredKey(of, addressOf(of, known)) === key) continue;
    if (recordsAbove(of, address).some((above) => isAsked(declaredKey(above.of, above.address)))) continue;
    const work = await workOn({ ...managed, session, of }, { address, inputs: inputs ?? {} }, SILENT);
    const live = holdsUnknown(inputs) ? undefined : await of.verbs.read(work);
    if (live && typeof (await writesOrRefusal(of, work, live, true)) !== 'boolean')
      return `${subjectOf(of, work.id)} does not get its name in this run: another record has the name, and is not deleted before\n  remove or rename the other record, run pulumi up, and give this record the name in the next run`;
  }
  return undefined;
}

/**
 * A finding when another resource of this run declares the record; none without a `urn`, for
 * actions, and for references, of which there may be any number.
 */
function declaredTwice(of: Kind, inputs: Inputs, session: Session, urn: string | undefined): readonly Diagnostic[] {
  if (urn === undefined || of.verbs.acts === true || isReference(inputs)) return [];
  const address = addressOf(of, inputs);
  if (isUnclear(address)) return [];
  const key = declaredKey(of, address);
  const { claimedBy: first = urn } = session.memory.of(key);
  session.memory.note(key, { claimedBy: first });
  if (first === urn) return [];
  const record = `${of.token} ${formatId(of, '', address).slice(1)}`;
  return [
    problem(
      'declared-twice',
      [],
      `"${logicalName(first)}" and "${logicalName(urn)}" both declare the record ${record}`,
      'leave one of them out, or give one of them another name; to refer to a record that another resource declares, use that resource',
    ),
  ];
}

// Existing records, before a run begins to write: the rule of a take-over for new resources.

/** What a run finds of a new record. `not known`: it is not there, or its create decides. */
type Standing = 'not known' | 'taken over' | AlreadyExists;

/**
 * Throws AlreadyExists for a new record that exists, unless the run takes it over: a list for each
 * parent, once per run. Where this is not known, the create applies the same rule.
 */
async function refuseExisting(of: Kind, work: Work): Promise<void> {
  const standing = await lookUp(work.session, standingKey(of, work.address), () => look(of, work));
  if (typeof standing !== 'string') throw standing;
}

const standingKey = (of: Kind, address: Work['address']): string => `standing ${declaredKey(of, address)}`;

/** Records that come with their environment, and actions, are never taken from anybody. */
const mayBeTaken = (of: Kind): boolean =>
  of.found !== undefined && of.verbs.isAction !== true && (of.stage !== 'environment' || of.token === 'Environment');

async function look(of: Kind, work: Work): Promise<Standing> {
  const adopts = isAdopting(of, work);
  const isOverride = adopts && of.stage === 'environment' && of.verbs.isAction !== true;
  if (isUnclear(work.address) || !(isOverride || mayBeTaken(of)) || isReference(work.args)) return 'not known';
  // A replaced record, and what is in it, is deleted before it is created again.
  const { isAskedAgain, options, inputs } = memoryOf(work.session, of, work.address);
  const isByFlag = options?.deleteBeforeReplace === true && work.session.isReplacing();
  const isNewName = isAskedAgain === true && options?.isNewName === true;
  const isReplaced = (isAskedAgain === true && !isNewName) || isByFlag || isTakenAlong(of, work);
  const nearest = nearestAbove(of, work);
  const above = isReplaced ? 'not known' : await standingAbove(of, work, nearest);
  if (above !== 'taken over') return above;
  try {
    const live = isOverride || (await isListed(of, work)) ? await of.verbs.read(work) : undefined;
    if (live === undefined || (isNewName && live.origin === 'pack')) return 'not known';
    const writes = await writesOrRefusal(of, work, live, nearest !== undefined || of.within === undefined);
    if (typeof writes !== 'boolean') return writes;
    if (isNewName) return 'not known';
    if (live.origin !== 'pack' || adopts) await announceTakeOver(of, work, live);
    const isChanged = writes || live.openedBy !== undefined || holdsUnknown(inputs);
    work.session.memory.note(declaredKey(of, work.address), { isChanged });
    return 'taken over';
  } catch (error) {
    // Another stack's record that is gone stays gone; one of this stack may be made again by the run.
    const isGone = error instanceof NotFound && nearest !== undefined && isReference(nearest.inputs);
    if (error instanceof OneOpsError && !isGone) return 'not known';
    throw error;
  }
}

const nearestAbove = (of: Kind, { address, session }: Work) =>
  recordsAbove(of, address)
    .map((above) => memoryOf(session, above.of, above.address))
    .find(isDeclared);

/** Whether the nearest declared parent exists: `taken over` for those of the state, too. */
async function standingAbove(of: Kind, { session }: Work, nearest: ReturnType<typeof nearestAbove>): Promise<Standing> {
  if (nearest === undefined) return of.within === undefined || session.isLimited() ? 'taken over' : 'not known';
  if (isReference(nearest.inputs) || !nearest.isNew) return 'taken over';
  const above = await session.answers.get(standingKey(nearest.of, nearest.address));
  return above === 'taken over' ? above : 'not known';
}

async function isListed(of: Kind, { api, address }: Work): Promise<boolean> {
  const [parent] = recordsAbove(of, address);
  const found = await findIn(api, of, parent === undefined ? {} : inside(parent.of, parent.address));
  const isAt = (at: Address): boolean => Object.entries(at).every(([name, value]) => address[name] === value);
  return found.some((each) => isAt(each.address));
}

/** Findings of the packaged catalogue that stop a run; warnings come with the declaration. */
function ruledOut(of: Kind, inputs: Inputs, session: Session): readonly Diagnostic[] {
  if (of.judge === undefined) return [];
  const [above] = recordsAbove(of, addressOf(of, inputs));
  const parent = above && memoryOf(session, above.of, above.address).inputs;
  return judge(of, inputs, { level: session.catalogue, parent, known: session.known }).filter(
    ({ severity }) => severity === 'error',
  );
}
