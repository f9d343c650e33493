// What others committed in a design and no environment of the stack has yet: the next pull brings it, whether somebody declares it or not.
import type { Api } from '../../api/client';
import { knownReleases } from '../releases/known-releases';
import { newLiveReader } from '../releases/live-reader';
import { changesText, waitingText } from '../releases/waiting-text';
import { waitingReleases, type WaitingRelease } from '../releases/waiting-releases';
import type { ReadRecord } from './last-write';
import type { DriftFinding } from './review';

/** A sentence on each release that waits, with those of its members that no finding is about. */
export async function waitingNotes(
  api: Api,
  known: readonly ReadRecord[],
  findings: readonly DriftFinding[],
): Promise<readonly string[]> {
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
  const waiting = await waitingReleases({ api, reader, known: releases }, reached);
  return [
    ...waiting.flatMap((release) => noteOn(release, findings)),
    ...reader.unread.map((line) => `what waits to be deployed may not be complete: ${line}`),
  ];
}

function noteOn(release: WaitingRelease, findings: readonly DriftFinding[]): readonly string[] {
  const { address, environments, members } = release;
  const said = new Set(
    findings.filter(({ classification }) => classification !== 'touched').map((each) => each.address),
  );
  const left = members?.filter((member) => !said.has(`${address}/${member.slice(1)}`));
  if (left?.length === 0) return [];
  return [`${waitingText(release)} waits to be deployed to ${environments.join(', ')}: ${changesText(left)}`];
}
