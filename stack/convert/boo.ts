// A Boo template: the address of the service, an assembly, its platforms, and one or several
// environments.
import { kindInFile } from '../../provider/kinds';
import { nearest } from '../../provider/values';
import { keysOf } from '../layout';
import { entriesIn, entryOf, isNull, type Entry, type MapNode } from '../yaml/tree';
import {
  entryFrom,
  keyName,
  leaveUnknown,
  nameOf,
  rendered,
  settingsIn,
  withReferences,
  type Conversion,
} from './conversion';
import { eachOf, fieldsOf, numberEntries, variablesOf } from './fields';
import { hasTag, tagsIn } from './mustache';
import { componentsOf, platformEntries } from './platforms';
import { textRead } from './values';
import { writtenMap, writtenText, type Written, type WrittenEntry } from './written';

/** Keys at the top of a template. */
export const BOO_KEYS: readonly string[] = [
  ...['boo', 'assembly', 'variables', 'encrypted_variables', 'platforms', 'scale', 'environment', 'environments'],
];

/** Settings of Boo that are settings of the provider. */
const PROVIDER: ReadonlyMap<string, string> = new Map([
  ['oneops_host', 'oneops:url'],
  ['organization', 'oneops:organization'],
  ['api_key', 'oneops:token'],
]);

/** The entries of the stack file for a template. `fallback`: the assembly's name. */
export function convertBoo(work: Conversion, root: MapNode, fallback: string): readonly WrittenEntry[] {
  const boo = settingsIn(work, entryOf(root, 'boo')?.value);
  for (const entry of root.entries)
    if (!BOO_KEYS.includes(entry.key) && !entry.key.startsWith('x-'))
      leaveUnknown(work, entry, nearest(entry.key, BOO_KEYS));
  const owner = settingsOf(work, boo);
  const assembly = assemblyOf(work, entryOf(root, 'assembly'), fallback, owner);
  const variables = variablesOf(work, root, []);
  const platforms = platformEntries(work, entryOf(root, 'platforms'), true);
  const environments = environmentsOf(work, root, boo, packsOf(platforms));
  return [assembly, variables, platforms, environments].filter((entry) => entry !== undefined);
}

function packsOf(platforms: WrittenEntry | undefined): TemplateParts['packs'] {
  const entries = platforms?.value.is === 'map' ? platforms.value.entries : [];
  return new Map(
    entries.map(({ key, value }) => {
      const pack = value.is === 'map' ? value.entries.find((entry) => entry.key === 'pack')?.value : undefined;
      return [key, pack?.is === 'text' ? /^(?:[^/]*\/)?([^:$]+)(?::.*)?$/.exec(pack.text)?.[1] : undefined];
    }),
  );
}

/** Boo's own settings go into the configuration. Returns the owner, as the template has it. */
function settingsOf(work: Conversion, boo: MapNode | undefined): Entry | undefined {
  for (const { key, value } of boo?.entries ?? []) {
    const setting = PROVIDER.get(key);
    if (setting !== undefined && value.form === 'scalar') {
      const masked = textRead(work, value);
      const secret = key === 'api_key';
      const tags = tagsIn(masked).flatMap((part) => ('tag' in part ? [part.tag] : []));
      work.configuration.provider({ key: setting, secret, tags, valueIn: (profile) => rendered(masked, profile) });
      work.ledger.became(
        value,
        'setting-configured',
        `${setting} of the stack's configuration${secret ? ', its value is not copied' : ''}`,
      );
    } else if (key === 'ip_output')
      work.ledger.became(value, 'no-counterpart', 'the output of Boo; declare outputs instead');
    else if (!['email', 'environment_name', 'clouds'].includes(key))
      work.ledger.became(value, 'no-counterpart', 'a setting of Boo itself, without a meaning here');
  }
  return entryOf(boo, 'email');
}

function assemblyOf(
  work: Conversion,
  entry: Entry | undefined,
  fallback: string,
  owner: Entry | undefined,
): WrittenEntry {
  const body = settingsIn(work, entry?.value);
  const named = entryOf(body, 'name');
  const random = entryOf(body, 'auto_gen');
  if (random?.value.form === 'scalar') {
    if (textRead(work, random.value) === 'true')
      work.ledger.became(random.value, 'no-counterpart', 'Boo made a random name: this is a fixed one');
    else work.ledger.became(random.value, 'setting-empty', 'always so: the key is left out');
  }
  const value = named?.value;
  const name =
    value?.form === 'scalar' && value.value !== null
      ? nameOf(work, textRead(work, value), (code, note) => work.ledger.became(value, code, note))
      : fallback;
  const rest = fieldsOf(work, body, { kind: 'assembly', place: [], apart: ['name', 'auto_gen'] });
  const mail = rest.some(({ key }) => key === 'owner') ? undefined : mailOf(work, owner);
  if (owner && mail === undefined)
    work.ledger.became(owner.value, 'no-counterpart', 'no e-mail address, or the assembly has its own owner');
  const entries = [entryFrom(work, named, 'name', writtenText(name)), mail, ...rest];
  return entryFrom(work, entry, 'assembly', writtenMap(entries));
}

/** The owner of the assembly: Boo makes it with the address of who runs it. */
function mailOf(work: Conversion, owner: Entry | undefined): WrittenEntry | undefined {
  if (owner?.value.form !== 'scalar') return undefined;
  const masked = textRead(work, owner.value);
  if (!hasTag(masked) && !/^[^@\s]+@[^@\s]+$/.test(masked)) return undefined;
  work.ledger.became(owner.value, 'setting-moved', 'now owner of the assembly');
  return entryFrom(work, owner, 'owner', writtenText(withReferences(work, masked)));
}

function environmentsOf(
  work: Conversion,
  root: MapNode,
  boo: MapNode | undefined,
  packs: TemplateParts['packs'],
): WrittenEntry | undefined {
  const single = entryOf(root, 'environment');
  const several = entryOf(root, 'environments');
  const scale = entryOf(root, 'scale');
  const named = entryOf(boo, 'environment_name');
  const clouds = entryOf(boo, 'clouds');
  if (single === undefined) {
    if (named) work.ledger.became(named.value, 'no-counterpart', 'without a meaning together with environments');
    for (const { value } of [scale, clouds].filter((entry) => entry !== undefined))
      work.ledger.became(value, 'no-counterpart', 'it belongs to a single environment, and the template has none');
    const body = settingsIn(work, several?.value);
    if (several === undefined || body === undefined || body.entries.length === 0) return undefined;
    const entries = body.entries.map((own) => {
      const name = keyName(work, own);
      return entryFrom(work, own, name, environmentOf(work, own, name, { packs }));
    });
    return entryFrom(work, several, 'environments', writtenMap(entries));
  }
  if (several) work.ledger.became(several.value, 'no-counterpart', 'the template has a single environment, too');
  const name = environmentName(work, named);
  const template = { packs, scale: settingsIn(work, scale?.value), clouds };
  const value = environmentOf(work, single, name, template);
  return entryFrom(work, single, 'environments', writtenMap([{ key: name, value }]));
}

function environmentName(work: Conversion, named: Entry | undefined): string {
  if (named?.value.form !== 'scalar' || isNull(named.value)) return 'dev';
  const { value } = named;
  const masked = textRead(work, value);
  if (!hasTag(masked)) {
    work.ledger.became(value, 'setting-moved', 'the name of the environment');
    return masked;
  }
  return nameOf(work, masked, (code, note) => work.ledger.became(value, code, note));
}

interface TemplateParts {
  /** Bare names of packs, by platform. */
  readonly packs: ReadonlyMap<string, string | undefined>;
  /** Scaling by platform, which templates of one environment have at the top. */
  readonly scale?: MapNode | undefined;
  /** Clouds that the template has at the top. */
  readonly clouds?: Entry | undefined;
}

const APART = ['clouds', 'relays', 'variables', 'encrypted_variables', 'platforms'];
const OF_PLATFORM = ['auto_healing', 'scale', 'variables', 'encrypted_variables', 'components'];
const CLOUD = ['priority', 'dpmt_order', 'pct_scale'];
const SCALING = ['current', 'min', 'max', 'step_up', 'step_down', 'pct_dpmt'];

function environmentOf(work: Conversion, own: Entry, name: string, template: TemplateParts): Written {
  const body = settingsIn(work, own.value);
  const settings = fieldsOf(work, body, { kind: 'environments.*', place: [name], apart: APART });
  const clouds = entryOf(body, 'clouds') ?? template.clouds;
  const entries = [
    ...settings,
    eachOf(work, clouds, (_, cloud) => writtenMap(numberEntries(work, cloud, CLOUD))),
    variablesOf(work, body, [name]),
    platformsIn(work, entryOf(body, 'platforms'), name, template),
    eachOf(work, entryOf(body, 'relays'), ({ key }, relay) =>
      writtenMap(fieldsOf(work, relay, { kind: 'environments.*.relays.*', place: [name, key] })),
    ),
  ];
  return writtenMap(entries);
}

/** Platforms of an environment: those that its map names, then those that are only scaled. */
function platformsIn(
  work: Conversion,
  entry: Entry | undefined,
  environment: string,
  template: TemplateParts,
): WrittenEntry | undefined {
  const written = settingsIn(work, entry?.value)?.entries ?? [];
  const scaled = (template.scale?.entries ?? []).filter(({ key }) => !written.some((own) => own.key === key));
  const entries = [...written, ...scaled].flatMap((own): readonly WrittenEntry[] => {
    const name = keyName(work, own);
    const scale = scaled.includes(own) ? own : template.scale?.entries.find(({ key }) => key === own.key);
    if (!template.packs.has(name)) {
      leaveUnknown(work, own, nearest(name, [...template.packs.keys()]), 'declare it under platforms');
      if (scale !== undefined && scale !== own)
        work.ledger.became(scale.value, 'refused-setting', 'there is no platform of this name');
      return [];
    }
    const body = scaled.includes(own) ? undefined : settingsIn(work, own.value);
    return [entryFrom(work, own, name, platformIn(work, [environment, name], template.packs.get(name), body, scale))];
  });
  return entries.length === 0 ? undefined : entryFrom(work, entry, 'platforms', writtenMap(entries));
}

/** `scale`: the entry of the platform at the top of the template. */
function platformIn(
  work: Conversion,
  names: readonly string[],
  pack: string | undefined,
  body: MapNode | undefined,
  scale: Entry | undefined,
): Written {
  const settings = keysOf(kindInFile('environments.*.platforms.*'));
  for (const entry of body?.entries ?? [])
    if (!OF_PLATFORM.includes(entry.key) && !settings.includes(entry.key))
      leaveUnknown(work, entry, nearest(entry.key, [...OF_PLATFORM, ...settings]));
  const kind = 'environments.*.platforms.*';
  const known = entriesIn(body).filter(({ key }) => settings.includes(key));
  const own = entryOf(body, 'scale');
  const entries = [
    ...fieldsOf(work, body && { ...body, entries: known }, { kind, place: names, apart: OF_PLATFORM }),
    own === undefined ? undefined : scaleOf(work, own),
    own === undefined ? scalingAt(work, scale) : undefined,
    healingOf(work, entryOf(body, 'auto_healing')),
    variablesOf(work, body, names),
    componentsOf(work, entryOf(body, 'components'), { names, pack, isBoo: true, isEnvironment: true }),
  ];
  if (own !== undefined && scale !== undefined)
    work.ledger.became(scale.value, 'no-counterpart', 'the environment has its own scale');
  return writtenMap(entries);
}

const scaleOf = (work: Conversion, entry: Entry, note?: string): WrittenEntry | undefined => {
  const scale = eachOf(work, entry, (_, component) => writtenMap(numberEntries(work, component, SCALING, note)));
  return scale && { ...scale, key: 'scale' };
};

/** `scale: { PLATFORM: { scaling: { COMPONENT: … } } }` at the top of a template. */
function scalingAt(work: Conversion, platform: Entry | undefined): WrittenEntry | undefined {
  const body = settingsIn(work, platform?.value);
  for (const entry of body?.entries ?? [])
    if (entry.key !== 'scaling') leaveUnknown(work, entry, nearest(entry.key, ['scaling']));
  const scaling = entryOf(body, 'scaling');
  return scaling && scaleOf(work, scaling, 'now scale of the platform in the environment');
}

function healingOf(work: Conversion, entry: Entry | undefined): WrittenEntry | undefined {
  const body = settingsIn(work, entry?.value);
  if (entry === undefined || body === undefined) return undefined;
  const entries = fieldsOf(work, body, { kind: 'environments.*.platforms.*', place: [], note: 'now below healing' });
  return entries.length === 0 ? undefined : entryFrom(work, entry, 'healing', writtenMap(entries));
}
