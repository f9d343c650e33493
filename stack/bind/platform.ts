// Platforms: pack, links, and the variables and components inside.
// It must not know environments.
import { kindInFile, nearest } from '../../provider';
import { isOverlay } from '../compose/layers';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { resourceKey } from '../values/value';
import { reportAbsent } from './absent';
import { bindComponents } from './component';
import { failed, type Draft } from './draft';
import { reportNamesakes } from './namesakes';
import { bindResource, filledEntry, type DraftResource, type Edge } from './resource';
import { expectMap, type BindScope } from './scope';
import { bindValue } from './values';
import { bindVariables } from './variable';

const platformKind = kindInFile('platforms.*');

/** Binds all platforms with everything in them, each parent before its children. */
export function bindPlatforms(scope: BindScope, root: MapNode, assembly: DraftResource): readonly DraftResource[] {
  const platforms = expectMap(scope, entryOf(root, 'platforms')?.value, 'a map of platforms by name');
  const names = (platforms?.entries ?? []).map(({ key }) => key);
  reportNamesakes(scope, platforms?.entries ?? [], 'a platform', 'the assembly');
  return (platforms?.entries ?? []).flatMap((entry) => {
    const body = expectMap(scope, entry.value, 'a map', 'NAME: { pack: oneops/tomcat:1 }');
    const ofFile = (platforms?.entries ?? []).filter((each) => !isOverlay(each)).map(({ key }) => key);
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
    logicalName: own.key,
    names: ['platforms', own.key],
    address: { assembly: assembly.address.name ?? '', name: own.key },
    own,
    body,
    structure: [...STRUCTURE, ...Object.keys(pack.args).filter((name) => name !== 'pack')],
    given: pack.args,
    givenEntries: pack.entries,
    within: assembly.key,
  });
  return { ...draft, edges: [...draft.edges, ...linkEdges(scope, draft, siblings)] };
}

interface Pack {
  readonly args: { readonly [name: string]: Draft };
  readonly entries: { readonly [name: string]: Entry };
}

const PACK_PARTS = ['source', 'version'] as const;
const STRUCTURE = ['components', 'variables', 'pack'] as const;

/** `source/pack:version` in one, or each under its own key. */
function bindPack(scope: BindScope, { own, body, meant }: WrittenPlatform): Pack {
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
  if (meant !== undefined) scope.report.misspelt(own, meant);
}

/** Platforms it uses exist before it does; a link to a platform the file does not have would be dropped silently by the service. */
function linkEdges(scope: BindScope, draft: DraftResource, siblings: readonly string[]): readonly Edge[] {
  const { links } = draft.args;
  const entry = draft.entries.links;
  if (!Array.isArray(links) || entry?.value.form !== 'list') return [];
  const places = entry.value.items;
  return links.flatMap((link: Draft, index): readonly Edge[] => {
    const place = places[index] ?? entry;
    if (typeof link !== 'string') return [];
    if (link === draft.logicalName) {
      scope.report.error(place, 'link-to-itself', `"${link}" cannot link to itself`);
      return [];
    }
    if (siblings.includes(link)) return [{ to: resourceKey(platformKind.token, link), place }];
    if (reportAbsent(scope, { what: 'platform', names: ['platforms', link] }, place)) return [];
    const near = nearest(link, siblings);
    scope.report.error(
      place,
      'unknown-link',
      `there is no platform "${link}"`,
      near ? `did you mean "${near}"?` : 'declare it under platforms',
    );
    return [];
  });
}
