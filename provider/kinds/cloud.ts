// The Cloud kind: a cloud of an organization, in a location (flows §3.9).
import { nameRules, problem, routes } from '../../api/contract';
import { Unprocessable } from '../../api/errors';
import { LifecycleError } from '../errors';
import { base, fixed, member, oneOf, referring, secret, takingOver, text, textBeside } from '../values/field';
import { kind, type Verbs, type Work } from '../kind';
import { didYouMean } from '../values/text';
import { crud, deleteOnce, DIRECT } from '../verbs/crud';

const plain = crud(routes.clouds, DIRECT);

const cloudVerbs: Verbs = {
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
      if (error instanceof Unprocessable) await refuseUsed(work);
      throw error;
    }
  },
};

/** Throws for the environments that prevent a delete: the service gives no reason (service-facts §4.2). */
export async function refuseUsed(work: Work, aside = ''): Promise<void> {
  const users = await work.api.call(routes.clouds.operations, { address: work.at });
  if (users.length === 0) return;
  const names = users.map(({ nsPath, ciName }) => [...nsPath.split('/').slice(2, 3), ciName].join('/'));
  throw new LifecycleError(
    `${users.length === 1 ? 'the environment' : 'the environments'} ${names.join(', ')} still ${users.length === 1 ? 'uses' : 'use'} the cloud`,
    `take the cloud out of their clouds first, and deploy that${aside}; or leave it: pulumi state delete forgets it`,
  );
}

/** Path of a location by its name; a path is left as it is. Throws with the nearest name. */
async function locationPath(work: Work, location: string): Promise<string> {
  if (location.startsWith('/')) return location;
  const locations = await work.api.call(routes.clouds.locations, { address: work.at });
  const path = Object.hasOwn(locations, location) ? locations[location] : undefined;
  if (path !== undefined) return path;
  const names = Object.keys(locations).sort();
  throw new LifecycleError(
    `there is no location "${location}"`,
    didYouMean(location, names, `locations are ${names.join(', ')}`),
  );
}

/** Parts of a location that say nothing: the list's path, and an own cloud's name. */
const LOCATION_ASIDE = /^\/public\/[^/]+\/clouds\/|(?<=^\/[^/]+\/_clouds)\/.*$/;

export const cloud = kind({
  token: 'Cloud',
  description: 'A place to run on: a location, and the services it offers there.',
  path: routes.clouds.read.path,
  nameRule: nameRules.cloud,
  cascades: false,
  stage: 'none',
  found: { list: { route: routes.clouds.list, isReviewed: false } },
  fields: {
    location: fixed(textBeside(LOCATION_ASIDE))
      .optional()
      .describe(
        'Location, by name (`ec2-us-east-1`) or path; `/<organization>/_clouds` for an own one. Required unless `existing`.',
      ),
    auth: secret(text())
      .optional()
      .describe("Authorization key of its support; required in a location of the organization's own."),
    description: text().optional().describe('What the cloud is for.'),
    adminstatus: base('active', oneOf(['active', 'inert', 'offline']))
      .optional()
      .describe('Whether environments may take it: only an `active` one can be added.'),
    comments: member(text()).optional().describe('Free text on the record.'),
    existing: referring.existing.describe('Refer to a cloud that others own: nothing of it is written or deleted.'),
    ...takingOver,
  },
  impact: {
    severity: { location: 'high' },
    deleted: { severity: 'high', message: 'the cloud is deleted: nothing can be deployed to it any more' },
  },
  inFile: { path: 'clouds.*' },
  verbs: cloudVerbs,
  sample: {
    create: { location: 'ec2-us-east-2', auth: 'k3y-one', description: 'third', adminstatus: 'inert', comments: 'new' },
    update: { description: 'third cloud', adminstatus: 'offline', auth: 'k3y-two', comments: 'older' },
    replace: { location: 'aws' },
  },
  rule: (args) => {
    if (args.existing === true) return [];
    if (args.location === undefined) return [problem('required', ['location'], '"location" is required')];
    const isOwn = /^\/[^/]+\/_clouds(\/|$)/.test(args.location);
    return isOwn && args.auth === undefined
      ? [problem('required', ['auth'], `"auth" is required in a location of the organization's own`)]
      : [];
  },
});
