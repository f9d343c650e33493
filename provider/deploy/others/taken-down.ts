// Names or refuses undeclared platforms that are taken down together with this stack's environment.
import { type Record as WireRecord, routes } from '../../../api/contract';
import { orNone, plural } from '../../../api/errors';
import { isOutage, LifecycleError, orElse } from '../../errors';
import { platformOf } from '../../address/ids';
import { type CommittedChange, userOf } from '../../history/change';
import { additionOf, additionShown, changesOfOthers } from '../../history/committed';
import { causeOf, openRelease } from '../../history/environment-releases';
import { isReference } from '../../lifecycle/refer';
import type { Work } from '../../kind';
import { declaredIn, lookUp, memoryOfStage, stageKey } from '../../session';
import { declaredInDesign } from '../declared-records';
import { alongLine, refuseAlong } from './along';
import { runByText, runElsewhere } from '../run-elsewhere';
import { wordsAt } from '../../values/plain';
import { instancesAt } from '../../verbs/named-component';

const UNDECLARED = 'what this stack does not declare';

/**
 * Whether this run surely takes the assembly away: by a destroy, or since another one takes its
 * place. That the run declares none is no sign: another process may have declared it.
 */
export function takesAssembly({ session, at }: Pick<Work, 'session' | 'at'>): boolean {
  const { address, isAskedAgain } = memoryOfStage({ session, at }, 'design');
  const hasAnother = declaredIn(session).some(({ of, inputs }) => of.token === 'Assembly' && !isReference(inputs));
  return session.isDestroy() || (!session.isLimited() && (isAskedAgain === true || (!address && hasAnother)));
}

/** Throws where a record with `retainOnDelete` would go with the assembly. Returns whether the assembly goes. */
export function refuseRetained({ at, known }: Pick<Work, 'at' | 'known'>): boolean {
  const keeps = wordsAt(known, 'keeps');
  // Where `onDelete: retain` keeps an environment, its assembly stays, too.
  const stays = known?.['onDelete'] === 'retain' || wordsAt(known, 'retained').length > 0;
  if (known?.['platforms'] === undefined || stays) return false;
  if (keeps.length === 0) return true;
  throw new LifecycleError(
    `${keeps.join(', ')} would be deleted with assembly ${at['assembly']}, although declared with retainOnDelete`,
    'declare the option on the assembly, so that all of it stays, or on nothing in it, and run pulumi up first',
  );
}

/** Throws, before anything is taken down, where others' environments keep the assembly from being deleted. */
export async function refuseWithOthers(work: Work): Promise<void> {
  const own = work.known?.['environments'];
  const { assembly } = work.at;
  const others = own ? await lookUp(work.session, `others in ${assembly}`, () => runElsewhere(work, own)) : [];
  if (others.length === 0) return;
  throw new LifecycleError(
    `cannot take down ${work.id}: assembly ${assembly} also has ${runByText(others)}, which this stack does not take down, so it could not be deleted; nothing was taken down`,
    "if another stack has it, destroy that stack first; if this stack forgot it by pulumi state delete, or left it by retainOnDelete, declare it with adopt: true and without that option, and run pulumi up first; to take down this stack's environments alone, remove them from the file and run pulumi up",
  );
}

/** Names, once in a run, or refuses what a destroy deletes with the assembly and this stack does not declare. */
export async function nameInAssembly(work: Work): Promise<void> {
  const { assembly = '' } = work.at;
  if (!refuseRetained(work) || !work.session.isDestroy()) return;
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

/** Names, or refuses, the undeclared platforms that are taken down with an environment, with their instances. */
export async function nameInEnvironment(work: Work, platforms: readonly WireRecord[]): Promise<void> {
  const own = ownPlatforms(work);
  if (own === undefined || platforms.every(({ ciName }) => own.has(ciName))) return;
  const [design, instances] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    instancesAt(work),
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
export async function nameOpen(work: Work, platforms: readonly WireRecord[]): Promise<void> {
  const open = await openRelease(work);
  if (open === undefined) return;
  const changes = await changesOfOthers(work, 'environment', [open], platforms);
  const named = [await userOf(work), ...changes.map(({ cause }) => cause.who)];
  const others = (open.rfc_relations ?? []).map((each) => causeOf(open, each).who);
  const settings = new Set(others.filter((who) => !named.includes(who)));
  const lines = [...changes.map(alongLine), ...[...settings].map((who) => `a setting by ${who || 'somebody'}`)];
  if (lines.length > 0) work.notice(`takes down what is not committed: ${lines.join('; ')}`);
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
  if (work.known?.['platforms'] === undefined) return undefined;
  const declared = declaredInDesign(work).flatMap(({ noun, name }) => (noun === 'platform' ? [name] : []));
  return new Set([...wordsAt(work.known, 'platforms'), ...declared]);
}

/** The additions of platforms that are not of this stack. Only a refusal needs their releases. */
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
