// Records that left the file. The state is the only list of what a stack owns.
import { createHash } from 'node:crypto';
import type { Record as CloudRecord } from '../../api/contract';
import { formatId, parseId, scopeOfId } from '../address/ids';
import { ancestorsTakingAlong } from '../address/place';
import {
  type Address,
  addressNames,
  addressOf,
  type DeclaredRecord,
  distinguishedBy,
  everyAddressName,
  type Kind,
  openName,
  scopeAt,
  type StateRecord,
} from '../kind';
import { declaredKey, subjectKey } from '../session';
import type { RecordOptions } from '../session/memory';
import { asMap, isPlainObject, present, textAt, UNKNOWN, type Values } from '../values/plain';
import { isReference } from './refer';
import { kindToken } from './registration';

/** Input and output that say how the engine keeps a leaving record; the engine hides the name. */
export const KEPT = '__kept';

/** Name of the output with the service that a record is at: `https://oneops.io acme mK3x_`. */
export const SERVICE = '__api';

/** Digests of clouds, the oldest first: each service has other numbers and times of creation. */
export const marksOf = (clouds: readonly CloudRecord[]): readonly string[] =>
  clouds
    .toSorted((one, other) => one.ciId - other.ciId)
    .flatMap(({ ciId, created }) =>
      created ? [createHash('sha256').update(`${ciId} ${created}`).digest('base64url').slice(0, 5)] : [],
    );

/** Whether outputs noted a service: its address, `https://oneops.io acme`, or one of its marks. */
export const isNotedAt = (noted: string, here: string, marks: readonly string[] = []): boolean =>
  `${noted} `.startsWith(`${here} `) || marks.includes(noted.split(' ')[2] ?? '');

/** What the state of a stack holds of a resource; undefined for a resource that is none of ours. */
export function stateRecord(
  kinds: readonly Kind[],
  urn: string,
  type: string,
  outputs: Values,
): StateRecord | undefined {
  const kind = kinds.find(({ token }) => token === kindToken(type));
  const of = kind && scopeAt(kind, outputs);
  if (of === undefined || addressNames(of).some((name) => typeof outputs[name] !== 'string')) return undefined;
  return {
    urn,
    of,
    id: formatId(of, '', addressOf(of, outputs)),
    ciId: Number(outputs['ciId'] ?? 0),
    revision: textAt(outputs, 'revision'),
    origin: textAt(outputs, 'origin'),
    service: textAt(outputs, SERVICE),
    kept: outputs[KEPT] === '' || outputs[KEPT] === 'retain' ? outputs[KEPT] : 'protect',
    existing: isReference(outputs),
    taken: textAt(outputs, 'taken'),
    names: namesOf(of, outputs),
  };
}

/** The arguments of a record without values, which may be secret; maps with their keys. */
function namesOf(of: Kind, outputs: Values): Values {
  const shown = [
    ...everyAddressName(of),
    distinguishedBy(of),
    of.token === 'EnvironmentPlatform' ? 'enabled' : undefined,
  ];
  const fields = Object.keys(of.fields).filter((name) => !shown.includes(name) && present(outputs[name]));
  return {
    ...Object.fromEntries(shown.flatMap((name = '') => (present(outputs[name]) ? [[name, outputs[name]]] : []))),
    ...Object.fromEntries(fields.map((name) => [name, withoutValues(outputs[name], name === openName(of) ? 1 : 9)])),
  };
}

const withoutValues = (value: unknown, depth: number): unknown =>
  isPlainObject(value) && depth > 0
    ? Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, withoutValues(inside, depth - 1)]))
    : '';

/** `Platform:acme/shop/web//1234.5`: a record that a run deleted, with its revision in the state. */
export const takenName = ({ token }: Kind, id: string, revision: string): string => `${token}:${id}//${revision}`;

/** Token, id and revision in such a name; a revision may contain colons. */
export const takenParts = (name: string): readonly string[] => /^(.*?):(.*?)\/\/(.*)$/.exec(name)?.slice(1) ?? [];

/** What the state of a stack says of declared names: one is new, or a failed run deleted its record. */
export function optionsByState(state: readonly StateRecord[]): (of: Kind, id: string) => RecordOptions {
  const services = [...new Set(state.map(({ service }) => service))];
  const records = new Map(state.map((each) => [subjectKey(each.of, each.id), each]));
  const taken = new Set(state.flatMap((each) => each.taken.split(' ')));
  return (of, id) => {
    const own = records.get(subjectKey(of, id));
    if (own === undefined) return state.length === 0 ? {} : { isNewName: true, services };
    // What this stack created or wrote since has another revision.
    const name = takenName(of, `${own.service.split(' ')[1]}${id}`, own.revision);
    return taken.has(name) ? { takenId: own.ciId } : {};
  };
}

/** A record that left the file, as the input `leaving` of the resource that commits holds it. */
type LeavingEntry = Pick<StateRecord, 'ciId' | 'revision' | 'origin' | 'service' | 'names'>;

export interface LeavingRecord extends LeavingEntry {
  readonly of: Kind;
  readonly id: string;
  readonly address: Address;
}

/**
 * The records of the state that left the file around one resource, by `Platform acme/shop/web`;
 * unknown while the address of a declared one of the kind is. `beside`, where the engine may delete
 * records after the commit: all records of the state there. Then records that left the file and may
 * be protected are in it, which the engine refuses to delete, or deletes later, and records that the
 * state has twice, kept under one name alone: a run that failed left the other name, and its delete
 * is not meant for the record.
 */
export function leavingOf(
  state: readonly StateRecord[],
  declared: readonly Pick<DeclaredRecord, 'of' | 'address'>[],
  beside?: readonly StateRecord[],
): Values | string {
  const present = new Set(declared.map(({ of, address }) => declaredKey(of, address)));
  const keyOf = ({ of, id }: StateRecord): string => subjectKey(of, id);
  const left = state.filter((record) => !present.has(keyOf(record)));
  const stays = new Set(left.filter(({ kept }) => kept !== '').map(keyOf));
  const withProtect = left.filter(({ kept }) => kept === 'protect');
  // Their delete would delete the protected record, too.
  const around = new Set(withProtect.flatMap(({ of, id }) => ancestorsTakingAlong(of, id)));
  const leaving = left.filter(
    (record) =>
      !record.existing &&
      !around.has(keyOf(record)) &&
      ![keyOf(record), ...ancestorsTakingAlong(record.of, record.id)].some((key) => stays.has(key)),
  );
  const isUnclear = leaving.some(({ of }) =>
    declared.some((other) => other.of.token === of.token && Object.values(other.address).includes('')),
  );
  if (isUnclear) return UNKNOWN;
  const entries = leaving.map(
    ({ of, id, ciId, revision, origin, service, names }) =>
      [entryName(of, id), { ciId, revision, origin, service, names }] as const,
  );
  if (beside === undefined) return Object.fromEntries(entries);
  const plain = new Set(beside.filter(({ kept }) => kept === '').map(keyOf));
  const twice = beside.filter((record) => record.kept !== '' && plain.has(keyOf(record)));
  return Object.fromEntries<unknown>([
    ...twice.map(({ of, id }) => [entryName(of, id), { kept: 'once' }] as const),
    ...withProtect.flatMap(({ of, id, kept, existing }) => (existing ? [] : [[entryName(of, id), { kept }] as const])),
    ...entries,
  ]);
}

const entryName = (of: Kind, id: string): string => `${of.token} ${id.slice(1)}`;

/** Names of the records in an input `leaving` that only the engine deletes: `Platform shop/web`. */
export const namesLeftToEngine = (leaving: unknown): readonly string[] =>
  Object.entries(asMap(leaving)).flatMap(([name, entry]) => (asMap(entry)['kept'] === 'protect' ? [name] : []));

/** Whether an input `leaving` says that a record is kept, by one of its names. */
export const isKeptIn = (leaving: unknown, of: Kind, id: string): boolean =>
  asMap(asMap(leaving)[entryName(of, id.slice(id.indexOf('/')))])['kept'] !== undefined;

export const addressIn = (of: Kind, id: string): Address => parseId(of, id)?.address ?? {};

/** The records in an input `leaving`, with their ids in an organization. */
export function leavingRecords(
  kinds: readonly Kind[],
  organization: string,
  leaving: unknown,
): readonly LeavingRecord[] {
  if (!isPlainObject(leaving)) return [];
  return Object.entries(leaving).flatMap(([key, value]) => {
    const [token = '', path = ''] = key.split(' ');
    const id = `${organization}/${path}`;
    const kind = kinds.find((each) => each.token === token);
    const of = kind && scopeOfId(kind, id);
    if (of === undefined || !isPlainObject(value) || value['kept'] !== undefined) return [];
    return [
      {
        of,
        id,
        address: addressIn(of, id),
        ciId: Number(value['ciId'] ?? 0),
        revision: textAt(value, 'revision'),
        origin: textAt(value, 'origin'),
        service: textAt(value, 'service'),
        names: asMap(value['names']),
      },
    ];
  });
}
