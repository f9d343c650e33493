// Rules about environments: their clouds, their availability, and how they heal.
import { z } from 'zod';
import { demandsValue, matchesAny, patterns, policyRule, type JudgedRecord, type PolicyRule } from '../../policy-rule';
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

/** Rules about environments. */
export const environmentPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'active-clouds',
    demands: 'Each environment has a number of active primary clouds, so that it outlives one of them.',
    parameters: z.strictObject({ least: z.int().min(1).default(2).describe('Least number of active primary clouds') }),
    sample: {
      parameters: { least: 2 },
      wrong: stack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
      right: stack('clouds: { east: { priority: 1 }, west: { priority: 1 } }'),
    },
    judge(record, { least }) {
      const clouds = cloudsOf(record);
      if (clouds === undefined) return [];
      const active = clouds.filter(([, link]) => isActivePrimary(link) !== false).map(([name]) => name);
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
  demandsValue({
    name: 'redundant',
    demands: 'Platforms of each environment run redundantly.',
    argument: 'availability',
    value: 'redundant',
    message: 'is not redundant: availability: redundant is required',
    sample: {
      parameters: {},
      wrong: stack('clouds: { east: { priority: 1 } }'),
      right: stack('availability: redundant, clouds: { east: { priority: 1 } }'),
    },
  }),
  demandsValue({
    name: 'autorepair',
    demands: 'Failing instances of each environment are repaired.',
    argument: 'autorepair',
    value: true,
    message: 'does not repair failing instances: autorepair: true is required',
    sample: {
      parameters: {},
      wrong: stack('autorepair: false, clouds: { east: { priority: 1 } }'),
      right: stack('clouds: { east: { priority: 1 } }'),
    },
  }),
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
  policyRule({
    name: 'no-offline-cloud',
    demands:
      'No cloud of an environment is switched off: an offline cloud loses its instances, an inactive one gets no deployment.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: stack('clouds: { east: { priority: 1 }, west: { priority: 2, adminstatus: offline } }'),
      right: stack('clouds: { east: { priority: 1 }, west: { priority: 2 } }'),
    },
    judge: (record) =>
      (cloudsOf(record) ?? []).flatMap(([name, link]) => {
        const status = (link as { readonly adminstatus?: unknown }).adminstatus ?? 'active';
        if (status === 'active' || holdsUnknown(status)) return [];
        return [
          {
            message: `has cloud ${name} ${textAt({ status }, 'status', 'switched off')}; active is required`,
            path: ['clouds', name],
          },
        ];
      }),
  }),
];
