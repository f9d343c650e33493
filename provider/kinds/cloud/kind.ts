// The Cloud kind: a cloud of an organization, in a location, that environments may use (flows §3.9).
// It must not know the engine or the file that declares it.
import { nameRules, problem, routes } from '../../../api/contract';
import { base, fixed, member, oneOf, referring, secret, takingOver, text, textBeside } from '../../field';
import { kind } from '../../kind';
import { cloudVerbs } from './flow';

/** A location is its name, with or without the path it is listed under; a cloud of the organization's own has its own name added. */
const LOCATION_ASIDE = /^\/public\/[^/]+\/clouds\/|(?<=^\/[^/]+\/_clouds)\/.*$/;

/** A place to run on: a location, and the services it offers there. */
export const cloud = kind({
  token: 'Cloud',
  path: routes.clouds.read.path,
  named: true,
  nameRule: nameRules.cloud,
  cascades: false,
  stage: 'none',
  found: { list: { route: routes.clouds.list, isReviewed: false } },
  fields: {
    /** Location it is in, by name (`ec2-us-east-1`) or path; `/<organization>/_clouds` for one of the organization's own. Required unless `existing`. */
    location: fixed(textBeside(LOCATION_ASIDE)).optional(),
    /** Authorization key of its support; required in a location of the organization's own. */
    auth: secret(text()).optional(),
    /** What the cloud is for. */
    description: text().optional(),
    /** Whether environments may take it: only an `active` one can be added. */
    adminstatus: base('active', oneOf(['active', 'inert', 'offline'])).optional(),
    /** Free text on the record. */
    comments: member(text()).optional(),
    /** Refer to a cloud that another stack or an administrator owns: nothing of it is written or deleted. */
    existing: referring.existing,
    ...takingOver,
  },
  impact: {
    severity: { location: 'high' },
    deleted: { severity: 'high', message: 'the cloud is deleted: nothing can be deployed to it any more' },
  },
  inFile: { path: 'clouds.*' },
  computed: {},
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
