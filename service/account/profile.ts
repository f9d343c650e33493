// The user: profile, current organization, API token by password (service-facts §4.1, §5.1).
import { type z } from 'zod';
import { routes } from '../../api/contract';
import { answer, type HandlerTable, handlersOf, type Preparations, RefusedRequest, refused } from '../handler';
import { tokenOfPassword, withNewToken } from '../secrets';
import { type PasswordGate } from './password-gate';
import { currentOrganization, locateOrganization, organizationAnswer } from './organizations';

/** A password that was checked. */
interface Checked {
  /** What was kept of the user's password then. */
  readonly sealed: string | undefined;
  /** Undefined: the password was wrong. `busy`: it was not looked at. */
  readonly token: string | undefined;
}

/** What the profile's handlers are prepared with: the check of a password takes long, so it runs before and at the same time as other requests. */
export function profilePreparations(gate: PasswordGate): Preparations {
  return {
    [routes.profile.token.name]: async ({ store, body, signal }): Promise<Checked> => {
      const { username, password } = (body as z.output<typeof routes.profile.token.body>).user;
      const sealed = store.users.password(username);
      const token = await gate.run(username, () => tokenOfPassword(sealed, password), signal);
      return { sealed, token };
    },
  };
}

const isoTime = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();

/** Handlers of the profile. */
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
    const { username } = context.body.user;
    const { users } = context.store;
    const { sealed, token } = context.prepared as Checked;
    if (token === 'busy')
      throw new RefusedRequest(429, [`too many passwords are tried at once; try again in a few seconds`]);
    // The password may have changed meanwhile.
    if (token === undefined || sealed !== users.password(username))
      return answer(401, { error: 'user name or password is not valid' });
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
