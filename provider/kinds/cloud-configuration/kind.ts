// The CloudConfiguration kind: how one platform of an environment uses one cloud (api.md §4.7, flows §3.7).
// It must not know the engine or the file that declares it.
import { base, int, oneOf } from '../../field';
import { kind } from '../../kind';
import { cloudConfigurationVerbs, searchLinks } from './flow';
import { CLOUD_STATUSES, environment } from '../environment/kind';

/** Settings of one cloud for one platform of an environment; what is left out follows the environment. */
export const cloudConfiguration = kind({
  token: 'CloudConfiguration',
  path: '/{organization}/{assembly}/{environment}/{platform}/{cloud}',
  named: false,
  within: environment,
  found: { search: searchLinks },
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
    takesDown: ({ address, attributes }, { environment: where, platform, cloud }) =>
      address === `${where}/${platform}/${cloud}` &&
      attributes.some(
        ({ path, after }) => path[0] === 'adminstatus' && after.is === 'value' && after.value === 'offline',
      ),
  },
  computed: {},
  verbs: cloudConfigurationVerbs,
  sample: {
    create: { adminstatus: 'inactive', priority: 2, pctScale: 50, dpmtOrder: 2 },
    update: { adminstatus: 'active', priority: 1, pctScale: 60, dpmtOrder: 3 },
  },
});
