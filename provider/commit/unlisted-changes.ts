// The open changes of an environment that no list of records shows, when the service does not list the changes of its open release either: how its
// platforms are scaled, which a GET for each platform shows, and how they are switched, which no GET shows.
// It must not know how the release was found, nor what is done about changes of others.
import { routes, type Relation, type Release } from '../../api/contract';
import { isPendingDelete } from '../verbs/live';
import type { Work } from '../model';
import { userOf, type Standing } from './open-changes';
import { standingSettings } from './open-settings';

/**
 * The scaling that others changed, and one entry for a release that another user opened. When no change of that user is known, the release contains a
 * change that nothing shows; otherwise it may hold further ones. `shown`: what the lists of records show.
 */
export async function standingUnlisted(
  work: Work,
  release: Release,
  shown: readonly Standing[],
): Promise<readonly Standing[]> {
  const scalings = await openScalings(work);
  const opener = release.createdBy ?? '';
  const isOurs = opener === (await userOf(work));
  const others = await standingSettings(work, scalings, isOurs ? '' : opener);
  const isExplained =
    scalings.length > 0 ||
    shown.some(({ action, by, begunBy }) => action !== undefined && (by === '' || [by, begunBy].includes(opener)));
  if (opener !== '' && !isOurs) return [...others, hiddenIn(release, opener, isExplained)];
  // Before a pull nothing shows what is declared of the platforms, and an interrupted run of this stack may have scaled them in another release.
  const isBeforePull = work.args['stamps'] === undefined;
  return isOurs && isBeforePull ? others.map((each) => ({ ...each, own: 'unclear' })) : others;
}

/** Relations of platforms whose scaling has an open change: one GET for each platform. They name who made the relation, and not who changes it. */
async function openScalings(work: Work): Promise<readonly Relation[]> {
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const scalable = await Promise.all(
    platforms
      .filter((platform) => !isPendingDelete(platform))
      .map(({ ciName: platform }) =>
        work.api.call(routes.environmentPlatforms.edit, { address: { ...work.at, platform } }),
      ),
  );
  return scalable
    .flatMap(({ depends_on: relations }) => relations)
    .filter(({ rfcAction }) => rfcAction)
    .map((relation) => ({ ...relation, createdBy: '', updatedBy: '' }));
}

const hiddenIn = ({ releaseId, created }: Release, by: string, isExplained: boolean): Standing => ({
  what: `${isExplained ? 'perhaps another' : 'a'} change in release ${releaseId} that the service does not list, for example whether a platform is enabled`,
  number: releaseId,
  action: 'update',
  changeId: 0,
  appliedId: 0,
  releaseId,
  by,
  at: created ?? 0,
  own: isExplained ? 'unclear' : false,
});
