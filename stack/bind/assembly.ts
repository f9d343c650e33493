// The assembly, and the release that commits its design.
// It must not know platforms or environments.
import { kindInFile } from '../../provider';
import { entryOf, isNull, type Entry, type MapNode, type Placed } from '../reader/tree';
import { resourceKey } from '../values/value';
import { bindResource, filledEntry, type DraftResource } from './resource';
import { expectMap, formOf, type BindScope } from './scope';

const assemblyKind = kindInFile('assembly');
const designReleaseKind = kindInFile('design');

const HINT = 'assembly: { name: storefront }';

/** The name of the assembly as written; the empty text when there is none, which has been reported. */
export function assemblyName(scope: BindScope, root: MapNode): string {
  const entry = entryOf(root, 'assembly');
  const start: Placed = { path: [], at: { ...root.at, end: root.at.start } };
  const hint = HINT;
  if (!entry) {
    if (root.isPartial !== true) scope.report.error(start, 'required', '"assembly" is required', hint);
    return '';
  }
  const body = expectMap(scope, entry.value, 'a map', hint);
  const name = filledEntry(body, 'name');
  if (!name) {
    if (body?.isPartial !== true && (body || isNull(entry.value)))
      scope.report.error(entry, 'required', '"name" is required', hint);
  } else if (name.value.form !== 'scalar') {
    if (name.value.form !== 'failed')
      scope.report.error(name.value, 'wrong-type', `must be text, not ${formOf(name.value)}`);
  } else if (name.value.source.includes('${')) {
    scope.report.error(
      name.value,
      'no-reference',
      'a name cannot contain a reference: it is part of every address',
      'to give a stack its own assembly, write its name into the overlay of the stack: overlays: { STACK: { assembly: { name: … } } }',
    );
  } else {
    return name.value.source;
  }
  return '';
}

/** The Assembly resource. Without a name there is nothing to check its other arguments against but themselves. */
export function bindAssembly(scope: BindScope, root: MapNode, name: string): DraftResource {
  const entry = entryOf(root, 'assembly');
  const body = expectMap(scope, entry?.value, 'a map', HINT);
  const nameEntry = entryOf(body, 'name');
  return bindResource(scope, {
    kind: assemblyKind,
    logicalName: name,
    names: ['assembly'],
    address: { name: name === '' ? UNNAMED : name },
    own: entry ?? { path: [], at: root.at },
    body,
    structure: ['name'],
    ...(nameEntry ? { givenEntries: { name: nameEntry } } : {}),
  });
}

/** Stands for the assembly's name where there is none, so that one missing word is one finding. */
const UNNAMED = 'unnamed';

/** The DesignRelease: always there (architecture §5), after all of the design. */
export function bindDesignRelease(
  scope: BindScope,
  root: MapNode,
  assembly: DraftResource,
  design: readonly DraftResource[],
): DraftResource {
  const entry: Entry | undefined = entryOf(root, 'design');
  return bindResource(scope, {
    kind: designReleaseKind,
    logicalName: assembly.logicalName,
    names: ['design'],
    address: { assembly: assembly.address.name ?? UNNAMED },
    own: entry ?? assembly.own,
    body: expectMap(scope, entry?.value, 'a map'),
    edges: design.map(({ key }) => ({ to: key })),
    within: resourceKey(assemblyKind.token, assembly.logicalName),
  });
}
