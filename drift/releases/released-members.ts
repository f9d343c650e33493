// What a committed release of a design or an environment changes, as paths below the assembly: `~web/tomcat`, `-db`.
// It must not know who committed it, nor where it has come to.
import type { Record as WireRecord, Relation, Release } from '../../api/contract';

/** What a release changes. */
export interface ReleasedMembers {
  /** `~web/tomcat -db`: written and removed; of a platform that is new or goes, the platform alone. */
  readonly members: readonly string[];
  /** By the path of a record that was only changed: names of its attributes on the wire. */
  readonly attributes: { readonly [path: string]: readonly string[] };
  /** Whether each of them is a platform or is in a component, so that the instances that it touches can be counted. */
  readonly isCountable: boolean;
}

/** Names by number, in one platform. */
type NamesIn = (platform: string) => Promise<ReadonlyMap<number, string>>;

/** Names that a release does not contain. */
interface MemberNames {
  readonly componentsOf: NamesIn;
  /** Names of clouds, by the number of the platform's link to them. */
  readonly cloudsOf: NamesIn;
}

/** The members of a release; undefined where the service does not list its changes. */
export async function releasedMembers(release: Release, names: MemberNames): Promise<ReleasedMembers | undefined> {
  const { rfc_cis: records, rfc_relations: relations = [] } = release;
  if (records === undefined) return undefined;
  const whole = new Set(records.filter(isWhole).map(({ ciName }) => ciName));
  const parts = records.filter((each) => nounOf(each) === 'platform' || !whole.has(platformIn(each.nsPath) ?? ''));
  const members: string[] = [];
  const attributes: { [path: string]: readonly string[] } = {};
  let isCountable = true;
  for (const record of parts) {
    const named = await pathOf(record, relations, names.componentsOf);
    members.push(`${record.rfcAction === 'delete' ? '-' : '~'}${named.path}`);
    if (record.rfcAction === 'update') attributes[named.path] = Object.keys(record.ciBaseAttributes ?? {});
    if (!named.isCountable) isCountable = false;
  }
  const links = linksAlone(records, relations, whole);
  for (const link of links) {
    const path = await linkPath(link, names.cloudsOf);
    members.push(`${link.rfcAction === 'delete' ? '-' : '~'}${path}`);
    if (link.rfcAction === 'update') attributes[path] = Object.keys(Object(link['relationBaseAttributes']) as object);
  }
  return { members: [...new Set(members)], attributes, isCountable: isCountable && links.length === 0 };
}

/** Whether a platform is new, or goes: what is in it comes and goes with it. */
const isWhole = (record: WireRecord): boolean =>
  nounOf(record) === 'platform' && (record.rfcAction === 'add' || record.rfcAction === 'delete');

/** Component classes belong to a register: `catalog.oneops.1.Tomcat`. Classes without one are the service's own: `catalog.Attachment`. */
function nounOf({ ciClassName }: WireRecord): string {
  const [, own = '', inRegister] = ciClassName.split('.');
  if (inRegister !== undefined) return 'component';
  return own.endsWith('var') ? 'variable' : own.toLowerCase();
}

/** The platform in a record's namespace (service-facts §2.1.7). */
const platformIn = (nsPath: string): string | undefined =>
  /^\/[^/]+\/[^/]+\/(?:_design|[^/]+\/manifest)\/([^/]+)/.exec(nsPath)?.[1];

async function pathOf(
  record: WireRecord,
  relations: readonly Relation[],
  componentsOf: NamesIn,
): Promise<{ readonly path: string; readonly isCountable: boolean }> {
  const { ciName, ciId, nsPath } = record;
  const noun = nounOf(record);
  const platform = platformIn(nsPath);
  if (noun === 'platform') return { path: ciName, isCountable: true };
  if (platform === undefined) return { path: noun === 'variable' ? `variables/${ciName}` : ciName, isCountable: false };
  if (noun === 'variable') return { path: `${platform}/variables/${ciName}`, isCountable: false };
  if (noun === 'component') return { path: `${platform}/${ciName}`, isCountable: true };
  const holder = relations.find(({ toCiId }) => toCiId === ciId)?.fromCiId;
  const component = holder === undefined ? undefined : (await componentsOf(platform)).get(holder);
  return component === undefined
    ? { path: `${platform}/${ciName}`, isCountable: false }
    : { path: `${platform}/${component}/${ciName}`, isCountable: true };
}

/** Relations that somebody changed between records which stay as they are: links, scaling, use of clouds. */
function linksAlone(
  records: readonly WireRecord[],
  relations: readonly Relation[],
  whole: ReadonlySet<string>,
): readonly Relation[] {
  const changed = new Set(records.map(({ ciId }) => ciId));
  return relations.filter(
    ({ fromCiId, toCiId, nsPath }) =>
      !changed.has(fromCiId) && !changed.has(toCiId) && !whole.has(platformIn(nsPath) ?? ''),
  );
}

/** `web/east`, the use of a cloud; `web/DependsOn` for other relations. */
async function linkPath({ nsPath, relationName, ciRelationId }: Relation, cloudsOf: NamesIn): Promise<string> {
  const platform = platformIn(nsPath);
  const name = relationName.slice(relationName.lastIndexOf('.') + 1);
  if (platform === undefined) return name;
  const cloud = name === 'Consumes' ? (await cloudsOf(platform)).get(ciRelationId) : undefined;
  return `${platform}/${cloud ?? name}`;
}
