// What a team is stored as: its class, the relation that attaches it, the rights it may give (service-facts §5.3).
// It must not know who is in a team, nor requests.

export const TEAM_CLASS = 'account.Team';

/** Relation from a team to an assembly or cloud it applies to. */
export const ATTACHED = 'account.Attached';

/** The team that may do everything; every organization has it. */
export const ADMINISTRATORS = 'admins';

/** Rights a team may give. */
export const TEAM_RIGHTS = [
  'design',
  'transition',
  'operations',
  'org_scope',
  'manages_access',
  'cloud_services',
  'cloud_compliance',
  'cloud_support',
] as const;
export type TeamRight = (typeof TEAM_RIGHTS)[number];
