// Open changes of a design, and which are this stack's (architecture §5 step 2, flows §5.10).
import { routes, type RecordDifference, type Record as WireRecord, type Release } from '../../api/contract';
import { orNone } from '../../api/errors';
import { platformOf } from '../address/ids';
import { parseMemberPath } from '../address/member-path';
import { writersOf } from '../lifecycle/own-writes';
import { memoryOf, memoryOfStage, subjectKey } from '../session';
import { holdsUnknown, UNKNOWN } from '../values/plain';
import type { PropertyPath } from '../values/property-path';
import { declaredValues } from '../values/wire';
import { isLocked, isPendingDelete } from '../verbs/live';
import { readOrGone } from '../verbs/presence';
import { type Kind, openName, type Work } from '../kind';
import { nounOf, pathOf } from '../history/committed';
import { WITH_CHANGES } from '../history/environment-releases';
import { changesNothing } from '../history/taken-back';
import { isOwnChange, isWrittenHere, judged } from './foreign-changes';
import { standing, type Judged, type OpenPlace, type Standing } from './open-changes';
import { declaredTemplate, isOfTemplate } from '../verbs/named-component';
import { declaredMember, isInCreated, isOwn, isToBeWritten, leavingAt, memberTemplates } from './own-records';

/** Judges a change by its record's path, as members are named. */
type Judge = (path: string, record: WireRecord) => Promise<Judged>;

/**
 * The design as a place of open changes. A change is this stack's when it is all declared or
 * written by it, or came with a member: by its pack, or by a deletion above. What is in records of
 * this run is not read.
 */
export function openDesign(work: Work): OpenPlace {
  return placeOf(work, (path, record) => judgedAt(work, path, record));
}

const judgedAt = (work: Work, path: string, record: WireRecord): Promise<Judged> =>
  judged(work, {
    record,
    member: declaredMember(work, 'design', path),
    isMember: isOwn(work, 'design', path),
    isInOwn: isInCreated(work, path),
  });

/**
 * The same while a run still writes, of a platform or of all: what it declares so far, what the
 * same user wrote, and a deleted record that the work makes again, is this stack's; the rest is
 * unclear.
 */
export function openAmidWrites(work: Work): OpenPlace {
  return placeOf(work, async (path, record) => {
    const isMadeAgain = record.rfcAction === 'delete' && record.ciName === work.address['name'];
    if ((isMadeAgain && (await isWrittenHere(work, record))) || (await isOwnChange(work, record))) return { own: true };
    if (isMadeAgain) return { own: true, isWrittenAgain: true };
    const member = declaredMember(work, 'design', path);
    const { own, detail = '' } = await judged(work, { record, member, isMember: member !== undefined });
    return own === true ? { own } : { own: 'unclear', detail };
  });
}

/** What an update writes, by wire name; throws where it would refuse to. */
export type Foresee = (of: Kind, work: Work, ignored: readonly PropertyPath[]) => Promise<object>;

/**
 * The design before a run writes, where its open release lists its changes. Left out are values that
 * the run writes, may set back or does not know yet, and records that it replaces.
 */
export function openBeforeWrites(work: Work, foresee: Foresee): OpenPlace {
  const place = placeOf(work, async (path, record) => {
    const isKept = record.rfcAction !== 'delete' && declaredMember(work, 'design', path) !== undefined;
    if (isToBeWritten(work, path, record) || (isKept && (await isOwnChange(work, record)))) return { own: true };
    const left = await withoutWritten(work, 'design', path, record, foresee);
    const { overwrite, ...rest } = await judgedAt(work, path, left);
    return overwrite === undefined ? rest : { own: true };
  });
  const list = async () => ((await newestOfDesign(work))?.rfc_cis === undefined ? [] : place.list());
  return { ...place, list };
}

/** An open change without the values that this run writes before the commit, or does not know yet. */
export async function withoutWritten(
  work: Work,
  stage: 'design' | 'environment',
  path: string,
  record: WireRecord,
  foresee: Foresee,
): Promise<WireRecord> {
  if (record.rfcAction !== 'update') return record;
  const member = declaredMember(work, stage, path);
  // A map that is not known yet may declare any attribute.
  if (member?.work.args[openName(member.of) ?? ''] === UNKNOWN) return { ...record, ciBaseAttributes: {} };
  const { isChanged, isNew } = member ? memoryOf(work.session, member.of, member.work.address) : {};
  const foreseen = member && isChanged && !isNew ? await foresee(member.of, member.work, member.ignored) : {};
  const gone = stage === 'design' && !work.session.isLimited() ? leavingAt(work, path) : undefined;
  const written = gone ? declaredValues(gone.of, gone.names) : isNew && member?.declared;
  const isWritten = (name: string): boolean =>
    name in foreseen || (written && written.has(name)) || holdsUnknown(member?.declared.get(name)?.value);
  const left = Object.entries(record.ciBaseAttributes ?? {}).filter(([name]) => !isWritten(name));
  return { ...record, ciBaseAttributes: Object.fromEntries(left) };
}

function placeOf(work: Work, judgeEffective: Judge): OpenPlace {
  const judge: Judge = (path, record) =>
    changesNothing(record) ? Promise.resolve({ own: true }) : judgeEffective(path, record);
  return {
    list: () => openInDesign(work, judge),
    all: () => standingInDesign(work, judge),
  };
}

/**
 * The open changes of a design: one request for its newest release, and one for each platform with
 * changed records; all records where the service lists no changes.
 */
async function openInDesign(work: Work, judge: Judge): Promise<readonly Standing[]> {
  if (isBorn(work, '')) return [];
  const release = await newestOfDesign(work);
  if (release?.releaseState !== 'open') return [];
  const { rfc_cis: changed } = release;
  if (changed === undefined) return standingInDesign(work, judge);
  const only = work.at['platform'];
  const platforms = new Map(
    changed.filter(({ ciClassName }) => ciClassName === 'catalog.Platform').map((record) => [record.ciName, record]),
  );
  const within = new Set<string>();
  for (const record of changed) {
    const name = platformOf(record);
    if (name !== '' && !within.has(name) && !(await isWrittenHere(work, record))) within.add(name);
  }
  const names = [...new Set([...platforms.keys(), ...within])].filter((name) => only === undefined || name === only);
  const variables = changed.filter(({ ciClassName }) => only === undefined && ciClassName === 'catalog.Globalvar');
  const looked = names.map((name) => ({ name, record: platforms.get(name), isChangedInside: within.has(name) }));
  return standingIn(work, judge, variables, looked);
}

/**
 * The newest release of the design, in any state, with its changes of records if listed, and unless
 * this run made the assembly. Undefined when there never was one.
 */
export async function newestOfDesign(work: Work): Promise<Release | undefined> {
  const query = isBorn(work, '') ? {} : WITH_CHANGES;
  return orNone(work.api.call(routes.designReleases.latest, { address: work.at, query }));
}

async function standingInDesign(work: Work, judge: Judge): Promise<readonly Standing[]> {
  if (isBorn(work, '')) return [];
  const only = work.at['platform'];
  const [platforms, variables] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    only === undefined ? work.api.call(routes.designVariables.list, { address: work.at }) : [],
  ]);
  const looked = platforms
    .filter(({ ciName }) => only === undefined || ciName === only)
    .map((record) => ({ name: record.ciName, record, isChangedInside: true }));
  return standingIn(work, judge, variables, looked);
}

async function standingIn(
  work: Work,
  judge: Judge,
  variables: readonly WireRecord[],
  platforms: readonly LookedInto[],
): Promise<readonly Standing[]> {
  const inside = platforms.map((platform) => standingInPlatform(work, judge, platform));
  const ofAssembly = variables.map((variable) => member('variable', `$${variable.ciName}`, variable, judge));
  return [...(await Promise.all(ofAssembly)), ...(await Promise.all(inside)).flat()];
}

interface LookedInto {
  readonly name: string;
  /** The platform itself; absent when it is known to be unchanged. */
  readonly record: WireRecord | undefined;
  /** Whether records in it may be changed. */
  readonly isChangedInside: boolean;
}

async function standingInPlatform(
  work: Work,
  judge: Judge,
  { name, record: platform, isChangedInside }: LookedInto,
): Promise<readonly Standing[]> {
  const own = platform && (await member('platform', name, platform, judge));
  const itself = own === undefined ? [] : [own];
  const isTheirs = platform?.rfcAction === 'add' && own?.own !== true;
  if (isTheirs || (platform && isPendingDelete(platform)) || isBorn(work, name) || !isChangedInside) return itself;
  const records = await recordsIn(work, name);
  const ofPack: Judge = async (path, record) => {
    const comesWith =
      platform !== undefined && own?.own === true && isMadeByPack(platform) && isUntouchedSince(record, platform);
    return comesWith ? { own: true } : judge(path, record);
  };
  const others = await namesakes({ ...work, at: { ...work.at, platform: name } }, name, records);
  // Another component of the name is not ours, unless its user deleted it in a killed run.
  const beside: Judge = async (_, record) =>
    record.rfcAction === 'delete' && (await isOwnChange(work, record)) ? { own: true } : ofPack('', record);
  const inside = records.map((record) =>
    standingInside(name, record, others.has((record.component ?? record).ciId) ? beside : ofPack),
  );
  return [...itself, ...(await Promise.all(inside)).flat()];
}

/** Numbers of the components that have the name of one of this stack's, and are not it. */
async function namesakes(
  work: Work,
  platform: string,
  records: readonly RecordDifference[],
): Promise<ReadonlySet<number>> {
  const components = records.filter((record) => nounOf(record) === 'component');
  const found = new Set<number>();
  for (const component of components) {
    const { ciId, ciName } = component;
    if (!components.some((other) => other.ciId !== ciId && other.ciName === ciName)) continue;
    const declared = declaredTemplate(work, ciName);
    const types = [...memberTemplates(work, `${platform}/${ciName}`), ...(declared === undefined ? [] : [declared])];
    const isOf = async (type: string | undefined): Promise<boolean> =>
      type === undefined || isOfTemplate(work, component, type);
    if (types.length > 0 && !(await Promise.all(types.map(isOf))).some(Boolean)) found.add(ciId);
  }
  return found;
}

/** A platform's component, variable, attachment or monitor, without those of deleted components. */
async function standingInside(platform: string, record: RecordDifference, judge: Judge): Promise<readonly Standing[]> {
  const { ciName, component } = record;
  if (component && isPendingDelete(component)) return [];
  const noun = nounOf(record);
  const isPart = noun === 'attachment' || noun === 'monitor';
  const inside = `${component?.ciName ?? '?'}/${noun === 'monitor' ? '!' : ''}${ciName}`;
  const comesWith = noun === 'monitor' && component?.rfcAction === 'add' && isUntouchedSince(record, component);
  const own: Judge = comesWith ? () => Promise.resolve({ own: true }) : judge;
  return [await member(noun, isPart ? `${platform}/${inside}` : pathOf(record), record, own)];
}

const member = (noun: string, path: string, record: WireRecord, judge: Judge): Promise<Standing> =>
  standing(`${noun} ${path}`, record, () => judge(path, record));

/** All records of a design's platform, as the comparison with its pack lists them, open or not. */
export const recordsIn = (
  { api, at }: Pick<Work, 'api' | 'at'>,
  platform: string,
): Promise<readonly RecordDifference[]> =>
  api.call(routes.platforms.diff, {
    address: { ...at, platform },
    query: { committed: 'false', changes_only: 'false' },
  });

/** The same; none without such a platform. */
export const recordsIfAny = async (
  { api, at }: Pick<Work, 'api' | 'at'>,
  platform = at['platform'] ?? '',
): Promise<readonly RecordDifference[]> => (await readOrGone(api, at, () => recordsIn({ api, at }, platform))) ?? [];

/** Whether a platform's open change lets its pack change records. */
const isMadeByPack = ({ rfcAction, ciBaseAttributes }: WireRecord): boolean =>
  rfcAction === 'add' ||
  (rfcAction === 'update' && ['version', 'pack_digest'].some((name) => name in (ciBaseAttributes ?? {})));

/** Whether only another record's change wrote one: a pack locks nothing (service-facts §2.1.5). */
function isUntouchedSince(record: WireRecord, cause: WireRecord): boolean {
  const [causedBy] = writersOf(cause);
  return !isLocked(record) && writersOf(record).every((writer) => writer === causedBy);
}

/** Whether this run made the design, or a platform of it: nothing in it is anybody else's. */
function isBorn(work: Work, platform: string): boolean {
  const assembly = `${work.api.organization}/${String(work.at['assembly'])}`;
  if (platform === '') return memoryOfStage(work, 'design').isBorn === true;
  const found = parseMemberPath(work.session.kinds, 'design', platform);
  return found !== undefined && work.session.memory.of(subjectKey(found.of, `${assembly}/${platform}`)).isBorn === true;
}
