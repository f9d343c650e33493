// Common results of functions: facts and attributes of records.
import { ENCRYPTED, type Attributes, type Record as WireRecord, type Template } from '../../api/contract';
import { LINK_FIELDS, linkTexts } from '../kinds/environment/cloud-links';
import * as result from './result';
import type { Fields } from '../values/field';
import type { Texts } from '../values/plain';

export const wire = result.inMembers<WireRecord>();

/** Facts every record has; of one with a pending change, those of the change count. */
export const recordFacts = {
  name: wire.text('ciName').describe('Name of the record.'),
  ciId: wire.int('ciId').describe('Number of the record in the service.'),
  comments: wire.text('comments').describe('Free text on the record.'),
  created: wire.int('created').describe('When the record was made, in milliseconds since 1970.'),
  createdBy: wire.text('createdBy').describe('Who made the record.'),
  updated: wire
    .int('rfcUpdated', 'rfcCreated', 'updated', 'created')
    .describe('When the record was last changed, in milliseconds since 1970.'),
  updatedBy: wire
    .text('rfcUpdatedBy', 'rfcCreatedBy', 'updatedBy', 'createdBy')
    .describe('Who changed the record last.'),
};

export const openChange = wire
  .text('rfcAction')
  .describe('Open change of the record: `add`, `update` or `delete`; empty when it has none.');

/** Facts of a record in a design or an environment, whose changes wait for a commit there. */
export const stagedFacts = {
  ...recordFacts,
  className: wire.text('ciClassName').describe('Class of the record.'),
  change: openChange,
  locked: result
    .list(result.text(), (record: WireRecord) => Object.keys(record.ciAttrProps?.owner ?? {}).sort())
    .describe(
      'Names of its attributes that updates of the pack and pulls of the design do not change, in alphabetical order.',
    ),
};

export const cloudLink = result.recordType(
  'CloudLinkRecord',
  'How a cloud is used.',
  result.ofFields(LINK_FIELDS, linkTexts),
);

/** Attributes of a record as the fields of its kind describe them. */
export const ofKind = <F extends Fields>(fields: F) =>
  result.ofFields(fields, ({ ciAttributes }: WireRecord) => ciAttributes);

/** Values in attributes of a record that its kind does not have, or describes otherwise. */
export const inAttributes = {
  text: (name: string) => result.text((record: WireRecord) => attribute(record, name)),
  int: (name: string, otherwise: number) =>
    result.int((record: WireRecord) => result.numberIn(attribute(record, name), otherwise)),
  number: (name: string) => result.number((record: WireRecord) => result.numberIn(attribute(record, name), 0)),
  flag: (name: string) => result.flag((record: WireRecord) => attribute(record, name) === 'true'),
  texts: (name: string) => result.map(result.text(), (record: WireRecord) => result.textsIn(attribute(record, name))),
};

/** Records sorted by name, in whatever order the service returns them. */
export const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  [...all].sort((left, right) => (left.name < right.name ? -1 : 1));

/** An attribute's text; empty where the service has none, or keeps it to itself. */
export const attribute = ({ ciAttributes }: { readonly ciAttributes: Attributes }, name: string): string =>
  result.textOf(ciAttributes[name]);

/** Attributes by name, as the service writes them; those it keeps to itself are left out. */
export const attributesOf = ({ ciAttributes }: WireRecord | Template): Texts =>
  Object.fromEntries(
    Object.entries(ciAttributes).flatMap(([name, value]) => (value === ENCRYPTED ? [] : [[name, value ?? '']])),
  );
