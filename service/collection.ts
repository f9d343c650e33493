// Directly committed records of one class in one place: listed, read, made, changed and deleted by the same rules (service-facts §0.4, §2.1.3).
import { type nameRules, type SentRecord } from '../api/contract';
import { committedRecord, deletedAnswer, templateAnswer } from './answers';
import {
  enforcedClass,
  knownClass,
  newValues,
  patchValues,
  relaxed,
  type SentAttributes,
  sentOwners,
} from './attributes';
import { type Context, refused } from './handler';
import { checkedName, locate } from './locate';
import type { StoredRecord } from './store';

/** Where records of one class are, and what they belong to. */
export interface RecordCollection {
  /** How messages call one of them, and which rule their names follow. */
  readonly noun: keyof typeof nameRules;
  readonly namespace: string;
  readonly className: string;
  /** The relation a new record gets, `from` or `to` the record it belongs to. */
  readonly tie?: { readonly name: string; readonly from: number } | { readonly name: string; readonly to: number };
}

/** All of them, by name. */
export function listCollection(context: Context, collection: RecordCollection): object[] {
  const { namespace, className } = collection;
  return context.store.records
    .list({ namespace, className }, 'committed')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((record) => committedRecord(context, record));
}

/** The record a path names. Throws a RefusedRequest (404). */
export function locateIn(context: Context, collection: RecordCollection, identifier: string): StoredRecord {
  return locate(context, identifier, collection);
}

/** What a new record begins with: the defaults of its class. */
export function collectionTemplate(context: Context, collection: RecordCollection, given: SentAttributes = {}): object {
  const { namespace, className } = collection;
  const metadata = knownClass(context.catalogue, className);
  const values = newValues(relaxed(metadata, Object.keys(metadata.attributes)), className, given);
  return templateAnswer(context, { name: '', className, namespace, values }, 'committed');
}

/** Makes a record. Throws a RefusedRequest (422): name, duplicate, attributes. */
export function createIn(context: Context, collection: RecordCollection, sent: SentRecord): StoredRecord {
  const { noun, namespace, className, tie } = collection;
  const { store } = context;
  const name = checkedName(noun, sent.ciName);
  if (store.records.exists({ namespace, className, nameInAnyCase: name }))
    throw refused(`a ${noun} named ${name} exists already (400)`);
  const values = newValues(enforcedClass(context, className), className, sent.ciAttributes ?? {});
  const owners = sentOwners(sent.ciAttrProps) ?? {};
  const record = store.records.insert(
    { namespace, className, name, values, owners, comments: sent.comments ?? null },
    context,
  );
  if (tie !== undefined) {
    const ends = 'from' in tie ? { fromId: tie.from, toId: record.id } : { fromId: record.id, toId: tie.to };
    store.relations.insert({ namespace, name: tie.name, ...ends }, context);
  }
  return record;
}

/** Changes a record: attributes that are sent, comments, owners. Throws a RefusedRequest (404, 422). */
export function updateIn(
  context: Context,
  collection: RecordCollection,
  identifier: string,
  sent: SentRecord,
): StoredRecord {
  const record = locateIn(context, collection, identifier);
  if (sent.ciName !== undefined && sent.ciName !== record.name)
    throw refused(`the name of a ${collection.noun} cannot change`);
  const { className } = record;
  const metadata = enforcedClass(context, className);
  const values = patchValues(metadata, className, record.values, sent.ciAttributes ?? {});
  const owners = sentOwners(sent.ciAttrProps);
  return context.store.records.update(
    record.id,
    {
      values,
      ...(owners === undefined ? {} : { owners }),
      ...(sent.comments === undefined ? {} : { comments: sent.comments }),
    },
    context,
  );
}

/** Deletes a record with its relations; answers it as it was, where the dialect does. Throws a RefusedRequest (404). */
export function deleteFrom(context: Context, collection: RecordCollection, identifier: string): object | undefined {
  const record = locateIn(context, collection, identifier);
  context.store.records.remove(record.id);
  return deletedAnswer(context.rules, committedRecord(context, record));
}
