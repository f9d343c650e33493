// Members of a release or deployment: each record's output stamps, and what its options forbid (architecture §5).
// It must not know which records are members of what.
import { call, outputOf } from '../values/value';
import type { DraftResource } from './resource';
import type { Draft } from './values';

/** The member text of a record, once its outputs are known. */
export function memberOf(draft: DraftResource): Draft {
  return call('member', {
    revision: outputOf(draft.key, 'revision'),
    origin: outputOf(draft.key, 'origin'),
    mark: markOf(draft),
  });
}

function markOf({ options }: DraftResource): string | null {
  if (options.protect === true) return 'protect';
  return options.retainOnDelete === true ? 'retain' : null;
}
