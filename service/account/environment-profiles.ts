// Profiles that environments may be made from (service-facts §4.1 organization/environments).
// It must not know environments.
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import { createIn, deleteFrom, listCollection, locateIn, updateIn, type Collection } from '../collection';
import { type Context, type HandlerTable, handlersOf } from '../handler';

/** Profiles of the organization. */
export const environmentProfilesOf = (context: Pick<Context, 'organization'>): Collection => ({
  noun: 'profile',
  namespace: `/${context.organization}`,
  className: 'account.Environment',
});

/** Handlers of profiles. */
export const environmentProfileHandlers: HandlerTable = handlersOf(routes.environmentProfiles, {
  list: (context) => listCollection(context, environmentProfilesOf(context)),
  read: (context) =>
    committedRecord(context, locateIn(context, environmentProfilesOf(context), context.address.profile)),
  create: (context) => committedRecord(context, createIn(context, environmentProfilesOf(context), context.body.cms_ci)),
  update: (context) =>
    committedRecord(
      context,
      updateIn(context, environmentProfilesOf(context), context.address.profile, context.body.cms_ci),
    ),
  delete: (context) => deleteFrom(context, environmentProfilesOf(context), context.address.profile),
});
