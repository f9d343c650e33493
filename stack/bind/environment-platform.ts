// What an environment says of one platform itself: whether it runs, how it is scaled, what the service does by itself when instances fail.
// It must not know its clouds.
import { fieldOf, kindInFile, snakeCase } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { checkable, type Draft } from './draft';
import { knownPlatform, reportNotScalable, unknownComponent } from './platform-components';
import { bindResource, type DraftResource } from './resource';
import { expectMap, reportUnknownKey, type BindScope } from './scope';
import { bindValue } from './values';
import { argumentOf, keysOf } from './vocabulary';

const environmentPlatformKind = kindInFile('environments.*.platforms.*');

/** Availability of an environment that declares none. */
const UNSAID = fieldOf(kindInFile('environments.*'), 'availability')?.base ?? '';

/** Arguments that a file can also give together, below `healing`. */
const HEALING = [
  'autorepair',
  'autoreplace',
  'autoscale',
  'autocomply',
  'replaceAfterMinutes',
  'replaceAfterRepairs',
] as const;

/** Keys of a platform in an environment that are no argument of it. */
const BESIDE = ['availability', 'clouds', 'components', 'variables'];

/** Binds what one platform's entry of an environment says of the platform itself; nothing where it says nothing. */
export function bindEnvironmentPlatform(
  scope: BindScope,
  environment: DraftResource,
  { own, body }: { readonly own: Entry; readonly body: MapNode | undefined },
  designed: readonly DraftResource[],
): readonly DraftResource[] {
  const known = [...keysOf(environmentPlatformKind), 'healing', 'pulumi'];
  const entries = body?.entries ?? [];
  if (!entries.some(({ key }) => known.includes(key))) {
    for (const entry of entries) if (!BESIDE.includes(entry.key)) reportUnknownKey(scope, entry, [...known, ...BESIDE]);
    return [];
  }
  const healing = readHealing(scope, entryOf(body, 'healing'));
  const resource = bindResource(scope, {
    kind: environmentPlatformKind,
    logicalName: `${environment.logicalName}/${own.key}`,
    names: [...environment.names, 'platforms', own.key],
    address: {
      assembly: environment.address.assembly ?? '',
      environment: environment.logicalName,
      platform: own.key,
    },
    own,
    body,
    structure: [...BESIDE, 'healing'],
    given: healing.args,
    givenEntries: healing.entries,
    within: environment.key,
  });
  reportSingle(scope, environment, own, resource);
  const { scale } = resource.entries;
  const platform = knownPlatform(own.key, designed);
  if (scale?.value.form === 'map')
    for (const entry of scale.value.entries) {
      const unknown = unknownComponent(scope, platform, entry.key);
      if (unknown) scope.report.add(unknown, entry);
      else reportNotScalable(scope, platform, entry);
    }
  return [resource];
}

interface Healing {
  readonly args: { readonly [name: string]: Draft };
  readonly entries: { readonly [name: string]: Entry };
}

/** The arguments below `healing`, each with its own place. */
function readHealing(scope: BindScope, entry: Entry | undefined): Healing {
  const args: { [name: string]: Draft } = {};
  const entries: { [name: string]: Entry } = {};
  const keys = HEALING.map(snakeCase);
  for (const each of expectMap(scope, entry?.value, 'a map', 'healing: { autorepair: false }')?.entries ?? []) {
    const name = keys.includes(each.key) ? argumentOf(environmentPlatformKind, each.key) : undefined;
    const field = name === undefined ? undefined : fieldOf(environmentPlatformKind, name);
    if (name === undefined || field === undefined) {
      reportUnknownKey(scope, each, keys);
      continue;
    }
    const value = bindValue(scope, each.value, field.shape);
    if (value !== undefined) args[name] = value;
    entries[name] = each;
  }
  return { args, entries };
}

/** A platform that is single, as the file says or as it is when the file says nothing, has nothing to scale; one that was pulled before may be redundant all the same. */
function reportSingle(scope: BindScope, environment: DraftResource, own: Entry, { entries }: DraftResource): void {
  const scale = entries['scale'];
  const choices = checkable(environment.args['platformAvailability'] ?? {}) as { readonly [platform: string]: unknown };
  const choice = Object.hasOwn(choices, own.key) ? choices[own.key] : 'default';
  const said = choice === 'default' ? checkable(environment.args['availability'] ?? UNSAID) : choice;
  if (scale === undefined || said !== 'single') return;
  scope.report.warning(
    scale,
    'nothing-to-scale',
    `the platform is single in the environment "${environment.logicalName}": nothing of it can be scaled`,
    'availability: redundant, for a platform that the environment does not have yet',
  );
}
