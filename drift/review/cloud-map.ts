// Who changed the clouds of an environment: the map leaves no mark on its record, only on the links of its platforms (flows F4).
// It must not know what the map should be.
import { routes, type EnvironmentPlatform, type Record as WireRecord } from '../../api/contract';
import { parseId } from '../../provider';
import type { Seen, SeenRecord } from './watched-api';
import type { Author } from './review';
import type { Subject } from './subjects';
import type { Ask } from './asking';

/** The newest write of a platform's cloud links in an environment, since a time; undefined when none is told. */
export async function cloudMapAuthor(
  ask: Ask,
  seen: Seen,
  { kind, id }: Subject,
  since: number,
): Promise<Author | undefined> {
  const parsed = parseId(kind, id);
  if (parsed === undefined) return undefined;
  const { organization, address } = parsed;
  const at = { assembly: address['assembly'] ?? '', environment: address['name'] ?? '' };
  const place = `/${organization}/${at.assembly}/${at.environment}/`;
  const linksHere = (): readonly SeenRecord[] => seen.relations().filter(({ nsPath }) => nsPath?.startsWith(place));
  if (linksHere().length === 0) {
    const platforms = (await ask(routes.environmentPlatforms.list, { address: at })) as
      readonly WireRecord[] | undefined;
    const [first] = platforms ?? [];
    if (first)
      (await ask(routes.environmentPlatforms.read, { address: { ...at, platform: first.ciName } })) as
        EnvironmentPlatform | undefined;
  }
  const [newest] = linksHere()
    .map((link) => ({ link, when: timeOf(link) }))
    .filter(({ when }) => when > since)
    .sort((left, right) => right.when - left.when);
  if (newest === undefined) return undefined;
  const { link, when } = newest;
  const who = link.rfcUpdatedBy ?? link.rfcCreatedBy ?? link.updatedBy ?? link.createdBy ?? '';
  return { who, when, ...(link.releaseId ? { releaseId: link.releaseId, stage: 'design' as const } : {}) };
}

const timeOf = ({ rfcUpdated, updated, rfcCreated, created }: SeenRecord): number =>
  rfcUpdated ?? rfcCreated ?? updated ?? created ?? 0;
