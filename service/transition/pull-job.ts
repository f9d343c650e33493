// Pulling as a job: the environment is locked, the design copied, the outcome told in its comments (service-facts §4.7.2, §10.1).
// It must not know what a pull writes.
import type { Catalogue } from '../catalogue';
import type { Context } from '../handler';
import type { Author, Runners, Store } from '../store';
import type { Availability } from './availability';
import { lock, unlock } from './lock';
import { placeById, type Place } from './place';
import { PULL_DURATION, pullDesign } from './pull';

const NAME = 'environment.pull';

interface Payload {
  readonly availability: Availability;
  readonly user: string;
}

/** Starts a pull: in the background when the caller polls, else carried out before the answer. */
export function startPull(
  context: Pick<Context, 'store' | 'catalogue' | 'user' | 'now'>,
  place: Place,
  availability: Availability,
  async: boolean,
): void {
  const { store, catalogue, user, now } = context;
  lock(store, place, 'manifest_locked', { user, now });
  if (!async) {
    carryOut(store, catalogue, place, availability, { user, now });
    return;
  }
  store.jobs.add({
    name: NAME,
    due: now + PULL_DURATION,
    subject: place.environment.id,
    payload: { availability, user } satisfies Payload,
  });
}

function carryOut(store: Store, catalogue: Catalogue, place: Place, availability: Availability, author: Author): void {
  const outcome = pullDesign({ store, catalogue, place, availability, author });
  unlock(store, place, outcome.ok ? 'SUCCESS: design pulled' : `ERROR:MANIFEST: ${outcome.reason}`, author);
}

/** Runner of pulls in the background. */
export function pullRunners(catalogue: Catalogue): Runners {
  return {
    [NAME]: ({ store, now, job }) => {
      const place = placeById(store, job.subject);
      if (place === undefined) return;
      const { availability, user } = job.payload as Payload;
      carryOut(store, catalogue, place, availability, { user, now });
    },
  };
}
