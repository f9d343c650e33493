// Organizations and the user's profile (wire-facts §4.1).
// It must not know clouds or assemblies.
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, notFound } from '../handler';
import type { StoredRecord } from '../store';

const CLASS = 'account.Organization';

/** A row of the front end's own table (wire-facts §2.2.1): ISO times, flags of what the organization uses. */
function organizationRow(record: StoredRecord): object {
  return {
    id: record.id,
    name: record.name,
    created_at: new Date(record.created).toISOString(),
    updated_at: new Date(record.updated).toISOString(),
    cms_id: record.id,
    assemblies: true,
    catalogs: true,
    services: true,
    announcement: null,
    full_name: record.values['full_name'] ?? null,
  };
}

/** Organizations of the user, by name. */
function organizationsOf(context: Context): StoredRecord[] {
  const mine = context.account?.organizations ?? null;
  return context.store.records
    .list({ namespace: '/', className: CLASS }, 'committed')
    .filter((record) => mine === null || mine.includes(record.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Handlers of organizations and profile. */
export const accountHandlers: HandlerTable = {
  ...handlersOf(routes.organizations, {
    list: (context) => organizationsOf(context).map(organizationRow),
    read: (context) => {
      const record = context.store.records.byName('/', CLASS, context.organization, 'committed');
      if (record === undefined) throw notFound(`organization ${context.organization} not found`);
      return committedRecord(context, record);
    },
  }),
  ...handlersOf(routes.profile, {
    read: (context) => {
      const organization = organizationsOf(context)[0];
      return {
        id: context.account?.id ?? 0,
        username: context.user,
        name: context.user,
        rights: context.account?.rights ?? 'read',
        organization: organization === undefined ? null : organizationRow(organization),
      };
    },
  }),
};
