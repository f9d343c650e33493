// The Environment kind: a copy of the committed design, on clouds (flows §3.6).
import { nameRules, problem, routes } from '../../../api/contract';
import { idle } from '../../lifecycle/check';
import {
  base,
  control,
  flag,
  int,
  map,
  mapOf,
  member,
  oneOf,
  set,
  takingOver,
  text,
  trigger,
  writeOnly,
} from '../../values/field';
import { kind } from '../../kind';
import { allOf, givenBy, givenFor, settledOutput } from '../settled';
import { UNKNOWN } from '../../values/plain';
import { assembly } from '../assembly';
import { CLOUD_LINK, type CloudLink, idleOfLink, isActivePrimary } from './cloud-links';
import { environmentVerbs } from './flow';

/** Attributes of an environment that stand alone, and that a function returns as they are. */
export const environmentAttributes = {
  /** Environment profile of the organization. */
  profile: text().optional(),
  /** Whether failing instances are repaired. */
  autorepair: base('true', flag()).optional(),
  /** Whether instances that stay broken are replaced. */
  autoreplace: base('false', flag()).optional(),
  /** Whether platforms scale by load. */
  autoscale: base('false', flag()).optional(),
  /** Whether monitors run. */
  monitoring: base('true', flag()).optional(),
  /** Whether logs are shipped. */
  logging: base('false', flag()).optional(),
  /** Whether deployments log in detail. */
  debug: base('false', flag()).optional(),
  /** Whether names are kept in a global DNS. */
  globalDns: base('false', flag()).optional(),
  /** Whether design commits deploy by themselves. */
  codpmt: base('false', flag()).optional(),
  /** Seconds between a commit and its deployment, with `codpmt`. */
  dpmtdelay: base('60', int(0)).optional(),
  /** DNS domain of its instances; default `<environment>.<assembly>.<organization>`. */
  subdomain: text().optional(),
};

/** Where the design runs: clouds, availability and the switches of one environment. */
export const environment = kind({
  token: 'Environment',
  path: routes.environments.read.path,
  within: assembly,
  found: { list: { route: routes.environments.list, isReviewed: true } },
  nameRule: nameRules.environment,
  cascades: false,
  stage: 'environment',
  fields: {
    /** What the environment is for. */
    description: text().optional(),
    /** Whether platforms run alone or redundantly. Existing platforms keep their availability. */
    availability: base('single', oneOf(['single', 'redundant'])).optional(),
    /** Availability of single platforms, by name, where it differs from the environment's. */
    platformAvailability: writeOnly(
      member(map({ type: 'text', allowed: ['single', 'redundant', 'default'] })),
    ).optional(),
    /**
     * Platforms that may go down with all their instances, to come back with a pack that the
     * service cannot change to in place: another version family (1, then 2), pack or source.
     * Without it such a change is refused.
     */
    recreatePlatforms: control(set()).optional(),
    /** Clouds it runs on, by name. */
    clouds: member(mapOf<CloudLink>(CLOUD_LINK)).optional(),
    ...environmentAttributes,
    /** The design release to run, by the revision of the DesignRelease: a new one is pulled. */
    designRelease: trigger(text()).optional(),
    /** Filled in by a refresh without a declared design release: the newer one, pulled next. */
    newer: trigger(text()).optional(),
    /** What to do with other users' open changes at a pull. Default: as its deployment. */
    whenBusy: control(oneOf(['fail', 'wait', 'proceed'])).optional(),
    /** Filled in: the deployment's word on other users' committed changes. */
    others: control(oneOf(['name', 'refuse'])).optional(),
    /** Filled in: what the environment's deployment accepts. */
    accept: control(set()).optional(),
    /** Filled in: what cloud configurations declare, as `web/east/pctScale`. */
    configured: control(set()).optional(),
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
    designRelease: settledOutput('DesignRelease', 'revision'),
    configured: givenBy('CloudConfiguration', Object.keys(CLOUD_LINK)),
    others: givenFor('Deployment', 'others'),
    accept: allOf('Deployment', 'accept'),
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
  computed: { pulled: 'text' },
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
    if (links.length === 0 || links.some((link) => isActivePrimary(link) === true)) return [];
    return [problem('no-primary', ['clouds'], 'no cloud is active with priority 1', 'give one cloud priority 1')];
  },
});
