// A written design laid over the present one: what it names is made or changed, and what it leaves
// out mostly stays (service-facts §4.5.5, §14).
import type * as z from 'zod';
import { type ClassMetadata, defaultAttributes, ENCRYPTED, type loadBody, routes } from '../../api/contract';
import { storedName } from '../runtime/answers';
import { knownClass, patchValues, type SentAttributes } from '../runtime/attributes';
import {
  collectWarnings,
  type DocumentNode,
  membersAt,
  nodeMembers,
  nodeText,
  readDocument,
  shownOf,
  unknownAttribute,
  type Warnings,
} from './read-document';
import { type Collection, createIn } from '../runtime/collection';
import { answer, type Context, handlersOf, type HandlerTable, refused, RefusedRequest } from '../runtime/handler';
import { checkedName, isComponentClass } from '../runtime/locate';
import { type Pack, packOfPlatform, type PackTemplate } from '../catalogue';
import { attachmentsOf, checkEvents, monitorsOf } from '../design/collections';
import { removeComponent, setDependencies } from '../design/components';
import { SECRET } from './extract';
import {
  addComponent,
  componentClass,
  connect,
  designTemplate,
  madeFrom,
  makePlatform,
  templateOf,
  templateValues,
} from '../design/from-pack';
import {
  type Design,
  type DesignPlatform,
  globalVariables,
  IMPLEMENTATION,
  insideOf,
  localVariables,
  locateDesign,
  type VariableScope,
  writeDesign,
} from '../design/place';
import { type AttributeLocks, isLeaving, type ReleaseWriter, type StoredRecord } from '../store';
import { checkedPlatform, linkedNames, setLinks } from '../design/platforms';

type Members = ReadonlyMap<string, DocumentNode>;

interface Load {
  readonly context: Context;
  readonly design: Design;
  readonly stage: ReleaseWriter;
  /** Carries out a part; what it refuses is noted at its path, and the rest continues. */
  readonly part: <T>(path: readonly string[], work: () => T) => T | undefined;
  /** Receives what the document has and the load leaves out, with its path. */
  readonly warn: Warnings['warn'];
}

interface Laying extends Load {
  readonly place: DesignPlatform;
  readonly pack: Pack;
}

/** Members of a component that are not attributes. */
const OWN_KEYS = ['depends', 'attachments', 'monitors'];

/** The template in a key: `template/class` or `template`. Throws a RefusedRequest (422). */
function templateNamed(pack: Pack, key: string): PackTemplate {
  const [name = '', className] = key.split('/');
  const template = designTemplate(pack, name);
  if (template === undefined)
    throw refused(`Unknown component class/template: pack ${pack.name} has no template ${name}`);
  const made = componentClass(template).replace(/^catalog\./, '');
  if (className !== undefined && made !== className)
    throw refused(`Unknown component class/template: template ${name} makes ${made}, not ${className}`);
  return template;
}

/**
 * Attributes as text; `at` is their path in the document, `present` the record unless it is new.
 * Those the class does not have are left out with a warning, as the live service does without one.
 * A secret that only says that it exists leaves the value that is there, as the mask does, and
 * locks it.
 */
function attributesIn(
  { warn }: Load,
  at: string,
  members: Members,
  metadata: ClassMetadata,
  present: StoredRecord | undefined,
): SentAttributes {
  const entries = [...members].flatMap(([name, node]): [string, string][] => {
    const rule = metadata.attributes[name];
    if (rule === undefined) {
      warn(unknownAttribute(at, metadata.name, name));
      return [];
    }
    const text = nodeText(node);
    return [[name, rule.encrypted && text === SECRET && present?.values[name] ? ENCRYPTED : text]];
  });
  return Object.fromEntries(entries);
}

const locked = (attributes: SentAttributes): AttributeLocks =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, 'design']));

/** Writes attributes on a record and locks them. Throws a RefusedRequest (422). */
function overlay({ stage }: Load, record: StoredRecord, attributes: SentAttributes, metadata: ClassMetadata): void {
  const values = patchValues(metadata, record.className, record.values, attributes);
  stage.update(record, { values, owners: { ...record.owners, ...locked(attributes) } });
}

/** Lays a component and its parts over the platform. Throws a RefusedRequest (422). */
function layComponent(laying: Laying, key: string, name: string, node: DocumentNode): StoredRecord {
  const { context, place, pack } = laying;
  const template = templateNamed(pack, key);
  const members = nodeMembers(node);
  if (members === undefined) throw refused('a component is a map of attributes');
  const className = componentClass(template);
  const metadata = knownClass(context.catalogue, className);
  const present = context.store.records.byName(place.inside, className, name);
  const own = new Map([...members].filter(([member]) => !OWN_KEYS.includes(member)));
  const at = `${place.platform.name}/${name}`;
  const attributes = attributesIn(laying, at, own, metadata, present);
  if (present !== undefined && isLeaving(present)) throw refused(`component ${name} is to be deleted`);
  if (present !== undefined) overlay(laying, present, attributes, metadata);
  const component = present ?? makeComponent(laying, template, name, attributes);
  const parts = { attachments: attachmentsOf, monitors: monitorsOf };
  for (const [member, partsOf] of Object.entries(parts))
    for (const [part, value] of nodeMembers(members.get(member)) ?? [])
      layPart(laying, partsOf(context, { ...place, component }), `${at}/${part}`, part, value);
  return component;
}

function makeComponent(laying: Laying, template: PackTemplate, name: string, attributes: SentAttributes): StoredRecord {
  const { context, stage, place, pack } = laying;
  if (madeFrom(context.store, place.platform, template.name).length >= template.max)
    throw refused(`there are ${template.max} components of template ${template.name} already: no more are allowed`);
  const className = componentClass(template);
  const given = templateValues(context.catalogue, template);
  // What the template gives is not checked again: its secrets are sealed.
  const patch = patchValues(knownClass(context.catalogue, className), className, given, attributes);
  const made = addComponent(context, stage, place, template, {
    name: checkedName('component', name),
    values: { ...given, ...patch },
    owners: locked(attributes),
  });
  connect(context, stage, place, pack);
  return made;
}

/** Lays an attachment or a monitor over those of a component. Throws a RefusedRequest (422). */
function layPart(laying: Laying, parts: Collection, at: string, name: string, node: DocumentNode): void {
  const { context, stage } = laying;
  const { noun, namespace, className, metadata = knownClass(context.catalogue, className) } = parts;
  const members = nodeMembers(node);
  if (members === undefined) throw refused(`${noun} ${name}: a map of attributes`);
  const present = context.store.records.byName(namespace, className, name);
  const stored = [...members].map(([member, value]) => {
    const own = storedName(context.rules, className, member);
    // Events may be written as a list.
    return [own, own === 'run_on' ? eventsJoined(value) : value] as const;
  });
  const attributes = attributesIn(laying, at, new Map(stored), metadata, present);
  if (noun === 'attachment') checkEvents(context, attributes);
  if (present !== undefined) return overlay(laying, present, attributes, metadata);
  const staged: NonNullable<Collection['staged']> = { lockedBy: 'design', write: (work) => work(stage) };
  createIn(context, { ...parts, staged }, { ciName: name, ciAttrProps: { owner: locked(attributes) } }, attributes);
}

function eventsJoined(node: DocumentNode): DocumentNode {
  if (node.kind !== 'list' || node.items.some((item) => item.kind !== 'scalar')) return node;
  const text = node.items.map(nodeText).join(',');
  return { kind: 'scalar', text, value: text };
}

interface Laid {
  readonly component: StoredRecord;
  readonly node: DocumentNode;
  readonly path: readonly string[];
}

/**
 * Lays the components of a document over a platform, then what they depend on, which may come later
 * in the document. Optional components that the document does not mention go when the platform
 * existed before and the document has components for it.
 */
function layComponents(
  load: Load,
  { place, wasThere }: LaidPlatform,
  node: DocumentNode | undefined,
  path: readonly string[],
): void {
  const { context, part } = load;
  const pack = packOfPlatform(context.catalogue, place.platform.values);
  if (pack === undefined) throw refused(`the pack of platform ${place.platform.name} is not in the catalogue`);
  const laying: Laying = { ...load, place, pack };
  const groups = membersAt(node, 'components');
  const laid: Laid[] = [];
  for (const [key, group] of groups) {
    for (const [name, written] of part([...path, key], () => membersAt(group, `components of ${key}`)) ?? []) {
      const at = [...path, key, name];
      const component = part(at, () => layComponent(laying, key, name, written));
      if (component !== undefined) laid.push({ component, node: written, path: at });
    }
  }
  for (const each of laid) part([...each.path, 'depends'], () => layDependencies(laying, laid, each));
  if (wasThere && groups.size > 0) removeOthers(laying, laid);
}

/** Dependencies of a component: components of the same class by name, of any template. */
function layDependencies({ context, stage, place }: Laying, laid: readonly Laid[], { component, node }: Laid): void {
  const depends = node.kind === 'map' ? node.entries.get('depends') : undefined;
  if (depends?.kind !== 'list') return;
  const { className } = component;
  const targets = depends.items.map((item) => {
    const name = nodeText(item);
    const written = laid.find((each) => each.component.name === name && each.component.className === className);
    const target = written?.component ?? context.store.records.byName(place.inside, className, name, 'staying');
    if (target === undefined || target.id === component.id)
      throw refused(`${name} is no other component of class ${className} in platform ${place.platform.name}`);
    return target.id;
  });
  setDependencies(stage, component, targets);
}

/** Deletes the optional components of a platform that are not among these. */
function removeOthers({ context, stage, place, pack }: Laying, laid: readonly Laid[]): void {
  const { store } = context;
  const mentioned = new Set(laid.map(({ component }) => component.id));
  for (const component of store.records.list({ namespace: place.inside }, 'staying')) {
    if (!isComponentClass(component.className) || mentioned.has(component.id)) continue;
    const template = templateOf(store, component);
    if (template !== undefined && designTemplate(pack, template)?.min === 0) removeComponent(store, stage, component);
  }
}

/** Findings in the shape of the document. */
interface Faults {
  [name: string]: Faults | string[];
}

/** Keys come from the document: an object with a prototype would hand out what all objects share. */
const noFaults = (): Faults => Object.create(null) as Faults;

function note(faults: Faults, path: readonly string[], messages: readonly string[]): void {
  const inner = path.slice(0, -1).reduce((at, step) => {
    const known = at[step];
    return known === undefined || Array.isArray(known) ? (at[step] = noFaults()) : known;
  }, faults);
  inner[path.at(-1) ?? ''] = [...messages];
}

const collecting =
  (faults: Faults): Load['part'] =>
  (path, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      note(faults, path, error.messages);
      return undefined;
    }
  };

/** Makes a variable, or writes its value. The mask of a secret leaves the secret. */
function layVariable({ context, stage }: Load, scope: VariableScope, name: string, node: DocumentNode): void {
  const { namespace, className } = scope;
  const text = nodeText(node);
  const secret = text.startsWith(SECRET);
  const values = secret ? { secure: 'true', value: '', encrypted_value: text } : { value: text };
  const owners = { [secret ? 'encrypted_value' : 'value']: 'design' };
  const present = context.store.records.byName(namespace, className, name);
  if (present === undefined) {
    const record = {
      ...{ namespace, className, name: checkedName('variable', name), impl: IMPLEMENTATION, comments: '', owners },
      values: defaultAttributes(knownClass(context.catalogue, className), values),
    };
    stage.addTied(record, scope.tie);
    return;
  }
  const kept = secret && present.values['secure'] === 'true';
  stage.update(present, { values: kept ? {} : { secure: 'false', encrypted_value: '', ...values }, owners });
}

/** `source/pack:version` of a platform. Throws a RefusedRequest (422). */
function packNamed(node: DocumentNode | undefined): { source: string; pack: string; version: string } {
  const text = node === undefined ? '' : nodeText(node);
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
function layPlatform({ context, design, stage }: Load, name: string, members: Members): LaidPlatform {
  const named = packNamed(members.get('pack'));
  const textsOf = (member: string): { readonly [member: string]: string } => {
    const node = members.get(member);
    return node === undefined ? {} : { [member]: nodeText(node) };
  };
  const given = textsOf('description');
  const present = context.store.records.byName(design.namespace, 'catalog.Platform', name);
  const placeOf = (platform: StoredRecord): DesignPlatform => ({ ...design, platform, inside: insideOf(design, name) });
  if (present === undefined) {
    const attributes = { ...named, ...given, ...textsOf('major_version') };
    const { pack, ...checked } = checkedPlatform(context, design, { name, attributes });
    const made = makePlatform(context, stage, design, { ...checked, comments: '' }, pack);
    return { place: placeOf(made), wasThere: false };
  }
  if (isLeaving(present)) throw refused(`platform ${name} is to be deleted`);
  const changed = Object.entries(named).some(([attribute, value]) => present.values[attribute] !== value);
  if (changed) throw refused(`platform ${name} is of another pack: use pack_update`);
  stage.update(present, { values: given });
  return { place: placeOf(present), wasThere: true };
}

function layVariables(load: Load, scope: VariableScope, node: DocumentNode | undefined, path: readonly string[]): void {
  for (const [name, value] of load.part(path, () => membersAt(node, 'variables')) ?? [])
    load.part([...path, name], () => layVariable(load, scope, name, value));
}

/** Adds links of a platform. Throws a RefusedRequest (422) for a link to no other platform. */
function layLinks({ context, stage, design }: Load, platform: StoredRecord, node: DocumentNode | undefined): void {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return;
  if (node.kind !== 'list') throw refused('links must be a list of platforms');
  const names = node.items.map(nodeText);
  const { records } = context.store;
  const unknown = names.filter(
    (name) => records.byName(design.namespace, 'catalog.Platform', name, 'staying') === undefined,
  );
  if (unknown.length > 0) throw refused(...unknown.map((name) => `unknown platform ${JSON.stringify(name)}`));
  setLinks(context, stage, design, platform, [...linkedNames(context.store, platform), ...names]);
}

/** Lays a document over a design; answers what it refused. */
function layDesign(load: Omit<Load, 'part'>, root: DocumentNode): Faults {
  const faults = noFaults();
  const whole: Load = { ...load, part: collecting(faults) };
  const { part, design } = whole;
  const members = membersAt(root, 'the document');
  if (members.has('import')) note(faults, ['import'], ['this service fetches no documents: put all of it into one']);
  layVariables(whole, globalVariables(design), members.get('variables'), ['variables']);
  const platforms = part(['platforms'], () => membersAt(members.get('platforms'), 'platforms')) ?? [];
  const laid = [...platforms].flatMap(([name, node]) => {
    const path = ['platforms', name];
    return (
      part(path, () => {
        const inside = membersAt(node, 'a platform');
        return [{ ...layPlatform(whole, name, inside), inside, path }];
      }) ?? []
    );
  });
  // Links may lead to platforms that come later in the document.
  for (const { inside, path, ...platform } of laid) {
    const { place } = platform;
    const components = [...path, 'components'];
    layVariables(whole, localVariables(place), inside.get('variables'), [...path, 'variables']);
    part(components, () => layComponents(whole, platform, inside.get('components'), components));
    part([...path, 'links'], () => layLinks(whole, place.platform, inside.get('links')));
  }
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
