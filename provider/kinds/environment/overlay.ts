// Verbs of records that lie over those of the design in one environment: what is declared is written there and locked against pulls; the rest goes
// on following the design, and what is given back follows it again (service-facts §2.1.5, §4.7.5).
// It must not know which kind of record it is, nor the engine.
import { ENCRYPTED, type Attributes, type Record as WireRecord, type Route } from '../../../api/contract';
import type { LifecycleError } from '../../errors';
import { textAt } from '../../text-at';
import { adopt } from '../../verbs/adopt';
import { isLocked, isPendingDelete, liveOf, ownersOf } from '../../verbs/live';
import { AlreadyThere, expectEnvironment } from '../../verbs/presence';
import { isTwin } from '../../verbs/records';
import type { Live, Owners, UpdateWork, Verbs, Work } from '../../verbs/verbs';
import { pullDesign } from './flow';

/** Texts by wire name. */
interface Texts {
  readonly [wireName: string]: string;
}

/** What is alike in the record of an environment and in that of its design. */
export type Named = Pick<WireRecord, 'ciName' | 'ciClassName'>;

/** How records of a kind lie over the design's. */
interface Overlay {
  /** The record in the environment; undefined when it is gone, or waits for the commit of its deletion. */
  readonly find: (work: Work) => Promise<WireRecord | undefined>;
  /** The record of the design that a pull brings it from; undefined when the design has none. */
  readonly designed: (work: Work, record: Named) => Promise<WireRecord | undefined>;
  readonly update: Route;
  /** Where the record is written. */
  readonly addressOf: (work: Work, record: Pick<WireRecord, 'ciId'>) => Work['at'];
  readonly nameOf: (work: Work) => string;
  /** The address argument that is the record's own name, in whose place a number of the service may stand. Default: `name`. */
  readonly ownName?: string;
  /** What to say where the environment has no such record. */
  readonly missing: (work: Work) => LifecycleError;
  /** Wire names of the attributes that arguments declare. */
  readonly declares: (args: Work['args']) => readonly string[];
  /** Arguments of the kind that are no attributes of the record, as texts by wire name. */
  readonly beside?: (work: Work, record: WireRecord) => Attributes;
  /** What else has to be done once what is declared was written. */
  readonly afterWrite?: (work: Work, written: Live) => Promise<Live>;
}

/** The values of a record that the next pull brings: the committed ones. */
const committed = ({ ciAttributes, ciBaseAttributes }: WireRecord): Attributes => ({
  ...ciAttributes,
  ...ciBaseAttributes,
});

/** The record as it stands there. */
const liveIn = ({ beside, ownName = 'name' }: Overlay, work: Work, record: WireRecord): Live => ({
  ...liveOf(record, beside?.(work, record)),
  origin: 'pack',
  named: { [ownName]: record.ciName },
});

/** Texts of what is declared, without what is no attribute of the record. */
function declaredTexts({ declares }: Overlay, { args, wire }: Work): Texts {
  const names = declares(args);
  return Object.fromEntries(Object.entries(wire).filter(([name]) => names.includes(name)));
}

/** Sends texts; locks everything that is declared, keeps `owners`, and unlocks what else is sent. */
async function put(
  overlay: Overlay,
  work: Work,
  { ciId, owners }: { readonly ciId: number; readonly owners: Owners },
  texts: Texts,
): Promise<Live> {
  const ours = (name: string): string => (name in declared ? 'manifest' : '');
  const declared = declaredTexts(overlay, work);
  const names = Object.keys({ ...texts, ...declared });
  const owner = { ...owners, ...Object.fromEntries(names.map((name) => [name, ours(name)])) };
  const ciName = overlay.nameOf(work);
  const body = { cms_dj_ci: { ciId, ciName, ciAttributes: texts, ciAttrProps: { owner } } };
  const record = await work.api.call(overlay.update, { address: overlay.addressOf(work, { ciId }), body });
  return liveIn(overlay, work, record as WireRecord);
}

/** Writes what is declared and stands there otherwise, or unlocked; what is no longer declared follows the design again. */
async function write(overlay: Overlay, work: UpdateWork): Promise<Live> {
  const { live, wire, changes } = work;
  const owners = live.owners ?? {};
  const declared = overlay.declares(work.args);
  const gone = overlay.declares(work.known ?? {}).filter((name) => !declared.includes(name));
  const unlocked = declared.filter((name) => owners[name] !== 'manifest' && name in wire);
  const changed = Object.entries(changes).filter(([name]) => declared.includes(name) || gone.includes(name));
  const texts = {
    ...Object.fromEntries(unlocked.map((name) => [name, wire[name] ?? ''])),
    ...Object.fromEntries(changed),
  };
  const released = gone.filter((name) => owners[name] !== undefined && !(name in texts));
  if (Object.keys(texts).length + released.length === 0)
    return { ...live, stamp: textAt(work.known, 'revision', live.stamp) };
  const written = await put(overlay, work, { ciId: live.ciId, owners: withoutNames(owners, gone) }, texts);
  if (released.some((name) => live.wire[name] === ENCRYPTED)) await pullDesign({ ...work, args: {} });
  return written;
}

/** Unlocks attributes and writes the design's values to them; a secret of the design cannot be read, so a pull has to bring it. */
async function restore(overlay: Overlay, work: Work, record: WireRecord, names: readonly string[]): Promise<void> {
  const design = await overlay.designed(work, record);
  const owners = ownersOf(record);
  const texts = design ? committed(design) : record.ciAttributes;
  const isAway = (name: string): boolean =>
    owners[name] !== undefined || (record.ciAttributes[name] ?? '') !== (texts[name] ?? '');
  const away = names.filter(isAway);
  if (away.length === 0) return;
  const plain = away.filter((name) => texts[name] !== ENCRYPTED).map((name) => [name, texts[name] ?? '']);
  const own = { ciId: record.ciId, owners: withoutNames(owners, names) };
  await put(overlay, { ...work, args: {} }, own, Object.fromEntries(plain) as Texts);
  if (design === undefined)
    work.notice(
      `${away.join(', ')} ${away.length === 1 ? 'stays as it is' : 'stay as they are'}: the design has no such record`,
    );
  else if (plain.length < away.length) await pullDesign({ ...work, args: {} });
}

const withoutNames = (owners: Owners, names: readonly string[]): Owners =>
  Object.fromEntries(Object.entries(owners).filter(([name]) => !names.includes(name)));

/** Verbs of records that lie over the design's. */
export function overlayVerbs(overlay: Overlay): Verbs {
  const finished = (work: Work, live: Live): Live | Promise<Live> => overlay.afterWrite?.(work, live) ?? live;
  return {
    ...adopt<WireRecord>({
      find: overlay.find,
      live: (work, record) => liveIn(overlay, work, record),

      async make(work) {
        await expectEnvironment(work);
        throw overlay.missing(work);
      },

      /** What somebody else locked is theirs: the lifecycle decides what becomes of it. */
      async take(work, record) {
        const live = liveIn(overlay, work, record);
        const { owners = {} } = live;
        const declared = overlay.declares(work.args);
        if (declared.some((name) => owners[name] !== undefined)) throw new AlreadyThere(live);
        if (declared.length === 0) return finished(work, live);
        return finished(work, await put(overlay, work, { ciId: record.ciId, owners }, declaredTexts(overlay, work)));
      },

      write: async (work) => finished(work, await write(overlay, work)),

      giveBack(work, record) {
        // A sweep may not know which attributes were declared.
        const isTold = Object.keys(work.args).length > 0;
        const names = isTold ? overlay.declares(work.args) : Object.keys(ownersOf(record));
        return restore(overlay, work, record, names);
      },

      async base(work, live, names) {
        const ciName = live.named?.[overlay.ownName ?? 'name'] ?? overlay.nameOf(work);
        const design = await overlay.designed(work, { ciName, ciClassName: live.className });
        const texts = design ? committed(design) : live.wire;
        return Object.fromEntries(names.map((name) => [name, texts[name] ?? '']));
      },
    }),
    acts: true,
    restoresSecrets: true,
  };
}

/** A record of an environment that holds something of its own, by what is known of it and of the design's. */
interface Laid {
  readonly record: WireRecord;
  /** Whether nothing says that somebody set it: it only differs from the design, of which a later commit may not have been pulled. */
  readonly isGiven: boolean;
}

/** The records of an environment that are locked, or that differ from the design's. `designed`: the design's records of the same place. */
export function laidOver(there: readonly WireRecord[], designed: readonly WireRecord[]): readonly Laid[] {
  return there.flatMap((record): readonly Laid[] => {
    if (isPendingDelete(record)) return [];
    if (isLocked(record)) return [{ record, isGiven: false }];
    const design = designed.find((other) => isTwin(other, record));
    return design !== undefined && differs(record, design) ? [{ record, isGiven: true }] : [];
  });
}

/** Whether a readable text differs from the design's committed one. */
const differs = ({ ciAttributes }: WireRecord, design: WireRecord): boolean =>
  Object.entries(committed(design)).some(
    ([name, text]) => name in ciAttributes && text !== ENCRYPTED && (ciAttributes[name] ?? '') !== (text ?? ''),
  );
