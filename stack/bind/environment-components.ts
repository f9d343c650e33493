// What differs for one platform of an environment from its design: variables, components,
// attachments, monitors.
import type { Kind } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { didYouMean, nearest } from '../../provider/values';
import { keysOf, ownOverrideKeys } from '../layout';
import { entriesIn, valueBelow, type Entry, type MapNode } from '../yaml/tree';
import { bindComponentRecord, packOf, readComponents, uniqueNames, type WrittenComponent } from './components';
import { reportAbsent } from './names';
import { unknownComponent, type DesignedPlatform } from './platforms';
import { bindRecords } from './records';
import type { DraftResource } from './resource';
import { expectMap, type BindScope } from './scope';
import { bindVariables } from './variables';

const designedComponentKind = kindInFile('platforms.*.components.*');
const attachmentKind = kindInFile('platforms.*.components.*.attachments.*');
const componentKind = kindInFile('environments.*.platforms.*.components.*');
const monitorKind = kindInFile('platforms.*.components.*.monitors.*');

/** A platform of the design in an environment. */
interface PlatformOverride {
  readonly environment: DraftResource;
  readonly platform: DesignedPlatform;
}

/** Binds the components of a platform of an environment with attachments and monitors. */
function bindOverriddenComponents(
  scope: BindScope,
  body: MapNode | undefined,
  override: PlatformOverride,
): readonly DraftResource[] {
  const map = expectMap(scope, valueBelow(body, 'components'), 'a map of components by template');
  const pack = packOf(override.platform);
  const read = (map?.entries ?? []).flatMap((entry) =>
    isTemplate(scope, entry, override) ? readComponents(scope, entry, pack, ownOverrideKeys()) : [],
  );
  const taken = new Map<string, Entry>();
  return uniqueNames(scope, read).flatMap((written) => {
    if (!isDesigned(scope, written, override)) return [];
    const inside = bindInside(scope, written, override, taken);
    return saysAnything(written) ? [bindComponent(scope, written, override), ...inside] : inside;
  });
}

const componentsIn = ({ platform }: PlatformOverride): readonly DraftResource[] =>
  platform.inside.filter(({ kind }) => kind === designedComponentKind);

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
    didYouMean(
      name,
      known.map(({ address }) => address.name ?? ''),
      `declare it under components of the platform`,
    ),
  );
  return false;
}

/** Whether an entry says more than what its attachments do. */
const saysAnything = ({ body }: WrittenComponent): boolean => {
  const ours = ownOverrideKeys();
  const said = [...keysOf(componentKind), 'pulumi'];
  return (body?.entries ?? []).some(({ key }) => !ours.includes(key) || said.includes(key));
};

function bindComponent(
  scope: BindScope,
  written: WrittenComponent,
  { environment, platform }: PlatformOverride,
): DraftResource {
  return bindComponentRecord(scope, written, {
    kind: componentKind,
    within: environment,
    address: { platform: platform.name, component: written.name },
    ours: ownOverrideKeys(),
    platform,
  });
}

/** Binds the attachments and monitors of a component. The design should have each of them. */
function bindInside(
  scope: BindScope,
  { name: component, body }: WrittenComponent,
  { environment, platform }: PlatformOverride,
  taken: Map<string, Entry>,
): readonly DraftResource[] {
  const holder = { draft: environment, body, inside: { platform: platform.name, component } };
  const attachments = bindRecords(scope, holder, 'environments.*.platforms.*.components.*.attachments.*', { taken });
  const known = namesOfDesign(platform, attachmentKind, component);
  for (const { address, own } of attachments) {
    const { name = '' } = address;
    if (known === undefined || known.includes(name)) continue;
    // An error where another one is meant.
    const near = nearest(name, known);
    const message = notDesigned('attachment', name, component);
    if (near) scope.report.error(own, 'unknown-attachment', message, `did you mean "${near}"?`);
    else scope.report.warning(own, 'unknown-attachment', message, 'declare it under the component of the platform');
  }
  const monitors = namesOfDesign(platform, monitorKind, component);
  for (const own of entriesIn(valueBelow(body, 'monitors'))) {
    // The name of a monitor that a pack brings begins with those of its platform and component.
    if (own.key.startsWith(`${platform.name}-${component}-`)) continue;
    if (monitors === undefined || monitors.includes(own.key)) continue;
    const hint = didYouMean(own.key, monitors, 'declare it under monitors of the component in the design');
    scope.report.warning(own, 'unknown-monitor', notDesigned('monitor', own.key, component), hint);
  }
  const hint = 'NAME: { enable: false }';
  return [...attachments, ...bindRecords(scope, holder, 'platforms.*.components.*.monitors.*', { hint })];
}

const notDesigned = (what: string, name: string, component: string): string =>
  `the file declares no ${what} "${name}" of component "${component}": an environment only changes one that the design has`;

/** Names of a component's records of a kind; undefined where the file does not show all. */
const namesOfDesign = (
  { isWhole, inside }: DesignedPlatform,
  { token }: Kind,
  component: string,
): readonly string[] | undefined =>
  isWhole
    ? inside
        .filter(({ kind, address }) => kind.token === token && address.component === component)
        .map(({ address }) => address.name ?? '')
    : undefined;

const variableKind = kindInFile('variables.*');

/** Binds what a platform's entry of an environment lays over the design's records. */
export function bindOverrides(
  scope: BindScope,
  body: MapNode | undefined,
  override: PlatformOverride,
): readonly DraftResource[] {
  const { environment, platform } = override;
  const variables = platform.inside.filter(({ kind }) => kind.token === variableKind.token);
  // What is not declared here may be declared where the platform is.
  const known = platform.isWhole ? variables.map(({ address }) => address.name ?? '') : undefined;
  return [
    ...bindVariables(scope, body, environment, { platform: platform.name, known }),
    ...bindOverriddenComponents(scope, body, override),
  ];
}
