// Values that the file declares below an environment, and that a pull replaced by the design's,
// because another user had taken their locks off: they are written again, with their locks.
import type { Record as WireRecord, Release } from '../../../api/contract';
import { platformOf } from '../../address/ids';
import { declaredMember, type DeclaredMember, ownPaths } from '../../commit/own-records';
import { nounOf } from '../../history/committed';
import type { Work } from '../../kind';
import { textsIn } from '../../values/wire';

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
