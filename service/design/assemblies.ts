// Assemblies of an organization, copies of assemblies and of platforms, and the designs that are
// saved in the catalogue (service-facts §2.2.4, §4.4, §4.5.1).
import { type ClassMetadata, defaultAttributes, routes } from '../../api/contract';
import { knownClass, relaxed, requiredAttributes, type SentAttributes } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, notFound, refused, refusedAsMissing } from '../runtime/handler';
import { assembliesIn, checkedName, locate, locateAssembly } from '../runtime/locate';
import { stage, type StoredRecord, type ReleaseWriter, type Store, type StoredRelation, type View } from '../store';
import { committedRecord, committedRecords, deletedAnswer, mergedRecord } from '../runtime/answers';
import { type Design, designOf, locateDesign, locateDesignPlatform, platformsOf, writeDesign, insideOf } from './place';
import { collection, createIn, reread, updateSent } from '../runtime/collection';
import { attachedTeams, attachTeams, usersOf } from '../account/teams';
import { mayOn } from '../account/rights';

/** Metadata of assemblies; the owner is required where the dialect asks for one (row 8). */
function assemblyMetadata(context: Context): ClassMetadata {
  const metadata = knownClass(context.catalogue, 'account.Assembly');
  return context.rules.assemblyOwnerRequired ? metadata : relaxed(metadata, ['owner']);
}

/** Makes an assembly. Throws a RefusedRequest (422): name, duplicate, attributes. */
function makeAssembly(
  context: Context,
  organization: string,
  sent: { readonly ciName: string | undefined; readonly ciAttributes: SentAttributes; readonly comments: string },
): StoredRecord {
  const owner = context.store.records.byName('/', 'account.Organization', organization, 'committed');
  if (owner === undefined) throw new Error(`organization ${organization} vanished`);
  const tie = { name: 'base.Manages', from: owner.id };
  return createIn(context, { ...assembliesIn(organization), tie, metadata: assemblyMetadata(context) }, sent);
}

const SAVED_CLASS = 'account.Design';

const namespaceOf = (organization: string): string => `/${organization}/_catalogs`;

/** A saved design, laid out like the design of an assembly. Throws a RefusedRequest (404). */
export function locateSaved(context: Context, identifier: string): Design {
  const namespace = namespaceOf(context.organization);
  return designOf(locate(context, identifier, { noun: 'design', namespace, className: SAVED_CLASS }));
}

/** Saves a committed design without global variables. Throws a RefusedRequest (422). */
function saveDesign(
  context: Context,
  from: Design,
  wanted: { readonly organization: string; readonly name: string; readonly description: string },
): StoredRecord {
  const { store } = context;
  const namespace = namespaceOf(wanted.organization);
  const name = checkedName('design', wanted.name);
  if (store.records.exists({ namespace, className: SAVED_CLASS, nameInAnyCase: name }))
    throw refused(`a design named ${name} is saved already (400)`);
  const values = defaultAttributes(knownClass(context.catalogue, SAVED_CLASS), { description: wanted.description });
  const record = store.records.insert({ namespace, className: SAVED_CLASS, name, values }, context);
  const to = designOf(record);
  const writer = stage(store, to.namespace, context);
  copyDesign({ store, stage: writer, from, to, view: 'committed', variables: false });
  writer.commit();
  return record;
}

export const savedDesignHandlers: HandlerTable = handlersOf(routes.designs, {
  list: (context) =>
    committedRecords(context, { namespace: namespaceOf(context.organization), className: SAVED_CLASS }),
  read: (context) => committedRecord(context, locateSaved(context, context.address.design).assembly),
  delete: (context) => {
    const saved = locateSaved(context, context.address.design);
    context.store.removeNamespace(saved.namespace);
    context.store.records.remove(saved.assembly.id);
    return deletedAnswer(context.rules, committedRecord(context, saved.assembly));
  },
});

/** The organization of a copy. Throws a RefusedRequest (404) for a foreign or unknown one. */
function targetOrganization(context: Context, name: string | null | undefined): string {
  if (name === null || name === undefined || name === '') return context.organization;
  const mine = context.account?.organizations ?? null;
  const record = context.store.records.byName('/', 'account.Organization', name, 'committed');
  if (record === undefined || (mine !== null && !mine.includes(name)))
    throw notFound(`organization ${JSON.stringify(name)} not found`);
  return name;
}

/** Copies a complete design into an empty one, as changes of its open release. */
function fillDesign(context: Context, from: Design, to: Design, view: View): void {
  const { store } = context;
  writeDesign(context, to, (stage) => copyDesign({ store, stage, from, to, view, variables: true }));
}

interface Copy {
  readonly name: string;
  readonly organization: string;
  readonly description: string;
}

function copyAssembly(context: Context, from: Design, { name, organization, description }: Copy): StoredRecord {
  const ciAttributes = { description, owner: from.assembly.values['owner'] ?? '' };
  const assembly = makeAssembly(context, organization, { ciName: name, ciAttributes, comments: '' });
  fillDesign(context, from, designOf(assembly), 'staying');
  return assembly;
}

/** A copy of a platform under a name. Throws a RefusedRequest (422): name, duplicate. */
function copyPlatform(
  context: Context,
  from: Design & { readonly platform: StoredRecord },
  to: Design,
  name: string,
): StoredRecord {
  const { store } = context;
  const nameInAnyCase = checkedName('platform', name);
  if (store.records.exists({ namespace: to.namespace, className: 'catalog.Platform', nameInAnyCase }))
    throw refused(`a platform named ${name} exists already`);
  const platforms = [{ platform: from.platform, name }];
  const [copy] = writeDesign(context, to, (stage) =>
    copyDesign({ store, stage, from, to, view: 'staying', platforms, variables: false }),
  );
  if (copy === undefined) throw new Error('the copy of one platform made none');
  return reread(context, copy);
}

export const platformCloneHandlers: HandlerTable = handlersOf(routes.platforms, {
  clone: (context) => {
    const from = locateDesignPlatform(context, context.address);
    const { to_assembly_id: assembly, to_ci_name: name } = context.body;
    return refusedAsMissing(() =>
      mergedRecord(context, copyPlatform(context, from, locateDesign(context, String(assembly)), name)),
    );
  },
});

function runningEnvironments(context: Context, assembly: StoredRecord): string[] {
  const namespace = `${assembly.namespace}/${assembly.name}`;
  return context.store.records
    .list({ namespace, className: 'manifest.Environment' }, 'committed')
    .filter(
      (environment) =>
        context.store.records.list({ below: `${namespace}/${environment.name}/bom` }, 'committed').length > 0,
    )
    .map((environment) => environment.name);
}

export const assemblyHandlers: HandlerTable = handlersOf(routes.assemblies, {
  ...collection(({ organization }) => assembliesIn(organization)),
  list: (context) =>
    context.store.records
      .list(assembliesIn(context.organization), 'committed')
      .filter((assembly) => mayOn(context, assembly))
      .sort((one, other) => one.created - other.created || one.id - other.id)
      .map((assembly) => committedRecord(context, assembly)),
  create: (context) => {
    const { cms_ci: sent, catalog_template: template, teams } = context.body;
    const ciAttributes = requiredAttributes(context.rules, 'cms_ci', sent.ciAttributes) ?? {};
    const wanted = { ciName: sent.ciName, ciAttributes, comments: sent.comments ?? '' };
    const saved = template === undefined || template === null ? undefined : locateSaved(context, String(template));
    const assembly = makeAssembly(context, context.organization, wanted);
    if (saved !== undefined) fillDesign(context, saved, designOf(assembly), 'committed');
    if (teams) attachTeams(context, assembly, { teams });
    return committedRecord(context, assembly);
  },
  clone: (context) => {
    const from = locateDesign(context, context.address.assembly);
    const { ciName: name, description, to_org: toOrganization, export: exported } = context.body;
    return refusedAsMissing(() => {
      const organization = targetOrganization(context, toOrganization);
      const copy = { name, organization, description: description || `Created from ${from.assembly.name}` };
      return committedRecord(context, exported ? saveDesign(context, from, copy) : copyAssembly(context, from, copy));
    });
  },
  teams: (context) => attachedTeams(context, locateAssembly(context, context.address.assembly)),
  updateTeams: (context) => attachTeams(context, locateAssembly(context, context.address.assembly), context.body),
  users: (context) => {
    locateAssembly(context, context.address.assembly);
    return usersOf(context);
  },
  update: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const { comments, ciAttributes } = context.body.cms_ci;
    const sent = { ciAttributes: requiredAttributes(context.rules, 'cms_ci', ciAttributes), comments };
    return committedRecord(context, updateSent(context, assembly, sent, assemblyMetadata(context)));
  },
  delete: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const running = runningEnvironments(context, assembly);
    if (running.length > 0) throw refused(`assembly ${assembly.name} has instances deployed in ${running.join(', ')}`);
    context.store.removeNamespace(`${assembly.namespace}/${assembly.name}`);
    context.store.records.remove(assembly.id);
    return deletedAnswer(context.rules, committedRecord(context, assembly));
  },
});

// Copies designs: platforms with everything in them, their relations, global variables
// (service-facts §4.4 clone, §4.5.1 clone).

interface CopyRequest {
  readonly store: Store;
  /** Writer of the target's namespace. */
  readonly stage: ReleaseWriter;
  readonly from: Design;
  readonly to: Design;
  /** `staying` copies uncommitted values too. */
  readonly view: View;
  /** Platforms to copy, with the names they get; default: all, with their own names. */
  readonly platforms?: readonly { readonly platform: StoredRecord; readonly name: string }[];
  /** Whether global variables are copied, too. */
  readonly variables: boolean;
}

const CHANGED_ON_COPY = { major_version: '1' };

/** Relations that tie design records to one another. */
const isOfDesign = ({ name }: StoredRelation): boolean => !['base.RealizedIn', 'base.Manages'].includes(name);

/** Copies in the stage's one open release; answers the new platforms in the order asked. */
function copyDesign(request: CopyRequest): StoredRecord[] {
  const { store, from, to, view } = request;
  const { platforms = platformsOf(store, from, view).map((platform) => ({ platform, name: platform.name })) } = request;
  const copies = new Map<number, number>([[from.assembly.id, to.assembly.id]]);
  const made = platforms.map(({ platform, name }) => {
    const copy = copyRecord(request, copies, platform, { namespace: to.namespace, name, changed: CHANGED_ON_COPY });
    for (const record of store.records.list({ namespace: insideOf(from, platform.name) }, view))
      copyRecord(request, copies, record, {
        namespace: insideOf(to, name),
        name: nameInside(record, platform.name, name),
      });
    return copy;
  });
  if (request.variables) {
    const globals = store.records.list({ namespace: from.namespace, className: 'catalog.Globalvar' }, view);
    for (const variable of globals)
      copyRecord(request, copies, variable, { namespace: to.namespace, name: variable.name });
  }
  copyRelations(request, copies, from.namespace, to.namespace);
  for (const { platform, name } of platforms)
    copyRelations(request, copies, insideOf(from, platform.name), insideOf(to, name));
  return made;
}

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
