// Finds declared records that somebody deleted from the design, before its commit or pull.
import { type Record as WireRecord, type RecordDifference, routes } from '../../../api/contract';
import { type CommittedChange, isSameRecord } from '../../history/change';
import { designChangesSince, lastDesignChange, namedIn } from '../../history/committed';
import { LifecycleError, orElse } from '../../errors';
import type { Kind, Work } from '../../kind';
import { isPendingDelete } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { isAdopting } from '../../lifecycle/take-over';
import { recordsIn } from '../../commit/design-changes';
import { declaredInDesign, type DeclaredRecordOf } from '../declared-records';
import type { PlanChanges } from './cause';
import { type Loss, lossLine } from './loss';
import { instancesOf } from '../run-elsewhere';

/**
 * The declared records of earlier runs that the design lacks, without what is inside another one.
 * Lists are read only if another user deleted something since `release`. `changes`: before a pull,
 * which brings only what is committed.
 */
export async function lostFromDesign(
  work: Work,
  release: number,
  changes?: readonly CommittedChange[],
): Promise<readonly Loss[]> {
  const isPull = changes !== undefined;
  const theirs = changes ?? (await designChangesSince(work, release));
  const deletions = theirs.filter(({ action, noun, link }) => (action === 'delete' && !link) || noun === 'release');
  if (deletions.length === 0) return [];
  const sought = declaredInDesign(work).filter(({ isMade }) => !isMade);
  // A pull brings nothing of what was created again and waits for a commit.
  const isThere = (each: WireRecord): boolean => !isPendingDelete(each) && !(isPull && each.rfcAction === 'add');
  const missing = (await missingInDesign(work, sought, deletions, isThere)).filter((each) => !comesBack(work, each));
  const top = missing.filter(({ path }) => !missing.some((other) => path.startsWith(`${other.path}/`)));
  return Promise.all(
    top.map(async (record) => {
      const instances = record.noun === 'platform' ? await instancesOf(platformIn(work, record.path)) : 0;
      const loss = deletedFromDesign(record, deletions, instances);
      return record.isTaken ? createdAgain(loss) : loss;
    }),
  );
}

/**
 * The loss of one record whose last change in `changes` is its deletion; one created again and not
 * committed is in no pull. `designed` asks for it.
 */
export async function recordLostFromDesign(
  work: Work,
  changes: readonly CommittedChange[],
  isMeant: (change: CommittedChange) => boolean,
  designed: () => Promise<Pick<WireRecord, 'rfcAction'> | undefined>,
): Promise<readonly Loss[]> {
  const last = changes.findLast(isMeant);
  if (last?.action !== 'delete') return [];
  const record = declaredInDesign(work).find((each) => !each.isMade && isDeletionOf(last, each));
  if (record === undefined) return [];
  const there = await designed();
  const loss = deletedFromDesign(record, [last], 0);
  if (there === undefined) return [loss];
  return there.rfcAction === 'add' ? [createdAgain(loss)] : [];
}

/** Whether this run, which wrote nothing yet, makes a missing record again, or takes over the one in its place. */
const comesBack = (work: Work, { of, address, isReferred, isTaken, memory: { inputs, isChanged } }: MissingRecord) =>
  work.session.own.user === undefined &&
  isChanged === true &&
  (isTaken ? isAdopting(of, { ...work, address, args: inputs }) : !isReferred);

/** The loss of a record of which another one has the name. */
const createdAgain = (loss: Loss): Loss => ({
  ...loss,
  did: `${loss.did}, where another one has its name now`,
  keep: 'have the one that was created again deleted in the service, or declare adopt: true for it; then run pulumi up --refresh',
});

function deletedFromDesign(record: DeclaredRecordOf, deletions: readonly CommittedChange[], instances: number): Loss {
  const { noun, path, isReferred } = record;
  const cause = deletions.findLast((change) => isDeletionOf(change, record))?.cause;
  const { component = '', platform = '' } = record.address;
  const above = { noun: 'component', address: { name: component, platform } };
  const isWithin = component !== '' && deletions.some((change) => isDeletionOf(change, above));
  return {
    subject: path,
    did: `deleted ${noun} ${path} from the design`,
    cause: cause ?? deletions.at(-1)?.cause,
    stage: 'design',
    instances,
    keep: isReferred
      ? 'have it created again where it is declared, in the stack that owns it'
      : `pulumi up --refresh creates it again from the file${isWithin ? `, once component ${platform}/${component} exists, made by hand or declared here` : ''}`,
    letGo: `remove ${path} from the file`,
  };
}

/** Declared platforms of earlier runs that a design lacks; `names` are those that it has. */
export async function platformsLostFromDesign(work: Work, names: readonly string[]): Promise<readonly Loss[]> {
  const lost = declaredInDesign(work).filter(
    ({ noun, isMade, path }) => noun === 'platform' && !isMade && !names.includes(path),
  );
  return lossesOf(work, lost, (path) => instancesOf(platformIn(work, path)));
}

/** The losses of records, by the last deletion of each. `instances`: those of a record at a path. */
const lossesOf = (
  work: Work,
  records: readonly DeclaredRecordOf[],
  instances: (path: string) => number | Promise<number>,
): Promise<readonly Loss[]> =>
  Promise.all(
    records.map(async (record) => {
      const deletion = await lastDesignChange(work, (change) => isDeletionOf(change, record));
      return deletedFromDesign(record, deletion ? [deletion] : [], await instances(record.path));
    }),
  );

/** Another stack's missing record; undefined where no release shows who deleted it. */
export async function deletedReference(of: Kind, work: Work): Promise<LifecycleError | undefined> {
  if (of.stage !== 'design') return undefined;
  const noun = of.token.toLowerCase();
  const isMeant = (change: CommittedChange): boolean => isDeletionOf(change, { noun, address: work.address });
  const deletion = await orElse(lastDesignChange(work, isMeant), undefined);
  if (deletion === undefined) return undefined;
  return new LifecycleError(
    `there is no such ${noun}: ${lossLine({ did: `deleted ${noun} ${deletion.path} from the design`, cause: deletion.cause })}`,
    'it is declared with existing: true; have it created again in the stack that owns it, or remove it from the file',
  );
}

/**
 * Declared components that the environment lacks and of which a plan deletes instances: somebody
 * deleted them in the design between this run's look and its pull.
 */
export async function componentsLostByPlan(
  work: Work,
  { components: counts }: Pick<PlanChanges, 'components'>,
): Promise<readonly Loss[]> {
  const declared = declaredInDesign(work).filter(
    ({ noun, path, memory, isReferred }) =>
      noun === 'component' && !isReferred && counts.has(path) && memory.replaced === undefined,
  );
  const lost: DeclaredRecordOf[] = [];
  for (const platform of new Set(declared.map(({ address }) => address['platform'] ?? ''))) {
    const address = { ...work.at, platform };
    const there = await readOrGone(work.api, work.at, () =>
      work.api.call(routes.environmentPlatforms.components, { address }),
    );
    const names = there?.filter((each) => !isPendingDelete(each)).map(({ ciName }) => ciName);
    lost.push(
      ...declared.filter(
        ({ address: own }) => own['platform'] === platform && names?.includes(own['name'] ?? '') === false,
      ),
    );
  }
  return lossesOf(work, lost, (path) => counts.get(path) ?? 0);
}

const isDeletionOf = (
  change: CommittedChange,
  { noun, address: { name = '', platform = '' } }: Pick<DeclaredRecordOf, 'noun' | 'address'>,
): boolean => change.action === 'delete' && isSameRecord(change, { noun, name, platform });

/** A record that a design lacks, and whether another one has its name. */
interface MissingRecord extends DeclaredRecordOf {
  readonly isTaken: boolean;
}

/** Those of some records that the lists of the design lack, where something was deleted. */
async function missingInDesign(
  work: Work,
  sought: readonly DeclaredRecordOf[],
  deletions: readonly CommittedChange[],
  isThere: (record: WireRecord) => boolean,
): Promise<readonly MissingRecord[]> {
  const at = { assembly: work.at['assembly'] ?? '' };
  const all = (await readOrGone(work.api, at, () => work.api.call(routes.platforms.list, { address: at }))) ?? [];
  const platforms = all.filter(isThere);
  const isPlatform = (name: string): boolean => platforms.some(({ ciName }) => ciName === name);
  const isUnlisted = deletions.some(({ noun }) => noun === 'release');
  const inside = new Map<string, readonly RecordDifference[]>();
  for (const name of new Set(sought.map(({ address }) => address['platform'] ?? '')))
    if (isPlatform(name) && (isUnlisted || deletions.some(({ platform }) => platform === name)))
      inside.set(name, await recordsIn({ ...work, at }, name));
  const hasVariables = sought.some(({ noun, address }) => noun === 'variable' && address['platform'] === undefined);
  const variables = hasVariables ? await work.api.call(routes.designVariables.list, { address: at }) : [];
  const there: readonly RecordDifference[] = [
    ...platforms,
    ...[...variables, ...[...inside.values()].flat()].filter(isThere),
  ];
  return sought.flatMap((record): readonly MissingRecord[] => {
    const { noun, address, ciId, isReferred } = record;
    const { platform, name = '', component } = address;
    const isLooked =
      platform === undefined
        ? noun === 'platform' || noun === 'variable'
        : !isPlatform(platform) || inside.has(platform);
    const named = there.filter(
      (each) =>
        isSameRecord(namedIn(each), { noun, name, platform: platform ?? '' }) &&
        (component === undefined || [each.component?.ciName, String(each.component?.ciId)].includes(component)),
    );
    // Names are given again, numbers are not; another stack's record is meant by its name.
    const isOwn = (each: WireRecord): boolean => isReferred || ciId === 0 || each.ciId === ciId;
    return !isLooked || named.some(isOwn) ? [] : [{ ...record, isTaken: named.length > 0 }];
  });
}

const platformIn = ({ api, at: { assembly = '' } }: Work, platform: string) => ({ api, at: { assembly, platform } });
