// What a deployment of reverted records brings along: what others committed, and nobody has deployed.
import { ownUser } from '../../provider';
import { knownReleases, newestPull, type KnownReleases } from '../releases/known-releases';
import { newLiveReader, type LiveReader } from '../releases/live-reader';
import { changesText, waitingText } from '../releases/waiting-text';
import { waitingReleases, type WaitingRelease } from '../releases/waiting-releases';
import { wireNameOf } from '../review/compare';
import type { DriftFinding } from '../review/review';
import { environmentsOf } from './deploy-again';
import type { Reversal, RevertContext } from './revert';

/** What is set back, or is as declared already. */
interface Reverted {
  readonly records: readonly Pick<Reversal, 'record'>[];
  readonly findings: readonly DriftFinding[];
}

/** A line on each release of others that a deployment brings along, and on what could not be read. Sends GETs only. */
export async function comingAlong(world: RevertContext, { records, findings }: Reverted): Promise<readonly string[]> {
  const { api } = world;
  const reader = newLiveReader();
  const environments = environmentsOf(world.declared, records).map(({ id }) => id);
  const user = await ownUser(api);
  const waiting = await waitingReleases(
    { api, reader, known: await knownHere(world, reader, environments) },
    environments.map((environment) => ({ environment, pulls: true, deploys: true })),
  );
  return [
    ...waiting.filter(({ who }) => who === undefined || who !== user).flatMap((release) => lineOn(release, findings)),
    ...reader.unread.map((line) => `whether others committed something is not known: ${line}`),
  ];
}

/** The releases that the state knows; without a state, those that the environments have. */
async function knownHere(
  { api, applied }: RevertContext,
  reader: LiveReader,
  environments: readonly string[],
): Promise<KnownReleases> {
  if (applied !== undefined)
    return knownReleases(applied.map(({ kind, id, computed }) => ({ kind, id, outputs: computed })));
  const pulled = await Promise.all(
    environments.map(async (id) => [id, { pulled: await newestPull(api, reader, id), deployment: 0 }] as const),
  );
  return { designs: {}, environments: Object.fromEntries(pulled) };
}

/** None for a release that contains nothing else than what is set back. */
function lineOn(release: WaitingRelease, findings: readonly DriftFinding[]): readonly string[] {
  const left = release.members?.filter((member) => !isSetBack(release, member.slice(1), findings));
  if (left?.length === 0) return [];
  return [`${waitingText(release)}, to ${release.environments.join(', ')}: ${changesText(left)}`];
}

/** Whether what a release changed of a record is set back. */
function isSetBack({ address, attributes = {} }: WaitingRelease, path: string, all: readonly DriftFinding[]): boolean {
  const own = all.filter((finding) => finding.address === `${address}/${path}`);
  if (own.some(({ attribute }) => attribute === undefined)) return true;
  const names = own.map(({ attribute = '' }) => wireNameOf(attribute.split('.')));
  return own.length > 0 && (attributes[path]?.every((name) => names.includes(name)) ?? false);
}
