// The user: profile, current organization, API token by password (wire-facts §4.1, §5.1).
// It must not know how a password or a token is kept.
import { routes } from '../../api/contract';
import { answer, type HandlerTable, handlersOf, refused } from '../handler';
import { isPassword, tokenOfPassword, withNewToken } from '../passwords';
import { currentOrganization, locateOrganization, organizationRow } from './organizations';

/** Handlers of the profile. */
export const profileHandlers: HandlerTable = handlersOf(routes.profile, {
  read: (context) => {
    const organization = currentOrganization(context);
    return {
      id: context.account?.id ?? 0,
      username: context.user,
      name: context.user,
      rights: context.account?.rights ?? 'read',
      organization: organization === undefined ? null : organizationRow(organization),
    };
  },
  changeOrganization: (context) => {
    const record = locateOrganization(context, String(context.body.org_id));
    context.store.users.setCurrent(context.user, record.name);
    return organizationRow(record);
  },
  token: (context) => {
    const { username, password } = context.body.user;
    const { users } = context.store;
    const sealed = users.password(username);
    if (!isPassword(sealed, password) || sealed === undefined)
      return answer(401, { error: 'user name or password is not valid' });
    const token = tokenOfPassword(sealed, password);
    users.issueToken(username, token);
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
