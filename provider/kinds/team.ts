// The Team kind: what a group of users may do in an organization (service-facts §4.1, §5.3).
import { routes } from '../../api/contract';
import { base, flag, referring, takingOver, text } from '../values/field';
import { kind } from '../kind';
import { rows } from '../verbs/rows';

/**
 * A team of an organization: what its members may do. Assemblies and clouds are attached to it in
 * the service.
 */
export const team = kind({
  token: 'Team',
  path: routes.teams.read.path,
  named: true,
  nameRule: {
    pattern: /^(?!\d+$).{1,50}$/,
    says: '1 to 50 characters, not digits alone, which are the number of a team',
  },
  cascades: false,
  stage: 'none',
  found: {
    search: async (api) =>
      (await api.call(routes.teams.list, {})).map(({ name }) => ({ address: { name }, isGiven: false })),
  },
  fields: {
    /** What the team is for. */
    description: text().optional(),
    /** Whether its members may change designs. */
    design: base('false', flag()).optional(),
    /** Whether its members may change and deploy environments. */
    transition: base('false', flag()).optional(),
    /** Whether its members may act on what runs. */
    operations: base('false', flag()).optional(),
    /** Whether its rights hold for every assembly and cloud, and not only for attached ones. */
    orgScope: base('false', flag()).optional(),
    /** Whether its members may create and delete assemblies, and attach teams to them. */
    managesAccess: base('false', flag()).optional(),
    /** Whether its members may change the services of clouds. */
    cloudServices: base('false', flag()).optional(),
    /** Whether its members may change the compliance rules of clouds. */
    cloudCompliance: base('false', flag()).optional(),
    /** Whether its members may change the support levels of clouds. */
    cloudSupport: base('false', flag()).optional(),
    /** Refer to a team that others own: nothing of it is written or deleted. */
    existing: referring.existing,
    ...takingOver,
  },
  computed: {},
  verbs: rows(routes.teams, 'team'),
  sample: {
    name: 'builders',
    create: {
      description: 'builds the shop',
      design: true,
      transition: true,
      operations: true,
      orgScope: true,
      managesAccess: true,
      cloudServices: true,
      cloudCompliance: true,
      cloudSupport: true,
    },
    update: { description: 'builds and runs the shop', design: false, cloudSupport: false },
  },
});
