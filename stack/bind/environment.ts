// Environments: clouds, what differs per platform, and the deployment of each.
// It must not know the design beyond the names of its platforms.
import { problem } from '../../api/contract';
import { fieldOf, kindInFile, nearest } from '../../provider';
import { entryOf, isNull, type Entry, type ListNode, type MapNode, type Node } from '../reader/tree';
import { resourceKey } from '../values/value';
import { reportAbsent } from './absent';
import { bindCloudConfigurations, reportLowPercentage, reportPercentages } from './cloud-configuration';
import type { Draft } from './draft';
import { bindOverrides } from './environment-overrides';
import { bindEnvironmentPlatform } from './environment-platform';
import { reportNamesakes } from './namesakes';
import { knownPlatform, reportUnknownAction, reportUnknownComponent } from './platform-components';
import { bindRecords, type Holder } from './records';
import { bindResource, type DraftResource } from './resource';
import { expectMap, formOf, type BindScope } from './scope';
import { bindValue } from './values';
import { bindVariables } from './variable';

const deploymentKind = kindInFile('environments.*.deploy');
const designReleaseKind = kindInFile('design');
const environmentKind = kindInFile('environments.*');

/** What environments may name of the design. */
interface DesignNames {
  readonly platforms: readonly string[];
  /** Whether the file declares all of the design. Otherwise the assembly's owner may have more platforms. */
  readonly isWhole: boolean;
  /** The records of the design that the file declares. */
  readonly records: readonly DraftResource[];
  /** The assembly's variables; absent when the file does not show them. */
  readonly variables?: readonly string[];
  /** Clouds of the organization that the file declares. */
  readonly clouds: readonly string[];
}

/** Binds all environments: each followed by its cloud configurations, its variables, replacements, relays, deployment and procedures. */
export function bindEnvironments(
  scope: BindScope,
  root: MapNode,
  assembly: DraftResource,
  design: DesignNames,
): readonly DraftResource[] {
  const environments = expectMap(scope, entryOf(root, 'environments')?.value, 'a map of environments by name');
  reportNamesakes(scope, environments?.entries ?? [], 'an environment', 'the assembly');
  return (environments?.entries ?? []).flatMap((own) => bindEnvironment(scope, own, assembly, design));
}

function bindEnvironment(
  scope: BindScope,
  own: Entry,
  assembly: DraftResource,
  design: DesignNames,
): readonly DraftResource[] {
  const body = expectMap(scope, own.value, 'a map');
  const overrides = bindPlatformOverrides(scope, body, design);
  const clouds = readClouds(scope, entryOf(body, 'clouds'));
  const field = fieldOf(environmentKind, 'clouds');
  const cloudLinks = clouds && field && bindValue(scope, clouds.value, field.shape);
  if (clouds) {
    reportPercentages(scope, clouds);
    reportSimilarClouds(scope, clouds.value, design.clouds);
  }
  const designRelease = resourceKey(designReleaseKind.token, assembly.logicalName);
  const environment = bindResource(scope, {
    kind: environmentKind,
    logicalName: own.key,
    names: ['environments', own.key],
    address: { assembly: assembly.address.name ?? '', name: own.key },
    own,
    body,
    structure: ['clouds', 'platforms', 'variables', 'relays', 'replacements', 'procedures', 'deploy'],
    given: {
      ...(cloudLinks === undefined ? {} : { clouds: cloudLinks }),
      ...(Object.keys(overrides.availability).length > 0 ? { platformAvailability: overrides.availability } : {}),
    },
    givenEntries: {
      ...(clouds ? { clouds } : {}),
      ...(overrides.entry ? { platformAvailability: overrides.entry } : {}),
    },
    edges: [{ to: designRelease }],
    within: assembly.key,
  });
  if (clouds) reportLowPercentage(scope, environment, clouds);
  const ofPlatforms = overrides.platforms.flatMap(({ entry, body: platformBody }) => [
    ...bindEnvironmentPlatform(scope, environment, { own: entry, body: platformBody }, design.records),
    ...bindCloudConfigurations(scope, environment, entry, platformBody),
    ...bindOverrides(scope, environment, { name: entry.key, body: platformBody }, design.records),
  ]);
  const known = design.variables === undefined ? {} : { known: design.variables };
  const actions = { draft: environment, body, design };
  const variables = bindVariables(scope, body, environment, known);
  const inside = [...ofPlatforms, ...variables, ...bindReplacements(scope, actions)];
  const deployment = bindDeployment(scope, { own, body }, environment, inside);
  if (deployment && !clouds?.value.entries.length && isNull(entryOf(body, 'clouds')?.value))
    reportNoClouds(scope, environment);
  return [
    environment,
    ...inside,
    ...bindRelays(scope, environment, body),
    ...(deployment ? [deployment] : []),
    ...bindProcedures(scope, actions),
  ];
}

/** Others may own a cloud that the file does not declare; a name that is a declared one with a letter swapped, missing or added is meant to be it. */
function reportSimilarClouds(scope: BindScope, { entries }: MapNode, declared: readonly string[]): void {
  const sorted = (word: string): string => [...word].sort().join('');
  const digits = (word: string): string => word.replace(/\D/g, '');
  for (const entry of entries.filter(({ key }) => !declared.includes(key))) {
    const near = nearest(entry.key, declared);
    const isSimilar =
      near !== undefined &&
      digits(near) === digits(entry.key) &&
      (sorted(near) === sorted(entry.key) || Math.abs(near.length - entry.key.length) === 1);
    if (isSimilar)
      scope.report.warning(
        entry,
        'unknown-cloud',
        `the file declares no cloud "${entry.key}"`,
        `did you mean "${near}"? If another stack owns "${entry.key}", declare it with "existing: true"`,
      );
  }
}

/** Relays take effect immediately: no deployment waits for them. */
function bindRelays(scope: BindScope, draft: DraftResource, body: MapNode | undefined): readonly DraftResource[] {
  const named = entryOf(body, 'relays')?.value;
  reportNamesakes(scope, named?.form === 'map' ? named.entries : [], 'a relay', 'the environment');
  return bindRecords(
    scope,
    { draft, body },
    { path: 'environments.*.relays.*', what: 'mail relays by name', hint: 'NAME: { emails: [ops@example.com] }' },
  );
}

/** Where actions on instances are written, and the platforms whose instances there may be. */
interface Actions extends Holder {
  readonly design: DesignNames;
}

/** The deployment carries replacements out, so they come before it. */
const bindReplacements = (scope: BindScope, { design, ...holder }: Actions): readonly DraftResource[] =>
  onInstances(scope, design, holder, {
    path: 'environments.*.replacements.*',
    what: 'replacements of instances by name',
    hint: 'NAME: { platform: web, component: compute }',
    known: design.isWhole ? { platform: design.platforms } : {},
  });

/** Procedures run on what the deployment made. */
const bindProcedures = (scope: BindScope, { design, ...holder }: Actions): readonly DraftResource[] =>
  onInstances(scope, design, holder, {
    path: 'environments.*.procedures.*',
    what: 'procedures by name',
    hint: 'NAME: { platform: web, component: compute, action: reboot }',
    known: design.isWhole ? { platform: design.platforms } : {},
  });

/** Records that name a component of a platform, and perhaps an action of it. */
function onInstances(
  scope: BindScope,
  { records }: DesignNames,
  ...source: readonly [Holder, Parameters<typeof bindRecords>[2]]
): readonly DraftResource[] {
  const drafts = bindRecords(scope, ...source);
  for (const { address, args, entries } of drafts) {
    const platform = knownPlatform(address.platform ?? '', records);
    const place = entries['component']?.value;
    // A value that is no name has its finding already.
    if (place?.form !== 'scalar' || place.source !== address.component) continue;
    reportUnknownComponent(scope, platform, place.source, place);
    const { action } = args;
    if (entries['action'] && typeof action === 'string')
      reportUnknownAction(scope, platform, { component: place.source, action }, entries['action'].value);
  }
  return drafts;
}

interface PlatformOverrides {
  readonly availability: { readonly [platform: string]: Draft };
  readonly entry?: Entry;
  readonly platforms: readonly { readonly entry: Entry; readonly body: MapNode | undefined }[];
}

function reportNoClouds(scope: BindScope, environment: DraftResource): void {
  scope.report.warning(
    environment.own,
    'no-clouds',
    'the environment has no clouds: nothing runs',
    'clouds: { NAME: { priority: 1 } }',
  );
}

/** What an environment says of single platforms. The availabilities are one argument of the environment itself. */
function bindPlatformOverrides(
  scope: BindScope,
  body: MapNode | undefined,
  { platforms: known, isWhole }: DesignNames,
): PlatformOverrides {
  const entry = entryOf(body, 'platforms');
  const map = expectMap(scope, entry?.value, 'a map of platforms by name');
  const availability: { [platform: string]: Draft } = {};
  const platforms = (map?.entries ?? []).flatMap((own) => {
    const isKnown = known.includes(own.key);
    if (!isKnown && reportAbsent(scope, { what: 'platform', names: ['platforms', own.key] }, own)) return [];
    if (!isKnown && isWhole) {
      const near = nearest(own.key, known);
      scope.report.error(
        own,
        'unknown-platform',
        `there is no platform "${own.key}"`,
        near
          ? `did you mean "${near}"?`
          : 'declare it under platforms; where another stack owns the assembly, declare assembly: { existing: true }, and no platform of it',
      );
      return [];
    }
    const inner = expectMap(scope, own.value, 'a map');
    const choice = entryOf(inner, 'availability');
    const value = choice && bindValue(scope, choice.value, { type: 'text' });
    if (value !== undefined) availability[own.key] = value;
    return [{ entry: own, body: inner }];
  });
  // Findings about one platform's availability are to be at its value: the argument is a map from platform to that value.
  const flattened =
    map && entry
      ? { ...entry, value: { ...map, entries: map.entries.flatMap((own) => flattenAvailability(own)) } }
      : undefined;
  return { availability, platforms, ...(flattened ? { entry: flattened } : {}) };
}

function flattenAvailability(own: Entry): readonly Entry[] {
  const choice = own.value.form === 'map' ? entryOf(own.value, 'availability') : undefined;
  return choice ? [{ ...own, value: choice.value }] : [];
}

/** `clouds` as a map from name to link: a list of names is one whose links declare nothing. */
function readClouds(scope: BindScope, entry: Entry | undefined): (Entry & { readonly value: MapNode }) | undefined {
  if (!entry || isNull(entry.value) || entry.value.form === 'failed') return undefined;
  if (entry.value.form === 'map') return { ...entry, value: entry.value };
  if (entry.value.form === 'list') return { ...entry, value: cloudsOfList(scope, entry.value) };
  scope.report.error(
    entry.value,
    'wrong-type',
    `must be a map of clouds by name, not ${formOf(entry.value)}`,
    'clouds: { NAME: { priority: 1 } }',
  );
  return undefined;
}

function cloudsOfList(scope: BindScope, list: ListNode): MapNode {
  const entries: Entry[] = [];
  for (const item of list.items) {
    const word = wordOf(item);
    if (word === undefined) {
      if (item.form !== 'failed')
        scope.report.error(
          item,
          'wrong-type',
          'must be the name of a cloud',
          'write a map to give a cloud settings: clouds: { NAME: { priority: 1 } }',
        );
    } else if (entries.some(({ key }) => key === word)) {
      scope.report.add(problem('duplicate-cloud', [], `the cloud "${word}" is listed twice`), item);
    } else {
      const nothing = { form: 'scalar', value: null, source: '', raw: '', path: item.path, at: item.at } as const;
      entries.push({ key: word, path: item.path, at: item.at, value: nothing });
    }
  }
  return { form: 'map', entries, path: list.path, at: list.at };
}

const wordOf = (node: Node): string | undefined =>
  node.form === 'scalar' && node.value !== null && !node.source.includes('${') ? node.source : undefined;

/** Absent or a map: deployed. `false`: prepared, not deployed. */
function bindDeployment(
  scope: BindScope,
  { own, body }: { readonly own: Entry; readonly body: MapNode | undefined },
  environment: DraftResource,
  inside: readonly DraftResource[],
): DraftResource | undefined {
  const entry = entryOf(body, 'deploy');
  const node = entry?.value;
  if (node?.form === 'scalar' && node.value === false) return undefined;
  const isSwitch = node?.form === 'scalar' && node.value === true;
  const deploy = isSwitch
    ? undefined
    : expectMap(scope, node, 'a map, true or false', 'deploy: true, or deploy: { comment: … }');
  return bindResource(scope, {
    kind: deploymentKind,
    logicalName: environment.logicalName,
    names: [...environment.names, 'deployment'],
    address: { assembly: environment.address.assembly ?? '', environment: environment.logicalName },
    own: entry ?? own,
    body: deploy,
    edges: inside.map(({ key }) => ({ to: key })),
    within: environment.key,
  });
}
