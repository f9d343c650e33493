// Cloud verbs: plain records, in a location that is given by name, and a delete that says who still uses the cloud (flows §3.9).
// It must not know the engine.
import { routes } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import { nearest } from '../../values/nearest';
import { lookUp } from '../../session';
import { crud, deleteOnce, type Recording } from '../../verbs/crud';
import type { Verbs, Work } from '../../model';

const recording: Recording = {
  wrapper: 'cms_ci',
  locked: false,
  memberNames: ['comments'],
  members: (record) => ({ comments: record.comments ?? '' }),
  beside: (texts) => ({ record: 'comments' in texts ? { comments: texts['comments'] } : {} }),
};

const plain = crud(routes.clouds, recording);

/** Verbs of the Cloud kind. */
export const cloudVerbs: Verbs = {
  ...plain,

  async create(work) {
    const location = await locationPath(work, work.wire['location'] ?? '');
    return plain.create({ ...work, wire: { ...work.wire, location } });
  },

  /** A cloud that is taken over stays where it is. */
  async update(work) {
    if (!('location' in work.changes)) return plain.update(work);
    throw new LifecycleError(
      `the cloud is in ${work.live.wire['location'] ?? 'no location'}, and a cloud cannot move`,
      'declare the location it is in, or give the new cloud another name',
    );
  },

  async delete(work) {
    try {
      await deleteOnce(() => work.api.call(routes.clouds.delete, { address: work.at }));
    } catch (error) {
      if (!isApiError(error) || error.status !== 422) throw error;
      throw await stillUsed(work, error);
    }
  },
};

/** The service refuses without a reason (service-facts §4.2): this finds the environments that prevent it. */
async function stillUsed(work: Work, refusal: Error): Promise<Error> {
  const users = await work.api.call(routes.clouds.operations, { address: work.at });
  if (users.length === 0) return refusal;
  const names = users.map(({ nsPath, ciName }) => [...nsPath.split('/').slice(2, 3), ciName].join('/'));
  return new LifecycleError(
    `${users.length === 1 ? 'the environment' : 'the environments'} ${names.join(', ')} still ${users.length === 1 ? 'uses' : 'use'} it`,
    'take the cloud out of their clouds first, and deploy that',
  );
}

/** Path of a location by its name, from the list that is requested once per run; a path is left as it is. Throws with the nearest name. */
async function locationPath(work: Work, location: string): Promise<string> {
  if (location.startsWith('/')) return location;
  const locations = await lookUp(work.session, 'locations', () =>
    work.api.call(routes.clouds.locations, { address: work.at }),
  );
  const path = Object.hasOwn(locations, location) ? locations[location] : undefined;
  if (path !== undefined) return path;
  const names = Object.keys(locations).sort();
  const near = nearest(location, names);
  throw new LifecycleError(
    `there is no location "${location}"`,
    near ? `did you mean "${near}"?` : `locations are ${names.join(', ')}`,
  );
}
