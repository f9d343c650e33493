// Organizations, and the profiles that their environments may be made from (service-facts §4.1).
import { routes } from '../../api/contract';
import { addAdministrators } from './teams';
import { committedRecord, deletedAnswer } from '../runtime/answers';
import { knownClass, relaxed } from '../runtime/attributes';
import { collection, type Collection, createIn, updateSent } from '../runtime/collection';
import { type Context, handlersOf, type HandlerTable, notFound, refused } from '../runtime/handler';
import { type StoredRecord, type StoredUser } from '../store';

const CLASS = 'account.Organization';

/** A row of the front end's own table: ISO times and flags (service-facts §2.2.1). */
export function organizationAnswer(record: StoredRecord): object {
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

function organizationsOf(context: Context): StoredRecord[] {
  const mine = context.account?.organizations ?? null;
  return context.store.records
    .list({ namespace: '/', className: CLASS }, 'committed')
    .filter((record) => mine === null || mine.includes(record.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function currentOrganization(context: Context): StoredRecord | undefined {
  const mine = organizationsOf(context);
  return mine.find((record) => record.name === context.account?.current) ?? mine[0];
}

/** One of the user's organizations by number or name. Throws a RefusedRequest (404). */
export function locateOrganization(context: Context, identifier: string): StoredRecord {
  const found = organizationsOf(context).find(
    (record) => record.name === identifier || String(record.id) === identifier,
  );
  if (found === undefined) throw notFound(`organization ${JSON.stringify(identifier)} not found`);
  return found;
}

/** Writes which organizations a user belongs to; nothing for one who belongs to all. */
function setMembership(
  context: Context,
  user: StoredUser,
  change: (organizations: readonly string[]) => readonly string[],
): void {
  if (user.organizations === null) return;
  const organizations = [...new Set(change(user.organizations))];
  context.store.users.put({ ...user, organizations, now: context.now });
}

/** Throws a RefusedRequest (422) for other administrators, or while instances run in it. */
function checkExpendable(context: Context, { name }: StoredRecord): void {
  const others = context.store.users
    .list()
    .filter((user) => user.name !== context.user && user.rights === 'full' && user.organizations?.includes(name));
  if (others.length > 0)
    throw refused(`organization ${name} has other administrators: ${others.map((user) => user.name).join(', ')}`);
  const runs = context.store.records
    .list({ below: `/${name}` }, 'committed')
    .some((record) => record.className.startsWith('bom.'));
  if (runs) throw refused(`organization ${name} has deployed instances (6015)`);
}

export const organizationHandlers: HandlerTable = handlersOf(routes.organizations, {
  list: (context) => organizationsOf(context).map(organizationAnswer),
  show: (context) => organizationAnswer(locateOrganization(context, context.address.id)),
  current: (context) => {
    const record = currentOrganization(context);
    if (record === undefined) throw notFound();
    return organizationAnswer(record);
  },
  create: (context) => {
    const { account, body, catalogue, store } = context;
    // The owner's address is asked for when the record is written, not when the organization is made.
    const metadata = relaxed(knownClass(catalogue, CLASS), ['owner']);
    const organizations = { noun: 'organization', namespace: '/', className: CLASS, metadata } as const;
    const record = createIn(context, organizations, { ciName: body.name });
    addAdministrators(store, record.name, context);
    if (account !== undefined) setMembership(context, account, (mine) => [...mine, record.name]);
    return organizationAnswer(record);
  },
  delete: (context) => {
    const record = locateOrganization(context, context.address.id);
    checkExpendable(context, record);
    context.store.removeNamespace(`/${record.name}`);
    context.store.records.remove(record.id);
    for (const user of context.store.users.list())
      setMembership(context, user, (organizations) => organizations.filter((name) => name !== record.name));
    return deletedAnswer(context.rules, organizationAnswer(record));
  },
  leave: (context) => {
    const record = locateOrganization(context, context.address.id);
    const { account } = context;
    if (account === undefined || account.organizations === null)
      throw refused(`${context.user} belongs to every organization and cannot leave one`);
    setMembership(context, account, (organizations) => organizations.filter((name) => name !== record.name));
    return deletedAnswer(context.rules, organizationAnswer(record));
  },
  read: (context) => committedRecord(context, locateOrganization(context, context.organization)),
  update: (context) => {
    const record = locateOrganization(context, context.organization);
    const { ci, full_name: fullName } = context.body.organization;
    const sent = {
      ...(fullName === undefined || fullName === null ? {} : { full_name: fullName }),
      ...ci?.ciAttributes,
    };
    return committedRecord(context, updateSent(context, record, { ciAttributes: sent, comments: ci?.comments }));
  },
});

export const environmentProfilesOf = (context: Pick<Context, 'organization'>): Collection => ({
  noun: 'profile',
  namespace: `/${context.organization}`,
  className: 'account.Environment',
});

export const environmentProfileHandlers: HandlerTable = handlersOf(
  routes.environmentProfiles,
  collection(environmentProfilesOf),
);
