// Functions of the account: which organizations a user belongs to.
// It must not know how functions are called.
import { routes } from '../../api/contract';
import { apiFunction } from './api-function';
import * as result from './result';

/** An organization of the token's user. */
const organization = result.recordType('OrganizationRecord', {
  /** Name of the organization. */
  name: result.textResult(),
  /** Number of the organization's record. */
  ciId: result.intResult(),
  /** Name as people read it. */
  fullName: result.textResult(),
});

/** The organizations that the token's user belongs to. */
export const getOrganizations = apiFunction({
  token: 'getOrganizations',
  arguments: {},
  reads: [routes.organizations.list],
  result: {
    /** Organizations, by name in alphabetical order. */
    organizations: result.listResult(result.recordResult(organization)),
  },
  read: async (ask) => {
    const rows = await ask(routes.organizations.list);
    const organizations = rows.map(({ name, cms_id: ciId, full_name: fullName }) => ({
      name,
      ciId: ciId ?? 0,
      fullName: fullName ?? '',
    }));
    return { organizations: organizations.sort((left, right) => (left.name < right.name ? -1 : 1)) };
  },
});
