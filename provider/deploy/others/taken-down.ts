// Platforms that nobody declares in this stack, and that go with what it takes down: named, or
// refused.
import { type Record as WireRecord, routes } from '../../../api/contract';
import { orNone, plural } from '../../../api/errors';
import { isOutage, LifecycleError, orElse } from '../../errors';
import { platformOf } from '../../address/ids';
import type { CommittedChange } from '../../history/change';
import { additionOf, additionShown, changesIn } from '../../history/committed';
import { causeOf, openRelease } from '../../history/environment-releases';
import { userOf } from '../../history/user';
import type { Work } from '../../kind';
import { lookUp, memoryOfStage, stageKey } from '../../session';
import { declaredInDesign } from '../declared-records';
import { alongLine, refuseAlong } from './along';

const UNDECLARED = 'what this stack does not declare';

/**
 * Names, once in a run, what a destroy deletes with the assembly though this stack does not declare
 * it. Throws for `others: refuse`, and for a record with `retainOnDelete`. Does nothing where
 * `onDelete: retain` keeps the assembly.
 */
export async function nameInAssembly(work: Work): Promise<void> {
  const { assembly = '' } = work.at;
  const named = (argument: string): readonly unknown[] => [work.known?.[argument] ?? []].flat();
  if (ownPlatforms(work) === undefined || named('retained').length > 0) return;
  if (named('keeps').length > 0)
    throw new LifecycleError(
      `${named('keeps').join(', ')} would be deleted with assembly ${assembly}, although declared with retainOnDelete`,
      'declare the option on the assembly, so that all of it stays, or on nothing in it, and run pulumi up first',
    );
  if (!work.session.isDestroy()) return;
  const found = await lookUp(work.session, `undeclared in ${assembly} ${isRefusing(work)}`, async () => {
    // An assembly that somebody deleted has none.
    const design = (await orNone(work.api.call(routes.platforms.list, { address: work.at }))) ?? [];
    return undeclaredOf(work, design, design);
  });
  refuse(work, found, `deleted with assembly ${assembly}`);
  const text = `the destroy deletes with assembly ${assembly} ${UNDECLARED}: ${found.map(alongLine).join('; ')}`;
  const { named: before = [] } = memoryOfStage(work, 'design');
  if (found.length === 0 || before.includes(text)) return;
  work.session.memory.note(stageKey('design', work.at), { named: [...before, text] });
  work.notice(text);
}

/**
 * Names the undeclared platforms that are taken down with an environment, with their instances.
 * Throws for `others: refuse`.
 */
export async function nameInEnvironment(work: Work, platforms: readonly WireRecord[]): Promise<void> {
  const own = ownPlatforms(work);
  if (own === undefined || platforms.every(({ ciName }) => own.has(ciName))) return;
  const [design, instances] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    work.api.call(routes.operations.environmentInstances, { address: work.at, query: { instances_state: 'all' } }),
  ]);
  const found = await undeclaredOf(work, platforms, design);
  refuse(work, found, `taken down with ${work.id}`);
  const lines = found.map((change) => {
    const count = instances.filter((each) => platformOf(each) === change.platform).length;
    return `${alongLine(change)} (${plural(count, 'instance')})`;
  });
  work.notice(`takes down ${UNDECLARED}: ${lines.join('; ')}`);
}

/** Names what other users left open in an environment, which goes with it. */
export async function nameOpen(work: Work): Promise<void> {
  const release = await openRelease(work);
  if (release === undefined) return;
  const user = await userOf(work);
  const records = changesIn(release, 'environment').filter(({ cause }) => cause.who !== user);
  const settings = (release.rfc_relations ?? [])
    .map((each) => causeOf(release, each).who)
    .filter((who) => who !== user);
  const lines = new Set([...records.map(alongLine), ...settings.map((who) => `a setting by ${who || 'somebody'}`)]);
  if (lines.size > 0) work.notice(`takes down what is not committed: ${[...lines].join('; ')}`);
}

const isRefusing = ({ known }: Work): boolean => known?.['others'] === 'refuse';

const refuse = (work: Work, changes: readonly CommittedChange[], how: string): void =>
  refuseAlong(
    { ...work, args: work.known ?? {} },
    changes,
    `${UNDECLARED} would be ${how}`,
    ', and run pulumi up before anything is taken down',
  );

/** Names of the platforms of this stack; undefined where another stack owns the design. */
function ownPlatforms(work: Work): ReadonlySet<string> | undefined {
  const known = work.known?.['platforms'];
  if (!Array.isArray(known)) return undefined;
  const declared = declaredInDesign(work).flatMap(({ noun, name }) => (noun === 'platform' ? [name] : []));
  return new Set([...(known as readonly string[]), ...declared]);
}

/**
 * The additions of platforms that are not of this stack. Where they are only named, a failed lookup
 * of a release is ignored.
 */
const undeclaredOf = (
  work: Work,
  platforms: readonly WireRecord[],
  design: readonly WireRecord[],
): Promise<readonly CommittedChange[]> => {
  const names = platforms.map(({ ciName }) => ciName).filter((name) => ownPlatforms(work)?.has(name) !== true);
  const isIgnored = (error: unknown): boolean => !isRefusing(work) && isOutage(error);
  return Promise.all(
    names.map((ciName) => {
      const record = design.find((each) => each.ciName === ciName) ?? { ciName };
      return orElse(additionOf(work, record), additionShown(record), isIgnored);
    }),
  );
};
