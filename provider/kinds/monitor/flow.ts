// Monitor verbs in designs: monitors that come with a pack are updated and given back, others are created and deleted (service-facts §4.5.4).
import { type RecordDifference, routes, type Record as WireRecord } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import type { Live } from '../../address/live';
import { LifecycleError } from '../../errors';
import { snakeCase } from '../../field';
import { entryNames } from '../../kind';
import type { UpdateWork, Verbs, Work } from '../../model';
import { atComponent, holderOfName, recordOnComponent } from '../../verbs/component-records';
import { adopt } from '../../verbs/adopt';
import { bodyOf, createOrFind, deleteOnce, type Recording } from '../../verbs/crud';
import { isLocked, liveOf, ownersOf } from '../../verbs/live';
import { AlreadyThere, readOrGone } from '../../verbs/presence';
import { numberedAddress, ofClass } from '../../verbs/records';
import { partKind, type PartKind } from '../environment/parts';
import { afterPendingDelete, designQueue } from '../platform';

/** Texts by wire name. */
interface Texts {
  readonly [wireName: string]: string;
}

const recording: Recording = { wrapper: 'cms_dj_ci', locked: true, memberNames: [] };

const monitors = { ...routes.monitors, isMeant: ofClass('Monitor') };

/** Added to the declared values of a new monitor: no pack created it. */
const OWN: Texts = { custom: 'true' };

/** Attributes of a monitor, by wire name. */
const ATTRIBUTES = [
  'description',
  'cmd',
  'cmd_options',
  'cmd_line',
  'metrics',
  'thresholds',
  'sample_interval',
  'heartbeat',
  'duration',
  'chart',
  'custom',
  'enable',
];

/** Wire names of the attributes that arguments declare. */
const declaredNames = (args: Work['args']): readonly string[] =>
  entryNames(args)
    .map(snakeCase)
    .filter((name) => ATTRIBUTES.includes(name));

const find = async (work: Work): Promise<WireRecord | undefined> => (await recordOnComponent(work, monitors))?.record;

/** The beginning of the names of all monitors that come with a pack (service-facts §12.1). */
const givenPrefix = ({ address }: Work): string => `${address['platform']}-${address['component']}-`;

/** Every record of a platform, with the values that its pack gives it. */
async function comparedWithPack(work: Work): Promise<readonly RecordDifference[]> {
  const query = { committed: 'false', changes_only: 'false' };
  const list = await readOrGone(work.api, work.at, () =>
    work.api.call(routes.platforms.diff, { address: work.at, query }),
  );
  return list ?? [];
}

/** The monitor of this name that comes with the pack, from one answer for the whole platform. */
async function givenByPack(work: Work, name: string): Promise<RecordDifference | undefined> {
  const { session, at } = work;
  const isGiven = (record: RecordDifference): boolean =>
    monitors.isMeant(record) && record.ciName === name && Boolean(record.diffCi);
  const key = `records of ${at['assembly']}/${at['platform']} and its pack`;
  const all = await session.answers.derived(key, 'pack', at, () => comparedWithPack(work));
  // One that is missing there may have come with a component that this run created since.
  return all.find(isGiven) ?? (await comparedWithPack(work)).find(isGiven);
}

/** The values that the pack gives a monitor; undefined when the monitor does not come with the pack. */
async function packTexts(work: Work): Promise<Texts | undefined> {
  const name = String(work.address['name']);
  if (!name.startsWith(givenPrefix(work))) return undefined;
  const given = (await givenByPack(work, name))?.diffCi?.ciAttributes;
  return given && Object.fromEntries(Object.entries(given).map(([wireName, text]) => [wireName, text ?? '']));
}

/** A JSON text with sorted keys and without spaces, because the service may change both. */
function canonical(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const sorted = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
            .sort(([left], [right]) => (left < right ? -1 : 1))
            .map(([key, item]) => [key, sorted(item)])
        : value;
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** The names of texts that differ from a record's. */
const differing = (texts: Texts, { ciAttributes }: WireRecord): readonly string[] =>
  Object.keys(texts).filter((name) => canonical(texts[name] ?? '') !== canonical(ciAttributes[name] ?? ''));

const picked = (texts: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(names.map((name) => [name, texts[name] ?? '']));

const liveMonitor = (record: WireRecord, origin: Live['origin']): Live => ({ ...liveOf(record), origin });

async function write(work: UpdateWork): Promise<Live> {
  const body = bodyOf(work, recording, work.changes, work.live);
  const address = numberedAddress(work, monitors, work.live);
  return liveMonitor(await work.api.call(routes.monitors.update, { address, body }), work.live.origin);
}

/** Throws LifecycleError when the pack has a monitor of this name, whose full name begins with the platform and the component. */
async function refuseShortName(work: Work): Promise<void> {
  const name = String(work.address['name']);
  const given = `${givenPrefix(work)}${name}`;
  if ((await givenByPack(work, given)) !== undefined)
    throw new LifecycleError(
      `the pack brings the monitor "${given}", and a second one in addition is rarely intended`,
      `declare "${given}", or give your own monitor another name than "${name}"`,
    );
}

/** Sends a create. When the name is taken, the error names the component that has the monitor: names are unique in a platform (service-facts §2.1.6). */
async function namingHolder<T>(work: Work, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isApiError(error) || error.status !== 422) throw error;
    const holder = await holderOfName(work, routes.monitors.list);
    if (holder === undefined || String(holder.ciId) === work.at['component']) throw error;
    throw error.advised(
      `component "${holder.ciName}" has the monitor of this name; to move it, first run pulumi up with neither component declaring it, then declare it here`,
    );
  }
}

async function make(work: Work): Promise<Live> {
  if (!String(work.address['name']).startsWith(givenPrefix(work))) await refuseShortName(work);
  const within = await atComponent(work);
  const body = bodyOf(within, recording, { ...OWN, ...within.wire });
  const send = (): Promise<WireRecord> => work.api.call(routes.monitors.create, { address: within.at, body });
  return createOrFind(
    within,
    (again) => monitorVerbs.read(again),
    () => namingHolder(within, () => afterPendingDelete(within, send)),
    recording,
  );
}

/** Overwrites the values of the pack. When a user set other values, the lifecycle decides. */
async function take(work: Work, record: WireRecord): Promise<Live> {
  const live = liveMonitor(record, 'pack');
  const given = (await packTexts(work)) ?? {};
  const names = differing(work.wire, record);
  const set = differing(given, record);
  if (names.some((name) => set.includes(name))) throw new AlreadyThere(live);
  if (names.length === 0 && isLocked(record)) throw new AlreadyThere(live);
  // A declared value that equals the pack's is written too: the lock makes it stop following the pack.
  return write({ ...work, live, changes: work.wire });
}

/** Restores the pack's values for what was declared, or for everything locked when a sweep does not know what was declared. */
async function giveBack(work: Work, record: WireRecord): Promise<void> {
  const given = await packTexts(work);
  if (given === undefined) return remove(work, record);
  const owners = ownersOf(record);
  const declared = declaredNames(work.args);
  const ours = declared.length > 0 ? declared : Object.keys(owners);
  const changed = differing(picked(given, ours), record);
  if (changed.length === 0 && !ours.some((name) => name in owners)) return;
  await write({ ...work, wire: {}, live: liveMonitor(record, 'pack'), changes: picked(given, ours) });
}

const remove = async (work: Work, record: WireRecord): Promise<void> =>
  deleteOnce(() => work.api.call(routes.monitors.delete, { address: numberedAddress(work, monitors, record) }));

const adopted = adopt<WireRecord>({
  queue: designQueue,
  find,
  isGiven: async (work) => (await packTexts(work)) !== undefined,

  async live(work, record) {
    const origin = work.known?.['origin'] ?? ((await packTexts(work)) ? 'pack' : 'created');
    return liveMonitor(record, origin === 'pack' ? 'pack' : 'created');
  },

  make,
  take,
  write,
  giveBack,
  remove,
  base: async (work, live) => (live.origin === 'pack' ? ((await packTexts(work)) ?? {}) : OWN),
});

/** Verbs of the monitors of a design. */
export const monitorVerbs: Verbs = adopted;

/** Whether a monitor came with its pack, and no user set a value in it. */
export const isGivenMonitor = (record: Pick<WireRecord, 'ciAttrProps' | 'ciAttributes'>): boolean =>
  !isLocked(record) && record.ciAttributes['custom'] !== 'true';

/** Monitors of an environment's components: the values that differ there from the monitor of the design (service-facts §4.7.5). */
export const monitorsInEnvironment: PartKind = partKind({
  className: 'Monitor',
  routes: routes.environmentMonitors,
  designed: routes.monitors.list,
  advice:
    'declare it for the component of the design too; a monitor that comes with the pack is called after its platform and component, such as "web-os-cpu"',
  declares: declaredNames,
});
