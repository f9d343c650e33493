// Which components a platform has, as far as the file and the packaged catalogue say: who names another one gets a finding.
// It must not know who names them.
import {
  classMetadata,
  knownPacks,
  problem,
  registeredClass,
  warning,
  type ClassMetadata,
  type Diagnostic,
  type KnownPack,
} from '../../api/contract';
import { atLevel, kindInFile, nearest } from '../../provider';
import type { Entry, Placed } from '../reader/tree';
import { reportAbsent } from './absent';
import type { DraftResource } from './resource';
import type { BindScope } from './scope';

const platformKind = kindInFile('platforms.*');
const componentKind = kindInFile('platforms.*.components.*');
const attachmentKind = kindInFile('platforms.*.components.*.attachments.*');

/** A platform of the design with its components. */
export interface KnownPlatform {
  readonly name: string;
  /** Its version of a pack, where the catalogue contains it. */
  readonly pack?: KnownPack;
  /** The design's records in it that the file declares. */
  readonly inside: readonly DraftResource[];
}

/** Whether the file shows everything in a record: others decide what is in one that is only referred to, and a mistake can hide a part. */
export const showsAll = ({ args, body }: Pick<DraftResource, 'args' | 'body'>): boolean =>
  args.existing !== true && body?.isPartial !== true;

/** The platform of a name; undefined when the file does not declare it, or only refers to it, so that others decide what it has. */
export function knownPlatform(name: string, designed: readonly DraftResource[]): KnownPlatform | undefined {
  const platform = designed.find(({ kind, logicalName }) => kind === platformKind && logicalName === name);
  if (platform === undefined || !showsAll(platform)) return undefined;
  const { source, pack: bare, version } = platform.args;
  const pack = knownPacks.find(
    (each) => each.source === source && each.name === bare && each.version === String(version as string),
  );
  const inside = designed.filter(({ address }) => address.platform === name);
  return { name, inside, ...(pack ? { pack } : {}) };
}

/** Names of the components that the file declares, and of those that its pack always brings. */
function componentNames({ pack, inside }: KnownPlatform): readonly string[] {
  const declared = inside.filter(({ kind }) => kind === componentKind).map(({ address }) => address.name ?? '');
  const brought = Object.entries(pack?.templates ?? {}).filter(([, { constraint }]) => !constraint.startsWith('0'));
  return [...new Set([...declared, ...brought.map(([name]) => name)])];
}

/** The finding about a component that a platform does not have; undefined when it has it, or may have it. */
export function unknownComponent(
  scope: BindScope,
  platform: KnownPlatform | undefined,
  component: string,
): Diagnostic | undefined {
  if (platform === undefined) return undefined;
  const known = componentNames(platform);
  const near = nearest(component, known);
  if (known.includes(component) || (platform.pack === undefined && near === undefined)) return undefined;
  const message = `platform "${platform.name}" has no component "${component}"`;
  const isCertain = platform.pack !== undefined && near !== undefined;
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
  return atLevel(scope.catalogue ?? 'auto', [
    (isCertain ? problem : warning)('unknown-component', [], message, hint),
  ])[0];
}

/** Reports a component that a platform does not have. */
export function reportUnknownComponent(
  scope: BindScope,
  platform: KnownPlatform | undefined,
  component: string,
  place: Placed,
): void {
  const names = ['platforms', platform?.name ?? '', 'components', component];
  if (platform && reportAbsent(scope, { what: 'component', names }, place)) return;
  const finding = unknownComponent(scope, platform, component);
  if (finding) scope.report.add(finding, place);
}

/** Reports an action that neither the class of a component has nor an attachment that the file declares. */
export function reportUnknownAction(
  scope: BindScope,
  platform: KnownPlatform | undefined,
  { component, action }: { readonly component: string; readonly action: string },
  place: Placed,
): void {
  const metadata = platform && classIn(platform, component);
  if (platform === undefined || metadata === undefined || metadata.actions.length === 0) return;
  const attachments = platform.inside.filter(
    ({ kind, address }) => kind === attachmentKind && address.component === component,
  );
  const known = [...metadata.actions, ...attachments.map(({ address }) => address.name ?? '')];
  if (known.includes(action)) return;
  const near = nearest(action, known);
  const message = `component "${component}" has no action "${action}"`;
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
  const found = (near === undefined ? warning : problem)('unknown-action', [], message, hint);
  for (const finding of atLevel(scope.catalogue ?? 'auto', [found])) scope.report.add(finding, place);
}

/** Reports scaling of a component that its pack has once, whatever is declared: the run would be refused. */
export function reportNotScalable(
  scope: BindScope,
  platform: KnownPlatform | undefined,
  { key, at, path }: Entry,
): void {
  const templates = platform?.pack?.templates ?? {};
  const template = templateOf(platform, key);
  if (template === undefined || templates[template]?.scaled !== false) return;
  const scaled = Object.keys(templates).filter((name) => templates[name]?.scaled);
  const message = `component "${key}" of pack ${platform?.pack?.name ?? ''} cannot be scaled`;
  const hint = scaled.length > 0 ? `what can be scaled is ${scaled.join(', ')}` : 'leave it out';
  for (const finding of atLevel(scope.catalogue ?? 'auto', [warning('not-scalable', [], message, hint)]))
    scope.report.add(finding, { at, path });
}

/** The template of a component: of a declared one as declared, of one that the pack brings its own name. */
function templateOf(platform: KnownPlatform | undefined, component: string): string | undefined {
  const declared = platform?.inside.find(({ kind, address }) => kind === componentKind && address.name === component);
  const template = declared === undefined ? component : declared.args.type;
  return typeof template === 'string' ? template : undefined;
}

/** The class of a component in the packaged version of its pack. */
function classIn(platform: KnownPlatform, component: string): ClassMetadata | undefined {
  const template = templateOf(platform, component);
  const made = template === undefined ? undefined : platform.pack?.templates[template]?.class;
  return made === undefined ? undefined : classMetadata(registeredClass('catalog', made));
}
