// Parts of the format that are not there yet: said clearly, never dropped.
// It must not know anything else.
import { isNull, entryOf, type MapNode } from '../reader/tree';
import type { Scope } from './scope';

/** Tells `variables` of a platform in one environment that hold something. */
export function tellVariables(scope: Scope, body: MapNode | undefined): void {
  const entry = entryOf(body, 'variables');
  if (!entry || isNull(entry.value) || (entry.value.form === 'map' && entry.value.entries.length === 0)) return;
  scope.report.error(
    entry,
    'not-supported',
    'variables of a platform in one environment are not supported yet',
    'give them under variables of the platform, for all environments',
  );
}
