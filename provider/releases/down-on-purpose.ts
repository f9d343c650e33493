// Platforms of an environment that are declared to be down: no run enables them, and no review reports an outage for them.
import { parseMember, parseMemberPath } from '../members';
import type { Work } from '../model';

/** Names of the platforms that the members of a deployment declare to be down. */
export function downOnPurpose({ args, session }: Pick<Work, 'args' | 'session'>): ReadonlySet<string> {
  const members = Object.entries((args['members'] ?? {}) as { readonly [path: string]: unknown });
  const names = members.flatMap(([path, text]) =>
    typeof text === 'string' && parseMember(text).down
      ? (parseMemberPath(session.kinds, 'environment', path)?.inside['platform'] ?? [])
      : [],
  );
  return new Set(names);
}
