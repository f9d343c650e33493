// Rules about environments and their platforms: clouds, availability, repair, instances.
import * as z from 'zod';
import { cloudConfiguration, environment, environmentPlatform, isActivePrimary, scaleIn } from '../../provider/kinds';
import { asMap, holdsUnknown, isPlainObject, mapValues, matchesAny, textAt, patterns } from '../../provider/values';
import { demandsValue, effectiveText, policyRule, type JudgedRecord, type PolicyRule, type RuleBreach } from './rule';

const environmentStack = (settings: string): string =>
  `assembly: { name: shop, owner: team@acme.io }\nenvironments:\n  prod: { ${settings} }\n`;

/** What an environment says of a cloud. */
interface Link {
  readonly adminstatus?: unknown;
  readonly pctScale?: unknown;
}

/** The clouds that an environment declares; undefined while they are not known. */
const cloudsOf = ({ args: { clouds } }: JudgedRecord): readonly (readonly [string, Link])[] | undefined =>
  holdsUnknown(clouds) ? undefined : Object.entries(asMap(clouds)).map(([name, link]) => [name, asMap(link)]);

/** Whether a cloud gets any of the instances. */
const hasShare = ({ pctScale }: Link): boolean => Number(pctScale ?? 100) !== 0;

/** Platforms of another availability than demanded; `default` is that of the environment. */
function singlePlatforms({ args: { platformAvailability: own } }: JudgedRecord): readonly RuleBreach[] {
  if (!isPlainObject(own) || holdsUnknown(own)) return [];
  const isDemanded = (availability: unknown): boolean => availability === 'redundant' || availability === 'default';
  const redundant = mapValues(own, (availability) => (isDemanded(availability) ? availability : 'redundant'));
  const single = Object.keys(own).filter((name) => !isDemanded(own[name]));
  return single.map((name) => ({
    message: `has platform ${name} that is not redundant: availability: redundant is required`,
    ...{ path: ['platformAvailability', name], remedy: { platformAvailability: redundant } },
  }));
}

const platformStack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms:
      web: { ${settings} }
`;

export const ENVIRONMENT_RULES: readonly PolicyRule[] = [
  policyRule({
    name: 'active-clouds',
    kinds: [environment],
    demands:
      'Each environment has a number of active primary clouds with a share of the instances, so that it outlives one of them.',
    parameters: z.strictObject({ least: z.int().min(1).default(2).describe('Least number of active primary clouds') }),
    sample: {
      parameters: { least: 2 },
      wrong: environmentStack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
      right: environmentStack('clouds: { east: { priority: 1 }, west: { priority: 1 } }'),
    },
    judge(record, { least }) {
      const clouds = cloudsOf(record);
      if (clouds === undefined) return undefined;
      const active = clouds
        .filter(([, link]) => isActivePrimary(link) !== false && hasShare(link))
        .map(([name]) => name);
      if (active.length >= least) return undefined;
      const names = active.length === 0 ? '' : ` (${active.join(', ')})`;
      const message = `has ${active.length} active primary ${active.length === 1 ? 'cloud' : 'clouds'}${names}; at least ${least} ${least === 1 ? 'is' : 'are'} required`;
      return { message, path: ['clouds'] };
    },
  }),
  policyRule({
    name: 'clouds-allowed',
    kinds: [environment],
    demands: 'Each environment runs on allowed clouds only.',
    parameters: z.strictObject({ allowed: patterns('Names of allowed clouds; `*` stands for any text') }),
    sample: {
      parameters: { allowed: ['east', 'eu-*'] },
      wrong: environmentStack('clouds: { east: { priority: 1 }, west: { priority: 1 } }'),
      right: environmentStack('clouds: { east: { priority: 1 }, eu-1: { priority: 1 } }'),
    },
    judge: (record, { allowed }) =>
      (cloudsOf(record) ?? [])
        .filter(([name]) => !matchesAny(allowed, name))
        .map(([name]) => ({
          message: `runs on cloud ${name}; allowed are ${allowed.join(', ')}`,
          path: ['clouds', name],
        })),
  }),
  policyRule({
    name: 'redundant',
    kinds: [environment],
    demands: 'Platforms of each environment run redundantly.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: environmentStack('clouds: { east: { priority: 1 } }'),
      right: environmentStack('availability: redundant, clouds: { east: { priority: 1 } }'),
    },
    judge: (record) => {
      const message = 'is not redundant: availability: redundant is required';
      const breach = { message, path: ['availability'], remedy: { availability: 'redundant' } };
      const isRedundant = ['redundant', undefined].includes(effectiveText(record, 'availability'));
      return [isRedundant ? [] : breach, ...singlePlatforms(record)].flat();
    },
  }),
  // Also about platforms in environments.
  demandsValue({
    name: 'autorepair',
    kinds: [environment, environmentPlatform],
    demands: 'Failing instances of each environment, and of each platform in it, are repaired.',
    argument: 'autorepair',
    value: true,
    message: 'does not repair failing instances: autorepair: true is required',
    sample: {
      parameters: {},
      wrong: environmentStack('autorepair: false, clouds: { east: { priority: 1 } }'),
      right: environmentStack('clouds: { east: { priority: 1 } }'),
    },
  }),
  demandsValue({
    name: 'monitoring',
    kinds: [environment],
    demands: 'Monitors of each environment run.',
    argument: 'monitoring',
    value: true,
    message: 'runs no monitors: monitoring: true is required',
    sample: {
      parameters: {},
      wrong: environmentStack('monitoring: false, clouds: { east: { priority: 1 } }'),
      right: environmentStack('clouds: { east: { priority: 1 } }'),
    },
  }),
  policyRule({
    name: 'no-offline-cloud',
    kinds: [environment, cloudConfiguration],
    demands:
      'No cloud is switched off, in an environment or for a platform in it: an offline cloud loses its instances, an inactive one gets no deployment.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: environmentStack('clouds: { east: { priority: 1 }, west: { priority: 2, adminstatus: offline } }'),
      right: environmentStack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
    },
    judge: (record) => {
      const of = (status: unknown, said: string, path: readonly string[]) =>
        (status ?? 'active') === 'active' || holdsUnknown(status)
          ? []
          : [{ message: `${said} ${textAt({ status }, 'status', 'switched off')}; active is required`, path }];
      const links = (cloudsOf(record) ?? []).flatMap(([name, link]) =>
        of(link.adminstatus, `has cloud ${name}`, ['clouds', name]),
      );
      // How a single platform uses a cloud is a record of its own.
      return [...links, ...of(record.args['adminstatus'], 'is', ['adminstatus'])];
    },
  }),
  demandsValue({
    name: 'no-disabled-platform',
    kinds: [environmentPlatform],
    demands: 'No platform is taken down in an environment.',
    argument: 'enabled',
    value: true,
    message: 'is disabled: its instances go with the next deployment',
    sample: { parameters: {}, wrong: platformStack('enabled: false'), right: platformStack('autorepair: true') },
  }),
  policyRule({
    name: 'scale-at-most',
    kinds: [environmentPlatform],
    demands: 'No component of a platform has more instances in an environment than a limit.',
    parameters: z.strictObject({
      most: z.int().min(1).describe('Largest number of instances of one component on each cloud'),
    }),
    sample: {
      parameters: { most: 6 },
      wrong: platformStack('scale: { compute: { current: 8, min: 2, max: 8 } }'),
      right: platformStack('scale: { compute: { current: 4, min: 2, max: 6 } }'),
    },
    judge: ({ args: { scale } }, { most }) =>
      Object.entries(holdsUnknown(scale) ? {} : scaleIn(scale)).flatMap(([component, { current, min, max }]) => {
        const largest = Math.max(...[current, min, max].filter((each) => typeof each === 'number'));
        const message = `has up to ${largest} instances of ${component}; at most ${most} are allowed`;
        return largest <= most ? [] : { message, path: ['scale', component] };
      }),
  }),
];
