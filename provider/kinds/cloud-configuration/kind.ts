// The CloudConfiguration kind: how one platform of an environment uses one cloud (flows §3.7).
// It must not know the engine or the file that declares it.
import { base, int, oneOf } from '../../field';
import { kind, type DeclaredRecord } from '../../kind';
import { isPlainObject } from '../../values/plain-object';
import { agreeIn } from '../../settled';
import { CLOUD_STATUSES, idleOfLink, isActivePrimary, type DecidingValues } from '../environment/cloud-link';
import { environment } from '../environment/kind';
import { cloudConfigurationVerbs, searchLinks } from './flow';

/** Whether a declared configuration is known to make its cloud an active primary; what it leaves out follows the environment. */
function isPrimaryIn(environment: DeclaredRecord | undefined, { address, args }: DeclaredRecord): boolean {
  const clouds = environment?.args['clouds'];
  const { cloud = '' } = address;
  const link: unknown = isPlainObject(clouds) && Object.hasOwn(clouds, cloud) ? clouds[cloud] : undefined;
  const inherited: DecidingValues = isPlainObject(link) ? link : {};
  const { priority, adminstatus } = args as DecidingValues;
  return (
    isActivePrimary({
      priority: priority ?? inherited.priority,
      adminstatus: adminstatus ?? inherited.adminstatus,
    }) === true
  );
}

const environmentIn = <R extends DeclaredRecord>(records: readonly R[]): R | undefined =>
  records.find(({ of }) => of.token === 'Environment');

/** Settings of one cloud for one platform of an environment; what is left out follows the environment. */
export const cloudConfiguration = kind({
  token: 'CloudConfiguration',
  path: '/{organization}/{assembly}/{environment}/{platform}/{cloud}',
  named: false,
  within: environment,
  found: { search: searchLinks },
  follows: 'environment',
  cascades: true,
  stage: 'environment',
  fields: {
    /** active, inactive (left as it is) or offline (instances are deleted). */
    adminstatus: base('active', oneOf(CLOUD_STATUSES)).optional(),
    /** 1 primary, 2 secondary. */
    priority: base('1', int(1, 2)).optional(),
    /** Share of the wanted instances, in percent. */
    pctScale: base('100', int(0)).optional(),
    /** Order among clouds in a deployment, ascending. */
    dpmtOrder: base('1', int()).optional(),
  },
  cloudLinks: 'one',
  impact: {
    takesAway: (argument, before, after) =>
      argument === 'pctScale' ? Number(after) < Number(before) : argument === 'adminstatus' && after === 'offline',
    makesInstances: ({ address, attributes }, { environment: where }) =>
      address.startsWith(`${where}/`) &&
      attributes.some(({ path: [argument], before, after }) =>
        argument === 'adminstatus'
          ? after.is !== 'value' || after.value === 'active'
          : argument === 'priority' || (argument === 'pctScale' && !(Number(after.value) <= Number(before.value))),
      ),
    takesDown: ({ address, attributes }, { environment: where, platform, cloud }) =>
      address === `${where}/${platform}/${cloud}` &&
      attributes.some(
        ({ path, after }) => path[0] === 'adminstatus' && after.is === 'value' && after.value === 'offline',
      ),
  },
  after: {
    // The service refuses a write that leaves a platform without an active primary, so those that make one come first.
    from: ({ token }) => token === 'CloudConfiguration' || token === 'Environment',
    reads: [{ argument: 'clouds' }, { argument: 'adminstatus' }, { argument: 'priority' }],
    mayPrecede: (own, other, around) => agreeIn('platform', own, other) && !isPrimaryIn(environmentIn(around), own),
    records: (own, others) => {
      const owner = environmentIn(others);
      if (isPrimaryIn(owner, own)) return [];
      return others.filter(
        (other) => other.of.token === own.of.token && agreeIn('platform', own, other) && isPrimaryIn(owner, other),
      );
    },
  },
  idle: idleOfLink,
  inFile: { path: 'environments.*.platforms.*.clouds.*' },
  computed: {},
  verbs: cloudConfigurationVerbs,
  sample: {
    create: { adminstatus: 'inactive', priority: 2, pctScale: 50, dpmtOrder: 2 },
    update: { adminstatus: 'active', priority: 1, pctScale: 60, dpmtOrder: 3 },
  },
});
