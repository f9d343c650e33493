// Teams of an organization: what their members may do, and the clouds and assemblies they are
// attached to (service-facts §4.1, §5.3).
import type * as z from 'zod';
import { routes, TEAM_RIGHTS, type teamBody } from '../../api/contract';
import { deletedAnswer } from '../runtime/answers';
import { type Context, handlersOf, type HandlerTable, notFound, refused, unreadable } from '../runtime/handler';
import type { WriteStamp, Store, StoredRecord, StoredUser, Values } from '../store';
import { ADMINISTRATORS, ATTACHED, TEAM_CLASS } from './rights';

/** A team's row: rights as booleans, ISO times. */
function teamRow(team: StoredRecord): object {
  return {
    id: team.id,
    name: team.name,
    description: team.values['description'] ?? null,
    ...Object.fromEntries(TEAM_RIGHTS.map((right) => [right, team.values[right] === 'true'])),
    created_at: new Date(team.created).toISOString(),
    updated_at: new Date(team.updated).toISOString(),
  };
}

const namespaceOf = (context: Context): string => `/${context.organization}`;

const teamsOf = (context: Context): StoredRecord[] =>
  context.store.records.list({ namespace: namespaceOf(context), className: TEAM_CLASS }, 'committed');

function locateTeam(context: Context, identifier: string | number): StoredRecord {
  const team = teamsOf(context).find(({ id, name }) => String(id) === String(identifier) || name === identifier);
  if (team === undefined) throw notFound(`team ${JSON.stringify(identifier)} not found`);
  return team;
}

/** Values of a new team that gives all rights, or none. */
const allRights = (given: 'true' | 'false'): Values => ({
  description: '',
  ...Object.fromEntries(TEAM_RIGHTS.map((right) => [right, given])),
});

/** Gives an organization its team of administrators, unless it has one. */
export function addAdministrators(store: Store, organization: string, author: WriteStamp): void {
  const namespace = `/${organization}`;
  if (store.records.byName(namespace, TEAM_CLASS, ADMINISTRATORS, 'committed') !== undefined) return;
  const values = allRights('true');
  store.records.insert({ namespace, className: TEAM_CLASS, name: ADMINISTRATORS, values }, author);
}

/** Description and rights in a body. Throws a RefusedRequest (400) for a right that is no flag. */
function sentValues(sent: z.output<typeof teamBody>['team']): Values {
  const rights = TEAM_RIGHTS.flatMap((right): [string, string][] => {
    const value = sent[right];
    if (value === undefined || value === null) return [];
    if (value !== true && value !== false && value !== 'true' && value !== 'false')
      throw unreadable(`team.${right}: true or false`);
    return [[right, String(value)]];
  });
  const { description } = sent;
  return {
    ...(description === undefined || description === null ? {} : { description }),
    ...Object.fromEntries(rights),
  };
}

export function attachedTeams(context: Context, record: StoredRecord): object[] {
  return context.store.relations
    .to(record.id, ATTACHED, 'committed')
    .flatMap((relation) => context.store.records.byId(relation.fromId, 'committed') ?? [])
    .map(teamRow);
}

type Identifiers = readonly (string | number)[];

/**
 * Attaches teams: exactly `teams`, or `add` and not `remove`. Answers those then attached. Throws a
 * RefusedRequest (422).
 */
export function attachTeams(
  context: Context,
  record: StoredRecord,
  wanted: { readonly [list in 'teams' | 'add' | 'remove']?: Identifiers | null | undefined },
): object[] {
  const { relations } = context.store;
  const known = new Map(teamsOf(context).map((team) => [String(team.id), team.id]));
  const idsOf = (sent: Identifiers): number[] =>
    sent.map((identifier) => {
      const id = known.get(String(identifier));
      if (id === undefined) throw refused(`organization ${context.organization} has no team ${identifier}`);
      return id;
    });
  const present = relations.to(record.id, ATTACHED, 'committed');
  const before = new Set(present.map((relation) => relation.fromId));
  const after = wanted.teams ? new Set(idsOf(wanted.teams)) : new Set([...before, ...idsOf(wanted.add ?? [])]);
  for (const id of idsOf(wanted.remove ?? [])) after.delete(id);
  for (const relation of present) if (!after.has(relation.fromId)) relations.remove(relation.id);
  for (const fromId of after) {
    if (!before.has(fromId))
      relations.insert({ namespace: namespaceOf(context), name: ATTACHED, fromId, toId: record.id }, context);
  }
  return attachedTeams(context, record);
}

/** Users of the organization, those whom `fits`. */
export const usersOf = ({ store, organization }: Context, fits: (user: StoredUser) => boolean = () => true): object[] =>
  store.users
    .list()
    .filter(({ organizations }) => organizations === null || organizations.includes(organization))
    .filter(fits)
    .map(({ id, name }) => ({ id, username: name, name }));

export const teamHandlers: HandlerTable = handlersOf(routes.teams, {
  list: (context) => teamsOf(context).map(teamRow),
  read: (context) => teamRow(locateTeam(context, context.address.team)),
  members: (context) => {
    const team = locateTeam(context, context.address.team);
    // Who is in no team has all rights, as the administrators have.
    return usersOf(context, ({ teams }) => (teams === null ? team.name === ADMINISTRATORS : teams.includes(team.name)));
  },
  create: (context) => {
    const { team: sent } = context.body;
    const name = sent.name ?? '';
    if (name === '' || name.length > 50) throw refused('the name of a team has 1 to 50 characters');
    if (context.store.records.exists({ namespace: namespaceOf(context), className: TEAM_CLASS, nameInAnyCase: name }))
      throw refused(`a team named ${name} exists already`);
    const values = { ...allRights('false'), ...sentValues(sent) };
    const record = { namespace: namespaceOf(context), className: TEAM_CLASS, name, values };
    return teamRow(context.store.records.insert(record, context));
  },
  update: (context) => {
    const team = locateTeam(context, context.address.team);
    const { team: sent } = context.body;
    if (team.name === ADMINISTRATORS) throw refused(`team ${ADMINISTRATORS} may do everything and does not change`);
    if (sent.name !== undefined && sent.name !== team.name) throw refused('the name of a team cannot change');
    return teamRow(context.store.records.update(team.id, { values: sentValues(sent) }, context));
  },
  delete: (context) => {
    const team = locateTeam(context, context.address.team);
    if (team.name === ADMINISTRATORS) throw refused(`team ${ADMINISTRATORS} cannot be deleted`);
    context.store.records.remove(team.id);
    return deletedAnswer(context.rules, teamRow(team));
  },
});
