// A written design laid over the present one: what it names is made or changed, and what it leaves out mostly stays (service-facts §4.5.5, §14).
import { type z } from 'zod';
import { defaultAttributes, type loadBody, routes } from '../../api/contract';
import { knownClass } from '../attributes';
import { answer, type Context, type HandlerTable, handlersOf, RefusedRequest, refused } from '../handler';
import { collectWarnings, type Warnings } from '../left-out';
import { checkedName } from '../locate';
import { seal } from '../secrets';
import { isLeaving, type ReleaseWriter, type StoredRecord } from '../store';
import { SECRET } from './extract';
import { layComponents, type Part } from './load-component';
import { makePlatform } from './make-platform';
import { type Design, type DesignPlatform, IMPLEMENTATION, insideOf, locateDesign, writeDesign } from './place';
import { checkedPlatform, linkedNames, setLinks } from './platforms';
import { type DocumentNode, membersAt, nodeMembers, readDocument, shownOf, nodeText } from './read-document';

/** What is wrong, in the shape of the document: messages where the document has what they are about. */
interface Faults {
  [name: string]: Faults | string[];
}

function collecting(faults: Faults): Part {
  return (path, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      note(faults, path, error.messages);
      return undefined;
    }
  };
}

function note(faults: Faults, path: readonly string[], messages: readonly string[]): void {
  const [step = '', ...rest] = path;
  if (rest.length === 0) {
    faults[step] = [...messages];
    return;
  }
  const known = faults[step];
  const inner: Faults = known === undefined || Array.isArray(known) ? {} : known;
  faults[step] = inner;
  note(inner, rest, messages);
}

interface Load {
  readonly context: Context;
  readonly design: Design;
  readonly stage: ReleaseWriter;
  readonly part: Part;
  /** Told of what the document has and the load leaves out. */
  readonly warn: Warnings['warn'];
}

interface Scope {
  readonly namespace: string;
  readonly className: string;
  readonly relation: string;
  readonly holder: StoredRecord;
}

/** Makes a variable, or writes its value. A value that stands for a secret leaves the secret there is. */
function layVariable({ context, stage }: Load, scope: Scope, name: string, node: DocumentNode): void {
  const { namespace, className } = scope;
  const text = nodeText(node);
  const secret = text.startsWith(SECRET);
  const metadata = knownClass(context.catalogue, className);
  const values = secret ? { secure: 'true', value: '', encrypted_value: seal(text) } : { value: text };
  const owners = { [secret ? 'encrypted_value' : 'value']: 'design' };
  const present = context.store.records.byName(namespace, className, name);
  if (present === undefined) {
    const record = stage.add({
      namespace,
      className,
      name: checkedName('variable', name),
      impl: IMPLEMENTATION,
      values: defaultAttributes(metadata, values),
      owners,
      comments: '',
    });
    stage.addRelation({ namespace, name: scope.relation, fromId: record.id, toId: scope.holder.id });
    return;
  }
  const kept = secret && present.values['secure'] === 'true';
  stage.update(present, { values: kept ? {} : { secure: 'false', encrypted_value: '', ...values }, owners });
}

/** `source/pack:version` of a platform. Throws a RefusedRequest (422). */
function packNamed(members: ReadonlyMap<string, DocumentNode>): { source: string; pack: string; version: string } {
  const text = nodeText(members.get('pack') ?? { kind: 'scalar', text: '', value: null });
  const [, source, pack, version] = /^([^/:]+)\/([^/:]+):([^/:]+)$/.exec(text) ?? [];
  if (source === undefined || pack === undefined || version === undefined)
    throw refused(`pack must be written source/pack:version, not ${JSON.stringify(text)}`);
  return { source, pack, version };
}

/** A platform of the document, and whether it existed before the load. */
interface LaidPlatform {
  readonly place: DesignPlatform;
  readonly wasThere: boolean;
}

/** The platform, made when it does not exist. Throws a RefusedRequest (422). */
function layPlatform({ context, design, stage }: Load, name: string, node: DocumentNode): LaidPlatform {
  const members = membersAt(node, 'a platform');
  const named = packNamed(members);
  const description = members.get('description');
  const given = description === undefined ? {} : { description: nodeText(description) };
  const className = 'catalog.Platform';
  const present = context.store.records.byName(design.namespace, className, name);
  if (present !== undefined && isLeaving(present)) throw refused(`platform ${name} is to be deleted`);
  const changed = Object.entries(named).some(([attribute, value]) => present?.values[attribute] !== value);
  if (present !== undefined && changed) throw refused(`platform ${name} is of another pack: use pack_update`);
  if (present !== undefined) stage.update(present, { values: given });
  const platform =
    present ?? makeNew({ context, stage, design }, name, { ...named, ...given, ...majorVersion(members) });
  return { place: { ...design, platform, inside: insideOf(design, name) }, wasThere: present !== undefined };
}

function majorVersion(members: ReadonlyMap<string, DocumentNode>): { readonly major_version?: string } {
  const version = members.get('major_version');
  return version === undefined ? {} : { major_version: nodeText(version) };
}

function makeNew(
  { context, stage, design }: Pick<Load, 'context' | 'stage' | 'design'>,
  sent: string,
  attributes: { readonly [name: string]: string },
): StoredRecord {
  const { name, values, pack } = checkedPlatform(context, design, { name: sent, attributes });
  const { store, catalogue } = context;
  return makePlatform({ stage, store, catalogue }, design, { name, values, comments: '' }, pack);
}

function layVariables(load: Load, scope: Scope, node: DocumentNode | undefined, path: readonly string[]): void {
  for (const [name, value] of load.part(path, () => membersAt(node, 'variables')) ?? [])
    load.part([...path, name], () => layVariable(load, scope, name, value));
}

function layInside(load: Load, { place, wasThere }: LaidPlatform, node: DocumentNode, path: readonly string[]): void {
  const { context, stage, part, warn } = load;
  const members = membersAt(node, 'a platform');
  const { inside: namespace, platform: holder } = place;
  const scope = { namespace, className: 'catalog.Localvar', relation: 'catalog.ValueFor', holder };
  layVariables(load, scope, members.get('variables'), [...path, 'variables']);
  const components = [...path, 'components'];
  part(components, () =>
    layComponents({ context, stage, place, part, warn }, members.get('components'), components, wasThere),
  );
  part([...path, 'links'], () => layLinks(load, holder, members.get('links')));
}

/** Adds the links of a platform to those it has. Throws a RefusedRequest (422) for one that leads to no other platform. */
function layLinks({ context, stage, design }: Load, platform: StoredRecord, node: DocumentNode | undefined): void {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return;
  if (node.kind !== 'list') throw refused('links must be a list of platforms');
  const names = node.items.map(nodeText);
  const unknown = names.filter((name) => {
    const target = context.store.records.byName(design.namespace, 'catalog.Platform', name);
    return target === undefined || isLeaving(target);
  });
  if (unknown.length > 0) throw refused(...unknown.map((name) => `unknown platform ${JSON.stringify(name)}`));
  setLinks({ context, stage }, design, platform, [...linkedNames(context.store, platform), ...names]);
}

/** Lays a document over a design; answers what it refused. */
function layDesign(load: Omit<Load, 'part'>, root: DocumentNode): Faults {
  const faults: Faults = {};
  const whole = { ...load, part: collecting(faults) };
  const { part, design } = whole;
  const members = membersAt(root, 'the document');
  if (members.has('import')) note(faults, ['import'], ['this service fetches no documents: put all of it into one']);
  const scope = { className: 'catalog.Globalvar', relation: 'base.ValueFor', holder: design.assembly };
  layVariables(whole, { ...scope, namespace: design.namespace }, members.get('variables'), ['variables']);
  const platforms: ReadonlyMap<string, DocumentNode> =
    part(['platforms'], () => membersAt(members.get('platforms'), 'platforms')) ?? new Map();
  const laid = [...platforms].map(([name, node]) => {
    const path = ['platforms', name];
    return { node, path, platform: part(path, () => layPlatform(whole, name, node)) };
  });
  // Links may lead to platforms that come later in the document.
  for (const { node, path, platform } of laid)
    if (platform !== undefined) part(path, () => layInside(whole, platform, node, path));
  return faults;
}

/** The document of a body. Throws a RefusedRequest (422) for none, and for what is no YAML. */
export function readSent({ data, data_file: file }: z.output<typeof loadBody>): DocumentNode {
  const sent = [file, data].find((each) => each !== undefined && each !== null && each.trim() !== '');
  if (!sent) throw refused('Failed to parse configuration file - no data detected.');
  const reading = readDocument(sent);
  if (!reading.ok)
    throw refused(...reading.reasons.map((reason) => `Failed to parse configuration file - invalid YAML: ${reason}`));
  return reading.root;
}

/** Handler of design/load: all of the document or nothing of it. */
export const loadHandlers: HandlerTable = handlersOf(routes.design, {
  load: (context) => {
    const design = locateDesign(context, context.address.assembly);
    const { store, body } = context;
    const open = store.releases.open(design.namespace);
    if (open !== undefined) throw refused(`design release ${open.id} is open: commit or discard it first (6014)`);
    const root = readSent(body);
    const shown = shownOf(root);
    const preview = body.preview === true || body.preview === 'true';
    if (nodeMembers(root) === undefined) return answer(preview ? 200 : 422, { errors: ['the document must be a map'] });
    const { warn, headers } = collectWarnings();
    const carryOut = (): Faults =>
      writeDesign(context, design, (stage) => layDesign({ context, design, stage, warn }, root));
    const errors = store.attempt(carryOut);
    if (Object.keys(errors).length > 0) return answer(preview ? 200 : 422, { ...shown, errors });
    if (!preview) carryOut();
    return answer(200, shown, headers());
  },
});
