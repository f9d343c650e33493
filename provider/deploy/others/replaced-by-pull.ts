// Values of an environment that a pull replaced by the design's, because they were not locked. The
// row names those of other users. Values that the file declares below the environment are written
// again, with their locks.
import type { Record as WireRecord, Release } from '../../../api/contract';
import { platformOf } from '../../address/ids';
import { declaredMember, type DeclaredMember, ownPaths } from '../../commit/own-records';
import { withAttributes, userOf } from '../../history/change';
import { changesIn, nounOf } from '../../history/committed';
import { parentBefore } from '../../history/environment-releases';
import type { Work } from '../../kind';
import { textsIn } from '../../values/wire';
import { alongLine } from './along';

/**
 * Names the values that others set by hand, and that a later pull of this run's user replaced.
 * `releases`: those of the environment, oldest first.
 */
export async function nameReplaced(work: Work, releases: readonly Release[]): Promise<void> {
  const user = await userOf(work);
  const all = releases.flatMap((release) => {
    const isPull = (release.parentReleaseId ?? 0) > parentBefore(releases, release.releaseId);
    return changesIn(release, 'environment').map((change) => ({ ...change, isPulled: isPull && !change.isByHand }));
  });
  const pulled = all.filter(({ cause, isPulled }) => isPulled && cause.who === user);
  const named = new Set<string>();
  const replaced = all
    .filter(({ action, cause, isPulled }) => action === 'update' && !isPulled && cause.who !== user)
    .flatMap((change) =>
      withAttributes(change, (name) => {
        const isReplaced = pulled.some(
          ({ ciId, before, cause }) =>
            ciId === change.ciId && cause.releaseId > change.cause.releaseId && before?.[name] === change.values[name],
        );
        // A change of the lock alone shows the value, too.
        const count = named.size;
        return isReplaced && named.add(`${change.ciId} ${name}`).size > count;
      }),
    );
  if (replaced.length > 0) work.notice(`replaced by the pull: ${replaced.map(alongLine).join('; ')}`);
}

/** Writes what a pull of this run replaced, by the open release of the environment. */
export async function writeReplaced(work: Work, open: readonly Release[]): Promise<void> {
  const records = open
    .flatMap(({ rfc_cis: changes = [] }) => changes)
    .filter((each) => each.rfcAction === 'update' && nounOf(each) !== 'platform');
  for (const path of records.length === 0 ? [] : ownPaths(work)) {
    const member = declaredMember(work, 'environment', path);
    if (member === undefined) continue;
    for (const record of records) if (mayBeOf(member, record)) await writeAgain(member, record);
  }
}

/** A change does not name the component of an attachment. */
const mayBeOf = ({ of, work: { address } }: DeclaredMember, record: WireRecord): boolean =>
  of.token.toLowerCase().endsWith(nounOf(record)) &&
  (address['name'] ?? address['component']) === record.ciName &&
  (address['platform'] ?? '') === platformOf(record);

async function writeAgain(
  { of, work, declared }: DeclaredMember,
  { ciId, ciBaseAttributes }: WireRecord,
): Promise<void> {
  const live = await of.verbs.read(work);
  if (live?.ciId !== ciId) return;
  const replaced = [...declared].filter(
    ([name]) => name in (ciBaseAttributes ?? {}) && live.owners?.[name] === undefined,
  );
  if (replaced.length === 0) return;
  await of.verbs.update({ ...work, live, changes: textsIn(replaced) });
  work.notice(
    `${work.id}: the pull replaced ${replaced.map(([name]) => name).join(', ')}, which somebody had unlocked: written again as declared`,
  );
}
