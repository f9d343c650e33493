// The door of the account: organizations, profile, teams, profiles of environments.
import type { HandlerTable } from '../runtime/handler';
import { profileHandlers } from './profile';
import { environmentProfileHandlers, organizationHandlers } from './organizations';
import { teamHandlers } from './teams';

export { createPasswordGate, profilePreparations } from './profile';
export { environmentProfilesOf } from './organizations';
export { checkMayOn, checkMayOnRecord, checkTeams, mayOn, maySee, seenBy } from './rights';
export { addAdministrators, attachedTeams, attachTeams, usersOf } from './teams';

export const accountHandlers: HandlerTable = {
  ...organizationHandlers,
  ...profileHandlers,
  ...teamHandlers,
  ...environmentProfileHandlers,
};
