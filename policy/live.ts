// What runs, as rules look at it: the declared records with what a review found in their place.
// It must not know any rule.
import { kindOf, parseId, scopeOfId, UNKNOWN } from '../provider';
import type { Review, SourceRecord } from '../drift';
import { judgedRecords } from './declared';
import type { JudgedRecord } from './rules';

type Finding = Review['findings'][number];
type Values = { readonly [name: string]: unknown };

/**
 * The records of a stack as they are in the service: the declared ones without those that no longer exist, and those of which nobody declares a value, with
 * that value. A value that a review does not show is unknown. What rules leave out of the review is in the service all the same.
 */
export function liveRecords(declared: readonly SourceRecord[], { findings, ignored }: Review): readonly JudgedRecord[] {
  const keyOf = (token: string, id: string): string => `${token} ${id}`;
  const records = new Map(judgedRecords(declared).map((each) => [keyOf(each.kind.token, each.id), each]));
  for (const finding of [...findings, ...ignored.map((each) => each.finding)]) {
    const key = keyOf(finding.kind, finding.address);
    const found = records.get(key) ?? undeclared(finding);
    if (finding.classification === 'deleted' && finding.attribute === undefined) records.delete(key);
    else if (found && finding.attribute !== undefined && finding.live !== undefined)
      records.set(key, { ...found, args: withValue(found.args, finding.attribute.split('.'), valueOf(finding.live)) });
  }
  return [...records.values()];
}

/** A record that only the service has: its address. */
function undeclared({ kind: token, address }: Finding): JudgedRecord | undefined {
  const kind = kindOf(token);
  const scope = kind && scopeOfId(kind, address);
  const args = scope && parseId(scope, address)?.address;
  return args && { kind: scope, id: address, logicalName: address, args, hidden: [] };
}

function valueOf(shown: NonNullable<Finding['live']>): unknown {
  if (shown.is === 'absent') return undefined;
  return shown.is === 'value' ? shown.value : UNKNOWN;
}

function withValue(values: Values, [step = '', ...rest]: readonly string[], value: unknown): Values {
  const inner = values[step];
  const isMap = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...values, [step]: rest.length === 0 ? value : withValue(isMap ? (inner as Values) : {}, rest, value) };
}
