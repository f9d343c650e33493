// Creates of records that exist: taken over, written when asked, or explained (architecture §3).
import { ENCRYPTED, type Layer, layered, routes } from '../../api/contract';
import { Aborted } from '../../api/errors';
import { runBy, runByText } from '../deploy/run-elsewhere';
import { AlreadyExists, orElse } from '../errors';
import type { Kind, Work } from '../kind';
import { recordsAbove } from '../address/ids';
import { isAnother } from '../address/place';
import { SILENT } from './managed';
import { isReference } from './refer';
import { userOf } from '../history/change';
import { newestClosed } from '../history/committed';
import { isOursAlone } from '../secrets/writes';
import { isDeclared, memoryOf, subjectKey } from '../session';
import { shellWord } from '../values/text';
import { holdsUnknown, type Texts } from '../values/plain';
import { AlreadyThere } from '../verbs/presence';
import type { Live } from '../address/live';
import { type Declared, type DeclaredEntries, declaredValues, means, textsIn } from '../values/wire';

/** Creates a record, or takes over the one that exists. Throws AlreadyExists as `takeOver` does. */
export async function createOrTakeOver(of: Kind, work: Work): Promise<Live> {
  try {
    const live = await of.verbs.create(work);
    if (live.origin === 'created') work.session.memory.note(subjectKey(of, work.id), { isBorn: true });
    return live;
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error;
    return takeOver(of, work, error.live);
  }
}

/**
 * Takes a record over, or throws AlreadyExists with the differences. Without `adopt: true`, a
 * secret is written only to a record that an interrupted run of ours left.
 */
export async function takeOver(of: Kind, work: Work, live: Live): Promise<Live> {
  const compared = await comparedWith(of, work, live, isKnownAbove(of, work));
  const { differing, secrets, isLeft, isSame } = compared;
  const adopts = isAdopting(of, work);
  if (!adopts && !((isLeft || isReference(work.known ?? {})) && isSame))
    throw await alreadyExists(of, work, live, compared);
  const isNamed = work.session.memory.of(subjectKey(of, work.id)).isTakeOverNamed === true;
  const others = isNamed ? '' : await othersIn(of, work, live);
  const whose = others === '' && secrets.length > 0 && isSame ? `, made by ${live.updatedBy}` : others;
  if (!isNamed || differing.length + secrets.length > 0) work.notice(takenOver(differing, secrets, whose));
  if (work.args['adopt'] === true) work.notice('adopt: true can be taken out once this run has ended');
  const written = compared.isWritten ? await of.verbs.update({ ...work, live, changes: compared.changes }) : live;
  return isLeft ? written : adopted(of, written);
}

interface Compared {
  readonly differing: DeclaredEntries;
  /** Declared secrets that it has, too. */
  readonly secrets: DeclaredEntries;
  /** What a take-over writes. */
  readonly changes: Texts;
  readonly isWritten: boolean;
  /** Whether a run of this stack that was killed can have left it. */
  readonly isLeft: boolean;
  /** Whether it is as declared, as far as anybody can see. */
  readonly isSame: boolean;
}

/** `isKnown`: whether the parent belongs to this stack's state, or a killed run left it, too. */
async function comparedWith(of: Kind, work: Work, live: Live, isKnown: boolean): Promise<Compared> {
  const declared = [...declaredValues(of, work.args)].filter(([, { value }]) => !holdsUnknown(value));
  const differing = declared.filter(([name, value]) => !means(value, live.wire[name]));
  const secrets = declared.filter(([name]) => live.wire[name] === ENCRYPTED);
  const changes = textsIn([...differing, ...secrets, ...declared.filter(([, { field }]) => field.writeOnly)]);
  const isWritten = Object.keys(changes).length > 0 || of.verbs.acts === true;
  const isLeft = await isLeftByKilledRun(of, work, live, isKnown);
  const isSame = differing.length === 0 && (secrets.length === 0 || (await isOursAlone(work, live.writes?.writers)));
  return { differing, secrets, changes, isWritten, isLeft, isSame };
}

/**
 * `is already there, made by maria, size locked: this run takes it over`, once in a run, before it
 * writes; nothing of what came with its parent, unless others locked it.
 */
export async function announceTakeOver(of: Kind, work: Work, live: Live): Promise<void> {
  const others = await othersIn(of, work, live);
  if (live.origin === 'pack' && others === '') return;
  work.session.memory.note(subjectKey(of, work.id), { isTakeOverNamed: true });
  const own = live.createdBy === undefined ? '' : `, made by ${live.createdBy}`;
  work.notice(`is already there${others || own}: this run takes it over`);
}

/**
 * `, made by maria, last written by pia, size locked`: what other users did to a record; empty for
 * nothing. One that came with its parent is nobody's.
 */
async function othersIn(of: Kind, work: Work, live: Live): Promise<string> {
  const user = await userOf(work);
  const { createdBy = '', updatedBy = '', owners = {}, writes, origin } = live;
  const isOther = (name: string): boolean => name !== '' && name !== user;
  if (![createdBy, updatedBy, ...(writes?.writers ?? [])].some(isOther)) return '';
  const locked = [...declaredValues(of, work.args).keys()].filter((name) => owners[name] !== undefined);
  if (origin === 'pack' && locked.length === 0) return '';
  return [
    ...(origin !== 'pack' && createdBy !== '' ? [`made by ${createdBy}`] : []),
    ...(updatedBy !== '' && (updatedBy !== createdBy || origin === 'pack') ? [`last written by ${updatedBy}`] : []),
    ...(locked.length > 0 ? [`${locked.join(', ')} locked`] : []),
  ]
    .map((part) => `, ${part}`)
    .join('');
}

/** The refusal for a record that exists, or whether the run, which takes it over, writes something. */
export async function writesOrRefusal(of: Kind, work: Work, live: Live, isKnown: boolean) {
  const adopts = isAdopting(of, work);
  if (live.origin === 'pack' && !adopts) {
    try {
      await of.verbs.create({ ...work, ...SILENT, api: layered(work.api, withoutWrites) });
      return false;
    } catch (error) {
      if (error === A_WRITE) return true;
      if (!(error instanceof AlreadyThere)) throw error;
    }
  }
  const compared = await comparedWith(of, work, live, isKnown);
  if (!adopts && !(compared.isLeft && compared.isSame)) return alreadyExists(of, work, live, compared);
  return compared.isWritten;
}

/** Without an answer, so that a create looks for the record that has the name. */
const A_WRITE = new Aborted('a preview writes nothing', undefined, { method: '', path: '' }, false);

const withoutWrites: Layer = (next) => (route, input) =>
  route.method === 'GET' ? next(route, input) : Promise.reject(A_WRITE);

/** Whether a record, or a parent, is declared with `adopt: true`, which holds below. */
export function isAdopting(of: Kind, { args, address, session }: Work): boolean {
  if (args['adopt'] === true) return true;
  return recordsAbove(of, address).some(
    (above) => memoryOf(session, above.of, above.address).inputs?.['adopt'] === true,
  );
}

/** A record from others, as this stack has it from now on. */
export const adopted = (of: Kind, live: Live): Live =>
  live.origin === 'created' && of.verbs.isAction !== true ? { ...live, origin: 'adopted' } : live;

/**
 * Whether the parent belongs to this stack's state, or this run took it over as its own; of one
 * that came with a pack, whether that parent's does.
 */
function isKnownAbove(of: Kind, { address, session }: Pick<Work, 'address' | 'session'>): boolean {
  const [parent] = recordsAbove(of, address);
  if (parent === undefined) return true;
  const memory = memoryOf(session, parent.of, parent.address);
  if (!isDeclared(memory) || memory.known === undefined) return false;
  const { origin } = memory.known;
  // A logical rename makes it new to the engine, with all that is in it.
  if (!memory.isNew || origin === 'created') return true;
  return origin === 'pack' && isKnownAbove(parent.of, { address: parent.address, session });
}

/**
 * Whether a killed run can have left a record: this user alone wrote it, and it is below a parent
 * of the state, uncommitted, a cloud, a team or a relay.
 */
async function isLeftByKilledRun(of: Kind, work: Work, live: Live, isKnown: boolean): Promise<boolean> {
  if (live.origin === 'pack' || of.verbs.isAction === true) return true;
  // Somebody discarded the delete of a run that failed.
  if (memoryOf(work.session, of, work.address).options?.takenId === live.ciId) return true;
  if (!isKnown || (await belongsToOthers(of, work, live))) return false;
  const writers = [...(live.writes?.writers ?? []), ...(live.openedBy ?? [])];
  const by = writers.length > 0 ? writers : [live.updatedBy ?? ''].filter(Boolean);
  const user = await userOf(work);
  return by.every((writer) => writer === user);
}

/** Whether a record may be another stack's: of a committed assembly, or committed in another's. */
async function belongsToOthers(of: Kind, work: Work, live: Live): Promise<boolean> {
  const [parent] = recordsAbove(of, work.address);
  if (parent === undefined) return of.token === 'Assembly' && (await newestClosed(work)) !== undefined;
  if (!isReference(memoryOf(work.session, parent.of, parent.address).inputs ?? {})) return false;
  if (of.token !== 'Environment') return (live.openedBy ?? []).length === 0;
  const releases = await work.api.call(routes.environmentReleases.list, { address: work.at });
  return releases.some(({ releaseState }) => releaseState === 'closed');
}

/** `was already there: taken over, and value written; password written again, …` */
function takenOver(differing: DeclaredEntries, secrets: DeclaredEntries, whose: string): string {
  const names = (entries: DeclaredEntries): string => entries.map(([name]) => name).join(', ');
  const same = differing.length + secrets.length === 0 ? ' with these values' : '';
  const written = differing.length === 0 ? '' : `, and ${names(differing)} written`;
  const again = secrets.length === 0 ? '' : `; ${names(secrets)} written again, because no read shows a secret`;
  return `was already there${whose}${same}: taken over${written}${again}`;
}

/** The refusal of a record that exists: differences, history, contents, and what to do. */
async function alreadyExists(
  of: Kind,
  work: Work,
  live: Live,
  { differing, secrets }: Compared,
): Promise<AlreadyExists> {
  const what = isAnother(of, work.known, live)
    ? "is another record than this stack's"
    : differing.length > 0
      ? 'differs'
      : secrets.length > 0
        ? 'holds a secret, whose value cannot be compared'
        : 'may be of another stack';
  const lines = [...differing, ...secrets].map((each) => difference(each, live));
  const { isAskedAgain, options } = memoryOf(work.session, of, work.address);
  const isLater = isAskedAgain === true && options?.isNewName !== true;
  const around = [historyOf(live), ...(await orElse(surroundings(of, work), []))].map((line) => `  ${line}`);
  return new AlreadyExists(
    [`it is already there and ${what}:`, ...lines, ...around].join('\n'),
    [
      ...(isLater ? [GIVEN_LATER] : []),
      'to take it over and write the declared values, declare adopt: true, which holds for everything in it: a destroy of this stack then deletes it',
      'to take it over as it is, import it:',
      `  ${importLine(of, work)}`,
      'if you renamed the resource: add an alias with its old name, or rename it in a separate run; if you replace it: set deleteBeforeReplace: true',
    ].join('\n'),
  );
}

/** Of a renamed record whose new name the state has, as that of another one. */
const GIVEN_LATER =
  'if it is a record of this stack that this run renames or deletes later, do that in a run before, and give this record the name in the next run; with adopt: true, this run would take the record over and then delete it';

/** `since 2026-11-22T03:01:09.000Z, created by maria, last written by admin`. */
function historyOf({ created, createdBy, updatedBy }: Live): string {
  const since = created === undefined ? '' : `since ${new Date(created).toISOString()}`;
  const by = createdBy === undefined ? '' : `created by ${createdBy}`;
  const last = updatedBy ? `last written by ${updatedBy}` : '';
  return [since, by, last].filter(Boolean).join(', ') || 'the service does not say who created it';
}

/** Contents of a record, and environments that run it. */
async function surroundings(of: Kind, work: Work): Promise<readonly string[]> {
  if (!['Assembly', 'Environment'].includes(of.token) && of.stage !== 'design') return [];
  const platforms = of.token === 'Assembly' ? await work.api.call(routes.platforms.list, { address: work.at }) : [];
  const names = platforms.map(({ ciName }) => ciName).sort();
  const running = await runBy(work);
  return [
    ...(names.length > 0 ? [`in it: platform${names.length === 1 ? '' : 's'} ${names.join(', ')}`] : []),
    ...(running.length > 0 ? [`runs in: ${runByText(running)}`] : []),
  ];
}

/** The commands that import the record, for a shell, under its logical name. */
function importLine(of: Kind, { id, logicalName }: Work): string {
  const word = `${of.token}:${id}${logicalName === undefined ? '' : `=${logicalName}`}`;
  const file = 'import.json';
  return `pulumi-oneops import-file ${shellWord(word)} --output ${file} && pulumi import --file ${file} --generate-code=false --protect=false`;
}

/** One line for a declared value that differs, or may; without a secret's value. */
function difference([name, declared]: readonly [string, Declared], live: Live): string {
  if (live.wire[name] === ENCRYPTED) return `  ${name}: a secret, which cannot be compared`;
  if (declared.field.secret) return `  ${name}: differs`;
  const by = live.setBy?.[name]?.who;
  const there = `there ${JSON.stringify(live.wire[name] ?? null)}${by ? ` (set by ${by})` : ''}`;
  return `  ${name}: ${there}, declared ${JSON.stringify(declared.value)}`;
}
