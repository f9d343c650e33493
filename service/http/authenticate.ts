// Who sends a request, and whether they may: token, organization, right (service-facts §5).
import { type Route, type DialectRules } from '../../api/contract';
import { RefusedRequest } from '../handler';
import type { Store, StoredUser } from '../store';
import { type Answered, unauthenticated } from './respond';

/** Token of a Basic header: all before the first colon, which may be missing (service-facts §5.1). Undefined: none was sent. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const token = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '';
  return token === '' ? undefined : token;
}

/** The account a header's token belongs to; undefined without a token or with one that is nobody's. */
export function accountOf(store: Store, authorization: string | undefined): StoredUser | undefined {
  const token = tokenOf(authorization);
  return token === undefined ? undefined : store.users.byToken(token);
}

/** The answer to a sender without an account; undefined: the sender may request the route. */
export function authFailure(
  authorization: string | undefined,
  account: StoredUser | undefined,
  route: Route,
): Answered | undefined {
  if (account !== undefined || route.open) return undefined;
  const sent = tokenOf(authorization) !== undefined;
  return unauthenticated(sent ? 'the API token is not valid' : 'an API token is needed');
}

/** Throws a RefusedRequest when the account is no member of the organization (401 or 403, dialect row 23). */
export function checkMember(account: StoredUser | undefined, organization: string, rules: DialectRules): void {
  if (account === undefined || account.organizations === null || account.organizations.includes(organization)) return;
  throw new RefusedRequest(rules.forbiddenStatus, [`you are not part of organization ${organization}`]);
}

/** Throws a RefusedRequest when the account may only read and the route writes (dialect row 23). */
export function checkRight(account: StoredUser | undefined, route: Route, rules: DialectRules): void {
  if (route.repeat === 'read' || account === undefined || account.rights === 'full') return;
  throw new RefusedRequest(rules.forbiddenStatus, [`${account.name} has the right to read only`]);
}

/** Whether an organization exists. */
export function organizationExists(store: Store, organization: string): boolean {
  return store.records.byName('/', 'account.Organization', organization, 'committed') !== undefined;
}
