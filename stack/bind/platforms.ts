// Binds platforms of the design: pack, links, variables and components; and finds which components
// a platform has, by the file and the catalogue.
import {
  componentClass,
  problem,
  warning,
  type ClassMetadata,
  type Diagnostic,
  type KnownPack,
} from '../../api/contract';
import { kindInFile } from '../../provider/kinds';
import { atLevel } from '../../provider/session/settings';
import { didYouMean, nearest } from '../../provider/values';
import { isOverlay } from '../compose/layers';
import { failed } from '../values/value';
import { filledEntry, type Entry, type MapNode, type Placed } from '../yaml/tree';
import { bindComponents, componentKind } from './components';
import { reportAbsent, reportNamesakes, siblingEdges } from './names';
import { bindResource, namesOfDrafts, type DraftResource } from './resource';
import { entriesBelow, expectMap, type BindScope } from './scope';
import { bindValue } from './value';
import { bindVariables } from './variables';

const platformKind = kindInFile('platforms.*');

/** Binds all platforms with everything in them, each parent before its children. */
export function bindPlatforms(scope: BindScope, root: MapNode, assembly: DraftResource): readonly DraftResource[] {
  const platforms = entriesBelow(scope, root, 'platforms', 'a map of platforms by name');
  const names = platforms.map(({ key }) => key);
  reportNamesakes(scope, platforms, 'a platform', 'the assembly');
  const ofFile = platforms.filter((each) => !isOverlay(each)).map(({ key }) => key);
  return platforms.flatMap((entry) => {
    const body = expectMap(scope, entry.value, 'a map', 'NAME: { pack: oneops/tomcat:1 }');
    const meant = isOverlay(entry) ? nearest(entry.key, ofFile) : undefined;
    const platform = bindPlatform(scope, { own: entry, body, meant }, assembly, names);
    return [platform, ...bindVariables(scope, body, platform), ...bindComponents(scope, body, platform)];
  });
}

interface WrittenPlatform {
  readonly own: Entry;
  readonly body: MapNode | undefined;
  /** The platform of the file that an overlay means, if it has almost this name. */
  readonly meant: string | undefined;
}

function bindPlatform(
  scope: BindScope,
  { own, body, meant }: WrittenPlatform,
  assembly: DraftResource,
  siblings: readonly string[],
): DraftResource {
  const pack = bindPack(scope, { own, body, meant });
  const draft = bindResource(scope, {
    kind: platformKind,
    within: assembly,
    address: { name: own.key },
    own,
    body,
    structure: [...STRUCTURE, ...Object.keys(pack.args).filter((name) => name !== 'pack')],
    given: pack.args,
    givenEntries: pack.entries,
  });
  return { ...draft, edges: [...draft.edges, ...siblingEdges(scope, draft, 'links', siblings)] };
}

const PACK_PARTS = ['source', 'version'] as const;
const STRUCTURE = ['components', 'variables', 'pack'] as const;

/** `source/pack:version` in one, or each under its own key. */
function bindPack(scope: BindScope, { own, body, meant }: WrittenPlatform): Pick<DraftResource, 'args' | 'entries'> {
  const entry = filledEntry(body, 'pack');
  if (!entry) {
    if (body?.isPartial !== true) reportWithoutPack(scope, own, meant);
    const absent = { source: failed(own), pack: failed(own), version: failed(own) };
    // What is written apart is read as any other key.
    return {
      args: Object.fromEntries(Object.entries(absent).filter(([name]) => !filledEntry(body, name))),
      entries: {},
    };
  }
  const value = bindValue(scope, entry.value, { type: 'text' });
  const match = typeof value === 'string' ? /^(?:([^/:]+)\/)?([^/:]+)(?::(.+))?$/.exec(value) : undefined;
  if (typeof value === 'string' && !match) {
    scope.report.error(entry.value, 'bad-format', 'must be source/pack:version', 'pack: oneops/tomcat:1');
    return { args: { pack: failed(entry), source: failed(entry), version: failed(entry) }, entries: { pack: entry } };
  }
  const [, source, name, version] = match ?? [];
  const parts = { source, version };
  const inOne = PACK_PARTS.filter((part) => parts[part] !== undefined);
  for (const part of inOne) {
    const apart = filledEntry(body, part);
    if (apart) scope.report.error(apart, 'given-twice', `the ${part} is already part of "pack"`, 'leave one out');
  }
  const missing = PACK_PARTS.filter((part) => parts[part] === undefined && !filledEntry(body, part));
  if (missing.length > 0 && value !== undefined) {
    const hint = typeof value === 'string' ? 'pack: oneops/tomcat:1' : 'give source, pack and version apart';
    scope.report.error(
      entry.value,
      'required',
      `"${missing.join('" and "')}" of the pack ${missing.length > 1 ? 'are' : 'is'} required`,
      hint,
    );
  }
  const args = {
    pack: name ?? value ?? failed(entry),
    ...Object.fromEntries(inOne.map((part) => [part, parts[part] ?? ''])),
    ...Object.fromEntries(missing.map((part) => [part, failed(entry)])),
  };
  return { args, entries: Object.fromEntries(Object.keys(args).map((part) => [part, entry])) };
}

function reportWithoutPack(scope: BindScope, own: Entry, meant: string | undefined): void {
  const hint = 'pack: oneops/tomcat:1';
  scope.report.error(own, 'required', '"pack" is required', meant === undefined ? hint : `did you mean "${meant}"?`);
  if (meant !== undefined) scope.report.misspelt(own, [meant]);
}

const attachmentKind = kindInFile('platforms.*.components.*.attachments.*');

/** A platform of the design, as an environment names it. */
export interface DesignedPlatform {
  readonly name: string;
  readonly args: DraftResource['args'];
  /** Whether the file declares it, and shows all of it. If not, its owner may declare more. */
  readonly isWhole: boolean;
  /** Its version of a pack, where the catalogue contains it, and the file shows all of it. */
  readonly pack: KnownPack | undefined;
  /** The design's records in it that the file declares. */
  readonly inside: readonly DraftResource[];
}

/** Whether the file shows all of a record: not of one of others, nor after a mistake in it. */
export const showsAll = ({ args, body }: Pick<DraftResource, 'args' | 'body'>): boolean =>
  args.existing !== true && body?.isPartial !== true;

/** The platform of a name. Of one that the file does not declare, nothing else is known. */
export function designedPlatform(
  { known }: BindScope,
  name: string,
  designed: readonly DraftResource[],
): DesignedPlatform {
  const platform = designed.find(({ kind, logicalName }) => kind === platformKind && logicalName === name);
  const { args = { existing: true } } = platform ?? {};
  const isWhole = platform !== undefined && showsAll(platform);
  const isIt = (each: KnownPack): boolean =>
    each.source === args.source && each.name === args.pack && each.version === args.version;
  // Of a pack without templates nothing more is known.
  const pack = known.packs.find((each) => isWhole && isIt(each) && Object.keys(each.templates).length > 0);
  return { name, args, isWhole, pack, inside: designed.filter(({ address }) => address.platform === name) };
}

/** Names of the components that the file declares, and of those that its pack always brings. */
function componentNames({ pack, inside }: DesignedPlatform): readonly string[] {
  const declared = namesOfDrafts(inside.filter(({ kind }) => kind === componentKind));
  const brought = Object.entries(pack?.templates ?? {}).filter(([, { constraint }]) => !constraint.startsWith('0'));
  return [...new Set([...declared, ...brought.map(([name]) => name)])];
}

/** The finding about a component that a platform does not have; undefined where it may have it. */
export function unknownComponent(
  scope: BindScope,
  platform: DesignedPlatform,
  component: string,
): Diagnostic | undefined {
  if (!platform.isWhole) return undefined;
  const known = componentNames(platform);
  const near = nearest(component, known);
  if (known.includes(component) || (platform.pack === undefined && near === undefined)) return undefined;
  const message = `platform "${platform.name}" has no component "${component}"`;
  const isCertain = platform.pack !== undefined && near !== undefined;
  const make = isCertain ? problem : warning;
  const found = make('unknown-component', [], message, didYouMean(component, known));
  return atLevel(scope.catalogue ?? 'auto', [found])[0];
}

export function reportUnknownComponent(
  scope: BindScope,
  platform: DesignedPlatform,
  component: string,
  place: Placed,
): void {
  const names = ['platforms', platform.name, 'components', component];
  if (platform.isWhole && reportAbsent(scope, { what: 'component', names }, place)) return;
  const finding = unknownComponent(scope, platform, component);
  if (finding) scope.report.add(finding, place);
}

/** Reports an action that is neither one of the class nor a declared attachment. */
export function reportUnknownAction(
  scope: BindScope,
  platform: DesignedPlatform,
  { component, action }: { readonly component: string; readonly action: string },
  place: Placed,
): void {
  const metadata = classIn(platform, component);
  if (metadata === undefined || metadata.actions.length === 0) return;
  const attachments = platform.inside.filter(
    ({ kind, address }) => kind === attachmentKind && address.component === component,
  );
  const known = [...metadata.actions, ...namesOfDrafts(attachments)];
  if (known.includes(action)) return;
  const message = `component "${component}" has no action "${action}"`;
  const make = nearest(action, known) === undefined ? warning : problem;
  addOfCatalogue(scope, make('unknown-action', [], message, didYouMean(action, known)), place);
}

/** Adds a finding of the catalogue as it counts in this stack. */
function addOfCatalogue({ catalogue = 'auto', report }: BindScope, found: Diagnostic, place: Placed): void {
  for (const finding of atLevel(catalogue, [found])) report.add(finding, place);
}

/** Reports scaling of a component that its pack does not scale: the run would be refused. */
export function reportNotScalable(scope: BindScope, platform: DesignedPlatform, { key, at, path }: Entry): void {
  const templates = platform.pack?.templates ?? {};
  const template = templateOf(platform, key);
  if (template === undefined || templates[template]?.scaled !== false) return;
  const scaled = Object.keys(templates).filter((name) => templates[name]?.scaled);
  const message = `component "${key}" of pack ${platform.pack?.name ?? ''} cannot be scaled`;
  const hint = scaled.length > 0 ? `what can be scaled is ${scaled.join(', ')}` : 'leave it out';
  addOfCatalogue(scope, warning('not-scalable', [], message, hint), { at, path });
}

/** The template of a component: as declared, or its name if it comes with the pack. */
function templateOf(platform: DesignedPlatform, component: string): string | undefined {
  const declared = platform.inside.find(({ kind, address }) => kind === componentKind && address.name === component);
  const template = declared === undefined ? component : declared.args.type;
  return typeof template === 'string' ? template : undefined;
}

/** The class of a component, with the actions that only the packaged catalogue says. */
function classIn(platform: DesignedPlatform, component: string): ClassMetadata | undefined {
  const template = templateOf(platform, component);
  return componentClass(template === undefined ? undefined : platform.pack?.templates[template]?.class);
}
