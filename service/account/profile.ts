// The profile of a user: who it is, and tokens for a password (service-facts §5.1, §5.2).
import { routes } from '../../api/contract';
import { answer, handlersOf, type HandlerTable, refused } from '../runtime/handler';
import { tokenOfPassword, withNewToken } from '../runtime/secrets';
import { currentOrganization, locateOrganization, organizationAnswer } from './organizations';

const isoTime = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();

export const profileHandlers: HandlerTable = handlersOf(routes.profile, {
  read: (context) => {
    const { account, user, rules } = context;
    const organization = currentOrganization(context);
    const made = isoTime(account?.created ?? organization?.created);
    return {
      id: account?.id ?? 0,
      email: user.includes('@') ? user : `${user}@localhost`,
      username: user,
      name: user,
      created_at: made,
      updated_at: isoTime(account?.updated) ?? made,
      eula_accepted_at: made,
      sign_in_count: account?.signIns ?? 0,
      current_sign_in_at: isoTime(account?.signedIn),
      organization_id: organization?.id ?? null,
      ...(rules.profileShowsRights ? { rights: account?.rights ?? 'read' } : {}),
      organization: organization === undefined ? null : organizationAnswer(organization),
    };
  },
  changeOrganization: (context) => {
    const record = locateOrganization(context, String(context.body.org_id));
    context.store.users.setCurrent(context.user, record.name);
    return organizationAnswer(record);
  },
  token: (context) => {
    const { username, password } = context.body.user;
    const { users } = context.store;
    const token = tokenOfPassword(users.password(username), password);
    if (token === undefined) return answer(401, { error: 'user name or password is not valid' });
    users.issueToken(username, token, context.now);
    return { token };
  },
  resetToken: (context) => {
    const { users } = context.store;
    const sealed = users.password(context.user);
    // A new token comes by password only: without one the user would be locked out.
    if (sealed === undefined) throw refused(`${context.user} has no password to get another token with`);
    users.removeTokens(context.user);
    users.setPassword(context.user, withNewToken(sealed));
    return undefined;
  },
});
