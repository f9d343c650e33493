// What the teams of a user allow on assemblies and clouds (service-facts §5.3).
import type { Route, TeamRight } from '../../api/contract';
import { type Context, RefusedRequest } from '../runtime/handler';
import { locateAssembly, locateCloud } from '../runtime/locate';
import { type Store, type StoredRecord, type StoredUser } from '../store';

type Sender = Pick<Context, 'store' | 'account' | 'organization' | 'rules'>;

/** One of these rights on a record; with none named, a team that reaches it. */
interface Need {
  readonly on: 'assembly' | 'cloud';
  readonly oneOf: readonly TeamRight[];
}

/** `administrator`: to be one. `creator`: any team that manages access. */
type Needed = Need | 'administrator' | 'creator' | undefined;

const ASSEMBLY = '/{organization}/assemblies/{assembly}';
const CLOUD = '/{organization}/clouds/{cloud}';

/** Rights that writes below a path need; the first that fits counts. */
const WRITES: readonly (readonly [string, Needed])[] = [
  [`${ASSEMBLY}/design`, { on: 'assembly', oneOf: ['design'] }],
  [`${ASSEMBLY}/transition`, { on: 'assembly', oneOf: ['transition'] }],
  [`${ASSEMBLY}/operations`, { on: 'assembly', oneOf: ['operations'] }],
  [`${ASSEMBLY}/clone`, 'creator'],
  [ASSEMBLY, { on: 'assembly', oneOf: ['manages_access'] }],
  ['/{organization}/assemblies', 'creator'],
  [`${CLOUD}/services`, { on: 'cloud', oneOf: ['cloud_services'] }],
  [`${CLOUD}/variables`, { on: 'cloud', oneOf: ['cloud_services'] }],
  [`${CLOUD}/supports`, { on: 'cloud', oneOf: ['cloud_support'] }],
  [CLOUD, { on: 'cloud', oneOf: ['manages_access'] }],
  ['/{organization}/clouds', 'administrator'],
  ['/{organization}/organization', 'administrator'],
];

/** Routes whose need does not follow from their path. */
const EXCEPTIONS: { readonly [route: string]: Needed } = {
  'assemblies.update': { on: 'assembly', oneOf: ['manages_access', 'design'] },
  // Users with support rights for the cloud settle; the handler checks them.
  'deployments.settle': { on: 'assembly', oneOf: [] },
  'clouds.instances': { on: 'cloud', oneOf: ['cloud_support'] },
};

function needOf(route: Route): Needed {
  if (Object.hasOwn(EXCEPTIONS, route.name)) return EXCEPTIONS[route.name];
  if (route.repeat !== 'read') return WRITES.find(([path]) => route.path.startsWith(path))?.[1];
  return route.path.startsWith(ASSEMBLY) ? { on: 'assembly', oneOf: [] } : undefined;
}

/** Teams of an account in an organization; undefined: no team limits it. */
function teamsOf(store: Store, account: StoredUser | undefined, organization: string): StoredRecord[] | undefined {
  const names = account?.teams;
  if (names === undefined || names === null || names.includes(ADMINISTRATORS)) return undefined;
  return store.records
    .list({ namespace: `/${organization}`, className: TEAM_CLASS }, 'committed')
    .filter(({ name }) => names.includes(name));
}

const gives = (team: StoredRecord, right: TeamRight): boolean => team.values[right] === 'true';

/** Whether a team of the sender reaches a record, and gives one of these rights there, if any. */
export function mayOn(sender: Sender, record: StoredRecord, oneOf: readonly TeamRight[] = []): boolean {
  const { store, account, organization } = sender;
  const teams = teamsOf(store, account, organization);
  if (teams === undefined) return true;
  const attached = new Set(store.relations.to(record.id, ATTACHED, 'committed').map((relation) => relation.fromId));
  return teams
    .filter((team) => gives(team, 'org_scope') || attached.has(team.id))
    .some((team) => oneOf.length === 0 || oneOf.some((right) => gives(team, right)));
}

/** Throws a RefusedRequest (401 or 403, dialect row 23) unless `mayOn`. */
export function checkMayOn(
  sender: Sender,
  record: StoredRecord,
  oneOf: readonly TeamRight[] = [],
  /** How the message calls the record: not by a name that the sender may not know. */
  where = record.name,
): void {
  if (!mayOn(sender, record, oneOf)) throw forbidden(sender, oneOf.join(' or ') || 'visibility', where);
}

function forbidden(sender: Sender, right: string, where: string): RefusedRequest {
  const message = `Unauthorized access! ${sender.account?.name ?? 'nobody'} lacks ${right} on ${where}`;
  return new RefusedRequest(sender.rules.forbiddenStatus, [message]);
}

/** Assembly a record of an organization is in: the second name of its namespace, or it itself. */
function assemblyOf({ store, organization }: Sender, record: StoredRecord): StoredRecord | undefined {
  if (record.className === 'account.Assembly') return record;
  const name = record.namespace.split('/')[2] ?? '';
  return record.namespace.startsWith(`/${organization}/`)
    ? store.records.byName(`/${organization}`, 'account.Assembly', name, 'committed')
    : undefined;
}

/** Whether the sender may see a record: in no assembly, or in one that a team reaches. */
export function maySee(sender: Sender, record: StoredRecord): boolean {
  const assembly = assemblyOf(sender, record);
  return assembly === undefined || mayOn(sender, assembly);
}

/** Throws a RefusedRequest (401, 403) for unseen records; undefined for a sender without teams. */
export function seenBy(sender: Sender): ((record: StoredRecord) => void) | undefined {
  if (sender.account === undefined || sender.account.teams === null) return undefined;
  return (record) => {
    const assembly = assemblyOf(sender, record);
    if (assembly !== undefined) checkMayOn(sender, assembly, [], `record ${record.id}`);
  };
}

/** Throws a RefusedRequest (401 or 403) for a record in an assembly without a right. */
export function checkMayOnRecord(sender: Sender, id: number, oneOf: readonly TeamRight[] = []): void {
  const record = sender.store.records.byId(id);
  const assembly = record === undefined ? undefined : assemblyOf(sender, record);
  if (assembly !== undefined) checkMayOn(sender, assembly, oneOf, `record ${id}`);
}

/** Throws a RefusedRequest (401, 403, dialect row 23) for a path that no team allows. */
export function checkTeams(context: Sender & Pick<Context, 'address'>, route: Route): void {
  const { store, account, organization, address } = context;
  if (organization === '' || account === undefined || account.teams === null) return;
  const needed = needOf(route);
  if (needed === undefined) return;
  if (typeof needed === 'object') {
    const identifier = address[needed.on] ?? '';
    const record = needed.on === 'assembly' ? locateAssembly(context, identifier) : locateCloud(context, identifier);
    checkMayOn(context, record, needed.oneOf);
    return;
  }
  const teams = teamsOf(store, account, organization);
  if (teams === undefined) return;
  const creates = needed === 'creator' && teams.some((team) => gives(team, 'manages_access'));
  if (!creates) throw forbidden(context, needed === 'creator' ? 'manages_access' : 'administration', organization);
  if (address['assembly'] !== undefined) checkMayOn(context, locateAssembly(context, address['assembly']));
}

export const TEAM_CLASS = 'account.Team';

/** Relation from a team to an assembly or cloud it applies to. */
export const ATTACHED = 'account.Attached';

/** The team that may do everything; every organization has it. */
export const ADMINISTRATORS = 'admins';
