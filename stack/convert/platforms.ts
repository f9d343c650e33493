// Platforms of a design and their components, in the words of Boo and of design exports.
import { componentClass, templateClass, type ClassMetadata } from '../../api/contract';
import { mayBeSecret, mayNameSecret } from '../../provider/secrets';
import { nearest } from '../../provider/values';
import { entryOf, isNull, type Entry, type MapNode, type Node } from '../yaml/tree';
import { entryFrom, keyName, leaveUnknown, settingsIn, withReferences, type Conversion } from './conversion';
import { eachOf, fieldsOf, namesEntry, variablesOf } from './fields';
import { hasTag } from './mustache';
import { convertedValue, textRead } from './values';
import { writtenMap, writtenText, type Written, type WrittenEntry } from './written';

const TEXT = { type: 'text' } as const;

/** Keys of a platform; those of Boo are renamed. */
const KEYS = [
  ...['pack', 'pack_version', 'major_version', 'description', 'links', 'variables', 'encrypted_variables'],
  ...['components', 'deploy_order'],
];

export const platformEntries = (work: Conversion, entry: Entry | undefined, isBoo: boolean): WrittenEntry | undefined =>
  eachOf(work, entry, ({ key }, body) => platformOf(work, [key], body, isBoo));

function platformOf(work: Conversion, names: readonly string[], body: MapNode | undefined, isBoo: boolean): Written {
  const pack = packOf(work, body);
  for (const entry of body?.entries ?? [])
    if (!KEYS.includes(entry.key)) leaveUnknown(work, entry, nearest(entry.key, KEYS));
  const order = entryOf(body, 'deploy_order');
  if (order) work.ledger.became(order.value, 'no-counterpart', 'the service orders platforms by their links');
  return writtenMap([
    ...pack.entries,
    singleOf(work, entryOf(body, 'major_version')),
    singleOf(work, entryOf(body, 'description')),
    linksOf(work, entryOf(body, 'links')),
    variablesOf(work, body, names),
    componentsOf(work, entryOf(body, 'components'), { names, pack: pack.bare, isBoo, isEnvironment: false }),
  ]);
}

const singleOf = (work: Conversion, entry: Entry | undefined): WrittenEntry | undefined =>
  entry && entryFrom(work, entry, entry.key, convertedValue(work, entry.value, { shape: TEXT, place: [entry.key] }));

const linksOf = (work: Conversion, entry: Entry | undefined): WrittenEntry | undefined =>
  entry &&
  namesEntry(work, entry, 'links', entry.value.form === 'list' ? ['setting-carried'] : ['setting-rewritten', 'a list']);

/** `source/pack:version`. Boo writes the version apart; parts with tags stay apart. */
function packOf(
  work: Conversion,
  body: MapNode | undefined,
): { readonly bare?: string; readonly entries: readonly WrittenEntry[] } {
  const entry = entryOf(body, 'pack');
  const apart = entryOf(body, 'pack_version');
  if (entry?.value.form !== 'scalar') {
    if (apart) work.ledger.became(apart.value, 'refused-setting', 'there is no pack next to it');
    if (entry) work.ledger.became(entry.value, 'refused-setting', 'a pack is a text, such as oneops/tomcat');
    return { entries: [] };
  }
  const masked = textRead(work, entry.value);
  const [, source, bare = masked, version] = /^(?:([^/]*)\/)?([^:]*)(?::(.*))?$/.exec(masked) ?? [];
  const written = apart?.value.form === 'scalar' ? textRead(work, apart.value) : undefined;
  if (hasTag(masked) || (written !== undefined && hasTag(written)))
    return { entries: partsOf(work, entry, apart, { source, bare, version }) };
  if (apart && written !== undefined) work.ledger.became(apart.value, 'setting-moved', 'now the end of pack');
  if (version !== undefined) work.ledger.became(entry.value, 'setting-carried');
  else if (written === undefined) work.ledger.became(entry.value, 'version-assumed', NO_VERSION);
  else work.ledger.became(entry.value, 'setting-rewritten', 'with its version');
  const whole = version === undefined ? `${masked}:${written ?? '1'}` : masked;
  return { bare, entries: [entryFrom(work, entry, 'pack', writtenText(whole))] };
}

const NO_VERSION = 'it names no version: 1 is written, check it';

/** Parts of a pack under separate keys, where a reference is allowed. */
function partsOf(
  work: Conversion,
  entry: Entry,
  apart: Entry | undefined,
  parts: { readonly source: string | undefined; readonly bare: string; readonly version: string | undefined },
): readonly WrittenEntry[] {
  if (apart || parts.version !== undefined)
    work.ledger.became(entry.value, 'setting-moved', 'in parts: source, pack and version');
  else work.ledger.became(entry.value, 'version-assumed', NO_VERSION);
  if (apart) work.ledger.became(apart.value, 'setting-moved', 'now version');
  const written = apart?.value.form === 'scalar' ? textRead(work, apart.value) : '1';
  const part = (key: string, masked: string): WrittenEntry => ({
    key,
    value: writtenText(withReferences(work, masked)),
  });
  return [
    ...(parts.source === undefined ? [] : [part('source', parts.source)]),
    entryFrom(work, entry, 'pack', writtenText(withReferences(work, parts.bare))),
    part('version', parts.version ?? written),
  ];
}

interface ComponentPlace {
  readonly names: readonly string[];
  /** Bare name of the platform's pack. */
  readonly pack?: string | undefined;
  /** The words of a Boo template, not those of a design export. */
  readonly isBoo: boolean;
  readonly isEnvironment: boolean;
}

/** Keys of a component that are no attribute, and what each is in a stack file. */
const DEPENDS = ['depends', 'sibling_depends_on'];
const INNER = ['attachments', 'monitors', ...DEPENDS];

export function componentsOf(
  work: Conversion,
  entry: Entry | undefined,
  place: ComponentPlace,
): WrittenEntry | undefined {
  const groups = settingsIn(work, entry?.value);
  if (entry === undefined || groups === undefined || groups.entries.length === 0) return undefined;
  const entries = groups.entries.map((group) => groupOf(work, group, place));
  return entryFrom(work, entry, 'components', writtenMap(entries));
}

function groupOf(work: Conversion, group: Entry, place: ComponentPlace): WrittenEntry {
  const key = keyName(work, group);
  const slash = key.indexOf('/');
  const template = slash < 0 ? key : key.slice(0, slash);
  const metadata = componentClass(slash < 0 ? templateClass(template, place.pack) : key.slice(slash + 1));
  const body = isNull(group.value) ? emptyMap(work, group.value) : settingsIn(work, group.value);
  const named = slash >= 0 || (body !== undefined && holdsNamed(body, metadata));
  if (!named) {
    const names = [...place.names, template];
    return entryFrom(work, group, key, componentOf(work, body, { ...place, names, metadata, isBoo: place.isBoo }));
  }
  const isClear =
    slash >= 0 || metadata !== undefined || (body?.entries ?? []).some(({ key: name }) => name === template);
  const written = isClear ? key : withClass(work, group, template);
  const entries = (body?.entries ?? []).map((own) => {
    const name = keyName(work, own);
    const inner = isNull(own.value) ? emptyMap(work, own.value) : settingsIn(work, own.value);
    return entryFrom(work, own, name, componentOf(work, inner, { ...place, names: [...place.names, name], metadata }));
  });
  return entryFrom(work, group, written, writtenMap(entries));
}

/** A component without settings is declared all the same. */
const emptyMap = (work: Conversion, node: Node): undefined => work.ledger.became(node, 'setting-carried');

/** Without its class, a template may have names of components or attributes below it. */
function withClass(work: Conversion, group: Entry, template: string): string {
  const guessed = `${template}/${template.charAt(0).toUpperCase()}${template.slice(1)}`;
  const note = `now ${guessed}: the packaged catalogue does not have the template, check the class`;
  work.ledger.note(group.at, group.path.join('.'), 'setting-rewritten', note);
  return guessed;
}

/** Whether a template's map holds components by name: none of its keys is a setting. */
function holdsNamed(body: MapNode, metadata: ClassMetadata | undefined): boolean {
  return (
    body.entries.length > 0 &&
    body.entries.every(
      ({ key, value }) =>
        !INNER.includes(key) && metadata?.attributes[key] === undefined && (value.form === 'map' || isNull(value)),
    )
  );
}

interface Component extends ComponentPlace {
  readonly metadata: ClassMetadata | undefined;
}

function componentOf(work: Conversion, body: MapNode | undefined, at: Component): Written {
  const component = 'platforms.*.components.*';
  const entries = (body?.entries ?? []).map((entry) => {
    if (entry.key === 'attachments')
      return recordsOf(work, entry, `${at.isEnvironment ? 'environments.*.' : ''}${component}.attachments.*`, at);
    if (entry.key === 'monitors' && entry.value.form === 'map')
      return recordsOf(work, entry, `${component}.monitors.*`, at);
    return DEPENDS.includes(entry.key) ? dependsOf(work, entry, at) : attributeOf(work, entry, at);
  });
  return writtenMap(entries);
}

/** Attachments or monitors of a component, by name. */
const recordsOf = (work: Conversion, entry: Entry, kind: string, { names }: Component): WrittenEntry | undefined =>
  eachOf(work, entry, ({ key }, body) => writtenMap(fieldsOf(work, body, { kind, place: [...names, key] })));

function dependsOf(work: Conversion, entry: Entry, { isEnvironment, isBoo }: Component): WrittenEntry | undefined {
  const isOwn = entry.key === 'depends';
  if (isEnvironment || (isBoo && isOwn))
    return leaveUnknown(work, entry, isEnvironment ? undefined : 'sibling_depends_on');
  return namesEntry(work, entry, 'depends', isOwn ? ['setting-carried'] : ['setting-moved', 'now depends']);
}

function attributeOf(work: Conversion, entry: Entry, { names, metadata, isBoo }: Component): WrittenEntry | undefined {
  const attribute = metadata?.attributes[entry.key];
  const near = attribute === undefined ? misspelt(entry, isBoo) : undefined;
  if (near !== undefined) return leaveUnknown(work, entry, near);
  const secret = attribute?.encrypted ?? looksSecret(entry);
  const shape = attribute?.dataType === 'text' ? ({ type: 'text' } as const) : ({ type: 'open' } as const);
  const value = convertedValue(work, entry.value, {
    shape: metadata === undefined && entry.value.form === 'scalar' ? { type: 'text' } : shape,
    place: [...names, entry.key],
    secret,
  });
  return entryFrom(work, entry, entry.key, value);
}

/** Of an attribute that the packaged catalogue does not have. */
const looksSecret = ({ key, value }: Entry): boolean =>
  mayNameSecret(key) && (value.form !== 'scalar' || mayBeSecret(value.source, key));

/** The word that a key is a misspelling of, which the former tool took for an attribute. */
function misspelt({ key }: Entry, isBoo: boolean): string | undefined {
  if (/^(sibling_?)?depends?(_?on)?s?$/i.test(key)) return isBoo ? 'sibling_depends_on' : 'depends';
  return nearest(key, ['attachments', 'sibling_depends_on']);
}
