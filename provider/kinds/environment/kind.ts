// The Environment kind: a copy of the committed design, on clouds (flows §3.6).
import { nameRules, problem, routes } from '../../../api/contract';
import { idle } from '../../lifecycle/check';
import {
  base,
  busy,
  control,
  flag,
  int,
  map,
  mapOf,
  member,
  oneOf,
  takingOver,
  text,
  trigger,
  words,
  writeOnly,
} from '../../values/field';
import { kind } from '../../kind';
import { accepted, cloudsConfigured, designRevision, inherited } from '../settled';
import { UNKNOWN } from '../../values/plain';
import { assembly } from '../assembly';
import { CLOUD_LINK, type CloudLink, idleOfLink, isActivePrimary } from './cloud-links';
import { environmentVerbs } from './flow';

/** Attributes of an environment that stand alone, and that a function returns as they are. */
export const environmentAttributes = {
  profile: text().optional().describe('Environment profile of the organization.'),
  autorepair: base('true', flag()).optional().describe('Whether failing instances are repaired.'),
  autoreplace: base('false', flag()).optional().describe('Whether instances that stay broken are replaced.'),
  autoscale: base('false', flag()).optional().describe('Whether platforms scale by load.'),
  monitoring: base('true', flag()).optional().describe('Whether monitors run.'),
  logging: base('false', flag()).optional().describe('Whether logs are shipped.'),
  debug: base('false', flag()).optional().describe('Whether deployments log in detail.'),
  globalDns: base('false', flag()).optional().describe('Whether names are kept in a global DNS.'),
  codpmt: base('false', flag()).optional().describe('Whether design commits deploy by themselves.'),
  dpmtdelay: base('60', int(0)).optional().describe('Seconds between a commit and its deployment, with `codpmt`.'),
  subdomain: text()
    .optional()
    .describe('DNS domain of its instances; default `<environment>.<assembly>.<organization>`.'),
};

export const environment = kind({
  token: 'Environment',
  description: 'Where the design runs: clouds, availability and the switches of one environment.',
  path: routes.environments.read.path,
  within: assembly,
  found: { list: { route: routes.environments.list, isReviewed: true } },
  nameRule: nameRules.environment,
  cascades: false,
  stage: 'environment',
  fields: {
    description: text().optional().describe('What the environment is for.'),
    availability: base('single', oneOf(['single', 'redundant']))
      .optional()
      .describe('Whether platforms run alone or redundantly. Existing platforms keep their availability.'),
    platformAvailability: writeOnly(member(map({ type: 'text', allowed: ['single', 'redundant', 'default'] })))
      .optional()
      .describe("Availability of single platforms, by name, where it differs from the environment's."),
    recreatePlatforms: words(
      'Platforms that may go down with all their instances, to come back with a pack that the service cannot change to in place: another version family (1, then 2), pack or source. Without it such a change is refused.',
      control,
    ),
    clouds: member(mapOf<CloudLink>('CloudLink', CLOUD_LINK)).optional().describe('Clouds it runs on, by name.'),
    ...environmentAttributes,
    designRelease: trigger(text())
      .optional()
      .describe('The design release to run, by the revision of the DesignRelease: a new one is pulled.'),
    newer: trigger(text())
      .optional()
      .describe('Filled in by a refresh without a declared design release: the newer one, pulled next.'),
    whenBusy: busy("What to do with other users' open changes at a pull. Default: as its deployment."),
    others: control(oneOf(['name', 'refuse']))
      .optional()
      .describe("Filled in: the deployment's word on other users' committed changes."),
    accept: words("Filled in: what the environment's deployment accepts.", control),
    configured: words('Filled in: what cloud configurations declare, as `web/east/pctScale`.', control),
    ...takingOver,
  },
  impact: {
    severity: { clouds: 'high' },
    deleted: { severity: 'high', message: 'the environment is deleted: nothing of it runs any more' },
    makesInstances: ({ address, attributes }, { environment: where }) =>
      address === where &&
      attributes.some(
        ({ path, after }) => path[0] === 'clouds' && after.is !== 'absent' && path.at(-1) !== 'dpmtOrder',
      ),
    takesDown: ({ address, attributes }, { environment: where, cloud }) =>
      address === where &&
      attributes.some(({ path, after }) => after.is === 'absent' && path.join('\n') === `clouds\n${cloud}`),
  },
  settles: {
    designRelease: designRevision,
    configured: cloudsConfigured(Object.keys(CLOUD_LINK)),
    others: inherited('others', ['Deployment']),
    accept: accepted,
  },
  inherits: { whenBusy: ['Deployment', 'Assembly'] },
  after: {
    from: ({ token }) => token === 'Cloud' || token === 'CloudService',
    reads: [{ entriesOf: 'clouds' }],
    // A plan needs the named clouds with their services: all of them while names are unknown.
    records: ({ args: { clouds } }, others) =>
      clouds === UNKNOWN
        ? others
        : others.filter(({ address: { cloud, name = '' } }) => Object.hasOwn(clouds ?? {}, cloud ?? name)),
  },
  idle: ({ clouds = {}, codpmt, dpmtdelay }) => [
    ...Object.entries(clouds).flatMap(([name, link]) => idleOfLink(link, ['clouds', name])),
    ...(codpmt === true ? [] : idle({ dpmtdelay }, ['dpmtdelay'], 'without "codpmt", nothing is deployed by itself')),
  ],
  inFile: {
    path: 'environments.*',
    apart: ['platformAvailability'],
    spread: { platformAvailability: 'platforms.*.availability' },
  },
  computed: { pulled: text().describe('The design release it last pulled.') },
  verbs: environmentVerbs,
  sample: {
    create: {
      description: 'live',
      availability: 'redundant',
      platformAvailability: { web: 'single' },
      clouds: {
        east: { priority: 1, pctScale: 80, dpmtOrder: 2, adminstatus: 'active' },
        west: { priority: 1, pctScale: 50, dpmtOrder: 3, adminstatus: 'active' },
      },
      profile: 'gold',
      autorepair: false,
      autoreplace: true,
      autoscale: true,
      monitoring: false,
      logging: true,
      debug: true,
      globalDns: true,
      codpmt: true,
      dpmtdelay: 30,
      subdomain: 'live.acme.io',
    },
    update: {
      description: 'live shop',
      debug: false,
      logging: false,
      dpmtdelay: 90,
      subdomain: 'shop.acme.io',
      clouds: { east: { priority: 1 }, west: { priority: 2, adminstatus: 'inactive' } },
    },
  },
  rule: (args) => {
    const links = Object.values(args.clouds ?? {});
    if (!args.clouds || links.some((link) => isActivePrimary(link) === true)) return [];
    return [problem('no-primary', ['clouds'], 'no cloud is active with priority 1', 'give one cloud priority 1')];
  },
});
