// What others committed in a design and no environment of the stack has yet: the next pull brings it, whether somebody declares it or not.
import type { Api } from '../../api/client';
import { declaredValues } from '../../provider';
import { knownReleases, readPull, newLiveReader, waitingReleases, type WaitingRelease } from './waiting-releases';
import type { ReadRecord } from './authors';
import type { DriftFinding } from './review';
import { isReferred, type Subject } from './sources';

/** A release that waits, with those of its members that no finding is about. */
export interface WaitingInDesign {
  readonly release: WaitingRelease;
  /** Absent where the service does not list its changes. */
  readonly members: readonly string[] | undefined;
  /** Whether nothing of it is declared by this stack, or inside a record that this stack declares. */
  readonly isElsewhere: boolean;
}

/** The releases that wait, and a sentence for each thing that could not be read. */
export async function waitingInDesigns(
  api: Api,
  known: readonly ReadRecord[],
  findings: readonly DriftFinding[],
): Promise<{ readonly waiting: readonly WaitingInDesign[]; readonly notes: readonly string[] }> {
  const records = known.flatMap(({ subject: { applied, id, kind } }) =>
    applied === undefined ? [] : [{ kind, id, outputs: applied.computed }],
  );
  const releases = knownReleases(records);
  // An environment that stays at a release of its own choice has no number here.
  const reached = Object.entries(releases.environments)
    .filter(
      ([id, { pulled }]) => pulled > 0 && known.some(({ subject, live }) => subject.id === id && live !== undefined),
    )
    .map(([environment]) => ({ environment, pulls: true, deploys: false }));
  const reader = newLiveReader();
  const all = await waitingReleases({ api, reader, known: releases }, reached);
  const ids = [...new Set(all.flatMap(({ environments }) => environments))];
  const pulls = new Map(await Promise.all(ids.map(async (id) => [id, await readPull(api, reader, id)] as const)));
  const waiting = notPulled(all, pulls);
  const pulledSince = new Set(ids.filter((id) => (pulls.get(id) ?? 0) > (releases.environments[id]?.pulled ?? 0)));
  const own = known.filter(({ subject }) => !isReferred(subject));
  const declared = new Map(own.map(({ subject }) => [subject.id, subject]));
  return {
    waiting: waiting.flatMap((release) =>
      waitingIn(
        release,
        findings,
        declared,
        release.environments.some((id) => pulledSince.has(id)),
      ),
    ),
    notes: reader.unread.map((line) => `what waits to be deployed may not be complete: ${line}`),
  };
}

/** Releases without those that somebody has pulled since the state was written. */
const notPulled = (
  waiting: readonly WaitingRelease[],
  pulls: ReadonlyMap<string, number | undefined>,
): readonly WaitingRelease[] =>
  waiting.flatMap((release) => {
    const environments = release.environments.filter((id) => (pulls.get(id) ?? 0) < release.releaseId);
    return environments.length === 0 ? [] : [{ ...release, environments }];
  });

function waitingIn(
  release: WaitingRelease,
  findings: readonly DriftFinding[],
  declared: ReadonlyMap<string, Subject>,
  isPulledSince: boolean,
): readonly WaitingInDesign[] {
  const said = new Set(
    findings.filter(({ classification }) => classification !== 'touched').map((each) => each.address),
  );
  const idOf = (member: string): string => `${release.address}/${member.slice(1)}`;
  const members = release.members?.filter(
    (member) =>
      !said.has(idOf(member)) &&
      (isPulledSince || !isUndone(declared.get(idOf(member)), release.attributes?.[member.slice(1)])),
  );
  if (members?.length === 0) return [];
  // The assembly is above all of them: only what is below it is more than a neighbour.
  const isOurs = (id: string): boolean =>
    declared.has(id) || (id.length > release.address.length + 1 && isOursAbove(id, release.address, declared));
  return [{ release, members, isElsewhere: members !== undefined && !members.some((each) => isOurs(idOf(each))) }];
}

/**
 * Whether a record has again what the last run wrote and the environments pulled, of each attribute that a release
 * changed: such as after a value was set back by hand. A secret is not known to be the same.
 */
function isUndone(subject: Subject | undefined, changed: readonly string[] | undefined): boolean {
  if (subject?.applied === undefined || changed === undefined || changed.length === 0) return false;
  const values = declaredValues(subject.kind, subject.applied.inputs);
  return changed.every((name) => values.get(name)?.field.secret === false);
}

const isOursAbove = (id: string, assembly: string, declared: ReadonlyMap<string, Subject>): boolean => {
  const above = id.slice(0, id.lastIndexOf('/'));
  return above.length > assembly.length && (declared.has(above) || isOursAbove(above, assembly, declared));
};
