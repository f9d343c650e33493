// What differs for one platform of an environment from its design: variables, components,
// attachments, monitors.
import type { Kind } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { didYouMean, nearest } from '../../provider/values';
import { keysOf, ownOverrideKeys } from '../layout';
import { entriesIn, valueBelow, type Entry, type MapNode, type Node } from '../yaml/tree';
import {
  bindAttachments,
  bindComponentRecord,
  packOf,
  readComponents,
  uniqueNames,
  type WrittenComponent,
} from './components';
import { reportAbsent } from './names';
import { knownPlatform, showsAll, unknownComponent, type KnownPlatform } from './platforms';
import { bindRecords } from './records';
import type { DraftResource } from './resource';
import { expectMap, type BindScope } from './scope';
import { bindVariables } from './variables';

const designedComponentKind = kindInFile('platforms.*.components.*');
const designedAttachmentKind = kindInFile('platforms.*.components.*.attachments.*');
const componentKind = kindInFile('environments.*.platforms.*.components.*');
const monitorKind = kindInFile('platforms.*.components.*.monitors.*');
const attachmentKind = kindInFile('environments.*.platforms.*.components.*.attachments.*');

/** A platform of the design, as far as its components in an environment are bound by it. */
type DesignedPlatform = Pick<DraftResource, 'logicalName' | 'names' | 'args' | 'body'>;

interface PlatformOverride {
  readonly environment: DraftResource;
  readonly platform: DesignedPlatform;
  /** The same with what its pack brings; absent where the file does not show the whole platform. */
  readonly known?: KnownPlatform | undefined;
  /** The design's records in it that the file declares. */
  readonly inside: readonly DraftResource[];
}

/** Binds the components of a platform of an environment with attachments and monitors. */
function bindOverriddenComponents(
  scope: BindScope,
  node: Node | undefined,
  override: PlatformOverride,
): readonly DraftResource[] {
  const map = expectMap(scope, node, 'a map of components by template');
  const pack = packOf(override.platform);
  const read = (map?.entries ?? []).flatMap((entry) =>
    isTemplate(scope, entry, override) ? readComponents(scope, entry, pack, ownOverrideKeys()) : [],
  );
  const taken = new Map<string, Entry>();
  return uniqueNames(scope, read).flatMap((written) => {
    if (!isDesigned(scope, written, override)) return [];
    const attachments = bindOverriddenAttachments(scope, written, override, taken);
    const component = saysAnything(written) ? [bindComponent(scope, written, override)] : [];
    return [...component, ...attachments, ...bindMonitors(scope, written, override)];
  });
}

const componentsIn = ({ inside }: PlatformOverride): readonly DraftResource[] =>
  inside.filter(({ kind }) => kind === designedComponentKind);

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
  const known = componentsIn(override);
  const names = [...override.platform.names, 'components', name];
  const isIt = ({ address, args }: DraftResource): boolean =>
    address.name === name && (typeof args.type !== 'string' || args.type === template);
  if (!showsAll(override.platform) || known.some(isIt)) return true;
  if (reportAbsent(scope, { what: 'component', names }, own)) return false;
  if (name === template) {
    // A misspelt name would give up the override of the component that is meant.
    const platform = override.known;
    const finding = isPackaged(platform, template) ? undefined : unknownComponent(scope, platform, name);
    if (finding?.severity !== 'error') return true;
    scope.report.add(finding, own);
    return false;
  }
  scope.report.error(
    own,
    'unknown-component',
    `platform "${override.platform.logicalName}" has no component "${name}" of template ${template}: an environment only changes one that the design has`,
    didYouMean(
      name,
      known.map(({ address }) => address.name ?? ''),
      `declare it under components of the platform`,
    ),
  );
  return false;
}

const isPackaged = (platform: KnownPlatform | undefined, template: string): boolean =>
  platform?.pack?.templates[template] !== undefined;

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
    address: { platform: platform.logicalName, component: written.name },
    ours: ownOverrideKeys(),
    platform,
  });
}

function bindMonitors(
  scope: BindScope,
  { name: component, body }: WrittenComponent,
  override: PlatformOverride,
): readonly DraftResource[] {
  const { environment, platform } = override;
  for (const own of entriesIn(valueBelow(body, 'monitors'))) {
    // The name of a monitor that a pack brings begins with those of its platform and component.
    if (own.key.startsWith(`${platform.logicalName}-${component}-`)) continue;
    const known = namesOfDesign(override, monitorKind, component);
    if (known === undefined || known.includes(own.key)) continue;
    const hint = didYouMean(own.key, known, 'declare it under monitors of the component in the design');
    scope.report.warning(own, 'unknown-monitor', notDesigned('monitor', own.key, component), hint);
  }
  const holder = { draft: environment, body, inside: { platform: platform.logicalName, component } };
  return bindRecords(scope, holder, 'platforms.*.components.*.monitors.*', { hint: 'NAME: { enable: false }' });
}

/** An undeclared attachment is an error where another is meant, else a warning. */
function bindOverriddenAttachments(
  scope: BindScope,
  { name: component, body }: WrittenComponent,
  override: PlatformOverride,
  taken: Map<string, Entry>,
): readonly DraftResource[] {
  const { environment, platform } = override;
  const place = { kind: attachmentKind, within: environment, address: { platform: platform.logicalName, component } };
  const attachments = bindAttachments(scope, body, place, taken);
  const known = namesOfDesign(override, designedAttachmentKind, component);
  for (const { address, own } of attachments) {
    const { name = '' } = address;
    if (known === undefined || known.includes(name)) continue;
    const near = nearest(name, known);
    const message = notDesigned('attachment', name, component);
    if (near) scope.report.error(own, 'unknown-attachment', message, `did you mean "${near}"?`);
    else scope.report.warning(own, 'unknown-attachment', message, 'declare it under the component of the platform');
  }
  return attachments;
}

const notDesigned = (what: string, name: string, component: string): string =>
  `the file declares no ${what} "${name}" of component "${component}": an environment only changes one that the design has`;

/** Names of a component's records of a kind; undefined where the file does not show all. */
const namesOfDesign = (
  { platform, inside }: PlatformOverride,
  { token }: Kind,
  component: string,
): readonly string[] | undefined =>
  showsAll(platform)
    ? inside
        .filter(({ kind, address }) => kind.token === token && address.component === component)
        .map(({ address }) => address.name ?? '')
    : undefined;

const platformKind = kindInFile('platforms.*');
const variableKind = kindInFile('variables.*');

/** A platform of an assembly that another stack owns: nothing is known of it but its name. */
const ownersPlatform = (name: string): DesignedPlatform => ({
  logicalName: name,
  names: ['platforms', name],
  args: { existing: true },
});

/** A platform's entry of an environment. */
interface PlatformEntry {
  readonly name: string;
  readonly body: MapNode | undefined;
}

/**
 * Binds what a platform's entry of an environment lays over the design's records. `designed`: the
 * records of the design that the file declares. A platform that it does not declare is the
 * assembly's owner's.
 */
export function bindOverrides(
  scope: BindScope,
  environment: DraftResource,
  { name, body }: PlatformEntry,
  designed: readonly DraftResource[],
): readonly DraftResource[] {
  const declared = designed.find((record) => record.kind === platformKind && record.logicalName === name);
  const platform = declared ?? ownersPlatform(name);
  const inside = designed.filter(({ address }) => address.platform === name);
  const variables = inside.filter(({ kind }) => kind.token === variableKind.token);
  // What is not declared here may be declared where the platform is.
  const known = showsAll(platform) ? variables.map(({ address }) => address.name ?? '') : undefined;
  return [
    ...bindVariables(scope, body, environment, { platform: name, known }),
    ...bindOverriddenComponents(scope, valueBelow(body, 'components'), {
      environment,
      platform,
      known: knownPlatform(scope, name, designed),
      inside,
    }),
  ];
}
