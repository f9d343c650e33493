// The lock of an environment: one background job at a time, its outcome told in `comments` (service-facts §3.8, §10.2).
// It must not know what the jobs do.
import { refused } from '../handler';
import type { Author, Store } from '../store';
import type { Place } from './place';

/** `locked`: a plan is being built; `manifest_locked`: the design is being pulled. */
export type Lock = 'locked' | 'manifest_locked';

/** Throws a Refusal (422) while a job has the environment. */
export function checkUnlocked({ environment }: Place): void {
  if (environment.state === 'locked' || environment.state === 'manifest_locked') {
    throw refused(
      `environment ${environment.name} is locked: it is ${environment.state === 'locked' ? 'generating a deployment plan' : 'pulling the design'} (6013)`,
    );
  }
}

/** Takes the lock, which empties `comments`. */
export function lock(store: Store, { environment }: Place, as: Lock, author: Author): void {
  store.records.update(environment.id, { comments: '' }, author);
  store.records.setState(environment.id, as);
}

/** Releases the lock with the text clients look for: `SUCCESS:`, `ERROR:MANIFEST:` or `ERROR:BOM:` first. */
export function unlock(store: Store, { environment }: Place, comments: string, author: Author): void {
  store.records.update(environment.id, { comments }, author);
  store.records.setState(environment.id, 'default');
}

/** States in which a deployment still has a say over its release, and blocks a commit (service-facts §8, §12a). */
export function isLive(deploymentState: string): boolean {
  return ['pending', 'active', 'paused', 'failed'].includes(deploymentState);
}
