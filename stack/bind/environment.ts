// Environments: clouds, what differs per platform, relays, replacements, procedures, and the
// deployment of each.
import { fieldOf, type Kind } from '../../provider';
import { isActivePrimary, kindInFile, type DecidingValues } from '../../provider/kinds';
import { didYouMean, nearest } from '../../provider/values';
import { COMPONENT_PARTS, keysOf } from '../layout';
import { resourceKey } from '../values/value';
import {
  entriesIn,
  entryOf,
  isNull,
  valueBelow,
  type Entry,
  type ListNode,
  type MapNode,
  type Placed,
} from '../yaml/tree';
import {
  bindComponentRecord,
  componentKind,
  packOf,
  readComponents,
  uniqueNames,
  type WrittenComponent,
} from './components';
import { reportAbsent, reportNamesakes } from './names';
import {
  designedPlatform,
  reportNotScalable,
  reportUnknownAction,
  reportUnknownComponent,
  unknownComponent,
  type DesignedPlatform,
} from './platforms';
import { bindRecords, type Holder, type RecordsPlace } from './records';
import { bindResource, namesOfDrafts, type DraftResource } from './resource';
import { checkable, entriesBelow, expectMap, formOf, reportUnknownKey, type BindScope } from './scope';
import { bindValue } from './value';
import { bindVariables } from './variables';

const environmentKind = kindInFile('environments.*');

/** Names of the design that environments may use. */
interface DesignNames {
  readonly platforms: readonly string[];
  /** Whether the file declares the whole design. If not, its owner may have more platforms. */
  readonly isWhole: boolean;
  /** The records of the design that the file declares. */
  readonly records: readonly DraftResource[];
  /** The assembly's variables; absent when the file does not show them. */
  readonly variables: readonly string[] | undefined;
  /** Clouds of the organization that the file declares. */
  readonly clouds: readonly string[];
}

export function bindEnvironments(
  scope: BindScope,
  root: MapNode,
  assembly: DraftResource,
  design: DesignNames,
): readonly DraftResource[] {
  const environments = entriesBelow(scope, root, 'environments', 'a map of environments by name');
  reportNamesakes(scope, environments, 'an environment', 'the assembly');
  return environments.flatMap((own) => bindEnvironment(scope, own, assembly, design));
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
    reportUnknownClouds(scope, clouds.value, design.clouds);
  }
  const designRelease = resourceKey(kindInFile('design').token, assembly.logicalName);
  const environment = bindResource(scope, {
    kind: environmentKind,
    within: assembly,
    address: { name: own.key },
    own,
    body,
    structure: ['clouds', 'platforms', 'variables', 'relays', 'replacements', 'procedures', 'deploy'],
    given: { clouds: cloudLinks, platformAvailability: overrides.availability },
    givenEntries: { clouds, platformAvailability: overrides.entry },
    edges: [{ to: designRelease }],
  });
  if (clouds) reportLowPercentage(scope, environment, clouds);
  const ofPlatforms = overrides.platforms.flatMap(({ entry, body: platformBody }) => {
    const platform = designedPlatform(scope, entry.key, design.records);
    const ofPlatform = { platform: platform.name, known: namesOfDesign(platform, kindInFile('variables.*')) };
    return [
      ...bindEnvironmentPlatform(scope, environment, { own: entry, body: platformBody }, platform),
      ...bindCloudConfigurations(scope, environment, entry, platformBody),
      ...bindVariables(scope, platformBody, environment, ofPlatform),
      ...bindOverriddenComponents(scope, platformBody, { environment, platform }),
    ];
  });
  const holder = { draft: environment, body };
  const variables = bindVariables(scope, body, environment, { known: design.variables });
  const replacements = onInstances(scope, holder, design, 'environments.*.replacements.*');
  const inside = [...ofPlatforms, ...variables, ...replacements];
  const deployment = bindDeployment(scope, { own, body }, environment, inside);
  if (deployment && !clouds?.value.entries.length && isNull(valueBelow(body, 'clouds'))) {
    const hint = 'clouds: { NAME: { priority: 1 } }';
    scope.report.warning(own, 'no-clouds', 'the environment has no clouds: nothing runs', hint);
  }
  return [
    environment,
    ...inside,
    // Relays take effect immediately: no deployment waits for them.
    ...bindRecords(scope, holder, 'environments.*.relays.*'),
    ...(deployment ? [deployment] : []),
    ...onInstances(scope, holder, design, 'environments.*.procedures.*'),
  ];
}

/**
 * Warns of clouds that are not declared, where the name is nearly that of a declared one. Reports
 * those that a service, which was asked, does not have.
 */
function reportUnknownClouds(scope: BindScope, { entries }: MapNode, declared: readonly string[]): void {
  const { clouds } = scope.known;
  const sorted = (word: string): string => [...word].sort().join('');
  const digits = (word: string): string => word.replace(/\D/g, '');
  for (const entry of entries.filter(({ key }) => !declared.includes(key))) {
    if (clouds?.includes(entry.key) === false) {
      const hint = didYouMean(entry.key, clouds, 'declare it below clouds');
      scope.report.error(entry, 'unknown-cloud', `the organization has no cloud "${entry.key}"`, hint);
      continue;
    }
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

/**
 * Records that name a component of a platform, and perhaps an action of it. The deployment carries
 * replacements out, so they come before it; procedures run on what it made.
 */
function onInstances(
  scope: BindScope,
  holder: Holder,
  { records, isWhole, platforms }: DesignNames,
  place: RecordsPlace,
): readonly DraftResource[] {
  const drafts = bindRecords(scope, holder, place, { known: isWhole ? { platform: platforms } : {} });
  for (const { address, args, entries } of drafts) {
    const platform = designedPlatform(scope, address.platform ?? '', records);
    const component = entries['component']?.value;
    // A value that is no name has its finding already.
    if (component?.form !== 'scalar' || component.source !== address.component) continue;
    reportUnknownComponent(scope, platform, component.source, component);
    const { action } = args;
    if (entries['action'] && typeof action === 'string')
      reportUnknownAction(scope, platform, { component: component.source, action }, entries['action'].value);
  }
  return drafts;
}

/** Platforms of an environment. Their availabilities are one argument of the environment. */
function bindPlatformOverrides(
  scope: BindScope,
  body: MapNode | undefined,
  { platforms: known, isWhole }: DesignNames,
) {
  const entry = entryOf(body, 'platforms');
  const map = expectMap(scope, entry?.value, 'a map of platforms by name');
  const platforms = entriesIn(map).flatMap((own) => {
    const isKnown = known.includes(own.key);
    if (!isKnown && reportAbsent(scope, { what: 'platform', names: ['platforms', own.key] }, own)) return [];
    if (isKnown || !isWhole) return [{ entry: own, body: expectMap(scope, own.value, 'a map') }];
    const hint =
      'declare it under platforms; where another stack owns the assembly, declare assembly: { existing: true }, and no platform of it';
    const message = `there is no platform "${own.key}"`;
    scope.report.error(own, 'unknown-platform', message, didYouMean(own.key, known, hint));
    return [];
  });
  // The argument is a map from platform to availability, so that findings are at the value.
  const entries = platforms.flatMap(({ entry: own, body: inner }) => {
    const choice = entryOf(inner, 'availability');
    return choice ? [{ ...own, value: choice.value }] : [];
  });
  const availability = entries.flatMap(({ key, value }) => {
    const bound = bindValue(scope, value, { type: 'text' });
    return bound === undefined ? [] : [[key, bound] as const];
  });
  return {
    platforms,
    availability: availability.length > 0 ? Object.fromEntries(availability) : undefined,
    entry: map && entry ? { ...entry, value: { ...map, entries } } : undefined,
  };
}

/** `clouds` as a map from name to link: a list of names is one whose links declare nothing. */
function readClouds(scope: BindScope, entry: Entry | undefined): (Entry & { readonly value: MapNode }) | undefined {
  if (!entry || isNull(entry.value) || entry.value.form === 'failed') return undefined;
  if (entry.value.form === 'map') return { ...entry, value: entry.value };
  if (entry.value.form === 'list') return { ...entry, value: cloudsOfList(scope, entry.value) };
  return scope.report.error(
    entry.value,
    'wrong-type',
    `must be a map of clouds by name, not ${formOf(entry.value)}`,
    'clouds: { NAME: { priority: 1 } }',
  );
}

function cloudsOfList(scope: BindScope, list: ListNode): MapNode {
  const entries: Entry[] = [];
  for (const item of list.items) {
    if (item.form === 'failed') continue;
    const { path, at } = item;
    const isWord = item.form === 'scalar' && item.value !== null && !item.source.includes('${');
    const word = isWord ? item.source : undefined;
    if (word === undefined)
      scope.report.error(
        item,
        'wrong-type',
        'must be the name of a cloud',
        'write a map to give a cloud settings: clouds: { NAME: { priority: 1 } }',
      );
    else if (entries.some(({ key }) => key === word))
      scope.report.error(item, 'duplicate-item', `the cloud "${word}" is listed twice`);
    else entries.push({ key: word, path, at, value: { form: 'scalar', value: null, source: '', raw: '', path, at } });
  }
  return { form: 'map', entries, path: list.path, at: list.at };
}

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
  const deployment = bindResource(scope, {
    kind: kindInFile('environments.*.deploy'),
    within: environment,
    address: {},
    names: [...environment.names, 'deployment'],
    own: entry ?? own,
    body: deploy,
    edges: inside.map(({ key }) => ({ to: key })),
  });
  // What runs in a protected environment would go before the engine refuses to delete it.
  const { protect } = environment.options;
  return protect === undefined ? deployment : { ...deployment, options: { protect, ...deployment.options } };
}

function bindCloudConfigurations(
  scope: BindScope,
  environment: DraftResource,
  own: Entry,
  body: MapNode | undefined,
): readonly DraftResource[] {
  const clouds = entryOf(body, 'clouds');
  const map = expectMap(scope, clouds?.value, 'a map of clouds by name', 'clouds: { NAME: { adminstatus: inactive } }');
  if (!map || !clouds) return [];
  reportPercentages(scope, clouds);
  const known = linksOf(environment)?.map(([name]) => name);
  const drafts = map.entries.flatMap((entry) => {
    if (known && !known.includes(entry.key)) {
      const hint = didYouMean(entry.key, known, 'add it to the clouds of the environment');
      scope.report.error(
        entry,
        'unknown-cloud',
        `the environment "${environment.logicalName}" has no cloud "${entry.key}"`,
        hint,
      );
      return [];
    }
    return [
      bindResource(scope, {
        kind: kindInFile('environments.*.platforms.*.clouds.*'),
        within: environment,
        address: { platform: own.key, cloud: entry.key },
        own: entry,
        body: expectMap(scope, entry.value, 'a map'),
      }),
    ];
  });
  reportNoPrimary(scope, environment, clouds, drafts);
  return drafts;
}

/** Reports a platform without an active cloud of priority 1. Unknown values count as right. */
function reportNoPrimary(
  scope: BindScope,
  environment: DraftResource,
  place: Placed,
  drafts: readonly DraftResource[],
): void {
  const links = linksOf(environment);
  const isPrimary = (link: DecidingValues): boolean => isActivePrimary(link) !== false;
  const left = links?.map(([name, link]) => {
    const draft = drafts.find(({ address }) => address.cloud === name);
    return { ...link, ...(draft ? (checkable(draft.args) as DecidingValues) : {}) };
  });
  if (!links?.some(([, link]) => isPrimary(link)) || left?.some(isPrimary)) return;
  scope.report.error(
    place,
    'no-primary',
    'no cloud of this platform is active with priority 1',
    'leave one cloud active with priority 1',
  );
}

/** The clouds of an environment, and how each is linked; undefined when they are not known. */
function linksOf({ args }: DraftResource): readonly (readonly [cloud: string, link: DecidingValues])[] | undefined {
  const clouds = checkable(args.clouds ?? {});
  if (typeof clouds !== 'object' || clouds === null) return undefined;
  return Object.entries(clouds).map(([name, link]: [string, unknown]) => [
    name,
    typeof link === 'object' && link !== null ? link : { priority: link },
  ]);
}

/** Warns of a share below 100 % on the only active cloud: too few instances would run. */
function reportLowPercentage(scope: BindScope, environment: DraftResource, clouds: Entry): void {
  const [only, ...others] = (linksOf(environment) ?? []).filter(
    ([, { adminstatus = 'active' }]) => adminstatus === 'active',
  );
  const share = others.length > 0 ? undefined : valueBelow(clouds.value, only?.[0] ?? '', 'pct_scale');
  if (share?.form !== 'scalar' || typeof share.value !== 'number' || share.value >= 100 || share.value < 0) return;
  const message = `the only active cloud gets ${share.source} percent of the wanted instances, and no other cloud the rest`;
  scope.report.warning(share, 'low-percentage', message, 'leave it out, or declare fewer instances');
}

/** The service takes more than 100 percent of the wanted instances; a person seldom means it. */
function reportPercentages(scope: BindScope, clouds: Entry): void {
  for (const { value } of entriesIn(clouds.value)) {
    const scale = valueBelow(value, 'pct_scale');
    if (scale?.form !== 'scalar' || !(Number(scale.source) > 100)) continue;
    scope.report.warning(scale, 'large-percentage', `${scale.source} percent is more than all of the wanted instances`);
  }
}

const environmentPlatformKind = kindInFile('environments.*.platforms.*');

/** Availability of an environment that declares none. */
const UNSAID = fieldOf(kindInFile('environments.*'), 'availability')?.base ?? '';

/** Keys of arguments that a file can also give together, below `healing`. */
const HEALING: readonly string[] = [
  ...['autorepair', 'autoreplace', 'autoscale', 'autocomply', 'replace_after_minutes', 'replace_after_repairs'],
];

/** Keys of a platform in an environment that are no argument of it. */
const BESIDE = ['availability', 'clouds', 'components', 'variables'];

/** Binds the platform of an environment; none where its entry has no settings of its own. */
function bindEnvironmentPlatform(
  scope: BindScope,
  environment: DraftResource,
  { own, body }: { readonly own: Entry; readonly body: MapNode | undefined },
  platform: DesignedPlatform,
): readonly DraftResource[] {
  const known = [...keysOf(environmentPlatformKind), 'healing', 'pulumi'];
  const entries = body?.entries ?? [];
  if (!entries.some(({ key }) => known.includes(key))) {
    for (const entry of entries) if (!BESIDE.includes(entry.key)) reportUnknownKey(scope, entry, [...known, ...BESIDE]);
    return [];
  }
  const resource = bindResource(scope, {
    kind: environmentPlatformKind,
    within: environment,
    address: { platform: own.key },
    own,
    // What is below `healing` counts as if it were next to it.
    body: body && { ...body, entries: [...readHealing(scope, body), ...entries] },
    structure: [...BESIDE, 'healing'],
  });
  reportSingle(scope, environment, own, resource);
  const { scale } = resource.entries;
  if (scale?.value.form === 'map')
    for (const entry of scale.value.entries) {
      const unknown = unknownComponent(scope, platform, entry.key);
      if (unknown) scope.report.add(unknown, entry);
      else reportNotScalable(scope, platform, entry);
    }
  return [resource];
}

/** The entries below `healing` that are known there; others are reported. */
const readHealing = (scope: BindScope, body: MapNode): readonly Entry[] =>
  entriesBelow(scope, body, 'healing', 'a map', 'healing: { autorepair: false }').filter((entry) => {
    if (!HEALING.includes(entry.key)) reportUnknownKey(scope, entry, HEALING);
    return HEALING.includes(entry.key);
  });

/** Warns of scaling in a platform that is single, as it is by default. */
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

const overrideKind = kindInFile('environments.*.platforms.*.components.*');

interface PlatformOverride {
  readonly environment: DraftResource;
  readonly platform: DesignedPlatform;
}

function bindOverriddenComponents(
  scope: BindScope,
  body: MapNode | undefined,
  override: PlatformOverride,
): readonly DraftResource[] {
  const pack = packOf(override.platform);
  const read = entriesBelow(scope, body, 'components', 'a map of components by template').flatMap((entry) =>
    isTemplate(scope, entry, override) ? readComponents(scope, entry, pack, overrideKind) : [],
  );
  const taken = new Map<string, Entry>();
  return uniqueNames(scope, read).flatMap((written) => {
    if (!isDesigned(scope, written, override)) return [];
    const inside = bindInside(scope, written, override, taken);
    if (!saysAnything(written)) return inside;
    const { environment: within, platform } = override;
    const address = { platform: platform.name, component: written.name };
    return [bindComponentRecord(scope, written, { kind: overrideKind, within, address, platform }), ...inside];
  });
}

const componentsIn = ({ platform }: PlatformOverride): readonly DraftResource[] =>
  platform.inside.filter(({ kind }) => kind === componentKind);

/** Whether a key is no name of a component, which is below its template as in the design. */
function isTemplate(scope: BindScope, entry: Entry, override: PlatformOverride): boolean {
  const named = componentsIn(override).find(({ address }) => address.name === entry.key);
  const type = named?.args.type;
  if (typeof type !== 'string' || type === entry.key || scope.known.templateClass(entry.key, packOf(override.platform)))
    return true;
  scope.report.error(
    entry,
    'unknown-component',
    `"${entry.key}" is the name of a component, and no template`,
    `write it below its template: ${type}: { ${entry.key}: { … } }`,
  );
  return false;
}

/** Whether the design may have the component: the file declares it, or a pack makes it. */
function isDesigned(scope: BindScope, { name, template, own }: WrittenComponent, override: PlatformOverride): boolean {
  const { platform } = override;
  const known = componentsIn(override);
  const names = ['platforms', platform.name, 'components', name];
  const isIt = ({ address, args }: DraftResource): boolean =>
    address.name === name && (typeof args.type !== 'string' || args.type === template);
  if (!platform.isWhole || known.some(isIt)) return true;
  if (reportAbsent(scope, { what: 'component', names }, own)) return false;
  if (name === template) {
    // A misspelt name would give up the override of the component that is meant.
    const isPackaged = platform.pack?.templates[template] !== undefined;
    const finding = isPackaged ? undefined : unknownComponent(scope, platform, name);
    if (finding?.severity !== 'error') return true;
    scope.report.add(finding, own);
    return false;
  }
  scope.report.error(
    own,
    'unknown-component',
    `platform "${platform.name}" has no component "${name}" of template ${template}: an environment only changes one that the design has`,
    didYouMean(name, namesOfDrafts(known), `declare it under components of the platform`),
  );
  return false;
}

/** Whether an entry says more than what its attachments do. */
const saysAnything = ({ body }: WrittenComponent): boolean =>
  entriesIn(body).some(({ key }) => !COMPONENT_PARTS.some((part) => part === key));

/** Binds the attachments and monitors of a component. The design should have each of them. */
function bindInside(
  scope: BindScope,
  { name: component, body }: WrittenComponent,
  { environment, platform }: PlatformOverride,
  taken: Map<string, Entry>,
): readonly DraftResource[] {
  const holder = { draft: environment, body, inside: { platform: platform.name, component } };
  const attachments = bindRecords(scope, holder, 'environments.*.platforms.*.components.*.attachments.*', { taken });
  const known = namesOfDesign(platform, kindInFile('platforms.*.components.*.attachments.*'), component);
  for (const { address, own } of attachments) {
    const { name = '' } = address;
    if (known === undefined || known.includes(name)) continue;
    // An error where another one is meant.
    const severity = nearest(name, known) === undefined ? 'warning' : 'error';
    const hint = didYouMean(name, known, 'declare it under the component of the platform');
    scope.report[severity](own, 'unknown-attachment', notDesigned('attachment', name, component), hint);
  }
  const designed = namesOfDesign(platform, kindInFile('platforms.*.components.*.monitors.*'), component);
  for (const own of entriesIn(valueBelow(body, 'monitors'))) {
    // The name of a monitor that a pack brings begins with those of its platform and component.
    if (own.key.startsWith(`${platform.name}-${component}-`)) continue;
    if (designed === undefined || designed.includes(own.key)) continue;
    const meant = didYouMean(own.key, designed, 'declare it under monitors of the component in the design');
    scope.report.warning(own, 'unknown-monitor', notDesigned('monitor', own.key, component), meant);
  }
  const hint = 'NAME: { enable: false }';
  return [...attachments, ...bindRecords(scope, holder, 'platforms.*.components.*.monitors.*', { hint })];
}

const notDesigned = (what: string, name: string, component: string): string =>
  `the file declares no ${what} "${name}" of component "${component}": an environment only changes one that the design has`;

/**
 * Names of a kind's records in a platform, or in a component of it. Undefined where the file does
 * not show all of them: more may be declared where the platform is.
 */
const namesOfDesign = (
  { isWhole, inside }: DesignedPlatform,
  { token }: Kind,
  component?: string,
): readonly string[] | undefined =>
  isWhole
    ? namesOfDrafts(inside.filter(({ kind, address }) => kind.token === token && address.component === component))
    : undefined;
