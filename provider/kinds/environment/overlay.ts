// Verbs of records whose values differ from the design in one environment: declared values are
// written there and locked against pulls; others follow the design (service-facts §2.1.5, §4.7.5).
import type { Api } from '../../../api/client';
import { ENCRYPTED, routes, type Attributes, type Record as WireRecord, type Route } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import { type LifecycleError, orElse } from '../../errors';
import { asPulled, type AsPulled, type WrittenRecord } from '../../history/as-pulled';
import { textAt, type Texts } from '../../values/plain';
import { adopt } from '../../verbs/adopt';
import {
  areForeignComments,
  commentsBase,
  commentsIn,
  commentsOf,
  declaresComments,
  withComments,
} from '../../verbs/comments';
import { committedOf, isLocked, isPendingDelete, liveOf, ownersOf } from '../../verbs/live';
import { AlreadyThere, readOrGone } from '../../verbs/presence';
import { isTwin } from '../../verbs/records';
import type { Live, Owners } from '../../address/live';
import type { Address, FoundRecord, UpdateWork, Verbs, Work } from '../../kind';
import { lookAtGivenBack } from '../../deploy/others/brought';
import { followDesign } from './pull';

/** What the record of an environment and that of its design have in common. */
export type Named = Pick<WireRecord, 'ciName' | 'ciClassName'>;

/** How records of a kind lie over the design's. */
interface Overlay {
  /** The record in the environment; undefined when it no longer exists, or is to be deleted. */
  readonly find: (work: Work) => Promise<WireRecord | undefined>;
  /** The record of the design that a pull copies, if there is one. */
  readonly designed: (work: Work, record: Named) => Promise<WireRecord | undefined>;
  readonly update: Route;
  readonly addressOf: (work: Work, record: Pick<WireRecord, 'ciId'>) => Work['at'];
  /** The address argument with the record's own name or number. Default: `name`. */
  readonly ownName?: string;
  /** The error for an environment without such a record. */
  readonly missing: (work: Work) => LifecycleError;
  readonly declares: (args: Work['args']) => readonly string[];
  /**
   * How the attributes are one value: they are written, locked and given back together, and a
   * record that the design lacks goes with the next pull. Default: each attribute is a value of its
   * own.
   */
  readonly asOne?: {
    /** The declared texts of all of them. */
    readonly texts: (work: Work) => Texts;
    /** The attribute by which messages name the value. */
    readonly named: (record: WireRecord) => string;
  };
  /** Arguments of the kind that are not attributes of the record, as texts by wire name. */
  readonly beside?: (work: Work, record: WireRecord) => Attributes | Promise<Attributes>;
  /** What to do after the declared values were written. */
  readonly afterWrite?: (work: Work, written: Live) => Promise<Live>;
}

const nameOf = ({ ownName = 'name' }: Overlay, work: Work): string => String(work.address[ownName]);

const liveIn = async ({ beside, ownName = 'name' }: Overlay, work: Work, record: WireRecord): Promise<Live> => ({
  ...liveOf(record, { ...commentsOf(record), ...(await beside?.(work, record)) }),
  origin: 'pack',
  named: { [ownName]: record.ciName },
});

function declaredTexts({ declares, asOne }: Overlay, work: Work): Texts {
  const names = declares(work.args);
  return Object.fromEntries(Object.entries(asOne?.texts(work) ?? work.wire).filter(([name]) => names.includes(name)));
}

/** Sends texts; locks everything that is declared, keeps `owners`, and unlocks other sent texts. */
async function put(
  overlay: Overlay,
  work: Work,
  { ciId, owners }: { readonly ciId: number; readonly owners: Owners },
  { comments, ...texts }: Texts,
): Promise<Live> {
  const ours = (name: string): string => (name in declared ? 'manifest' : '');
  const declared = declaredTexts(overlay, work);
  const names = Object.keys({ ...texts, ...declared });
  const owner = { ...owners, ...Object.fromEntries(names.map((name) => [name, ours(name)])) };
  const own = { ciId, ciName: nameOf(overlay, work), ...(comments === undefined ? {} : { comments }) };
  const body = { cms_dj_ci: { ...own, ciAttributes: texts, ciAttrProps: { owner } } };
  const record = await work.api.call(overlay.update, { address: overlay.addressOf(work, { ciId }), body });
  return liveIn(overlay, work, record as WireRecord);
}

/** Writes declared values that differ or are not locked; others follow the design again. */
async function write(overlay: Overlay, work: UpdateWork): Promise<Live> {
  const { live, changes } = work;
  const owners = live.owners ?? {};
  const declared = overlay.declares(work.args);
  const gone = overlay.declares(work.known ?? {}).filter((name) => !declared.includes(name));
  if (overlay.asOne && gone.length > 0) return giveValueBack(overlay, work, gone);
  const whole = declaredTexts(overlay, work);
  const unlocked = Object.entries(whole).filter(([name]) => owners[name] !== 'manifest');
  const changed = Object.entries(changes).filter(([name]) => declared.includes(name) || gone.includes(name));
  const isWhole = overlay.asOne !== undefined && unlocked.length + changed.length > 0;
  const texts = {
    ...Object.fromEntries(isWhole ? Object.entries(whole) : [...unlocked, ...changed]),
    ...commentsIn(changes),
  };
  // A secret may be unlocked already, by a run that ended before its pull.
  const isSecret = (name: string): boolean => live.wire[name] === ENCRYPTED;
  const released = gone.filter((name) => (owners[name] !== undefined || isSecret(name)) && !(name in texts));
  if (Object.keys(texts).length + released.length === 0)
    return { ...live, stamp: textAt(work.known, 'revision', live.stamp) };
  const back = Object.keys(texts).filter((name) => gone.includes(name));
  const named = { ciName: nameOf(overlay, work), ciClassName: live.className };
  await lookAtGivenBack(work, named, back, () => overlay.designed(work, named));
  const written = await put(overlay, work, { ciId: live.ciId, owners: withoutNames(owners, gone) }, texts);
  if (released.some(isSecret)) await followDesign(work);
  return written;
}

async function giveValueBack(overlay: Overlay, work: UpdateWork, names: readonly string[]): Promise<Live> {
  const record = await overlay.find(work);
  if (record) await restore(overlay, work, record, names);
  const written = await overlay.find(work);
  return written ? liveIn(overlay, work, written) : work.live;
}

/** Writes the design's values to unlocked attributes. A pull copies the design's secrets. */
async function restore(overlay: Overlay, work: Work, record: WireRecord, declared?: readonly string[]): Promise<void> {
  const design = await overlay.designed(work, record);
  const owners = ownersOf(record);
  // A sweep may not know which attributes were declared.
  const names = declared ?? Object.keys(owners);
  const texts = design ? committedOf(design) : record.ciAttributes;
  const isAway = (name: string): boolean =>
    owners[name] !== undefined || (record.ciAttributes[name] ?? '') !== (texts[name] ?? '');
  const away = names.filter(isAway);
  const isCommented = declaresComments(work) && Boolean(record.comments);
  if (away.length === 0 && !isCommented) {
    // A run that ended before its pull may have unlocked a secret. A read does not show whether its
    // value is the design's.
    const isWritten = record.rfcAction === 'update' || Boolean(record.updatedBy);
    const isSecret = names.some((name) => texts[name] === ENCRYPTED);
    if (design !== undefined && isWritten && isSecret) await followDesign(work);
    return;
  }
  const comments = isCommented ? commentsOf(design ?? { comments: '' }) : {};
  const isReadable = (name: string): boolean => texts[name] !== ENCRYPTED;
  const readable = overlay.asOne && !away.every(isReadable) ? [] : away.filter(isReadable);
  const plain = Object.fromEntries(readable.map((name) => [name, texts[name] ?? '']));
  const own = { ciId: record.ciId, owners: withoutNames(owners, names) };
  await lookAtGivenBack(work, record, design ? readable : away, () => Promise.resolve(design));
  if (design === undefined && overlay.asOne) return;
  await put(overlay, { ...work, args: {} }, own, { ...plain, ...comments });
  if (design === undefined && away.length > 0)
    work.notice(
      `${away.join(', ')} ${away.length === 1 ? 'stays as it is' : 'stay as they are'}: the design has no such record`,
    );
  else if (readable.length < away.length) await followDesign(work);
}

const withoutNames = (owners: Owners, names: readonly string[]): Owners =>
  Object.fromEntries(Object.entries(owners).filter(([name]) => !names.includes(name)));

/**
 * A notice for each replaced text that nobody locked, and that is not the design's: a user set it
 * in the environment, or the design changed since the last pull. `designed` is requested only for a
 * record that was written after it was created.
 */
async function noteReplaced(
  work: Work,
  record: WireRecord,
  texts: Texts,
  designed: () => Promise<WireRecord | undefined>,
): Promise<void> {
  const { ciAttributes: there, updatedBy, rfcAction } = record;
  const replaced = Object.keys(texts).filter((name) => (there[name] ?? '') !== texts[name]);
  if (replaced.length === 0 || !(updatedBy || rfcAction === 'update')) return;
  // A failed notice does not stop a write.
  const design = await orElse(designed(), undefined, isApiError);
  const base = design && committedOf(design);
  const { updatedBy: who } = liveOf(record);
  const writer = who ? `; ${who} wrote the record last` : '';
  for (const name of replaced)
    if (base === undefined || (there[name] ?? '') !== (base[name] ?? ''))
      work.notice(
        `${name} was ${shown(there[name])} in the environment${base ? `, and ${shown(base[name])} in the design` : ''}: the declared value replaces it${writer}`,
      );
}

const shown = (text: string | null | undefined): string =>
  text === ENCRYPTED ? 'a secret' : text ? JSON.stringify(text) : 'empty';

/** Verbs of records whose values differ from the design. */
export function overlayVerbs(overlay: Overlay): Verbs {
  const finished = (work: Work, live: Live): Live | Promise<Live> => overlay.afterWrite?.(work, live) ?? live;
  const verbs = {
    ...adopt<WireRecord>({
      find: overlay.find,
      live: (work, record) => liveIn(overlay, work, record),

      async make(work) {
        await work.api.call(routes.environments.read, { address: work.at });
        throw overlay.missing(work);
      },

      /** When another user locked a declared attribute, the lifecycle decides. */
      async take(work, record) {
        const live = await liveIn(overlay, work, record);
        const { owners = {} } = live;
        const declared = overlay.declares(work.args);
        const isTheirs =
          areForeignComments(work, record) &&
          record.comments !== (await commentsBase(live, () => overlay.designed(work, record))).comments;
        if (isTheirs || declared.some((name) => owners[name] !== undefined)) throw new AlreadyThere(live);
        const texts: Texts = { ...declaredTexts(overlay, work), ...commentsIn(work.wire) };
        if (Object.keys(texts).length === 0) return finished(work, live);
        const named = overlay.asOne?.named(record);
        const noted = named === undefined ? texts : { [named]: texts[named] ?? '' };
        await noteReplaced(work, record, noted, () => overlay.designed(work, record));
        return finished(work, await put(overlay, work, { ciId: record.ciId, owners }, texts));
      },

      write: async (work) => finished(work, await write(overlay, work)),

      giveBack(work, record) {
        const isKnown = Object.keys(work.args).length > 0;
        return restore(overlay, work, record, isKnown ? overlay.declares(work.args) : undefined);
      },

      async base(work, live, names) {
        const ciName = live.named?.[overlay.ownName ?? 'name'] ?? nameOf(overlay, work);
        const design = await overlay.designed(work, { ciName, ciClassName: live.className });
        const texts = design ? committedOf(design) : overlay.asOne ? {} : live.wire;
        const comments = await commentsBase(live, () => Promise.resolve(design));
        return { ...Object.fromEntries(names.map((name) => [name, texts[name] ?? ''])), ...comments };
      },
    }),
    ...(overlay.asOne ? {} : { acts: true, restoresSecrets: true }),
  };
  return withComments(verbs);
}

interface Laid {
  readonly record: WireRecord;
  /** Whether it only differs from the design, without a lock: a pull may be missing. */
  readonly isGiven: boolean;
}

/** The records of an environment that are locked or differ from the design. */
export function laidOver(there: readonly WireRecord[], designed: readonly WireRecord[]): readonly Laid[] {
  return there.flatMap((record): readonly Laid[] => {
    if (isPendingDelete(record)) return [];
    if (isLocked(record)) return [{ record, isGiven: false }];
    const design = designed.find((other) => isTwin(other, record));
    return design !== undefined && differs(record, design) ? [{ record, isGiven: true }] : [];
  });
}

/** Whether a readable text differs from the committed design, or there are own comments. */
const differs = ({ ciAttributes, comments }: WireRecord, design: WireRecord): boolean =>
  (Boolean(comments) && comments !== design.comments) ||
  Object.entries(committedOf(design)).some(
    ([name, text]) => name in ciAttributes && text !== ENCRYPTED && (ciAttributes[name] ?? '') !== (text ?? ''),
  );

/** Lists of a platform that are read otherwise: no more releases are read instead. */
const LISTS = 3;

/**
 * What releases show of an environment with some platforms (`asPulled`). Where they cannot be read,
 * the lists show it, or why.
 */
export const shownAsPulled = (api: Api, at: Address, platforms: readonly unknown[]): Promise<AsPulled | undefined> =>
  orElse(asPulled({ api, at }, LISTS * platforms.length), undefined);

/**
 * The records in an environment's platforms that may be set there, without platforms that are being
 * deleted, and without nouns of which releases show that all are as a pull created them.
 */
export async function inEachPlatform<T>(
  api: Api,
  at: Address,
  noun: string,
  search: (at: Address, written: readonly WrittenRecord[] | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const shown = await shownAsPulled(api, at, platforms);
  const there = platforms.filter((each) => !isPendingDelete(each) && shown?.is(noun, each.ciName) !== true);
  const found = there.map(({ ciName: platform }) => search({ ...at, platform }, shown?.records(noun, platform)));
  return (await Promise.all(found)).flat();
}

/** Whether records of an environment may be locked or differ from the design, by its releases. */
export const mayDiffer = (written: readonly WrittenRecord[] | undefined, designed: readonly WireRecord[]): boolean =>
  written === undefined ||
  written.some(
    ({ record, isChanged, wasLocked }) =>
      wasLocked || (isChanged && Object.values(record.ciAttributes).includes(ENCRYPTED)),
  ) ||
  designed.some((design) => {
    const own = written.find(({ record }) => isTwin(record, design));
    return own === undefined || isLocked(own.record) || differs(own.record, design);
  });

/** The lists in which records of an environment are found, and those of its design. */
interface LaidLists {
  readonly there: Route;
  readonly designed: Route;
  /** The address argument with a record's own name. */
  readonly ownName: 'name' | 'component';
}

/** The records of an environment's platforms that are locked or differ from the design. */
export const searchPlatforms =
  (noun: string, lists: LaidLists) =>
  (api: Api, at: Address): Promise<readonly FoundRecord[]> =>
    inEachPlatform(api, at, noun, (place, written) => searchLaid(api, place, lists, written));

/** Records that are locked or differ from the design; the list is read only where needed. */
export async function searchLaid(
  api: Api,
  address: Address,
  { there, designed, ownName }: LaidLists,
  written: readonly WrittenRecord[] | undefined,
): Promise<readonly FoundRecord[]> {
  const design = (await readOrGone(api, address, () => api.call(designed, { address }))) ?? [];
  if (!mayDiffer(written, design as readonly WireRecord[])) return [];
  const own = (await api.call(there, { address })) as readonly WireRecord[];
  const isShared = (record: WireRecord): boolean =>
    own.some((other) => other !== record && other.ciName === record.ciName);
  const { platform } = address;
  return laidOver(own, design as readonly WireRecord[]).map(({ record, isGiven }) => ({
    address: { ...(platform === undefined ? {} : { platform }), [ownName]: record.ciName },
    ...(isShared(record) ? { number: record.ciId } : {}),
    isGiven,
  }));
}
