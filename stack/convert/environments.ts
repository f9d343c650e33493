// Environments of a Boo template: clouds, relays, variables, and what differs per platform.
// It must not know the design beyond the names of its platforms and packs.
import { kindInFile, nearest } from '../../provider';
import { keysOf } from '../bind/vocabulary';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { componentsOf } from './components';
import { eachOf, fieldsOf, numberEntries, variablesOf } from './fields';
import { entryFrom, keyName, leaveUnknown, settingsIn, type Conversion } from './conversion';
import type { Written, WrittenEntry } from './written';

/** What environments refer to in the rest of a template. */
export interface TemplateParts {
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

/** The body of one environment. */
export function environmentOf(work: Conversion, own: Entry, name: string, template: TemplateParts): Written {
  const body = settingsIn(work, own.value);
  const settings = fieldsOf(work, body, { kind: 'environments.*', place: [name], apart: APART });
  const clouds = entryOf(body, 'clouds') ?? template.clouds;
  const entries = [
    ...settings,
    eachOf(work, clouds, (cloud) => ({
      is: 'map',
      entries: numberEntries(work, settingsIn(work, cloud.value), CLOUD),
    })),
    variablesOf(work, { plain: entryOf(body, 'variables'), secrets: entryOf(body, 'encrypted_variables') }, [name]),
    platformsIn(work, entryOf(body, 'platforms'), name, template),
    eachOf(work, entryOf(body, 'relays'), (relay) => ({
      is: 'map',
      entries: fieldsOf(work, settingsIn(work, relay.value), {
        kind: 'environments.*.relays.*',
        place: [name, relay.key],
      }),
    })),
  ];
  return { is: 'map', entries: entries.filter((entry) => entry !== undefined) };
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
        work.ledger.left(scale.value, 'refused-setting', 'there is no platform of this name');
      return [];
    }
    const body = scaled.includes(own) ? undefined : settingsIn(work, own.value);
    const place = { names: [environment, name], pack: template.packs.get(name), body, scale };
    return [entryFrom(work, own, name, platformIn(work, place))];
  });
  if (entries.length === 0) return undefined;
  const value = { is: 'map', entries } as const;
  return entry === undefined ? { key: 'platforms', value } : entryFrom(work, entry, 'platforms', value);
}

interface PlatformIn {
  readonly names: readonly string[];
  readonly pack: string | undefined;
  readonly body: MapNode | undefined;
  /** Its entry at the top of the template. */
  readonly scale: Entry | undefined;
}

function platformIn(work: Conversion, { names, pack, body, scale }: PlatformIn): Written {
  const settings = keysOf(kindInFile('environments.*.platforms.*'));
  for (const entry of body?.entries ?? [])
    if (!OF_PLATFORM.includes(entry.key) && !settings.includes(entry.key))
      leaveUnknown(work, entry, nearest(entry.key, [...OF_PLATFORM, ...settings]));
  const kind = 'environments.*.platforms.*';
  const own = entryOf(body, 'scale');
  const entries = [
    ...fieldsOf(work, withOnly(body, settings), { kind, place: names, apart: OF_PLATFORM }),
    own === undefined ? undefined : scaleOf(work, own),
    own === undefined ? scalingAt(work, scale) : undefined,
    healingOf(work, entryOf(body, 'auto_healing')),
    variablesOf(work, { plain: entryOf(body, 'variables'), secrets: entryOf(body, 'encrypted_variables') }, names),
    componentsOf(work, entryOf(body, 'components'), { names, pack, isBoo: true, isEnvironment: true }),
  ];
  if (own !== undefined && scale !== undefined)
    work.ledger.left(scale.value, 'no-counterpart', 'the environment has its own scale');
  return { is: 'map', entries: entries.filter((entry) => entry !== undefined) };
}

const withOnly = (body: MapNode | undefined, keys: readonly string[]): MapNode | undefined =>
  body && { ...body, entries: body.entries.filter(({ key }) => keys.includes(key)) };

const scaleOf = (work: Conversion, entry: Entry, note?: string): WrittenEntry | undefined => {
  const scale = eachOf(work, entry, (component) => ({
    is: 'map',
    entries: numberEntries(work, settingsIn(work, component.value), SCALING, note),
  }));
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
  return entries.length === 0 ? undefined : entryFrom(work, entry, 'healing', { is: 'map', entries });
}
