// Parts of the format that are not there yet: said clearly, never dropped.
// It must not know anything else.
import { isNull, entryOf, type MapNode } from '../reader/tree';
import type { Scope } from './scope';

/** Tells `variables` that hold something. */
export function tellVariables(scope: Scope, body: MapNode | undefined): void {
  const entry = entryOf(body, 'variables');
  if (!entry || isNull(entry.value) || (entry.value.form === 'map' && entry.value.entries.length === 0)) return;
  scope.report.error(
    entry,
    'not-supported',
    'variables are not supported yet',
    'take them out of the file; their values can stand under config',
  );
}
