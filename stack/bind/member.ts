// Members of a release or deployment: each record's output stamps, and what its options forbid (architecture §5).
// It must not know which records are members of what.
import { call, EXPRESSION, type Call, type Mention, type ResourceKey } from '../values/value';
import type { DraftResource } from './resource';

/** The member text of a record, once its outputs are known. */
export function memberOf(draft: DraftResource): Call<Mention> {
  return call('member', { revision: internal(draft.key, 'revision'), origin: internal(draft.key, 'origin'), mark: markOf(draft) });
}

/** A mention nobody wrote: its target is known. */
export function internal(key: ResourceKey, output: string): Mention {
  const start = { line: 1, column: 1, offset: 0 };
  return { [EXPRESSION]: 'mention', steps: [], at: { file: '', start, end: start }, secret: false, target: { of: 'resource', key, output } };
}

function markOf({ options }: DraftResource): string | null {
  if (options.protect === true) return 'protect';
  return options.retainOnDelete === true ? 'retain' : null;
}
