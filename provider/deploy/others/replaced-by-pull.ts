// Values that the file declares below an environment, and that a pull replaced by the design's,
// because another user had taken their locks off: they are written again, with their locks.
import type { Record as WireRecord, Release } from '../../../api/contract';
import { formatId, pathAddress, platformOf } from '../../address/ids';
import { nounOf } from '../../history/committed';
import type { Work } from '../../kind';
import { isIgnored } from '../../lifecycle/ignored';
import { isReference } from '../../lifecycle/refer';
import { declaredIn, type DeclaredInRun } from '../../session';
import type { Kind } from '../../kind';
import { declaredValues, textsIn, textsOf } from '../../values/wire';

/** Writes what a pull of this run replaced, by the open release of the environment. */
export async function writeReplaced(work: Work, open: readonly Release[]): Promise<void> {
  const records = open
    .flatMap(({ rfc_cis: changes = [] }) => changes)
    .filter((each) => each.rfcAction === 'update' && nounOf(each) !== 'platform');
  for (const declared of declaredBelow(work))
    for (const record of records) if (isRecordOf(declared, record)) await writeAgain(work, declared, record);
}

/** What this run declares below the environment of a work. */
const declaredBelow = ({ session, at }: Work): readonly DeclaredInRun<Kind>[] =>
  declaredIn(session).filter(
    ({ of, address, inputs }) =>
      of.stage === 'environment' &&
      address['assembly'] === at['assembly'] &&
      address['environment'] === at['environment'] &&
      !isReference(inputs),
  );

/**
 * Whether a change may be of a declared record: it does not name the component of an attachment.
 */
const isRecordOf = ({ of, address }: DeclaredInRun<Kind>, record: WireRecord): boolean =>
  of.token.toLowerCase().endsWith(nounOf(record)) &&
  (address['name'] ?? address['component']) === record.ciName &&
  (address['platform'] ?? '') === platformOf(record);

async function writeAgain(
  work: Work,
  { of, address, inputs, known, ignored = [] }: DeclaredInRun<Kind>,
  { ciId, ciBaseAttributes }: WireRecord,
): Promise<void> {
  const { api } = work;
  const own: Work = {
    ...work,
    address,
    at: pathAddress(of, api.organization, address),
    id: formatId(of, api.organization, address),
    args: inputs,
    wire: textsOf(of, inputs),
    known: known ?? {},
  };
  const live = await of.verbs.read(own);
  if (live?.ciId !== ciId) return;
  const replaced = [...declaredValues(of, inputs)].filter(
    ([name, value]) =>
      name in (ciBaseAttributes ?? {}) && live.owners?.[name] === undefined && !isIgnored(name, value, ignored),
  );
  if (replaced.length === 0) return;
  await of.verbs.update({ ...own, live, changes: textsIn(replaced) });
  work.notice(
    `${own.id}: the pull replaced ${replaced.map(([name]) => name).join(', ')}, which somebody had unlocked: written again as declared`,
  );
}
