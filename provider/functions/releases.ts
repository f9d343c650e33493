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

const releaseFacts = {
  /** Number of the release. */
  releaseId: one.int('releaseId'),
  /** Name of the release. */
  name: one.text('releaseName'),
  /** `design`; or, of an environment, `manifest`, or the `bom` that is deployed. */
  kind: result.text(kindOf),
  /** `open`, `closed` or `canceled`. */
  state: one.text('releaseState'),
  /** Text of its commit; for a release of an environment, a note of the service. */
  description: one.text('description'),
  /** Number of the release it was made from; 0 for a release of a design. */
  parentReleaseId: one.int('parentReleaseId'),
  /** When it was opened, in milliseconds since 1970. */
  created: one.int('created'),
  /** Who opened it. */
  createdBy: one.text('createdBy'),
  /** When it last changed, in milliseconds since 1970. */
  updated: one.int('updated', 'created'),
  /** Who committed it; empty while it is open. */
  committedBy: one.text('commitedBy'),
};

/** A release. */
const release = result.recordType('ReleaseRecord', releaseFacts);

/** The newest release, in any state, of a design, or to deploy in an environment. */
export const getLatestRelease = apiFunction({
  token: 'getLatestRelease',
  arguments: {
    ...inDesign,
  },
  result: releaseFacts,
  read: async (ask, { assembly, environment }) =>
    result.valuesIn(
      releaseFacts,
      environment === undefined
        ? await ask(routes.designReleases.latest, { address: { assembly } })
        : // Without `latest`, one dialect returns an open one only (docs/dialects.md).
          await ask(routes.environmentReleases.bom, { address: { assembly, environment }, query: { latest: 'true' } }),
    ),
});

/** A release of a design or, with an environment, of its manifest or of what is deployed there. */
export const getRelease = apiFunction({
  token: 'getRelease',
  arguments: {
    ...inDesign,
    /** Number of the release. */
    releaseId: serial(),
  },
  result: releaseFacts,
  read: async (ask, { releaseId, ...place }) =>
    result.valuesIn(
      releaseFacts,
      await inEither(ask, [routes.designReleases.read, routes.environmentReleases.read], {
        ...place,
        release: String(releaseId),
      }),
    ),
});

/** The releases of a design or, with an environment, of its manifest and bom. */
export const getReleases = apiFunction({
  token: 'getReleases',
  arguments: {
    ...inDesign,
    /** How many releases to list, without open ones. Default: all, at most 1000. */
    size: int(1).optional(),
  },
  result: {
    /** Releases, newest first. */
    releases: result.records(release),
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
