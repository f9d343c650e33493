// Records of one class in one place (variables, attachments, relays, supports), with the same rules
// for all, written directly or staged in a release (service-facts §0.4, §2.1.3).
import { type ClassMetadata, defaultAttributes, type nameRules, type SentRecord } from '../../api/contract';
import { committedRecord, deletedAnswer, mergedRecord, storedName, templateAnswer } from './answers';
import {
  enforcedClass,
  knownClass,
  newValues,
  patchValues,
  relaxed,
  type SentAttributes,
  sentOwners,
} from './attributes';
import { type Context, notFound, refused } from './handler';
import { checkedName, locate } from './locate';
import type { AttributeLocks, RecordPatch, ReleaseWriter, StoredRecord, Tie, Values } from '../store';

type Asking = Context<unknown>;

/** Where directly committed records of one class are, and what they belong to. */
export interface DirectCollection {
  /** How messages call one of them, and which rule their names follow. */
  readonly noun: keyof typeof nameRules;
  readonly namespace: string;
  readonly className: string;
  readonly tie?: Tie;
}

/** What a new record begins with: the defaults of its class. */
export function collectionTemplate(context: Asking, collection: DirectCollection, given: SentAttributes = {}): object {
  const { namespace, className } = collection;
  const metadata = knownClass(context.catalogue, className);
  const values = newValues(relaxed(metadata, Object.keys(metadata.attributes)), className, given);
  return templateAnswer(context, { name: '', className, namespace, values }, 'committed');
}

const oneNamed = (noun: string, name: string): string => `${/^[aeo]/.test(noun) ? 'an' : 'a'} ${noun} named ${name}`;

/** Makes a record. Throws a RefusedRequest (422): name, duplicate, attributes. */
export function createDirect(
  context: Pick<Context, 'store' | 'catalogue' | 'rules' | 'user' | 'now'>,
  { noun, namespace, className, tie }: DirectCollection,
  sent: Pick<SentRecord, 'ciName' | 'ciAttributes' | 'ciAttrProps' | 'comments'>,
  metadata = enforcedClass(context, className),
): StoredRecord {
  const { store } = context;
  const name = checkedName(noun, sent.ciName);
  if (store.records.exists({ namespace, className, nameInAnyCase: name }))
    throw refused(`${oneNamed(noun, name)} exists already (400)`);
  const values = newValues(metadata, className, sent.ciAttributes ?? {});
  const owners = sentOwners(sent.ciAttrProps) ?? {};
  const record = { namespace, className, name, values, owners, comments: sent.comments ?? null };
  return tie === undefined ? store.records.insert(record, context) : store.insertTied(record, tie, context);
}

/** Writes a body to a directly committed record. Throws a RefusedRequest (422). */
export function updateSent(
  context: Asking,
  record: StoredRecord,
  { ciAttributes = {}, ciAttrProps, comments }: Pick<SentRecord, 'ciAttributes' | 'ciAttrProps' | 'comments'>,
  metadata = knownClass(context.catalogue, record.className),
): StoredRecord {
  const values = patchValues(metadata, record.className, record.values, ciAttributes);
  return context.store.records.update(record.id, { values, owners: sentOwners(ciAttrProps), comments }, context);
}

/** Where the staged records of one class are. */
export interface StagedCollection {
  readonly noun: 'variable' | 'attachment' | 'monitor';
  readonly namespace: string;
  readonly className: string;
  /** Rules for the values; default: those of the class. */
  readonly metadata?: ClassMetadata;
  /** The records of a list; default: all of the class in the namespace. */
  readonly listed?: () => readonly StoredRecord[];
  /** Runs a write in the release of the collection. */
  readonly write: <T>(work: (stage: ReleaseWriter) => T) => T;
  /** Owner that a lock names. */
  readonly lockedBy: 'design' | 'manifest';
  /** How records are added; undefined where nobody adds any. */
  readonly adding?: {
    /** Throws a RefusedRequest (422) when what the record would belong to is being deleted. */
    readonly check: () => void;
    readonly tie: Tie;
    readonly impl?: string;
    readonly proposedName?: string;
    /** Values of a new record besides the defaults of its class. */
    readonly values?: { readonly [attribute: string]: string };
    /** Ends the message for a name that is taken: ` in platform web`. */
    readonly scope?: string;
  };
}

/** A record as it reads after a write. Throws when the write removed it. */
export function reread(context: Pick<Context, 'store'>, record: StoredRecord): StoredRecord {
  const current = context.store.records.byId(record.id);
  if (current === undefined) throw new Error(`record ${record.id} vanished while it was written`);
  return current;
}

/** The record of an update: by the path, or the body's ciId or name (dialect row 3). */
export function identifierOf(inPath: string | undefined, sent: SentRecord): string {
  return inPath ?? (sent.ciId === undefined ? (sent.ciName ?? '') : String(sent.ciId));
}

/** What a body changes of a record: the checked values, owners and comments where it has any. */
export function patchOf(sent: SentRecord, values: Values, owners = sentOwners(sent.ciAttrProps)): RecordPatch {
  const { comments } = sent;
  return { values, owners, comments: comments ?? undefined };
}

function byStoredName<T>(
  { rules }: Pick<Context, 'rules'>,
  className: string,
  sent: { readonly [name: string]: T },
): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [storedName(rules, className, name), value]));
}

export const storedAttributes = (
  context: Pick<Context, 'rules'>,
  className: string,
  sent: Pick<SentRecord, 'ciAttributes'>,
): SentAttributes => byStoredName(context, className, sent.ciAttributes ?? {});

function ownersIn(context: Asking, { className }: StagedCollection, sent: SentRecord): AttributeLocks | undefined {
  const owners = sentOwners(sent.ciAttrProps);
  return owners === undefined ? undefined : byStoredName(context, className, owners);
}

function create(context: Asking, collection: StagedCollection, sent: SentRecord, attributes: SentAttributes): object {
  const { noun, namespace, className, adding } = collection;
  if (adding === undefined) throw new Error(`nobody adds a ${noun} to ${namespace}`);
  const name = checkedName(noun, sent.ciName);
  if (context.store.records.byName(namespace, className, name) !== undefined)
    throw refused(`${oneNamed(noun, name)} exists already${adding.scope ?? ''} (400)`);
  const metadata = collection.metadata ?? knownClass(context.catalogue, className);
  const values = newValues(metadata, className, { ...adding.values, ...attributes });
  const owners = ownersIn(context, collection, sent) ?? {};
  const impl = adding.impl === undefined ? {} : { impl: adding.impl };
  const record = { namespace, className, name, values, owners, comments: sent.comments ?? '', ...impl };
  const made = collection.write((stage) => stage.addTied(record, adding.tie));
  return mergedRecord(context, reread(context, made));
}

/** Writes a patch on one record and answers the record as it then reads. */
function patchRecord(context: Asking, collection: StagedCollection, record: StoredRecord, patch: RecordPatch): object {
  collection.write((stage) => stage.update(record, patch));
  return mergedRecord(context, reread(context, record));
}

/** Attribute that contains a variable's text, and that a lock is put on. */
const lockedAttribute = (variable: StoredRecord): string =>
  variable.values['secure'] === 'true' ? 'encrypted_value' : 'value';

/** Locks or unlocks records (service-facts §2.1.5). Throws a RefusedRequest (404). */
function setLock(
  context: Asking,
  collection: StagedCollection,
  ids: readonly (string | number)[],
  locked: boolean,
): object[] {
  const { noun, namespace, lockedBy } = collection;
  const records = ids.map((id) => {
    const record = locate(context, String(id), collection);
    if (record.namespace !== namespace) throw notFound(`${noun} ${id} is not in namespace ${namespace}`);
    return record;
  });
  collection.write((stage) => {
    for (const record of records)
      stage.update(record, { owners: locked ? { ...record.owners, [lockedAttribute(record)]: lockedBy } : {} });
  });
  return records.map((record) => mergedRecord(context, reread(context, record)));
}

/** Path parameters; one has the noun of the collection as its name, and names one record. */
type Address<A> = A & { readonly [parameter: string]: string | undefined };

type Locking<A> = Context<A, { readonly ciIds: readonly (string | number)[] }>;

/** Handlers of a collection, of which an area has some. `B`: the body of a write. */
interface CollectionHandlers<A, B> {
  readonly list: (context: Context<A>) => object[];
  readonly template: (context: Context<A>) => object;
  readonly read: (context: Context<Address<A>>) => object;
  readonly create: (context: Context<A, B>) => object;
  readonly update: (context: Context<Address<A>, B>) => object;
  readonly delete: (context: Context<Address<A>>) => object | undefined;
  /** Turns an attribute that is `true` or `false` round. */
  readonly toggling: (attribute: string) => (context: Context<Address<A>>) => object;
}

/** The same with locks of variables. */
interface StagedHandlers<A, S> extends CollectionHandlers<A, { readonly cms_dj_ci: S }> {
  readonly lock: (context: Locking<A>) => object[];
  readonly unlock: (context: Locking<A>) => object[];
}

const turned = (record: StoredRecord, attribute: string): Values => ({
  [attribute]: record.values[attribute] === 'true' ? 'false' : 'true',
});

/** The handlers of an area of directly committed records. */
export function directCollection<A>(
  collectionOf: (context: Context<A>) => DirectCollection,
): CollectionHandlers<A, { readonly cms_ci: SentRecord }> {
  const located = (context: Context<Address<A>>): StoredRecord => {
    const collection = collectionOf(context);
    return locate(context, context.address[collection.noun] ?? '', collection);
  };
  return {
    list: (context) => {
      const { namespace, className } = collectionOf(context);
      return context.store.records
        .list({ namespace, className }, 'committed')
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map((record) => committedRecord(context, record));
    },
    template: (context) => collectionTemplate(context, collectionOf(context)),
    read: (context) => committedRecord(context, located(context)),
    create: (context) => committedRecord(context, createDirect(context, collectionOf(context), context.body.cms_ci)),
    update: (context) => {
      const record = located(context);
      const sent = context.body.cms_ci;
      if (sent.ciName !== undefined && sent.ciName !== record.name)
        throw refused(`the name of a ${collectionOf(context).noun} cannot change`);
      return committedRecord(context, updateSent(context, record, sent, enforcedClass(context, record.className)));
    },
    delete: (context) => {
      const record = located(context);
      context.store.records.remove(record.id);
      return deletedAnswer(context.rules, committedRecord(context, record));
    },
    toggling: (attribute) => (context) => {
      const record = located(context);
      const values = turned(record, attribute);
      return committedRecord(context, context.store.records.update(record.id, { values }, context));
    },
  };
}

/** How the body of a write is read. `S`: a record as it is sent. */
interface StagedReading<S> {
  /** The sent record as the class takes it. Throws a RefusedRequest (422). */
  readonly sent?: (context: Asking, sent: S) => SentRecord;
  /** Throws a RefusedRequest (422) for attributes that the class alone would take. */
  readonly check?: (context: Asking, attributes: SentAttributes) => void;
}

/** The handlers of an area of records that are staged in a release. */
export function stagedCollection<A, S extends object = SentRecord>(
  collectionOf: (context: Context<A>) => StagedCollection,
  reading: StagedReading<S> = {},
): StagedHandlers<A, S> {
  const located = (context: Context<Address<A>>, sent?: SentRecord): StoredRecord => {
    const collection = collectionOf(context);
    const inPath = context.address[collection.noun];
    return locate(context, sent === undefined ? (inPath ?? '') : identifierOf(inPath, sent), collection);
  };
  const sentIn = (context: Asking, sent: S): SentRecord => reading.sent?.(context, sent) ?? (sent as SentRecord);
  const attributesOf = (context: Asking, { className }: StagedCollection, sent: SentRecord): SentAttributes => {
    const attributes = storedAttributes(context, className, sent);
    reading.check?.(context, attributes);
    return attributes;
  };
  return {
    list: (context) => {
      const { namespace, className, listed } = collectionOf(context);
      const records = listed?.() ?? context.store.records.list({ namespace, className });
      return records.map((record) => mergedRecord(context, record));
    },
    template: (context) => {
      const { namespace, className, adding } = collectionOf(context);
      const values = defaultAttributes(knownClass(context.catalogue, className), adding?.values);
      return templateAnswer(context, { name: adding?.proposedName ?? '', className, namespace, values }, 'merged');
    },
    read: (context) => mergedRecord(context, located(context)),
    create: (context) => {
      const collection = collectionOf(context);
      const sent = sentIn(context, context.body.cms_dj_ci);
      collection.adding?.check();
      return create(context, collection, sent, attributesOf(context, collection, sent));
    },
    update: (context) => {
      const collection = collectionOf(context);
      const { className } = collection;
      const sent = sentIn(context, context.body.cms_dj_ci);
      const record = located(context, sent);
      const metadata = collection.metadata ?? knownClass(context.catalogue, className);
      const values = patchValues(metadata, className, record.values, attributesOf(context, collection, sent));
      return patchRecord(context, collection, record, patchOf(sent, values, ownersIn(context, collection, sent)));
    },
    delete: (context) => {
      const record = located(context);
      const before = mergedRecord(context, record);
      collectionOf(context).write((stage) => stage.remove(record));
      return deletedAnswer(context.rules, before);
    },
    lock: (context) => setLock(context, collectionOf(context), context.body.ciIds, true),
    unlock: (context) => setLock(context, collectionOf(context), context.body.ciIds, false),
    toggling: (attribute) => (context) => {
      const record = located(context);
      return patchRecord(context, collectionOf(context), record, { values: turned(record, attribute) });
    },
  };
}
