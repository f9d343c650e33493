// Platforms of an environment that are declared to be down: no run enables them, and no review reports an outage for them.
import type { Work } from '../model';

/** Names of the platforms that a deployment has as declared to be down. */
export const downOnPurpose = ({ args }: Pick<Work, 'args'>): ReadonlySet<string> =>
  new Set((args['down'] ?? []) as readonly string[]);
