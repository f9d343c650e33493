// Components of a design document as they are loaded: made or overlaid, with their attachments and dependencies.
// The document as a whole: load.ts.
import { type ClassMetadata, ENCRYPTED } from '../../api/contract';
import { storedName } from '../answers';
import { knownClass, newValues, patchValues, type SentAttributes } from '../attributes';
import { type Pack, type PackTemplate, templates } from '../catalogue';
import { addAttachment, checkedAttributes, designAttachmentMetadata } from './attachments';
import { removeComponent, setDependencies } from './components';
import { SECRET } from './extract';
import { addComponent, componentClass, connect, madeFrom, templateOf, templateValues } from './from-template';
import { packOfPlatform } from './make-platform';
import { type DesignPlatform } from './place';
import { type DocumentNode, membersAt, nodeMembers, nodeText } from './read-document';
import { type Context, refused } from '../handler';
import { unknownAttribute, type Warnings } from '../left-out';
import { checkedName, isComponentClass } from '../locate';
import { isLeaving, type AttributeLocks, type ReleaseWriter, type StoredRecord, type Values } from '../store';

/** Where a component is laid. */
interface Laying {
  readonly context: Context;
  readonly stage: ReleaseWriter;
  readonly place: DesignPlatform;
  readonly pack: Pack;
  readonly part: Part;
  /** Told of what the document has and the load leaves out, with its path. */
  readonly warn: Warnings['warn'];
}

/** Members of a component that are not attributes. */
const OWN_KEYS = ['depends', 'attachments', 'monitors'];

/** The template that a key names: `template/class` with the class it makes, or `template`. Throws a RefusedRequest (422). */
function templateNamed({ pack }: Pick<Laying, 'pack'>, key: string): PackTemplate {
  const [name = '', className] = key.split('/');
  const template = templates(pack, 'design').find((each) => each.name === name);
  if (template === undefined)
    throw refused(`Unknown component class/template: pack ${pack.name} has no template ${name}`);
  const made = componentClass(template).replace(/^catalog\./, '');
  if (className !== undefined && made !== className)
    throw refused(`Unknown component class/template: template ${name} makes ${made}, not ${className}`);
  return template;
}

/** What attributes are laid on: its path in the document, its class, and the record, unless it is made now. */
interface Target {
  readonly at: string;
  readonly metadata: ClassMetadata;
  readonly present: StoredRecord | undefined;
}

/**
 * Attributes as text. Those the class does not have are left out with a warning, as the live service does without one. A secret that only says
 * that it exists leaves the value that is there, as the mask does, and locks it.
 */
function attributesIn(
  { warn }: Pick<Laying, 'warn'>,
  members: ReadonlyMap<string, DocumentNode>,
  { at, metadata, present }: Target,
): SentAttributes {
  for (const name of members.keys())
    if (metadata.attributes[name] === undefined) warn(unknownAttribute(at, metadata.name, name));
  const isKept = (name: string, text: string): boolean =>
    metadata.attributes[name]?.encrypted === true && text === SECRET && Boolean(present?.values[name]);
  const entries = [...members].filter(([name]) => metadata.attributes[name] !== undefined);
  return Object.fromEntries(
    entries.map(([name, node]) => {
      const text = nodeText(node);
      return [name, isKept(name, text) ? ENCRYPTED : text];
    }),
  );
}

const locked = (attributes: SentAttributes): AttributeLocks =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, 'design']));

/** Writes attributes on a record and locks them. Throws a RefusedRequest (422). */
function overlay(laying: Laying, record: StoredRecord, attributes: SentAttributes, metadata: ClassMetadata): void {
  const values = patchValues(metadata, record.className, record.values, attributes);
  laying.stage.update(record, { values, owners: { ...record.owners, ...locked(attributes) } });
}

/** Lays a component, and what hangs on it, over the platform. Answers it. Throws a RefusedRequest (422). */
function layComponent(laying: Laying, key: string, name: string, node: DocumentNode): StoredRecord {
  const { context, stage, place, pack } = laying;
  const template = templateNamed(laying, key);
  const members = nodeMembers(node);
  if (members === undefined) throw refused('a component is a map of attributes');
  const className = componentClass(template);
  const metadata = knownClass(context.catalogue, className);
  const present = context.store.records.byName(place.inside, className, name);
  const own = new Map([...members].filter(([member]) => !OWN_KEYS.includes(member)));
  const at = `${place.platform.name}/${name}`;
  const attributes = attributesIn(laying, own, { at, metadata, present });
  if (present !== undefined && isLeaving(present)) throw refused(`component ${name} is to be deleted`);
  if (present !== undefined) overlay(laying, present, attributes, metadata);
  const component = present ?? makeComponent(laying, template, name, attributes);
  if (present === undefined) connect({ stage, store: context.store }, place, pack);
  for (const [attachment, value] of nodeMembers(members.get('attachments')) ?? [])
    layAttachment(laying, component, attachment, value);
  for (const [monitor, value] of nodeMembers(members.get('monitors')) ?? [])
    layMonitor(laying, component, monitor, value);
  return component;
}

function makeComponent(laying: Laying, template: PackTemplate, name: string, attributes: SentAttributes): StoredRecord {
  const { context, stage, place } = laying;
  if (madeFrom(context.store, place.platform, template.name).length >= template.max)
    throw refused(`there are ${template.max} components of template ${template.name} already: no more are allowed`);
  const className = componentClass(template);
  const metadata = knownClass(context.catalogue, className);
  const given: Values = templateValues(context.catalogue, template);
  // What the template gives is not checked again: its secrets are sealed.
  const values = { ...given, ...patchValues(metadata, className, given, attributes) };
  const owners = locked(attributes);
  return addComponent({ stage, catalogue: context.catalogue }, place, template, {
    name: checkedName('component', name),
    values,
    owners,
  });
}

function layAttachment(laying: Laying, component: StoredRecord, name: string, node: DocumentNode): void {
  const { context, stage, place } = laying;
  const className = 'catalog.Attachment';
  const members = nodeMembers(node);
  if (members === undefined) throw refused(`attachment ${name}: a map of attributes`);
  const metadata = designAttachmentMetadata(context);
  const present = context.store.records.byName(place.inside, className, name);
  const joined = new Map(
    [...members].map(([member, value]) => {
      const stored = storedName(context.rules, className, member);
      // Events may be written as a list.
      return [stored, stored === 'run_on' ? eventsJoined(value) : value];
    }),
  );
  const at = `${place.platform.name}/${component.name}/${name}`;
  const ciAttributes = attributesIn(laying, joined, { at, metadata, present });
  const attributes = checkedAttributes(context, { ciAttributes: { ...ciAttributes } });
  if (present !== undefined) overlay(laying, present, attributes, metadata);
  else {
    const values = newValues(metadata, className, attributes);
    const attachment = { name: checkedName('attachment', name), values, owners: locked(attributes), comments: '' };
    addAttachment(stage, { ...place, component }, attachment);
  }
}

function eventsJoined(node: DocumentNode): DocumentNode {
  if (node.kind !== 'list' || node.items.some((item) => item.kind !== 'scalar')) return node;
  const text = node.items.map(nodeText).join(',');
  return { kind: 'scalar', text, value: text };
}

function layMonitor(laying: Laying, component: StoredRecord, name: string, node: DocumentNode): void {
  const { context, stage, place } = laying;
  const className = 'catalog.Monitor';
  const members = nodeMembers(node);
  if (members === undefined) throw refused(`monitor ${name}: a map of attributes`);
  const metadata = knownClass(context.catalogue, className);
  const present = context.store.records.byName(place.inside, className, name);
  const at = `${place.platform.name}/${component.name}/${name}`;
  const attributes = attributesIn(laying, members, { at, metadata, present });
  if (present !== undefined) {
    overlay(laying, present, attributes, metadata);
    return;
  }
  const values = newValues(metadata, className, { custom: 'true', ...attributes });
  const record = stage.add({
    namespace: place.inside,
    className,
    name: checkedName('monitor', name),
    values,
    owners: locked(attributes),
    comments: '',
  });
  stage.addRelation({ namespace: place.inside, name: 'catalog.WatchedBy', fromId: component.id, toId: record.id });
}

/** Carries out a part of the load; what it refuses is noted at its path, and the rest continues. */
export type Part = <T>(path: readonly string[], work: () => T) => T | undefined;

interface Laid {
  readonly component: StoredRecord;
  readonly node: DocumentNode;
  readonly path: readonly string[];
}

/**
 * Lays the components of a document over a platform, then what they depend on, which may come later in the document. Optional components that
 * the document does not mention go when the platform existed before and the document has components for it.
 */
export function layComponents(
  base: Omit<Laying, 'pack'>,
  node: DocumentNode | undefined,
  path: readonly string[],
  wasThere: boolean,
): void {
  const { context, place, part } = base;
  const pack = packOfPlatform(context.catalogue, place.platform.values);
  if (pack === undefined) throw refused(`the pack of platform ${place.platform.name} is not in the catalogue`);
  const laying: Laying = { ...base, pack };
  const groups = membersAt(node, 'components');
  const laid: Laid[] = [];
  for (const [key, group] of groups) {
    for (const [name, written] of part([...path, key], () => membersAt(group, `components of ${key}`)) ?? []) {
      const component = part([...path, key, name], () => layComponent(laying, key, name, written));
      if (component !== undefined) laid.push({ component, node: written, path: [...path, key, name] });
    }
  }
  for (const each of laid) part([...each.path, 'depends'], () => layDependencies(laying, laid, each));
  if (wasThere && groups.size > 0) removeOthers(laying, laid);
}

/** What a component depends on: components of the same class by name, whichever template they are of. */
function layDependencies({ context, stage, place }: Laying, laid: readonly Laid[], { component, node }: Laid): void {
  const depends = node.kind === 'map' ? node.entries.get('depends') : undefined;
  if (depends?.kind !== 'list') return;
  const { className } = component;
  const targets = depends.items.map((item) => {
    const name = nodeText(item);
    const written = laid.find((each) => each.component.name === name && each.component.className === className);
    const target = written?.component ?? context.store.records.byName(place.inside, className, name);
    if (target === undefined || isLeaving(target) || target.id === component.id)
      throw refused(`${name} is no other component of class ${className} in platform ${place.platform.name}`);
    return target.id;
  });
  setDependencies(context.store, stage, component, targets);
}

/** Deletes the optional components of a platform that are not among these. */
function removeOthers({ context, stage, place, pack }: Laying, laid: readonly Laid[]): void {
  const { store } = context;
  const mentioned = new Set(laid.map(({ component }) => component.id));
  const optional = new Set(templates(pack, 'design').flatMap(({ name, min }) => (min === 0 ? [name] : [])));
  const others = store.records
    .list({ namespace: place.inside })
    .filter((record) => isComponentClass(record.className) && !isLeaving(record) && !mentioned.has(record.id));
  for (const component of others) {
    const template = templateOf(store, component);
    if (template !== undefined && optional.has(template)) removeComponent(store, stage, component);
  }
}
