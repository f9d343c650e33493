// Names or refuses committed changes of others that a deployment brings along.
import { plural } from '../../../api/errors';
import type { Record as WireRecord } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { type CommittedChange, isSameRecord, withAttributes } from '../../history/change';
import type { Work } from '../../kind';
import { camelCase } from '../../values/field';
import { isPlainObject, type Values } from '../../values/plain';
import { sameValue } from '../../values/shape';
import { type Declared, declaredValues, isUnseen, means } from '../../values/wire';
import { declaredInDesign, declaredInEnvironment, type DeclaredRecordOf, ignores, valuesOf } from '../declared-records';
import { isAccepted, waysOut } from '../losses/loss';
import { componentOf, platformOf } from '../../address/ids';
import { memoryOfStage, stageKey } from '../../session';

/**
 * Those of others' changes, oldest first, that this run does not declare, or declares and does not
 * write. Each record once; what is in a platform that comes or goes only where somebody else put it
 * there.
 */
export function comingAlong(work: Work, changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const declared = declaredInDesign(work);
  return topmost(changes).flatMap((change): readonly CommittedChange[] => {
    // A link's first record declares it, or does not, as it is.
    if (change.link && namesLinked(change, declared)?.includes(change.link.to) === (change.action === 'add')) return [];
    const own = declared.find(isOf(change));
    if (own === undefined) return [change];
    // What was deleted is a loss; what this run made was taken over, which its own row says.
    if (change.action === 'delete') return [];
    if (change.action === 'add') return own.isMade || change.stage === 'environment' ? [] : [change];
    const values = valuesOf(own);
    const sent = work.session.own.of(own.ciId).sent ?? {};
    const isLater = own.stamp > 0 && (change.changeId ?? 0) > own.stamp;
    const laid = change.stage === 'environment' ? declaredInEnvironment(work).filter(isOf(change)) : [];
    return withAttributes(change, (name) => {
      // What the file declares below the environment is no value of the design.
      if (laid.some((each) => declares(each, change, name))) return true;
      const value = values.get(name);
      if (value !== undefined && ignores(own, name, value)) return true;
      const text = change.values[name];
      if (!isLater && (name in sent || (own.isMade && value !== undefined))) return false;
      // Nothing shows whether a secret is the declared one.
      return value === undefined || isUnseen(value, text) || !means(value, text);
    });
  });
}

/** Changes in the environment without what this run writes, and what is as declared below it. */
export function withoutDeclared(work: Work, changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const declared = declaredInEnvironment(work);
  return changes.flatMap((change): readonly CommittedChange[] => {
    const records = change.action === 'update' ? declared.filter(isOf(change)) : [];
    const isAsDeclared = (name: string): boolean =>
      records.some((own) => declares(own, change, name) && isMeant(work, own, change, name));
    return change.attributes.length === 0 ? [change] : withAttributes(change, (name) => !isAsDeclared(name));
  });
}

/** Whether this run wrote an attribute, or a change gave it the declared value. */
function isMeant(work: Work, own: DeclaredRecordOf, change: CommittedChange, name: string): boolean {
  const text = change.values[name];
  const value = valuesOf(own).get(name);
  if (value === undefined) return String(scaleOf(own, change)[camelCase(name)]) === text;
  if (name in (work.session.own.of(own.ciId).sent ?? {})) return true;
  return text !== undefined && !isUnseen(value, text) && means(value, text);
}

/** The declared scaling of a change's component. */
function scaleOf({ of, memory }: DeclaredRecordOf, { target = '' }: CommittedChange): Values {
  const scale = of.token === 'EnvironmentPlatform' ? memory.inputs['scale'] : undefined;
  const own = isPlainObject(scale) ? scale[target] : undefined;
  return isPlainObject(own) ? own : {};
}

/** Whether the file declares an attribute, or a scaling of a component, and does not ignore it. */
function declares(own: DeclaredRecordOf, change: CommittedChange, name: string): boolean {
  const value = valuesOf(own).get(name);
  return value === undefined ? camelCase(name) in scaleOf(own, change) : !ignores(own, name, value);
}

/** How much of a change `pulumi up --refresh` sets back, since the file declares it. */
function declaredPart(work: Work, change: CommittedChange): 'all' | 'some' | 'nothing' {
  const { link, action, attributes } = change;
  const all = [...declaredInDesign(work), ...declaredInEnvironment(work)];
  if (link) return namesLinked(change, all) === undefined ? 'nothing' : 'all';
  const records = action === 'update' ? all.filter(isOf(change)) : [];
  const count = attributes.filter((name) => records.some((own) => declares(own, change, name))).length;
  return count === 0 ? 'nothing' : count === attributes.length ? 'all' : 'some';
}

/** The same in a preview, where a record that the run changes gets all that it declares. */
export function withoutOwnUpdates(work: Work, along: readonly CommittedChange[]): readonly CommittedChange[] {
  const declared = declaredInDesign(work);
  return along.flatMap((change): readonly CommittedChange[] => {
    const own = change.action === 'update' ? declared.find(isOf(change)) : undefined;
    if (own?.memory.known === undefined || own.memory.isChanged !== true) return [change];
    const now = valuesOf(own);
    const before = declaredValues(own.of, own.memory.known);
    const isNew = (name: string, { shape, value }: Declared): boolean =>
      !before.has(name) || !sameValue(shape, before.get(name)?.value, value);
    const isLeft = (name: string): boolean => {
      const value = now.get(name);
      if (value === undefined || ignores(own, name, value)) return true;
      return isUnseen(value, change.values[name]) && !isNew(name, value);
    };
    // The attributes of a variable are one value.
    const isWhole = change.noun === 'variable' && [...now].some(([name, value]) => isNew(name, value));
    return isWhole ? [] : withAttributes(change, isLeft);
  });
}

/** Names to which the first record of a changed link or dependency declares such ones, if it does. */
function namesLinked(
  { noun, link }: CommittedChange,
  declared: readonly DeclaredRecordOf[],
): readonly unknown[] | undefined {
  const own = declared.find(({ ciId }) => ciId === link?.from);
  const names = own?.memory.inputs[noun === 'link' ? 'links' : 'depends'];
  return Array.isArray(names) ? names : undefined;
}

/**
 * Whether a declared record was changed. Lists name no component of an attachment or a monitor:
 * another number is one of another component.
 */
export const isOf =
  ({ noun, name, platform, target, stage, ciId }: CommittedChange) =>
  (own: DeclaredRecordOf): boolean => {
    const { address } = own;
    if (own.noun === 'cloud')
      return target !== undefined && address['platform'] === platform && address['cloud'] === target;
    const isNumbered = own.of.stage === stage && !own.isMade && own.ciId > 0 && (ciId ?? 0) > 0;
    if (isNumbered && address['component'] !== undefined && own.ciId !== ciId) return false;
    return isSameRecord({ noun, name, platform }, { ...own, platform: address['platform'] ?? '' });
  };

/** One change for each record: what came and went again is none. */
export function folded(changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const found = new Map<string, CommittedChange>();
  for (const change of changes) {
    const key = `${change.noun} ${change.path}`;
    const before = found.get(key);
    found.delete(key);
    if (before?.action === 'add' && change.action === 'delete') continue;
    const attributes = [...new Set([...(before?.attributes ?? []), ...change.attributes])];
    const isNew = change.action === 'add' || (before?.action === 'add' && change.action === 'update');
    found.set(key, before === undefined ? change : { ...change, attributes, action: isNew ? 'add' : change.action });
  }
  return [...found.values()];
}

/** The same without what goes with a platform, and what came with it by the user who added it. */
export function topmost(changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const whole = new Map(
    changes.flatMap((change) =>
      change.noun === 'platform' && change.action !== 'update' ? [[change.name, change] as const] : [],
    ),
  );
  return folded(changes).filter(({ noun, platform, cause }) => {
    const around = whole.get(platform);
    return noun === 'platform' || around === undefined || (around.action === 'add' && around.cause.who !== cause.who);
  });
}

/** `component web/backdoor by maria, design release 12`; of an update, with the attributes. */
export const alongLine = (change: CommittedChange): string => {
  const { noun, path, action, attributes, cause, stage, isOverFile, isOwnUsers } = change;
  const what = attributes.length === 0 || action !== 'update' ? '' : ` (${attributes.join(', ')})`;
  const release = `${stage === 'design' ? 'design release' : 'release'} ${cause.releaseId || 'unknown'}`;
  const by = `${cause.who || 'somebody'}${isOwnUsers === true ? ' outside of this stack' : ''}`;
  const line = `${noun} ${path}${what}${action === 'delete' ? ', deleted' : ''} by ${by}, ${release}`;
  if (isOverFile === undefined) return line;
  const at = cause.when > 0 ? `, ${new Date(cause.when).toISOString()}` : '';
  return `${line}${at}, in place of what this file declares: declare it below the environment, or pulumi up --refresh sets it back`;
};

/**
 * Throws where the deployment says `others: refuse` and does not accept all changes. `what`: what
 * would become of them; `after`: what to do once they are accepted.
 */
export function refuseAlong(
  work: Work,
  changes: readonly CommittedChange[],
  what = `changes of other users would come along to ${work.id}`,
  after = '',
): void {
  if (work.args['others'] !== 'refuse') return;
  const all = changes.map((change) => ({ ...change, subject: change.path }));
  const refused = all.filter((change) => !change.isNamedOnly && !isAccepted(work, change));
  if (refused.length === 0) return;
  const parts = refused.map((change) => declaredPart(work, change));
  const refresh = 'run pulumi up --refresh, which writes again what the file declares';
  let ways = ['declare it in the file', 'have it deleted in the service'];
  if (parts.some((part) => part !== 'nothing'))
    ways = parts.every((part) => part === 'all')
      ? [refresh]
      : [`declare the rest in the file or have it deleted in the service, and ${refresh}`];
  throw new LifecycleError(
    [`${what}, and others: refuse is declared:`, ...refused.map((change) => `  ${alongLine(change)}`)].join('\n'),
    `${waysOut(ways, refused)}${after}`,
  );
}

/**
 * `brings along: component web/backdoor by maria, design release 12 (2 instances)`: what no row of
 * this run named yet, if anything. `plan`: the changes of instances.
 */
export function alongText(
  work: Work,
  changes: readonly CommittedChange[],
  plan: readonly WireRecord[] = [],
): string | undefined {
  const { named = [] } = memoryOfStage(work, 'environment');
  const now = new Set(named);
  const lines = changes.flatMap((change) => {
    const line = alongLine(change);
    const before = now.size;
    if (now.add(`${line} ${change.action}`).size === before) return [];
    const count = plan.filter(
      (each) =>
        platformOf(each) === change.platform && (change.noun === 'platform' || componentOf(each) === change.name),
    ).length;
    return [`${line}${count === 0 ? '' : ` (${plural(count, 'instance')})`}`];
  });
  work.session.memory.note(stageKey('environment', work.at), { named: [...now] });
  return lines.length === 0 ? undefined : `brings along: ${lines.join('; ')}`;
}
