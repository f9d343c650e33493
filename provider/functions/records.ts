// What many functions answer with: a record's own facts, its attributes, and texts of the wire as values.
// It must not know any function, nor how records are requested.
import { ENCRYPTED, type Attributes, type Record as WireRecord, type Template } from '../../api/contract';
import * as result from './result';
import type { ResultValues } from './result';

/** Facts every record has. */
export const recordFacts = {
  /** Name of the record. */
  name: result.textResult(),
  /** Number of the record in the service. */
  ciId: result.intResult(),
  /** Free text on the record. */
  comments: result.textResult(),
  /** When the record was made, in milliseconds since 1970. */
  created: result.intResult(),
  /** Who made the record. */
  createdBy: result.textResult(),
  /** When the record was last changed, in milliseconds since 1970. */
  updated: result.intResult(),
  /** Who changed the record last. */
  updatedBy: result.textResult(),
};

/** The facts of a record; of one with a pending change, those of the change count. */
export function factsOf(record: WireRecord): ResultValues<typeof recordFacts> {
  const created = record.created ?? 0;
  return {
    name: record.ciName,
    ciId: record.ciId,
    comments: record.comments ?? '',
    created,
    createdBy: record.createdBy ?? '',
    updated: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? created,
    updatedBy: record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '',
  };
}

/** Facts of a record in a design or an environment, whose changes wait for a commit there. */
export const stagedFacts = {
  ...recordFacts,
  /** Class of the record. */
  className: result.textResult(),
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  change: result.textResult(),
  /** Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order. */
  locked: result.listResult(result.textResult()),
};

/** The facts of a record of a design or an environment. */
export const stagedFactsOf = (record: WireRecord): ResultValues<typeof stagedFacts> => ({
  ...factsOf(record),
  className: record.ciClassName,
  change: record.rfcAction ?? '',
  locked: Object.keys(record.ciAttrProps?.owner ?? {}).sort(),
});

/** Records sorted by name, in whatever order the service returns them. */
export const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  [...all].sort((left, right) => (left.name < right.name ? -1 : 1));

/** An attribute's text; empty where the service has none, or keeps it to itself. */
export function attribute({ ciAttributes }: { readonly ciAttributes: Attributes }, name: string): string {
  const value = ciAttributes[name];
  return value === undefined || value === null || value === ENCRYPTED ? '' : value;
}

/** Attributes by name, as the service writes them; those it keeps to itself are left out. */
export const attributesOf = ({ ciAttributes }: WireRecord | Template): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(ciAttributes).flatMap(([name, value]) => (value === ENCRYPTED ? [] : [[name, value ?? '']])),
  );

/** A number in a text; the value the service has by itself where there is none. */
export function numberIn(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}

/** A map of texts that is in an attribute as JSON text; empty where it cannot be read. */
export function mapIn(value: string): { readonly [name: string]: string } {
  const parsed = parse(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {};
  return Object.fromEntries(
    Object.entries(parsed).map(([key, item]) => [key, typeof item === 'string' ? item : JSON.stringify(item)]),
  );
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
