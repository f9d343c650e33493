// Rules about environments: their clouds, their availability, and how they heal.
import { z } from 'zod';
import {
  demandsValue,
  effectiveText,
  matchesAny,
  patterns,
  policyRule,
  type JudgedRecord,
  type PolicyRule,
  type RuleBreach,
} from '../../policy-rule';
import { isPlainObject } from '../../plain-object';
import { holdsUnknown } from '../../unknown';
import { textAt } from '../../text-at';
import { isActivePrimary } from './cloud-link';

const stack = (settings: string): string =>
  `assembly: { name: shop, owner: team@acme.io }\nenvironments:\n  prod: { ${settings} }\n`;

/** The clouds that an environment declares; undefined while they are not known. */
function cloudsOf({ args: { clouds } }: JudgedRecord): readonly (readonly [string, object])[] | undefined {
  if (holdsUnknown(clouds)) return undefined;
  return Object.entries(isPlainObject(clouds) ? clouds : {}).map(([name, link]) => [
    name,
    isPlainObject(link) ? link : {},
  ]);
}

/** What may switch a cloud off. */
interface Link {
  readonly adminstatus?: unknown;
}

/** Whether a cloud gets any of the instances. */
const hasShare = ({ pctScale }: { readonly pctScale?: unknown }): boolean => Number(pctScale ?? 100) !== 0;

/** Platforms that have another availability than what is demanded; one by `default` has that of the environment. */
function singlePlatforms({ args: { platformAvailability: own } }: JudgedRecord): readonly RuleBreach[] {
  if (!isPlainObject(own) || holdsUnknown(own)) return [];
  const isDemanded = (availability: unknown): boolean => availability === 'redundant' || availability === 'default';
  const redundant = Object.fromEntries(
    Object.entries(own).map(([name, availability]) => [name, isDemanded(availability) ? availability : 'redundant']),
  );
  return Object.entries(own).flatMap(([name, availability]) =>
    isDemanded(availability)
      ? []
      : [
          {
            message: `has platform ${name} that is not redundant: availability: redundant is required`,
            path: ['platformAvailability', name],
            remedy: { platformAvailability: redundant },
          },
        ],
  );
}

/** A rule about environments, and about platforms in them. */
export const autorepairRule = demandsValue({
  name: 'autorepair',
  demands: 'Failing instances of each environment, and of each platform in it, are repaired.',
  argument: 'autorepair',
  value: true,
  message: 'does not repair failing instances: autorepair: true is required',
  sample: {
    parameters: {},
    wrong: stack('autorepair: false, clouds: { east: { priority: 1 } }'),
    right: stack('clouds: { east: { priority: 1 } }'),
  },
});

/** A rule about environments, and about how platforms in them use clouds. */
export const noOfflineCloud = policyRule({
  name: 'no-offline-cloud',
  demands:
    'No cloud is switched off, in an environment or for a platform in it: an offline cloud loses its instances, an inactive one gets no deployment.',
  parameters: z.strictObject({}),
  sample: {
    parameters: {},
    wrong: stack('clouds: { east: { priority: 1 }, west: { priority: 2, adminstatus: offline } }'),
    right: stack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
  },
  judge: (record) => {
    const of = (status: unknown, message: (status: string) => string, path: readonly string[]) =>
      (status ?? 'active') === 'active' || holdsUnknown(status)
        ? []
        : [{ message: `${message(textAt({ status }, 'status', 'switched off'))}; active is required`, path }];
    const links = (cloudsOf(record) ?? []).flatMap(([name, link]) =>
      of((link as Link).adminstatus, (status) => `has cloud ${name} ${status}`, ['clouds', name]),
    );
    // How a single platform uses a cloud is a record of its own.
    return [...links, ...of((record.args as Link).adminstatus, (status) => `is ${status}`, ['adminstatus'])];
  },
});

/** Rules about environments. */
export const environmentPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'active-clouds',
    demands:
      'Each environment has a number of active primary clouds with a share of the instances, so that it outlives one of them.',
    parameters: z.strictObject({ least: z.int().min(1).default(2).describe('Least number of active primary clouds') }),
    sample: {
      parameters: { least: 2 },
      wrong: stack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
      right: stack('clouds: { east: { priority: 1 }, west: { priority: 1 } }'),
    },
    judge(record, { least }) {
      const clouds = cloudsOf(record);
      if (clouds === undefined) return [];
      const active = clouds
        .filter(([, link]) => isActivePrimary(link) !== false && hasShare(link))
        .map(([name]) => name);
      if (active.length >= least) return [];
      const names = active.length === 0 ? '' : ` (${active.join(', ')})`;
      const message = `has ${active.length} active primary ${active.length === 1 ? 'cloud' : 'clouds'}${names}; at least ${least} ${least === 1 ? 'is' : 'are'} required`;
      return [{ message, path: ['clouds'] }];
    },
  }),
  policyRule({
    name: 'clouds-allowed',
    demands: 'Each environment runs on allowed clouds only.',
    parameters: z.strictObject({ allowed: patterns('Names of allowed clouds; `*` stands for any text') }),
    sample: {
      parameters: { allowed: ['east', 'eu-*'] },
      wrong: stack('clouds: { east: { priority: 1 }, west: { priority: 1 } }'),
      right: stack('clouds: { east: { priority: 1 }, eu-1: { priority: 1 } }'),
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
    demands: 'Platforms of each environment run redundantly.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: stack('clouds: { east: { priority: 1 } }'),
      right: stack('availability: redundant, clouds: { east: { priority: 1 } }'),
    },
    judge: (record) => [
      ...(['redundant', undefined].includes(effectiveText(record, 'availability'))
        ? []
        : [
            {
              message: 'is not redundant: availability: redundant is required',
              path: ['availability'],
              remedy: { availability: 'redundant' },
            },
          ]),
      ...singlePlatforms(record),
    ],
  }),
  autorepairRule,
  demandsValue({
    name: 'monitoring',
    demands: 'Monitors of each environment run.',
    argument: 'monitoring',
    value: true,
    message: 'runs no monitors: monitoring: true is required',
    sample: {
      parameters: {},
      wrong: stack('monitoring: false, clouds: { east: { priority: 1 } }'),
      right: stack('clouds: { east: { priority: 1 } }'),
    },
  }),
  noOfflineCloud,
];
