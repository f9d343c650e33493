// Copies designs: platforms with everything in them, their relations, global variables (service-facts §4.4 clone, §4.5.1 clone).
import { isLeaving, type ReleaseWriter, type Store, type StoredRecord, type StoredRelation, type View } from '../store';
import { type Design, insideOf } from './place';

/** What is copied, and where to. */
interface CopyRequest {
  readonly store: Store;
  /** Writer of the target's namespace. */
  readonly stage: ReleaseWriter;
  readonly from: Design;
  readonly to: Design;
  /** `merged` copies uncommitted values too. */
  readonly view: View;
  /** Platforms to copy, with the names they get. */
  readonly platforms: readonly { readonly platform: StoredRecord; readonly name: string }[];
  /** Whether global variables are copied, too. */
  readonly variables: boolean;
}

const CHANGED_ON_COPY = { major_version: '1' };

/** Relations that tie design records to one another. */
const isOfDesign = (relation: StoredRelation): boolean =>
  !isLeaving(relation) && !['base.RealizedIn', 'base.Manages'].includes(relation.name);

/** Platforms of a design that stay. */
export function stayingPlatforms(
  store: Store,
  { namespace }: Pick<Design, 'namespace'>,
  view: View = 'merged',
): StoredRecord[] {
  return store.records
    .list({ namespace, className: 'catalog.Platform' }, view)
    .filter((platform) => !isLeaving(platform));
}

/** Copies; answers the new platforms in the order asked. Everything lands in the stage's one open release. */
export function copyDesign(request: CopyRequest): StoredRecord[] {
  const { store, from, to, view, platforms } = request;
  const copies = new Map<number, number>([[from.assembly.id, to.assembly.id]]);
  const made = platforms.map(({ platform, name }) => {
    const copy = copyRecord(request, copies, platform, { namespace: to.namespace, name, changed: CHANGED_ON_COPY });
    for (const record of store.records.list({ namespace: insideOf(from, platform.name) }, view).filter(stays))
      copyRecord(request, copies, record, {
        namespace: insideOf(to, name),
        name: nameInside(record, platform.name, name),
      });
    return copy;
  });
  if (request.variables) {
    const globals = store.records.list({ namespace: from.namespace, className: 'catalog.Globalvar' }, view);
    for (const variable of globals.filter(stays))
      copyRecord(request, copies, variable, { namespace: to.namespace, name: variable.name });
  }
  copyRelations(request, copies, from.namespace, to.namespace);
  for (const { platform, name } of platforms)
    copyRelations(request, copies, insideOf(from, platform.name), insideOf(to, name));
  return made;
}

const stays = (record: StoredRecord): boolean => !isLeaving(record);

/** Monitors are called after their platform (service-facts §12.1). */
function nameInside(record: StoredRecord, before: string, after: string): string {
  return record.className === 'catalog.Monitor' && record.name.startsWith(`${before}-`)
    ? `${after}${record.name.slice(before.length)}`
    : record.name;
}

/** Where a copy goes, and the attributes that it has of its own. */
interface CopyPlace {
  readonly namespace: string;
  readonly name: string;
  readonly changed?: { readonly [attribute: string]: string };
}

function copyRecord(
  { stage }: CopyRequest,
  copies: Map<number, number>,
  record: StoredRecord,
  { namespace, name, changed = {} }: CopyPlace,
): StoredRecord {
  const { className, impl, owners, comments, values } = record;
  const copy = stage.add({ namespace, className, name, impl, owners, comments, values: { ...values, ...changed } });
  copies.set(record.id, copy.id);
  return copy;
}

/** Relations of a namespace whose both ends were copied. */
function copyRelations(
  { store, stage, view }: CopyRequest,
  copies: ReadonlyMap<number, number>,
  from: string,
  to: string,
): void {
  for (const relation of store.relations.list(from, undefined, view).filter(isOfDesign)) {
    const fromId = copies.get(relation.fromId);
    const toId = copies.get(relation.toId);
    if (fromId === undefined || toId === undefined) continue;
    const { name, values, owners } = relation;
    stage.addRelation({ namespace: to, name, fromId, toId, values, owners });
  }
}
