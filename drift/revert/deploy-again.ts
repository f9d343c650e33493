// Commits, pulls and deploys restored values. No run does it, because file and state are unchanged.
import { ownUser } from '../../provider/history';
import type { Inputs, Kind } from '../../provider';
import { settledNames } from '../../provider/kinds/settled';
import { lifecycle, type Lifecycle } from '../../provider/lifecycle';
import type { SourceRecord } from '../review/sources';
import { sessionOf, type Reversal, type RevertContext, reportingRow } from './revert';
import {
  changePath,
  knownReleases,
  newLiveReader,
  openReleases,
  changesText,
  waitingText,
  waitingReleases,
  type WaitingRelease,
} from '../review/waiting';
import { wireNameOf } from '../review/compare';
import type { DriftFinding } from '../review/review';

/** The environments that reverted records reach: their own, or all declared for a design. */
export function environmentsOf(
  declared: readonly SourceRecord[],
  reversals: readonly Pick<Reversal, 'record'>[],
): readonly SourceRecord[] {
  const environments = declared.filter(({ kind }) => kind.token === 'Environment');
  const reached = (environment: SourceRecord): boolean =>
    reversals.some(({ record: { kind, inputs, id } }) => {
      if (kind.token === 'Environment') return id === environment.id;
      if (kind.stage === 'none' || inputs['assembly'] !== environment.inputs['assembly']) return false;
      return kind.stage === 'design' || inputs['environment'] === environment.inputs['name'];
    });
  return environments.filter(reached);
}

/**
 * Commits the designs, pulls them into the environments and deploys those, as `pulumi up` would if
 * the file or the state said that anything changed (flows F16). What the stack declares no release
 * or deployment for is reported, and left. Returns false when an environment that should be
 * deployed is gone: one that another user deleted, or all that are declared.
 */
export async function deployAgain(
  world: RevertContext,
  reversals: readonly Pick<Reversal, 'record'>[],
): Promise<boolean> {
  const session = sessionOf(
    world,
    reversals.map(({ record }) => record),
  );
  const life = (record: SourceRecord): Lifecycle => lifecycle(record.kind, () => Promise.resolve(world.api), session);
  const committing = (stage: Kind['stage'], wanted: Inputs): SourceRecord | undefined =>
    world.declared.find(
      ({ kind, inputs }) =>
        kind.token === (stage === 'design' ? 'DesignRelease' : 'Deployment') &&
        Object.entries(wanted).every(([name, value]) => inputs[name] === value),
    );
  const designs = reversals.filter(({ record }) => record.kind.stage === 'design');
  const committed = new Map<unknown, unknown>();
  for (const assembly of new Set(designs.map(({ record }) => record.inputs['assembly']))) {
    const release = committing('design', { assembly });
    if (release === undefined) world.tell(`no release of ${String(assembly)} is declared: its design is not committed`);
    else {
      const row = reportingRow(world, release.id);
      const { outputs } = await life(release).update(release.id, ...unchanged(world, release), row);
      committed.set(assembly, outputs['revision']);
    }
  }
  const environments = environmentsOf(world.declared, reversals);
  const missing: SourceRecord[] = [];
  for (const environment of environments) {
    const { assembly, name } = environment.inputs;
    const row = reportingRow(world, environment.id);
    const live = await life(environment).read(environment.id, environment.inputs, row);
    if (live === undefined) {
      missing.push(environment);
      world.tell(missingText(world, environment));
      continue;
    }
    if (committed.has(assembly)) {
      // It stays as it is, except for the design release that it is to pull.
      const olds = { ...live.outputs, designRelease: '', pulled: '' };
      const news = { ...live.inputs, designRelease: String(committed.get(assembly)) };
      await life(environment).update(environment.id, olds, news, row);
    }
    const deployment = committing('environment', { assembly, environment: name });
    if (deployment === undefined) world.tell(`no deployment of ${environment.id} is declared: it is not deployed`);
    else await life(deployment).update(deployment.id, ...unchanged(world, deployment), row);
  }
  const isAll = missing.length > 0 && missing.length === environments.length;
  return !isAll && !missing.some((environment) => appliedAs(world, environment) !== undefined);
}

/** Why an environment is not deployed that the service does not have, and what creates it. */
function missingText(world: RevertContext, environment: SourceRecord): string {
  const { id } = environment;
  if (world.applied === undefined)
    return `${id} is not deployed: the service does not have it; pulumi up --refresh creates it, also if it was deleted`;
  return appliedAs(world, environment) === undefined
    ? `${id} is declared and not there yet: pulumi up creates it`
    : `${id} is not deployed: it was deleted in the service; pulumi up --refresh creates it again`;
}

const appliedAs = ({ applied = [] }: RevertContext, { kind, id }: SourceRecord): SourceRecord | undefined =>
  applied.find((each) => each.kind === kind && each.id === id);

/**
 * The inputs of a record, before and after. What nobody writes is only in the state: without it a
 * deployment would enable a platform that is declared to be down.
 */
function unchanged(world: RevertContext, record: SourceRecord): readonly [Inputs, Inputs] {
  const { kind, inputs } = record;
  const settled = Object.entries(appliedAs(world, record)?.inputs ?? {}).filter(([name]) =>
    settledNames(kind).includes(name),
  );
  const all = { ...Object.fromEntries(settled), ...inputs };
  return [all, all];
}

type SetBack = { readonly records: readonly Pick<Reversal, 'record'>[] } & Pick<Reversal, 'findings'>;

/** The committed releases that a deployment brings along, and what could not be read. */
async function waitingFor(world: RevertContext, { records }: SetBack) {
  const { api, applied = [] } = world;
  const reader = newLiveReader();
  const reached = environmentsOf(world.declared, records);
  const known = knownReleases(applied);
  const both = reached.map(({ id: environment }) => ({ environment, pulls: true, deploys: true }));
  const waiting = await waitingReleases({ api, reader, known }, both);
  return { waiting, reader };
}

/** A line on each release of others that a deployment brings along, and on failed reads. */
export async function comingAlong(
  world: RevertContext,
  setBack: SetBack,
  found = waitingFor(world, setBack),
): Promise<readonly string[]> {
  const { waiting, reader } = await found;
  const user = await ownUser(world.api);
  return [
    ...waiting
      .filter(({ who }) => who === undefined || who !== user)
      .flatMap((release) => lineOn(release, setBack.findings)),
    ...reader.unread.map((line) => `whether others committed something is not known: ${line}`),
  ];
}

/**
 * After records were set back: what a deployment brings along, and whether it may bring what was set
 * back. A change that was never committed runs nowhere, and nothing is open once it is set back.
 */
export async function leftToDeploy(
  world: RevertContext,
  setBack: SetBack,
): Promise<{ readonly along: readonly string[]; readonly isAny: boolean }> {
  const { records } = setBack;
  const found = await waitingFor(world, setBack);
  const designs = environmentsOf(world.declared, records).map(({ id }) => id.split('/').slice(0, 2).join('/'));
  const open = await openReleases({ api: world.api, reader: found.reader }, [...new Set(designs)]);
  const isDesign = records.every(({ record }) => record.kind.stage === 'design');
  return {
    along: await comingAlong(world, setBack, Promise.resolve(found)),
    isAny: !isDesign || found.waiting.length + open.length + found.reader.unread.length > 0,
  };
}

/** None for a release that contains nothing else than what is set back. */
function lineOn(release: WaitingRelease, findings: readonly DriftFinding[]): readonly string[] {
  const left = release.members?.filter((member) => !isSetBack(release, member.slice(1), findings));
  if (left?.length === 0) return [];
  return [`${waitingText(release)}, to ${release.environments.join(', ')}: ${changesText(left)}`];
}

function isSetBack({ address, attributes = {} }: WaitingRelease, path: string, all: readonly DriftFinding[]): boolean {
  const own = all.filter((finding) => changePath(finding) === `${address}/${path}`);
  if (own.some(({ attribute }) => attribute === undefined)) return true;
  const names = own.map(({ attribute = '' }) => wireNameOf(attribute.split('.')));
  return own.length > 0 && (attributes[path]?.every((name) => names.includes(name)) ?? false);
}
