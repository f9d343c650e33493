// The Team kind: what a group of users may do in an organization (service-facts §4.1, §5.3).
import { type Route, routes } from '../../api/contract';
import type { Live } from '../address/live';
import { kind, type Verbs, type Work } from '../kind';
import { base, flag, referring, takingOver, text } from '../values/field';
import { deleteOnce, sendOrFind } from '../verbs/crud';
import { readOrGone } from '../verbs/presence';

/** A team has a number, a name and times, and no class. */
interface Row {
  readonly id: number;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
  readonly [column: string]: unknown;
}

/** A team as the lifecycle compares it. The service says when it was written, and never by whom. */
function liveTeam(row: unknown): Live {
  const { id, created_at: created, updated_at: changed, ...columns } = row as Row;
  const written = changed ?? created ?? '';
  const textOf = (value: unknown): string =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  return {
    ciId: id,
    className: 'team',
    wire: Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, textOf(value)])),
    stamp: written || String(id),
    updated: Date.parse(written) || 0,
    updatedBy: '',
    origin: 'created',
  };
}

async function read({ api, at }: Work): Promise<Live | undefined> {
  const row = await readOrGone(api, at, () => api.call(routes.teams.read, { address: at }));
  return row === undefined ? undefined : liveTeam(row);
}

const send = async ({ api, at }: Work, route: Route, values: object): Promise<Live> =>
  liveTeam(await api.call(route, { address: at, body: { team: values } }));

const verbs: Verbs = {
  read,
  create: (work) =>
    sendOrFind(work, read, () => send(work, routes.teams.create, { name: work.address['name'], ...work.wire })),
  update: (work) => send(work, routes.teams.update, work.changes),
  delete: ({ api, at }) => deleteOnce(() => api.call(routes.teams.delete, { address: at })),
};

export const team = kind({
  token: 'Team',
  description:
    'A team of an organization: what its members may do. Assemblies and clouds are attached to it in the service.',
  path: routes.teams.read.path,
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
    description: text().optional().describe('What the team is for.'),
    design: base('false', flag()).optional().describe('Whether its members may change designs.'),
    transition: base('false', flag()).optional().describe('Whether its members may change and deploy environments.'),
    operations: base('false', flag()).optional().describe('Whether its members may act on what runs.'),
    orgScope: base('false', flag())
      .optional()
      .describe('Whether its rights hold for every assembly and cloud, and not only for attached ones.'),
    managesAccess: base('false', flag())
      .optional()
      .describe('Whether its members may create and delete assemblies, and attach teams to them.'),
    cloudServices: base('false', flag()).optional().describe('Whether its members may change the services of clouds.'),
    cloudCompliance: base('false', flag())
      .optional()
      .describe('Whether its members may change the compliance rules of clouds.'),
    cloudSupport: base('false', flag())
      .optional()
      .describe('Whether its members may change the support levels of clouds.'),
    existing: referring.existing.describe('Refer to a team that others own: nothing of it is written or deleted.'),
    ...takingOver,
  },
  verbs,
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
