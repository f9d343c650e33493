// Values that another user set in an environment, over those that the file declares in the design.
// A pull does not replace a locked value; without a pull, all of them stay.
import { type Release, routes } from '../../../api/contract';
import type { Live } from '../../address/live';
import { workAt } from '../../address/place';
import { changesIn } from '../../history/committed';
import { type CommittedChange, userOf } from '../../history/change';
import {
  closedAfter,
  FARTHEST,
  isManifest,
  isOfAnother,
  parentBefore,
  readRelease,
} from '../../history/environment-releases';
import { type Address, type Kind, scopeNaming, type Work } from '../../kind';
import { memoryOf, memoryOfStage, refreshedIn, stageKey } from '../../session';
import type { RecordMemory } from '../../session/memory';
import { serviceStamp } from '../../secrets/writes';
import type { Texts, Values } from '../../values/plain';
import { type Declared, declaredValues, isUnseen, means } from '../../values/wire';
import { alongLine } from './along';
import { declaredInDesign, type DeclaredRecordOf, ignores, valuesOf } from '../declared-records';

/** Values of one record of an environment over the file's. */
interface OverFile {
  readonly of: Kind;
  /** `web/tomcat`, `$LEVEL`. */
  readonly path: string;
  /** The work on the record, with the arguments that the design declares of these values. */
  readonly work: Work;
  /** The values that other users set, a change for each release that shows it. */
  readonly changes: readonly CommittedChange[];
  /** The record of the environment, and its texts that are the design's already. */
  readonly there: { readonly ciId: number; readonly texts: Texts };
}

type IsMeant = (record: DeclaredRecordOf, name: string) => boolean;

const inputsOf = ({ inputs, refreshed }: Partial<RecordMemory<Kind>>): Values => inputs ?? refreshed?.known ?? {};

/**
 * The values of an environment over those of the file. `isMeant`: those to look at, by wire name.
 * Records are read only where other users committed something.
 */
export async function valuesOverFile(
  work: Work,
  isMeant: IsMeant,
  declared = declaredInDesign(work),
): Promise<readonly OverFile[]> {
  const twins = declared.flatMap((record) => twinOf(work, record, isMeant) ?? []);
  const releases = twins.length === 0 ? [] : await releasesToOthers(work);
  if (releases.length === 0) return [];
  const found = await Promise.all(twins.map((twin) => differingIn(work, twin)));
  const over: OverFile[] = [];
  for (const each of found) if (each !== undefined) over.push(...(await setByOthers(each, releases)));
  return over;
}

/** Remembers that others may have set values in the environment of a work. */
export const noteTouched = (work: Work): void =>
  work.session.memory.note(stageKey('environment', work.at), { isTouched: true });

const isTouched = (work: Work): boolean => memoryOfStage(work, 'environment').isTouched === true;

/** The values that a run with a refresh sets back; asks nothing if no other user committed. */
export async function toSetBack(work: Work): Promise<readonly OverFile[]> {
  // An earlier refresh saw some, and kept that in the state.
  if (!isTouched(work) && !isPlacesText(work.known?.['newer'])) return [];
  const list = await work.api.call(routes.environmentReleases.list, { address: work.at });
  const over = await valuesOverFile(work, () => true);
  const searched = Math.max(0, ...list.map(({ releaseId }) => releaseId));
  work.session.memory.note(stageKey('environment', work.at), { searched });
  return over;
}

/** The same during the refresh, by what the last run declared of records refreshed so far. */
export async function seenInRefresh(work: Work): Promise<readonly OverFile[]> {
  if (!isTouched(work)) return [];
  const refreshed = refreshedIn(work.session).map(({ known, ...place }) => {
    const { inputs = known, ignored = [] } = memoryOf(work.session, place.of, place.address);
    return { ...place, known, inputs, ignored };
  });
  return valuesOverFile(work, () => true, declaredInDesign(work, refreshed));
}

/** Gives the environment the values of the design again, without locks. */
export async function giveBack(over: readonly OverFile[]): Promise<void> {
  for (const { of, work, there } of over) {
    await of.verbs.delete(work);
    // What a killed run gave back is open, and this run's own.
    work.session.own.noteWanted(there.ciId, there.texts);
  }
}

const PLACES = 'values of the design: ';

/** `values of the design: web/tomcat, $LEVEL`. */
export const placesText = (over: readonly OverFile[]): string => `${PLACES}${over.map(({ path }) => path).join(', ')}`;

export const isPlacesText = (text: unknown): boolean => typeof text === 'string' && text.startsWith(PLACES);

/** `set back as the file declares: component web/tomcat (max_threads) by maria, release 2702`. */
export const setBackText = (over: readonly OverFile[]): string =>
  `set back as the file declares: ${over.flatMap(({ changes }) => changes.map(alongLine)).join('; ')}`;

/** A record of the environment, and what the file declares of it in the design alone. */
interface Twin {
  readonly record: DeclaredRecordOf;
  readonly of: Kind;
  readonly work: Work;
  readonly declared: ReadonlyMap<string, Declared>;
}

function twinOf(work: Work, record: DeclaredRecordOf, isMeant: IsMeant): Twin | undefined {
  const { session, at } = work;
  const place =
    record.isReferred || record.isMade ? undefined : placeOf(session.kinds, record, at['environment'] ?? '');
  if (place === undefined) return undefined;
  const { of, address } = place;
  // What is declared below the environment comes after it, in its run too.
  const here = declaredValues(of, inputsOf(memoryOf(session, of, address)));
  // The attributes of a variable are one value.
  const isHere = (name: string): boolean => (record.noun === 'variable' ? here.size > 0 : here.has(name));
  const declared = [...valuesOf(record)].filter(
    ([name, value]) =>
      value.field.channel === 'attribute' && !isHere(name) && !ignores(record, name, value) && isMeant(record, name),
  );
  if (declared.length === 0) return undefined;
  const { known: _, ...own } = workAt(work, place);
  return { record, of, work: { ...own, args: {}, wire: {} }, declared: new Map(declared) };
}

/** Where an environment has own values of a record of the design; a platform has none. */
function placeOf(
  kinds: readonly Kind[],
  { noun, address: { name = '', ...outer } }: DeclaredRecordOf,
  environment: string,
): { readonly of: Kind; readonly address: Address } | undefined {
  if (noun === 'platform') return undefined;
  const address: Address = { ...outer, environment, [noun === 'component' ? 'component' : 'name']: name };
  const [of] = kinds
    .filter(({ token }) => token.toLowerCase().endsWith(noun))
    .flatMap((kind) => scopeNaming(kind, Object.keys(address)) ?? [])
    .filter(({ stage }) => stage === 'environment');
  return of && { of, address };
}

/** A committed release of the environment, and whether it may have pulled something new. */
type Closed = Release & { readonly isPull: boolean };

/** Those releases, newest first, back to the first that another user opened or committed. */
async function releasesToOthers(work: Work): Promise<readonly Closed[]> {
  const list = await work.api.call(routes.environmentReleases.list, { address: work.at });
  const closed = closedAfter(list.filter(isManifest));
  const user = closed.length === 0 ? undefined : await userOf(work);
  const first = closed.findIndex((release) => isOfAnother(release, user));
  return closed
    .slice(first === -1 ? closed.length : first)
    .toReversed()
    .map((each) => ({ ...each, isPull: (each.parentReleaseId ?? 0) > parentBefore(closed, each.releaseId) }));
}

interface Differing extends Twin {
  readonly live: Live;
  readonly candidates: readonly Candidate[];
}

/** A value that may be another one than the file's. */
interface Candidate {
  readonly name: string;
  /** Whether a pull may have brought it, for all that the record shows. */
  readonly mayBePulled: boolean;
  /** Its text, where a run that was killed set it back and left that open. */
  readonly text?: string;
}

async function differingIn(work: Work, twin: Twin): Promise<Differing | undefined> {
  const live = await twin.of.verbs.read({ ...twin.work, isRefresh: true });
  const user = await userOf(work);
  // What others left open has rules of its own.
  if (live === undefined || live.openedBy?.some((name) => name !== user)) return undefined;
  const open = live.writes?.open?.names ?? [];
  const isPinned = !(Number(serviceStamp(memoryOfStage(work, 'environment').known?.['pulled'])) > 0);
  const candidates = [...twin.declared].flatMap(([name, value]): readonly Candidate[] => {
    const text = live.wire[name];
    const isFree = live.owners?.[name] === undefined;
    if (isUnseen(value, text)) return [{ name, mayBePulled: isFree }];
    if (!means(value, text)) return [{ name, mayBePulled: isFree && isPinned }];
    return open.includes(name) && isFree ? [{ name, mayBePulled: true, text: text ?? '' }] : [];
  });
  return candidates.length === 0 ? undefined : { ...twin, live, candidates };
}

/** Those of the values that another user set, by the newest release that shows who did. */
async function setByOthers(differing: Differing, releases: readonly Closed[]): Promise<readonly OverFile[]> {
  const { record, of, work, declared, live } = differing;
  const user = await userOf(work);
  const set = new Map<Candidate, CommittedChange['cause']>();
  let left = differing.candidates;
  let isShown = releases.length <= FARTHEST;
  for (const { releaseId, isPull } of releases.slice(0, FARTHEST)) {
    if (left.length === 0) break;
    const release = await readRelease(work, releaseId);
    isShown &&= release.rfc_cis !== undefined;
    const change = changesIn(release, 'environment').find(
      ({ ciId, action }) => action === 'update' && ciId === live.ciId,
    );
    const isIn = ({ name }: Candidate): boolean => change?.attributes.includes(name) === true;
    for (const candidate of left.filter(isIn))
      if (change && change.cause.who !== user && !(candidate.mayBePulled && isPull)) set.set(candidate, change.cause);
    left = left.filter((each) => !isIn(each));
  }
  const { updatedBy: who = '', updated: when = 0 } = live;
  if (!isShown && who !== user)
    for (const each of left.filter(({ mayBePulled }) => !mayBePulled)) set.set(each, { who, when, releaseId: 0 });
  if (set.size === 0) return [];
  const { noun, path, address } = record;
  const attributes = [...set.keys()].map(({ name }) => name);
  const causes = new Map([...set.values()].map((cause) => [cause.releaseId, cause]));
  const setIn = (releaseId: number): readonly string[] =>
    [...set].flatMap(([each, cause]) => (cause.releaseId === releaseId ? [each.name] : []));
  const { platform = '', name = '' } = address;
  const texts = Object.fromEntries(
    [...set.keys()].flatMap(({ name: own, text }) => (text === undefined ? [] : [[own, text]])),
  );
  return [
    {
      of,
      path,
      work: { ...work, args: argumentsOf(declared, attributes) },
      there: { ciId: live.ciId, texts },
      changes: [...causes.values()].map((cause) => ({
        ...{ noun, path, platform, name, action: 'update', attributes: setIn(cause.releaseId), values: {} },
        ...{ cause, stage: 'environment', isByHand: true },
      })),
    },
  ];
}

/** The arguments that declare some of the values, by wire name. */
function argumentsOf(declared: ReadonlyMap<string, Declared>, names: readonly string[]): Values {
  const args: { [argument: string]: unknown } = {};
  for (const name of names) {
    const { argument = '', shape, value } = declared.get(name) ?? {};
    args[argument] = shape?.type === 'open' ? { ...Object(args[argument]), [name]: value } : value;
  }
  return args;
}
