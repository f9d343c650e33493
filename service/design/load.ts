// A written design laid over the present one: what it names is made or changed, what it does not name stays (wire-facts §4.5.5).
// It must not know how text is read.
import { defaultAttributes, routes } from '../../api/contract';
import { knownClass } from '../attributes';
import { answer, type Context, type HandlerTable, handlersOf, Refusal, refused } from '../handler';
import { checkedName } from '../locate';
import { seal } from '../secrets';
import { isLeaving, type Stage, type StoredRecord } from '../store';
import { setSiblings } from './components';
import { SECRET } from './extract';
import { type Laying, layComponent } from './load-component';
import { makePlatform, packOf } from './make-platform';
import { type Design, type DesignPlatform, IMPLEMENTATION, insideOf, locateDesign, writeDesign } from './place';
import { checkedPlatform, linkedNames, setLinks } from './platforms';
import { type DocumentNode, membersOf, plainOf, readDocument, textOf } from './read-document';

/** What is wrong, in the shape of the document: messages where the document has what they are about. */
interface Faults {
  [name: string]: Faults | string[];
}

/** Carries out a part of the load; what it refuses is noted at its path, and the rest goes on. */
type Part = <T>(path: readonly string[], work: () => T) => T | undefined;

function collecting(faults: Faults): Part {
  return (path, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
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
  readonly stage: Stage;
  readonly part: Part;
}

interface Scope {
  readonly namespace: string;
  readonly className: string;
  readonly relation: string;
  readonly holder: StoredRecord;
}

function membersAt(node: DocumentNode | undefined, what: string): ReadonlyMap<string, DocumentNode> {
  const members = membersOf(node);
  if (members === undefined) throw refused(`${what} must be a map`);
  return members;
}

/** Makes a variable, or writes its value. A value that stands for a secret leaves the secret there is. */
function layVariable({ context, stage }: Load, scope: Scope, name: string, node: DocumentNode): void {
  const { namespace, className } = scope;
  const text = textOf(node);
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

/** `source/pack:version` of a platform. Throws a Refusal (422). */
function packNamed(members: ReadonlyMap<string, DocumentNode>): { source: string; pack: string; version: string } {
  const text = textOf(members.get('pack') ?? { kind: 'scalar', text: '', value: null });
  const [, source, pack, version] = /^([^/:]+)\/([^/:]+):([^/:]+)$/.exec(text) ?? [];
  if (source === undefined || pack === undefined || version === undefined)
    throw refused(`pack must be written source/pack:version, not ${JSON.stringify(text)}`);
  return { source, pack, version };
}

/** The platform, made when it is not there. Throws a Refusal (422). */
function layPlatform({ context, design, stage }: Load, name: string, node: DocumentNode): DesignPlatform {
  const members = membersAt(node, 'a platform');
  const named = packNamed(members);
  const description = members.get('description');
  const given = description === undefined ? {} : { description: textOf(description) };
  const className = 'catalog.Platform';
  const present = context.store.records.byName(design.namespace, className, name);
  if (present !== undefined && isLeaving(present)) throw refused(`platform ${name} is to be deleted`);
  const changed = Object.entries(named).some(([attribute, value]) => present?.values[attribute] !== value);
  if (present !== undefined && changed) throw refused(`platform ${name} is of another pack: use pack_update`);
  if (present !== undefined) stage.update(present, { values: given });
  const platform =
    present ?? makeNew({ context, stage, design }, name, { ...named, ...given, ...majorVersion(members) });
  return { ...design, platform, inside: insideOf(design, name) };
}

function majorVersion(members: ReadonlyMap<string, DocumentNode>): { readonly major_version?: string } {
  const version = members.get('major_version');
  return version === undefined ? {} : { major_version: textOf(version) };
}

function makeNew(
  { context, stage, design }: Pick<Load, 'context' | 'stage' | 'design'>,
  sent: string,
  attributes: { readonly [name: string]: string },
): StoredRecord {
  const { name, values, pack } = checkedPlatform(context, design, { name: sent, attributes });
  return makePlatform(stage, context.store, context.catalogue, design, { name, values, comments: '' }, pack);
}

/** Components of a platform, then the siblings they depend on, which may come later in the document. */
function layComponents(
  load: Load,
  place: DesignPlatform,
  node: DocumentNode | undefined,
  path: readonly string[],
): void {
  const { context, stage, part } = load;
  const pack = packOf(context.catalogue, place.platform.values);
  if (pack === undefined) throw refused(`the pack of platform ${place.platform.name} is not in the catalogue`);
  const laying: Laying = { context, stage, place, pack };
  const laid = new Map<string, StoredRecord>();
  const waiting: (() => void)[] = [];
  for (const [key, group] of membersAt(node, 'components')) {
    for (const [name, written] of part([...path, key], () => membersAt(group, `components of ${key}`)) ?? []) {
      const component = part([...path, key, name], () => layComponent(laying, key, name, written));
      if (component === undefined) continue;
      laid.set(name, component);
      const depends = written.kind === 'map' ? written.entries.get('depends') : undefined;
      if (depends?.kind !== 'list') continue;
      waiting.push(() =>
        part([...path, key, name, 'depends'], () => {
          const ids = depends.items.map((item) => laid.get(textOf(item))?.id ?? textOf(item));
          setSiblings(context, stage, place, component, ids);
        }),
      );
    }
  }
  waiting.forEach((set) => set());
}

function layVariables(load: Load, scope: Scope, node: DocumentNode | undefined, path: readonly string[]): void {
  for (const [name, value] of load.part(path, () => membersAt(node, 'variables')) ?? [])
    load.part([...path, name], () => layVariable(load, scope, name, value));
}

function layInside(load: Load, place: DesignPlatform, node: DocumentNode, path: readonly string[]): void {
  const members = membersAt(node, 'a platform');
  const { inside: namespace, platform: holder } = place;
  const scope = { namespace, className: 'catalog.Localvar', relation: 'catalog.ValueFor', holder };
  layVariables(load, scope, members.get('variables'), [...path, 'variables']);
  load.part([...path, 'components'], () =>
    layComponents(load, place, members.get('components'), [...path, 'components']),
  );
  const links = members.get('links');
  if (links?.kind !== 'list') return;
  const wanted = [...linkedNames(load.context.store, holder), ...links.items.map(textOf)];
  setLinks(load.context, load.stage, load.design, holder, wanted);
}

/** Lays a document over a design; answers what it refused. */
function layDesign(load: Omit<Load, 'part'>, root: DocumentNode): Faults {
  const faults: Faults = {};
  const whole = { ...load, part: collecting(faults) };
  const { part, design } = whole;
  const members = part(['document'], () => membersAt(root, 'the document')) ?? new Map<string, DocumentNode>();
  if (members.has('import')) note(faults, ['import'], ['this service fetches no documents: put all of it into one']);
  const scope = { className: 'catalog.Globalvar', relation: 'base.ValueFor', holder: design.assembly };
  layVariables(whole, { ...scope, namespace: design.namespace }, members.get('variables'), ['variables']);
  const platforms: ReadonlyMap<string, DocumentNode> =
    part(['platforms'], () => membersAt(members.get('platforms'), 'platforms')) ?? new Map();
  const laid = [...platforms].map(([name, node]) => {
    const path = ['platforms', name];
    return { node, path, place: part(path, () => layPlatform(whole, name, node)) };
  });
  // Links may lead to platforms that come later in the document.
  for (const { node, path, place } of laid)
    if (place !== undefined) part(path, () => layInside(whole, place, node, path));
  return faults;
}

/** Handler of design/load: all of the document or nothing of it. */
export const loadHandlers: HandlerTable = handlersOf(routes.design, {
  load: (context) => {
    const design = locateDesign(context, context.address.assembly);
    const { store, body } = context;
    const open = store.releases.open(design.namespace);
    if (open !== undefined) throw refused(`design release ${open.id} is open: commit or discard it first (6014)`);
    const reading = readDocument(body.data);
    if (!reading.ok) throw refused(...reading.reasons);
    const data = plainOf(reading.root);
    const shown = typeof data === 'object' && data !== null ? data : {};
    const carryOut = (): Faults =>
      writeDesign(context, design, (stage) => layDesign({ context, design, stage }, reading.root));
    const errors = store.attempt(carryOut);
    const preview = body.preview === true || body.preview === 'true';
    if (Object.keys(errors).length > 0) return answer(preview ? 200 : 422, { ...shown, errors });
    if (!preview) carryOut();
    return shown;
  },
});
