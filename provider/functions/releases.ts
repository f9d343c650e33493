// Functions for releases of a design or of an environment: the newest, one by its number, and all of them (service-facts §2.2.9, §4.5.6, §4.7.3).
import { routes, type Release } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { int } from '../field';
import { apiFunction, type Ask } from './api-function';
import { name, serial } from './arguments';
import * as result from './result';

const releaseFacts = {
  /** Number of the release. */
  releaseId: result.intResult(),
  /** Name of the release. */
  name: result.textResult(),
  /** What it releases: the `design`, an environment's `manifest`, or the `bom` that is deployed there. */
  kind: result.textResult(),
  /** `open`, `closed` or `canceled`. */
  state: result.textResult(),
  /** Text of its commit; for a release of an environment, a note of the service. */
  description: result.textResult(),
  /** Number of the release it was made from; 0 for a release of a design. */
  parentReleaseId: result.intResult(),
  /** When it was opened, in milliseconds since 1970. */
  created: result.intResult(),
  /** Who opened it. */
  createdBy: result.textResult(),
  /** When it last changed, in milliseconds since 1970. */
  updated: result.intResult(),
  /** Who committed it; empty while it is open. */
  committedBy: result.textResult(),
};

/** A release. */
const release = result.recordType('ReleaseRecord', releaseFacts);

/** What a release belongs to, by its namespace (service-facts §2.1.7). */
const kindOf = ({ nsPath }: Release): string => nsPath.split('/')[4] ?? 'design';

const releaseOf = (one: Release): result.ResultValues<typeof releaseFacts> => ({
  releaseId: one.releaseId,
  name: one.releaseName ?? '',
  kind: kindOf(one),
  state: one.releaseState,
  description: one.description ?? '',
  parentReleaseId: one.parentReleaseId ?? 0,
  created: one.created ?? 0,
  createdBy: one.createdBy ?? '',
  updated: one.updated ?? one.created ?? 0,
  committedBy: one.commitedBy ?? '',
});

/** The newest release of a design or, with an environment, the newest release to deploy there; in any state. */
export const getLatestRelease = apiFunction({
  token: 'getLatestRelease',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to read the newest release to deploy there, instead of that of the design. */
    environment: name().optional(),
  },
  reads: [routes.designReleases.latest, routes.environmentReleases.bom],
  result: releaseFacts,
  read: async (ask, { assembly, environment }) =>
    releaseOf(
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
    /** Name of the assembly. */
    assembly: name(),
    /** Number of the release. */
    releaseId: serial(),
    /** Name of an environment, for a release that belongs to it. */
    environment: name().optional(),
  },
  reads: [routes.designReleases.read, routes.environmentReleases.read],
  result: releaseFacts,
  read: async (ask, { assembly, environment, releaseId }) => {
    const address = { assembly, release: String(releaseId) };
    return releaseOf(
      environment === undefined
        ? await ask(routes.designReleases.read, { address })
        : await ask(routes.environmentReleases.read, { address: { ...address, environment } }),
    );
  },
});

/** The releases of a design or, with an environment, of its manifest and of what is deployed there. */
export const getReleases = apiFunction({
  token: 'getReleases',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to list its releases instead of those of the design. */
    environment: name().optional(),
    /** How many releases to list, not counting open ones. Default: all that the service lists, at most 1000. */
    size: int(1).optional(),
  },
  reads: [
    routes.designReleases.list,
    routes.designReleases.latest,
    routes.environmentReleases.list,
    routes.environmentReleases.bom,
    routes.environmentReleases.latest,
    routes.environments.timeline,
  ],
  result: {
    /** Releases, newest first. */
    releases: result.listResult(result.recordResult(release)),
  },
  read: async (ask, { assembly, environment, size }) => {
    const query = size === undefined ? {} : { size: String(size) };
    // The list does not contain open releases.
    const found =
      environment === undefined
        ? [
            await ask(routes.designReleases.list, { address: { assembly }, query }),
            openOf(await orNone(ask(routes.designReleases.latest, { address: { assembly } }))),
          ]
        : [
            await ask(routes.environmentReleases.list, { address: { assembly, environment }, query }),
            ...(await openIn(ask, { assembly, environment })),
          ];
    const all = new Map(found.flat().map((one) => [one.releaseId, releaseOf(one)]));
    return { releases: [...all.values()].sort((left, right) => right.releaseId - left.releaseId) };
  },
});

const openOf = (releases: readonly Release[]): readonly Release[] =>
  releases.filter(({ releaseState }) => releaseState === 'open');

type Newest = readonly [
  typeof routes.environmentReleases.bom,
  typeof routes.environmentReleases.latest,
  typeof routes.environments.timeline,
];

/** The open releases of an environment: its plan, and that of its manifest, which in one dialect only the timeline shows (docs/dialects.md). */
async function openIn(
  ask: Ask<Newest>,
  address: { readonly assembly: string; readonly environment: string },
): Promise<readonly (readonly Release[])[]> {
  const plan = await orNone(ask(routes.environmentReleases.bom, { address }));
  const latest = await orNone(ask(routes.environmentReleases.latest, { address }));
  if (latest.some((one) => kindOf(one) === 'manifest')) return [openOf(plan), openOf(latest)];
  const happened = await ask(routes.environments.timeline, { address });
  const releases = happened.filter((each): each is Release => 'releaseState' in each);
  return [openOf(plan), openOf(releases)];
}

/** The release in a list, which is empty when the service has none. */
async function orNone(asked: Promise<Release>): Promise<readonly Release[]> {
  try {
    return [await asked];
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}
