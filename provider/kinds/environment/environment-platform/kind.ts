// The EnvironmentPlatform kind: how a platform is switched and scaled in one environment (service-facts §3.10, §4.7.5).
import { routes } from '../../../../api/contract';
import { base, flag, int, mapOf, member, takingOver, text, unstamped } from '../../../field';
import { idle } from '../../../check';
import { kind } from '../../../kind';
import { environment } from '../kind';
import { environmentPlatformVerbs, searchPlatforms } from './flow';
import { contradictions, lostInstances, SCALING, type Scaling } from './scaling';
import { SWITCH_BASE } from './switches';

/** What the service does by itself when instances fail. */
const HEALING = ['autorepair', 'autoreplace', 'autoscale', 'autocomply', 'replaceAfterMinutes', 'replaceAfterRepairs'];

const DISABLED = 'the platform is disabled: the next deployment deletes all its instances';

/** A platform in one environment: whether it runs, how many instances it has, and what the service does by itself when they fail. */
export const environmentPlatform = kind({
  token: 'EnvironmentPlatform',
  path: routes.environmentPlatforms.read.path,
  named: false,
  within: environment,
  // A pull does not write its attributes, nor whether it is enabled; it writes the values of scaling that are not locked.
  found: { search: searchPlatforms },
  cascades: true,
  stage: 'environment',
  fields: {
    /** Whether it runs. With `false`, the next deployment deletes all its instances; with `true`, it creates them again. */
    enabled: base('true', unstamped(member(flag()))).optional(),
    /** How many instances it has of a component, by the component's name; only for a platform that is redundant. The pack decides what is left out. */
    scale: unstamped(member(mapOf<Scaling>(SCALING))).optional(),
    /** Whether failing instances are repaired. */
    autorepair: base(SWITCH_BASE.autorepair, flag()).optional(),
    /** Whether instances that stay broken are replaced. */
    autoreplace: base(SWITCH_BASE.autoreplace, flag()).optional(),
    /** Minutes an instance must be broken before it is replaced. */
    replaceAfterMinutes: base(SWITCH_BASE.replace_after_minutes, int(0)).optional(),
    /** Repairs that must have failed before an instance is replaced. */
    replaceAfterRepairs: base(SWITCH_BASE.replace_after_repairs, int(0)).optional(),
    /** Whether the number of instances follows the load, within `min` and `max` of its scaling; only for a platform that is redundant. */
    autoscale: base(SWITCH_BASE.autoscale, flag()).optional(),
    /** Whether compliances are applied automatically. */
    autocomply: base(SWITCH_BASE.autocomply, flag()).optional(),
    /** Free text on the record in this environment, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    ...takingOver,
  },
  impact: {
    severity: { enabled: 'high', scale: 'high' },
    makesInstances: ({ address, attributes }, { environment: where }) =>
      address.startsWith(`${where}/`) &&
      attributes.some(({ path: [argument], before, after }) =>
        argument === 'enabled'
          ? after.value !== false
          : argument === 'scale' && !(Number(after.value) <= Number(before.value)),
      ),
    takesDown: ({ address, attributes }, { environment: where, platform }) =>
      address === `${where}/${platform}` &&
      attributes.some(
        ({ path, after }) => path.join() === 'enabled' && after.is === 'value' && String(after.value) === 'false',
      ),
    risks: (before, after) => [
      ...(after?.['enabled'] === false && before?.['enabled'] !== false
        ? [{ severity: 'high', message: DISABLED } as const]
        : []),
      ...lostInstances(before?.['scale'], after?.['scale']),
    ],
  },
  rule: ({ scale }) => contradictions(scale),
  idle: (args) => [
    ...(args.enabled === false ? idle(args, HEALING, '"enabled" is false, so nothing of the platform runs') : []),
    ...(args.enabled !== false && args.autoreplace === false
      ? idle(args, ['replaceAfterMinutes', 'replaceAfterRepairs'], '"autoreplace" is false, so no instance is replaced')
      : []),
  ],
  inFile: { path: 'environments.*.platforms.*', onlyWhenSaid: true },
  computed: {},
  verbs: environmentPlatformVerbs,
  sample: {
    create: {
      enabled: false,
      scale: { compute: { current: 4, min: 3, max: 4, stepUp: 2, stepDown: 2, pctDpmt: 50 } },
      autorepair: false,
      autoreplace: false,
      replaceAfterMinutes: 30,
      replaceAfterRepairs: 5,
      autoscale: true,
      autocomply: true,
      comments: 'made first',
    },
    update: {
      enabled: true,
      scale: { compute: { current: 6, min: 4, max: 6, stepUp: 1, stepDown: 3, pctDpmt: 25 } },
      autorepair: true,
      autoreplace: true,
      replaceAfterMinutes: 45,
      replaceAfterRepairs: 6,
      autoscale: false,
      autocomply: false,
      comments: 'made later',
    },
  },
});
