// Records of one class in one place (variables, attachments, relays, supports), with the same rules
// for all, written directly or staged in a release (service-facts §0.4, §2.1.3).
import { type ClassMetadata, defaultAttributes, type nameRules, type SentRecord } from '../../api/contract';
import { committedRecord, deletedAnswer, mergedRecord, storedName, templateAnswer } from './answers';
import { enforcedClass, knownClass, newValues, patchValues, type SentAttributes, sentOwners } from './attributes';
import { type Context, notFound, refused } from './handler';
import { checkedName, locate } from './locate';
import type { AttributeLocks, NewRecord, RowPatch, ReleaseWriter, StoredRecord, Tie, Values } from '../store';

type Asking = Context<unknown>;
type Making = Pick<Context, 'store' | 'catalogue' | 'rules' | 'user' | 'now'>;

/** Where records of one class are, what they belong to, and how they are written. */
export interface Collection {
  /** How messages call one of them, and which rule their names follow. */
  readonly noun: keyof typeof nameRules;
  readonly namespace: string;
  readonly className: string;
  /** Default: each write is in force immediately. */
  readonly staged?: Staged;
  /** Rules for the values; default: those of the class. */
  readonly metadata?: ClassMetadata;
  /** The records of a list; default: all of the class in the namespace. */
  readonly listed?: () => readonly StoredRecord[];
  /** Throws a RefusedRequest (422) when what a new record would belong to is being deleted. */
  readonly check?: () => void;
  /** What a new record belongs to. */
  readonly tie?: Tie;
  readonly impl?: string;
  readonly proposedName?: string;
  /** Values of a new record besides the defaults of its class. */
  readonly given?: { readonly [attribute: string]: string };
  /** Ends the message for a name that is taken: ` in platform web`. */
  readonly scope?: string;
}

interface Staged {
  /** Runs a write in the release of the collection. */
  readonly write: <T>(work: (stage: ReleaseWriter) => T) => T;
  /** Owner that a lock names. */
  readonly lockedBy: 'design' | 'manifest';
}

/** How the records of a collection are written, and shown as they then read. */
interface Writing {
  readonly add: (record: NewRecord, tie: Tie | undefined) => StoredRecord;
  readonly update: (record: StoredRecord, patch: RowPatch) => StoredRecord;
  readonly remove: (record: StoredRecord) => void;
  readonly shown: (record: StoredRecord) => object;
}

function writingOf(context: Making, staged: Staged | undefined): Writing {
  const { store } = context;
  if (staged === undefined)
    return {
      add: (record, tie) =>
        tie === undefined ? store.records.insert(record, context) : store.insertTied(record, tie, context),
      update: ({ id }, patch) => store.records.update(id, patch, context),
      remove: ({ id }) => store.records.remove(id),
      shown: (record) => committedRecord(context, record),
    };
  const { write } = staged;
  return {
    add: (record, tie) =>
      reread(
        context,
        write((stage) => (tie === undefined ? stage.add(record) : stage.addTied(record, tie))),
      ),
    update: (record, patch) => {
      write((stage) => stage.update(record, { ...patch, comments: patch.comments ?? undefined }));
      return reread(context, record);
    },
    remove: (record) => write((stage) => stage.remove(record)),
    shown: (record) => mergedRecord(context, record),
  };
}

/** What a new record begins with. */
export function collectionTemplate(context: Asking, collection: Collection): object {
  const { namespace, className, given, proposedName: name = '', staged } = collection;
  const values = defaultAttributes(knownClass(context.catalogue, className), given);
  const shape = staged === undefined ? 'committed' : 'merged';
  return templateAnswer(context, { name, className, namespace, values }, shape);
}

const oneNamed = (noun: string, name: string): string => `${/^[aeo]/.test(noun) ? 'an' : 'a'} ${noun} named ${name}`;

const rulesOf = (context: Making, { metadata, className, staged }: Collection): ClassMetadata =>
  metadata ?? (staged === undefined ? enforcedClass(context, className) : knownClass(context.catalogue, className));

/** Makes a record. Throws a RefusedRequest (422): name, duplicate, attributes. */
export function createIn(
  context: Making,
  collection: Collection,
  sent: Pick<SentRecord, 'ciName' | 'ciAttributes' | 'ciAttrProps' | 'comments'>,
  attributes: SentAttributes = sent.ciAttributes ?? {},
): StoredRecord {
  const { noun, namespace, className, staged, impl } = collection;
  const { records } = context.store;
  const name = checkedName(noun, sent.ciName);
  const isTaken =
    staged === undefined
      ? records.exists({ namespace, className, nameInAnyCase: name })
      : records.byName(namespace, className, name) !== undefined;
  if (isTaken) throw refused(`${oneNamed(noun, name)} exists already${collection.scope ?? ''} (400)`);
  const values = newValues(rulesOf(context, collection), className, { ...collection.given, ...attributes });
  const owners = ownersIn(context, className, sent) ?? {};
  const comments = sent.comments ?? (staged === undefined ? null : '');
  const record = { namespace, className, name, values, owners, comments, ...(impl === undefined ? {} : { impl }) };
  return writingOf(context, staged).add(record, collection.tie);
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
export function patchOf(sent: SentRecord, values: Values): RowPatch {
  const { comments } = sent;
  return { values, owners: sentOwners(sent.ciAttrProps), comments: comments ?? undefined };
}

function byStoredName<T>({ rules }: Making, className: string, sent: { readonly [name: string]: T }) {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [storedName(rules, className, name), value]));
}

export const storedAttributes = (context: Making, className: string, sent: SentAttributes = {}): SentAttributes =>
  byStoredName(context, className, sent);

function ownersIn(
  context: Making,
  className: string,
  sent: Pick<SentRecord, 'ciAttrProps'>,
): AttributeLocks | undefined {
  const owners = sentOwners(sent.ciAttrProps);
  return owners === undefined ? undefined : byStoredName(context, className, owners);
}

/** Attribute that contains a variable's text, and that a lock is put on. */
const lockedAttribute = (variable: StoredRecord): string =>
  variable.values['secure'] === 'true' ? 'encrypted_value' : 'value';

/** Locks or unlocks records of a release (service-facts §2.1.5). Throws a RefusedRequest (404). */
function setLock(
  context: Asking,
  collection: Collection,
  ids: readonly (string | number)[],
  isLocked: boolean,
): object[] {
  const { noun, namespace, staged } = collection;
  const records = ids.map((id) => {
    const record = locate(context, String(id), collection);
    if (record.namespace !== namespace) throw notFound(`${noun} ${id} is not in namespace ${namespace}`);
    return record;
  });
  staged?.write((stage) => {
    for (const record of records)
      stage.update(record, {
        owners: isLocked ? { ...record.owners, [lockedAttribute(record)]: staged.lockedBy } : {},
      });
  });
  return records.map((record) => mergedRecord(context, reread(context, record)));
}

/** Path parameters; one has the noun of the collection as its name, and names one record. */
type Address<A> = A & { readonly [parameter: string]: string | undefined };

type Locking<A> = Context<A, { readonly ciIds: readonly (string | number)[] }>;

/** The body of a write: a directly committed record, or one as a change of a release. */
interface Written<S> {
  readonly cms_ci?: SentRecord;
  readonly cms_dj_ci?: S;
}

/** How the body of a write is read. */
interface Reading<S> {
  /** The sent record as the class takes it. Throws a RefusedRequest (422). */
  readonly sent?: (context: Asking, sent: S) => SentRecord;
  /** Throws a RefusedRequest (422) for attributes that the class alone would take. */
  readonly check?: (context: Asking, attributes: SentAttributes) => void;
}

/** Handlers of a collection, of which an area has some. `S`: a record as it is sent. */
export function collection<A, S extends object = SentRecord>(
  collectionOf: (context: Context<A>) => Collection,
  reading: Reading<S> = {},
) {
  const located = (context: Context<Address<A>>, of: Collection, sent: SentRecord = {}): StoredRecord =>
    locate(context, identifierOf(context.address[of.noun], sent), of);
  const sentIn = (context: Context<unknown, Written<S>>): SentRecord => {
    const { cms_ci: committed, cms_dj_ci: change } = context.body;
    return committed ?? (change && reading.sent?.(context, change)) ?? (change as SentRecord);
  };
  const attributesOf = (context: Asking, className: string, sent: SentRecord): SentAttributes => {
    const attributes = storedAttributes(context, className, sent.ciAttributes);
    reading.check?.(context, attributes);
    return attributes;
  };
  return {
    list: (context: Context<A>): object[] => {
      const { namespace, className, listed, staged } = collectionOf(context);
      const { records } = context.store;
      const { shown } = writingOf(context, staged);
      if (staged !== undefined) return (listed?.() ?? records.list({ namespace, className })).map(shown);
      const byName = records
        .list({ namespace, className }, 'committed')
        .sort((one, other) => (one.name < other.name ? -1 : 1));
      return byName.map(shown);
    },
    template: (context: Context<A>): object => collectionTemplate(context, collectionOf(context)),
    read: (context: Context<Address<A>>): object => {
      const of = collectionOf(context);
      return writingOf(context, of.staged).shown(located(context, of));
    },
    create: (context: Context<A, Written<S>>): object => {
      const of = collectionOf(context);
      const sent = sentIn(context);
      of.check?.();
      const made = createIn(context, of, sent, attributesOf(context, of.className, sent));
      return writingOf(context, of.staged).shown(made);
    },
    update: (context: Context<Address<A>, Written<S>>): object => {
      const of = collectionOf(context);
      const { noun, className, staged } = of;
      const sent = sentIn(context);
      const record = located(context, of, sent);
      if (staged === undefined && sent.ciName !== undefined && sent.ciName !== record.name)
        throw refused(`the name of a ${noun} cannot change`);
      const attributes = attributesOf(context, className, sent);
      const values = patchValues(rulesOf(context, of), className, record.values, attributes);
      const { shown, update } = writingOf(context, staged);
      return shown(update(record, { values, owners: ownersIn(context, className, sent), comments: sent.comments }));
    },
    delete: (context: Context<Address<A>>): object | undefined => {
      const of = collectionOf(context);
      const record = located(context, of);
      const { shown, remove } = writingOf(context, of.staged);
      const before = shown(record);
      remove(record);
      return deletedAnswer(context.rules, before);
    },
    lock: (context: Locking<A>): object[] => setLock(context, collectionOf(context), context.body.ciIds, true),
    unlock: (context: Locking<A>): object[] => setLock(context, collectionOf(context), context.body.ciIds, false),
    /** Turns an attribute that is `true` or `false` round. */
    toggling:
      (attribute: string) =>
      (context: Context<Address<A>>): object => {
        const of = collectionOf(context);
        const record = located(context, of);
        const { shown, update } = writingOf(context, of.staged);
        return shown(update(record, { values: { [attribute]: String(record.values[attribute] !== 'true') } }));
      },
  };
}
