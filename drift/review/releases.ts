// Which release a change belongs to, how far it has come, and who took away what left no trace (service-facts §2.2.9, §3.2).
// It must not know what differs.
import { routes, type Deployment, type Release } from '../../api/contract';
import { parseId, pathAddress, serviceStamp, type Kind } from '../../provider';
import type { Author, Stage } from './review';
import type { Subject } from './subjects';
import type { Ask } from './asking';

/** Releases that are looked at, newest first: a change further back is told without its release. */
const PAGE = { size: '50' };

const closedAt = ({ updated, created }: Release): number => updated ?? created ?? 0;

/** Path parameters of a record, by its id. */
function addressOf({ kind, id }: { readonly kind: Kind; readonly id: string }): { readonly [name: string]: string } {
  const parsed = parseId(kind, id);
  return parsed ? pathAddress(kind, parsed.organization, parsed.address) : {};
}

const designReleases = async (ask: Ask, assembly: string): Promise<readonly Release[]> =>
  ((await ask(routes.designReleases.list, { address: { assembly }, query: PAGE })) as readonly Release[] | undefined) ??
  [];

const environmentReleases = async (ask: Ask, at: { readonly [name: string]: string }): Promise<readonly Release[]> =>
  ((await ask(routes.environmentReleases.list, { address: at, query: PAGE })) as readonly Release[] | undefined) ?? [];

/**
 * The release a change was made in: a release has its number before its changes have theirs, and only one is open at a time, so it is the newest
 * one with a smaller number.
 */
function releaseOf(releases: readonly Release[], change: number): Release | undefined {
  const before = releases.filter(({ releaseId, releaseState }) => releaseId < change && releaseState !== 'canceled');
  return before.sort((left, right) => right.releaseId - left.releaseId)[0];
}

/** The author with release and stage, where the service tells. `stamp` is the record's own: the number of its last change. */
export async function placed(
  ask: Ask,
  subject: Subject,
  stamp: string,
  author: Author,
  environments: readonly Subject[],
): Promise<Author> {
  const { stage } = subject.kind;
  const change = Number(stamp);
  if (author.stage !== undefined || stage === 'none' || subject.kind.token === 'Environment') return author;
  if (!Number.isSafeInteger(change)) return author;
  const at = addressOf(subject);
  if (stage === 'environment') {
    const place = { assembly: at['assembly'] ?? '', environment: at['environment'] ?? '' };
    const release = releaseOf((await environmentReleases(ask, place)).filter(isManifest), change);
    if (release === undefined) return author;
    const reached: Stage = (await isDeployed(ask, place, closedAt(release))) ? 'deployed' : 'released';
    return { ...author, releaseId: release.releaseId, stage: reached };
  }
  const release = releaseOf(await designReleases(ask, at['assembly'] ?? ''), change);
  if (release === undefined) return author;
  for (const environment of environments) {
    const place = addressOf(environment);
    if (place['assembly'] !== at['assembly']) continue;
    const where = { assembly: place['assembly'] ?? '', environment: place['environment'] ?? '' };
    const manifests = (await environmentReleases(ask, where)).filter(isManifest);
    const pulled = manifests.find(({ parentReleaseId }) => (parentReleaseId ?? 0) >= release.releaseId);
    if (pulled && (await isDeployed(ask, where, closedAt(pulled))))
      return { ...author, releaseId: release.releaseId, stage: 'deployed' };
  }
  return { ...author, releaseId: release.releaseId, stage: 'released' };
}

/** Who changes an environment in an open release: who opened it; '' when another one wrote to it since, or the release does not tell. */
export async function openAuthor(ask: Ask, subject: Subject, releaseId: number): Promise<Author> {
  const at = addressOf(subject);
  const place = { assembly: at['assembly'] ?? '', environment: at['environment'] ?? '' };
  const address = { ...place, release: String(releaseId) };
  const open = (await ask(routes.environmentReleases.read, { address })) as Release | undefined;
  const opener = open?.createdBy ?? '';
  return {
    who: (open?.updatedBy ?? opener) === opener ? opener : '',
    when: open?.updated ?? open?.created ?? 0,
    releaseId,
    stage: 'design',
  };
}

const isManifest = ({ nsPath }: Release): boolean => nsPath.endsWith('/manifest');

/** Whether the newest deployment is complete and began once a release was closed. */
async function isDeployed(ask: Ask, at: { readonly [name: string]: string }, since: number): Promise<boolean> {
  const newest = (await ask(routes.deployments.latest, { address: at })) as Deployment | undefined;
  return newest?.deploymentState === 'complete' && (newest.created ?? 0) >= since;
}

/**
 * Who took away a design record that left no trace: whoever made all design releases since our last write of that design. Undefined when several
 * did, or nobody tells.
 */
export async function remover(ask: Ask, subject: Subject, subjects: readonly Subject[]): Promise<Author | undefined> {
  if (subject.kind.stage !== 'design') return undefined;
  const assembly = addressOf(subject)['assembly'];
  if (assembly === undefined) return undefined;
  const ours = Math.max(...subjects.filter((each) => addressOf(each)['assembly'] === assembly).map(lastChange));
  const since = (await designReleases(ask, assembly)).filter(
    ({ releaseId, releaseState }) => releaseId > ours && releaseState === 'closed',
  );
  const names = new Set(since.map(({ createdBy }) => createdBy ?? ''));
  const [newest] = [...since].sort((left, right) => right.releaseId - left.releaseId);
  const [who] = names;
  if (newest === undefined || names.size !== 1 || who === undefined || who === '') return undefined;
  const release = since.length === 1 ? { releaseId: newest.releaseId, stage: 'released' as const } : {};
  return { who, when: closedAt(newest), ...release };
}

/** Number of our last change of a design record, as far as it has one. */
function lastChange({ kind, applied }: Subject): number {
  const change = kind.stage === 'design' ? Number(serviceStamp(applied?.computed['revision'])) : 0;
  return Number.isSafeInteger(change) ? change : 0;
}
