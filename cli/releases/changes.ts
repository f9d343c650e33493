// A change in an open release, in words for users: which record, which action, by whom.
import type { Record as WireRecord, Relation } from '../../api/contract';
import { isPlainObject, writersOf } from '../../provider';

/** A change that is not committed, or not deployed. */
export interface OpenChange {
  /** `component web/tomcat`. */
  readonly what: string;
  /** Number of the change. */
  readonly changeId: number;
  /** `add`, `update`, `replace` or `delete`. */
  readonly action: string;
  /** Names of the attributes that an update changes, by the service's own names. */
  readonly attributes: readonly string[];
  /** Its authors, each once; empty if the service does not name them. */
  readonly by: readonly string[];
  /** Time of the last write, in milliseconds since 1970. */
  readonly at: number;
}

/** The open change of a record. */
export const recordChange = (record: WireRecord): OpenChange => ({
  what: subjectOf(record),
  changeId: record.rfcId ?? 0,
  action: record.rfcAction ?? 'update',
  attributes: record.rfcAction === 'update' ? Object.keys(record.ciBaseAttributes ?? {}).sort() : [],
  by: [...new Set(writersOf(record))],
  at: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0,
});

/** Noun and name of a record, from its class and its namespace (service-facts §2.1.7, §2.1.8). */
function subjectOf({ ciClassName, ciName, nsPath, component }: WireRecord & { readonly component?: unknown }): string {
  const noun = nounOf(ciClassName);
  // A platform of an environment has its own namespace.
  if (noun === 'platform') return `platform ${ciName}`;
  const within = [platformIn(nsPath), nameOf(component)].filter((part) => part !== undefined);
  return `${noun} ${[...within, noun === 'variable' ? `$${ciName}` : ciName].join('/')}`;
}

/** Component classes belong to a register: `catalog.oneops.1.Tomcat`. Classes without one are the service's own: `catalog.Attachment`. */
function nounOf(className: string): string {
  const [area = '', ...rest] = className.split('.');
  if (area === 'bom') return 'instance';
  const [own = '', inRegister] = rest;
  if (inRegister !== undefined) return 'component';
  return own.endsWith('var') ? 'variable' : own.toLowerCase();
}

const nameOf = (record: unknown): string | undefined =>
  isPlainObject(record) && 'ciName' in record ? String(record['ciName']) : undefined;

/** The platform in a record's namespace. */
const platformIn = (nsPath: string): string | undefined =>
  /^\/[^/]+\/[^/]+\/(?:_design|[^/]+\/(?:manifest|bom))\/([^/]+)/.exec(nsPath)?.[1];

/** Names of platforms and clouds by their numbers. */
type NamesByNumber = ReadonlyMap<number, string>;

/** Words for the relations that users change directly (service-facts §2.1.9). */
const MEANINGS: { readonly [relation: string]: (relation: Relation, names: NamesByNumber) => string } = {
  ComposedOf: ({ toCiId }, names) => `platform ${nameIn(names, toCiId)}: whether it is enabled`,
  Consumes: ({ fromCiId, nsPath, toCiId }, names) =>
    `platform ${names.get(fromCiId) ?? platformIn(nsPath) ?? fromCiId}: use of cloud ${nameIn(names, toCiId)}`,
  DependsOn: ({ nsPath, fromCiId }) => `platform ${platformIn(nsPath) ?? `of component ${fromCiId}`}: scaling`,
};

const nameIn = (names: NamesByNumber, number: number): string => names.get(number) ?? `number ${number}`;

/** The open change of a relation; undefined for relations that users do not change directly. */
export function linkChange(relation: Relation, names: NamesByNumber): readonly OpenChange[] {
  const what = MEANINGS[relation.relationName.slice(relation.relationName.lastIndexOf('.') + 1)]?.(relation, names);
  if (what === undefined) return [];
  const base = relation['relationBaseAttributes'];
  return [
    {
      what,
      changeId: relation.rfcId ?? 0,
      action: relation.rfcAction ?? 'update',
      attributes: relation.rfcAction === 'update' && isPlainObject(base) ? Object.keys(base).sort() : [],
      by: [...new Set([relation.createdBy, relation.updatedBy].flatMap((name) => (name ? [name] : [])))],
      at: relation.updated ?? relation.created ?? 0,
    },
  ];
}
