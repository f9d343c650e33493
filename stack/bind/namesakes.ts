// Names that the service takes for one: it compares most of them without regard to case.
// It must not know what has the names.
import type { Entry } from '../reader/tree';
import type { BindScope } from './scope';

/** Reports names that differ from an earlier one in case only. `what`: what has the names, as `a platform`; `where` they are unique. */
export function reportNamesakes(scope: BindScope, entries: readonly Entry[], what: string, where: string): void {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const before = first.get(entry.key.toLowerCase());
    if (before === undefined) first.set(entry.key.toLowerCase(), entry);
    else if (before.key !== entry.key)
      reportNamesake(scope, entry, before, `${what} "${before.key}" is in ${where} already`);
  }
}

/** Reports a name that something else has. */
export function reportNamesake(scope: BindScope, entry: Entry, { key, at }: Entry, message: string): void {
  const why = key === entry.key ? '' : '; the service does not distinguish upper and lower case in names';
  scope.report.error(entry, 'duplicate-name', message, `the first is at ${at.start.line}:${at.start.column}${why}`);
}
