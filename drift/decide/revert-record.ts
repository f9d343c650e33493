// Which record a finding is about, as a revert takes it: declared by the stack, or by nobody.
import { kindOf, parseId, scopeOfId } from '../../provider';
import type { DriftFinding } from '../review/review';
import type { SourceRecord } from '../review/subjects';
import { setIn, settingsFor } from './settings';

/**
 * The record that findings are about, as it is declared. What nobody declares of it counts as declared with its live value, which then leaves: the
 * record follows again what it came with.
 */
export function recordOf(
  declared: readonly SourceRecord[],
  findings: readonly DriftFinding[],
): SourceRecord | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  const own = declared.find(({ kind, id }) => kind.token === first.kind && id === first.address);
  const unexpected = findings.filter(isUnexpected);
  if (unexpected.length === 0) return own;
  return unexpected.reduce<SourceRecord | undefined>(
    (record, { attribute = '', live }) => {
      if (record === undefined) return undefined;
      const { kind, inputs } = record;
      const [setting] = settingsFor({ kind, args: inputs as never }, attribute, undefined) ?? [];
      if (setting === undefined) return undefined;
      const { argument, steps } = setting;
      const value = live?.is === 'value' ? live.value : UNSEEN;
      return { ...record, inputs: { ...inputs, [argument]: setIn(inputs[argument], steps, value) } };
    },
    own ?? undeclaredRecord(first),
  );
}

/** In place of a value that no read shows: it is taken out, and never written. */
const UNSEEN = 'unseen';

/** Whether nobody declares the value. */
export const isUnexpected = ({ classification }: DriftFinding): boolean => classification === 'unexpected';

/** A record of which nothing is declared but its address. */
export function undeclaredRecord({ kind: token, address: id }: DriftFinding): SourceRecord | undefined {
  const of = kindOf(token);
  const kind = of && scopeOfId(of, id);
  const inputs = kind && parseId(kind, id)?.address;
  return inputs && { kind, id, logicalName: '', inputs, hidden: [] };
}
