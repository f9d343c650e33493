// Components of a platform, their attachments and monitors.
// It must not know how components are distinguished from attributes, nor what a class's attributes may hold.
import { kindInFile, nearest } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { resourceKey } from '../values/value';
import { reportAbsent } from './absent';
import { readComponents, reportBeside, type WrittenComponent } from './component-form';
import { bindComponentRecord, packOf, lineAndColumn, uniqueNames } from './component-record';
import type { Draft } from './draft';
import { reportNamesake } from './namesakes';
import { bindRecords, type Holder } from './records';
import { bindResource, type DraftResource, type Edge } from './resource';
import { expectMap, type BindScope } from './scope';
import { ownComponentKeys } from './vocabulary';

const attachmentKind = kindInFile('platforms.*.components.*.attachments.*');
const componentKind = kindInFile('platforms.*.components.*');

/** Binds the components of a platform, each followed by its attachments and monitors. */
export function bindComponents(
  scope: BindScope,
  platformBody: MapNode | undefined,
  platform: DraftResource,
): readonly DraftResource[] {
  const map = expectMap(scope, entryOf(platformBody, 'components')?.value, 'a map of components by template');
  const bare = packOf(platform);
  const written = uniqueNames(
    scope,
    (map?.entries ?? []).flatMap((entry) => {
      const components = readComponents(scope, entry, bare);
      reportBeside(scope, entry, bare, components);
      return components;
    }),
  );
  const siblings = written.map(({ name }) => name);
  const attachmentNames = new Map<string, Entry>();
  const monitorNames = new Map<string, Entry>();
  return written.flatMap((each) => {
    const component = bindComponent(scope, each, platform, siblings);
    return [
      component,
      ...bindAttachments(scope, each, component, { platform, taken: attachmentNames }),
      ...bindMonitors(scope, { draft: component, body: each.body }, monitorNames),
    ];
  });
}

function bindComponent(
  scope: BindScope,
  written: WrittenComponent,
  platform: DraftResource,
  siblings: readonly string[],
): DraftResource {
  const { name } = written;
  const draft = bindComponentRecord(scope, written, {
    kind: componentKind,
    logicalName: `${platform.logicalName}/${name}`,
    names: [...platform.names, 'components', name],
    address: { assembly: platform.address.assembly ?? '', platform: platform.logicalName, name },
    ours: ownComponentKeys(),
    within: platform.key,
    platform,
  });
  const depends = dependEdges(scope, draft, platform, siblings);
  return depends.length === 0 ? draft : { ...draft, edges: [...draft.edges, ...depends] };
}

function dependEdges(
  scope: BindScope,
  draft: DraftResource,
  platform: DraftResource,
  siblings: readonly string[],
): readonly Edge[] {
  const { depends } = draft.args;
  const entry = draft.entries.depends;
  if (!Array.isArray(depends) || entry?.value.form !== 'list') return [];
  const places = entry.value.items;
  return depends.flatMap((sibling: Draft, index): readonly Edge[] => {
    const place = places[index] ?? entry;
    if (typeof sibling !== 'string') return [];
    if (sibling === draft.address.name) {
      scope.report.error(place, 'link-to-itself', `"${sibling}" cannot depend on itself`);
      return [];
    }
    if (siblings.includes(sibling)) {
      return [{ to: resourceKey(componentKind.token, `${platform.logicalName}/${sibling}`), place }];
    }
    if (platform.body?.isPartial === true) return [];
    if (reportAbsent(scope, { what: 'component', names: [...platform.names, 'components', sibling] }, place)) return [];
    const near = nearest(sibling, siblings);
    const hint = near
      ? `did you mean "${near}"?`
      : `declare it in this platform, as "${sibling}: {}" when the pack makes it`;
    scope.report.error(place, 'unknown-component', `there is no component "${sibling}" in this platform`, hint);
    return [];
  });
}

function bindMonitors(scope: BindScope, component: Holder, taken: Map<string, Entry>): readonly DraftResource[] {
  const map = entryOf(component.body, 'monitors')?.value;
  for (const own of map?.form === 'map' ? map.entries : []) {
    const before = taken.get(own.key);
    if (before) reportNamesake(scope, own, before, `a monitor "${own.key}" is in this platform already`);
    else taken.set(own.key, own);
  }
  return bindRecords(scope, component, {
    path: 'platforms.*.components.*.monitors.*',
    what: 'monitors by name',
    hint: 'NAME: { thresholds: { … } }',
  });
}

function bindAttachments(
  scope: BindScope,
  written: WrittenComponent,
  component: DraftResource,
  { platform, taken }: { readonly platform: DraftResource; readonly taken: Map<string, Entry> },
): readonly DraftResource[] {
  const map = expectMap(scope, entryOf(written.body, 'attachments')?.value, 'a map of attachments by name');
  return (map?.entries ?? []).flatMap((own) => {
    const before = taken.get(own.key);
    if (before) {
      const hint = `the first is at ${lineAndColumn(before)}; names of attachments are unique in a platform`;
      scope.report.error(own, 'duplicate-attachment', `an attachment "${own.key}" is in this platform already`, hint);
      return [];
    }
    taken.set(own.key, own);
    return [
      bindResource(scope, {
        kind: attachmentKind,
        // Without the component: a move to another component is then a replacement, delete first (architecture §6).
        logicalName: `${platform.logicalName}/${own.key}`,
        names: [...component.names, 'attachments', own.key],
        address: { ...component.address, component: written.name, name: own.key },
        own,
        body: expectMap(scope, own.value, 'a map'),
        within: component.key,
      }),
    ];
  });
}
