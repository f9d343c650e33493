// Functions for releases of a design or an environment (service-facts §2.2.9, §4.5.6, §4.7.3).
import { routes, type Release } from '../../api/contract';
import { orNone } from '../../api/errors';
import { int } from '../values/field';
import { apiFunction, type Ask, inDesign, inEither, serial } from './api-function';
import * as result from './result';
import type { Texts } from '../values/plain';

/** What a release belongs to, by its namespace (service-facts §2.1.7). */
const kindOf = ({ nsPath }: Release): string => nsPath.split('/')[4] ?? 'design';

const one = result.inMembers<Release>();

const release = result.recordType('ReleaseRecord', 'A release.', {
  releaseId: one.int('releaseId').describe('Number of the release.'),
  name: one.text('releaseName').describe('Name of the release.'),
  kind: result.text(kindOf).describe('`design`; or, of an environment, `manifest`, or the `bom` that is deployed.'),
  state: one.text('releaseState').describe('`open`, `closed` or `canceled`.'),
  description: one
    .text('description')
    .describe('Text of its commit; for a release of an environment, a note of the service.'),
  parentReleaseId: one
    .int('parentReleaseId')
    .describe('Number of the release it was made from; 0 for a release of a design.'),
  created: one.int('created').describe('When it was opened, in milliseconds since 1970.'),
  createdBy: one.text('createdBy').describe('Who opened it.'),
  updated: one.int('updated', 'created').describe('When it last changed, in milliseconds since 1970.'),
  committedBy: one.text('commitedBy').describe('Who committed it; empty while it is open.'),
});

export const getLatestRelease = apiFunction({
  token: 'getLatestRelease',
  description: 'The newest release, in any state, of a design, or to deploy in an environment.',
  arguments: inDesign,
  result: release.members,
  read: async (ask, { assembly, environment }) =>
    result.valuesIn(
      release.members,
      environment === undefined
        ? await ask(routes.designReleases.latest, { address: { assembly } })
        : // Without `latest`, one dialect returns an open one only (docs/dialects.md).
          await ask(routes.environmentReleases.bom, { address: { assembly, environment }, query: { latest: 'true' } }),
    ),
});

export const getRelease = apiFunction({
  token: 'getRelease',
  description: 'A release of a design or, with an environment, of its manifest or of what is deployed there.',
  arguments: {
    ...inDesign,
    releaseId: serial().describe('Number of the release.'),
  },
  result: release.members,
  read: async (ask, { releaseId, ...place }) =>
    result.valuesIn(
      release.members,
      await inEither(ask, [routes.designReleases.read, routes.environmentReleases.read], {
        ...place,
        release: String(releaseId),
      }),
    ),
});

export const getReleases = apiFunction({
  token: 'getReleases',
  description: 'The releases of a design or, with an environment, of its manifest and bom.',
  arguments: {
    ...inDesign,
    size: int(1).optional().describe('How many releases to list, without open ones. Default: all, at most 1000.'),
  },
  result: {
    releases: result.records(release).describe('Releases, newest first.'),
  },
  read: async (ask, { assembly, environment, size }) => {
    const query = size === undefined ? {} : { size: String(size) };
    const closed = await inEither(
      ask,
      [routes.designReleases.list, routes.environmentReleases.list],
      { assembly, environment },
      query,
    );
    // The list does not contain open releases.
    const newest =
      environment === undefined
        ? [await orNone(ask(routes.designReleases.latest, { address: { assembly } }))]
        : await newestIn(ask, { assembly, environment });
    const open = newest.filter((each) => each?.releaseState === 'open');
    const all = new Map([...closed, ...open].flatMap((each) => (each ? [[each.releaseId, each]] : [])));
    const rows = result.rowsIn(release, [...all.values()]);
    return { releases: [...rows].sort((left, right) => right.releaseId - left.releaseId) };
  },
});

/** The newest releases of an environment, in any state: bom and manifest (docs/dialects.md). */
async function newestIn(ask: Ask, address: Texts): Promise<readonly (Release | undefined)[]> {
  const plan = await orNone(ask(routes.environmentReleases.bom, { address }));
  const latest = await orNone(ask(routes.environmentReleases.latest, { address }));
  if (latest !== undefined && kindOf(latest) === 'manifest') return [plan, latest];
  const happened = await ask(routes.environments.timeline, { address });
  return [plan, ...happened.filter((each): each is Release => 'releaseState' in each)];
}
