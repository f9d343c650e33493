// Changes that later changes took back. A record that is as it was brings nothing along.
import { ENCRYPTED, type Record as WireRecord, type Relation, type Release } from '../../api/contract';
import type { Values } from '../values/plain';

interface Change {
  readonly id: string;
  readonly action: string | null | undefined;
  readonly before: Values;
  readonly now: Values;
  /** Names of values that are locked against pulls. */
  readonly locks: readonly string[];
}

const ofRecord = (change: WireRecord): Change => ({
  id: `record ${change.ciId}`,
  action: change.rfcAction,
  before: change.ciBaseAttributes ?? {},
  now: change.ciAttributes,
  locks: Object.keys(change.ciAttrProps?.owner ?? {}),
});

const ofRelation = (change: Relation): Change => ({
  id: `relation ${change.ciRelationId}`,
  action: change.rfcAction,
  before: Object(change['relationBaseAttributes']) as Values,
  now: change.relationAttributes,
  locks: Object.keys(change.relationAttrProps?.owner ?? {}),
});

/**
 * Releases of one place, oldest first, without changes of records that are as they were: that came
 * and went, unless additions are kept, or whose values, and in an environment locks, were set back.
 */
export function withoutTakenBack(
  stage: 'design' | 'environment',
  releases: readonly Release[],
  keepsAdditions = false,
): readonly Release[] {
  const changed = releases.flatMap(({ rfc_cis: records = [], rfc_relations: relations = [] }) => [
    ...records.map(ofRecord),
    ...relations.map(ofRelation),
  ]);
  const all = Map.groupBy(changed, ({ id }) => id);
  const isLeft = ({ id }: Change): boolean => {
    const changes = all.get(id) ?? [];
    const isLocked = stage === 'environment' && (changes.at(-1)?.locks ?? []).length > 0;
    return isLocked || (keepsAdditions && changes[0]?.action === 'add') || !isTakenBack(changes);
  };
  return releases.map((release) => {
    const { rfc_cis: records, rfc_relations: relations } = release;
    return {
      ...release,
      ...(records && { rfc_cis: records.filter((change) => isLeft(ofRecord(change))) }),
      ...(relations && { rfc_relations: relations.filter((change) => isLeft(ofRelation(change))) }),
    };
  });
}

/** Whether an open change of a record sets nothing to another value: it was set and set back. */
export const changesNothing = (change: WireRecord): boolean => isTakenBack([ofRecord(change)]);

/** Whether the last change of a record leaves it as it was. No secret is known to be the same. */
function isTakenBack(changes: readonly Change[]): boolean {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (first.action === 'add' || last.action === 'delete') return first.action === 'add' && last.action === 'delete';
  const before = [...changes].reverse().reduce<Values>((later, each) => ({ ...later, ...each.before }), {});
  const names = Object.keys(before);
  // Changes that show no earlier value, of several releases, too, may have set anything.
  return names.length > 0 && names.every((name) => before[name] === last.now[name] && before[name] !== ENCRYPTED);
}
