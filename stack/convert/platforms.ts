// Platforms of a design: pack, links, variables and components, in the words of Boo and of design exports.
// It must not know environments.
import { nearest } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { componentsOf } from './components';
import { eachOf, variablesOf } from './fields';
import { hasTag } from './mustache';
import { namesListed, textRead, convertedValue } from './values';
import { withReferences } from './references-in-text';
import { entryFrom, leaveUnknown, settingsIn, type Conversion } from './conversion';
import { writtenText, writtenOf, type Written, type WrittenEntry } from './written';

const TEXT = { type: 'text' } as const;

/** Keys of a platform; those of Boo are renamed. */
const KEYS = [
  ...['pack', 'pack_version', 'major_version', 'description', 'links', 'variables', 'encrypted_variables'],
  ...['components', 'deploy_order'],
];

/** The `platforms` of a source. */
export const platformEntries = (work: Conversion, entry: Entry | undefined, isBoo: boolean): WrittenEntry | undefined =>
  eachOf(work, entry, (own) => platformOf(work, own, isBoo));

function platformOf(work: Conversion, own: Entry, isBoo: boolean): Written {
  const body = settingsIn(work, own.value);
  const pack = packOf(work, body);
  const names = [own.key];
  for (const entry of body?.entries ?? [])
    if (!KEYS.includes(entry.key)) leaveUnknown(work, entry, nearest(entry.key, KEYS));
  const order = entryOf(body, 'deploy_order');
  if (order) work.ledger.left(order.value, 'no-counterpart', 'the service orders platforms by their links');
  return {
    is: 'map',
    entries: [
      ...pack.entries,
      singleOf(work, entryOf(body, 'major_version')),
      singleOf(work, entryOf(body, 'description')),
      linksOf(work, entryOf(body, 'links')),
      variablesOf(work, { plain: entryOf(body, 'variables'), secrets: entryOf(body, 'encrypted_variables') }, names),
      componentsOf(work, entryOf(body, 'components'), { names, pack: pack.bare, isBoo, isEnvironment: false }),
    ].filter((entry) => entry !== undefined),
  };
}

const singleOf = (work: Conversion, entry: Entry | undefined): WrittenEntry | undefined =>
  entry && entryFrom(work, entry, entry.key, convertedValue(work, entry.value, { shape: TEXT, place: [entry.key] }));

function linksOf(work: Conversion, entry: Entry | undefined): WrittenEntry | undefined {
  if (entry === undefined) return undefined;
  const names = namesListed(work, entry.value);
  if (names.length === 0) {
    work.ledger.changed(entry.value, 'setting-empty', 'declares nothing: the key is left out');
    return undefined;
  }
  if (entry.value.form === 'list') work.ledger.carried(entry.value);
  else work.ledger.changed(entry.value, 'setting-rewritten', 'a list');
  return entryFrom(work, entry, 'links', writtenOf(names));
}

/** `source/pack:version`. Boo writes the version apart; parts with tags stay apart. */
function packOf(
  work: Conversion,
  body: MapNode | undefined,
): { readonly bare?: string; readonly entries: readonly WrittenEntry[] } {
  const entry = entryOf(body, 'pack');
  const apart = entryOf(body, 'pack_version');
  if (entry?.value.form !== 'scalar') {
    if (apart) work.ledger.left(apart.value, 'refused-setting', 'there is no pack next to it');
    if (entry) work.ledger.left(entry.value, 'refused-setting', 'a pack is a text, such as oneops/tomcat');
    return { entries: [] };
  }
  const masked = textRead(work, entry.value);
  const [, source, bare = masked, version] = /^(?:([^/]*)\/)?([^:]*)(?::(.*))?$/.exec(masked) ?? [];
  const written = apart?.value.form === 'scalar' ? textRead(work, apart.value) : undefined;
  if (hasTag(masked) || (written !== undefined && hasTag(written)))
    return { entries: partsOf(work, entry, apart, { source, bare, version }) };
  if (apart && written !== undefined) work.ledger.changed(apart.value, 'setting-moved', 'now the end of pack');
  if (version !== undefined) work.ledger.carried(entry.value);
  else if (written === undefined) work.ledger.changed(entry.value, 'version-assumed', NO_VERSION);
  else work.ledger.changed(entry.value, 'setting-rewritten', 'with its version');
  const whole = version === undefined ? `${masked}:${written ?? '1'}` : masked;
  return { bare, entries: [entryFrom(work, entry, 'pack', writtenText(whole))] };
}

const NO_VERSION = 'it names no version: 1 is written, check it';

interface PackParts {
  readonly source: string | undefined;
  readonly bare: string;
  readonly version: string | undefined;
}

/** Parts of a pack under separate keys, where a reference is allowed. */
function partsOf(work: Conversion, entry: Entry, apart: Entry | undefined, parts: PackParts): readonly WrittenEntry[] {
  if (apart || parts.version !== undefined)
    work.ledger.changed(entry.value, 'setting-moved', 'in parts: source, pack and version');
  else work.ledger.changed(entry.value, 'version-assumed', NO_VERSION);
  if (apart) work.ledger.changed(apart.value, 'setting-moved', 'now version');
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
