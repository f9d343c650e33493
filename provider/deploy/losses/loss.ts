// Stops a run if others took away declared records or instances, unless the file accepts the loss.
import { routes } from '../../../api/contract';
import { plural } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import type { Work } from '../../kind';
import { SILENT } from '../../lifecycle/managed';
import { type Cause, userOf } from '../../history/change';
import { memoryOfStage, stageKey } from '../../session';
import { wordsAt } from '../../values/plain';

/** Something declared that is gone, off, or has less than declared. */
export interface Loss {
  /** How `accept` names it: `db`, `web/deployer`, `web/west`. */
  readonly subject: string;
  /** The action, as the predicate of a sentence: `deleted platform db from the design`. */
  readonly did: string;
  /** Absent where the service does not show who did it. */
  readonly cause?: Cause | undefined;
  readonly stage: 'design' | 'environment';
  /** Instances that go, or do not run. */
  readonly instances: number;
  /** The way to bring it back. */
  readonly keep: string;
  /** The change of the file that lets it go. */
  readonly letGo: string;
  /** Whether `ignoreChanges` covers it, so that the run accepts it. */
  readonly isIgnored?: boolean;
}

/** A change of somebody, as an entry of `accept` names it. */
type Acceptable = Pick<Loss, 'subject' | 'stage' | 'cause'>;

/** `db: design release 2677`; none without a release, since it would hold for each later change, too. */
const entriesOf = ({ subject, stage, cause }: Acceptable): readonly string[] =>
  cause?.releaseId ? [`${subject}: ${stage === 'design' ? 'design release' : 'release'} ${cause.releaseId}`] : [];

/** Ways out of a refusal, and to accept those changes of which a release is known. */
export function waysOut(ways: readonly string[], changes: readonly Acceptable[]): string {
  const entries = [...new Set(changes.flatMap(entriesOf))].map((entry) => JSON.stringify(entry)).join(', ');
  const partly = changes.some((change) => entriesOf(change).length === 0) ? ' for what a release shows' : '';
  const all = entries === '' ? ways : [...ways, `declare deploy: { accept: [${entries}] }${partly}`];
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(', or ');
}

export const isAccepted = ({ args }: Pick<Work, 'args'>, change: Acceptable): boolean =>
  entriesOf(change).some((entry) => wordsAt(args, 'accept').includes(entry));

/** `maria deleted platform db from the design, release 2677, 2026-11-22T03:01:09.000Z`. */
export const lossLine = ({ did, cause }: Pick<Loss, 'did' | 'cause'>): string =>
  cause === undefined
    ? `somebody ${did}`
    : `${cause.who || 'somebody'} ${did}, release ${cause.releaseId}, ${new Date(cause.when).toISOString()}`;

/** Losses that neither the file accepts nor its `whenBusy` committed. Names the others once. */
export async function withoutAccepted<L extends Loss>(work: Work, losses: readonly L[]): Promise<readonly L[]> {
  const included = await includedReleases(work, losses);
  const accepted = losses.filter(
    (loss) =>
      loss.isIgnored ||
      isAccepted(work, loss) ||
      (loss.stage === 'environment' && included.has(loss.cause?.releaseId ?? 0)),
  );
  const left = losses.filter((loss) => !accepted.includes(loss));
  const { named = [] } = memoryOfStage(work, 'environment');
  const lines = accepted.map(lossLine).filter((line) => !named.includes(line));
  // A silent look names nothing: the run that follows does.
  if (lines.length === 0 || work.notice === SILENT.notice) return left;
  work.notice(`accepted: ${lines.join('; ')}`);
  work.session.memory.note(stageKey('environment', work.at), { named: [...named, ...lines] });
  return left;
}

/** Numbers of the environment's releases that this user committed, if the file includes others' changes. */
async function includedReleases(work: Work, losses: readonly Loss[]): Promise<ReadonlySet<number>> {
  const isAsked = work.args['whenBusy'] === 'proceed' && losses.some(({ stage }) => stage === 'environment');
  const user = isAsked ? await userOf(work) : undefined;
  if (user === undefined) return new Set();
  const releases = await work.api.call(routes.environmentReleases.list, { address: work.at });
  return new Set(releases.flatMap(({ releaseId, commitedBy }) => (commitedBy === user ? releaseId : [])));
}

/** Throws unless the file accepts all losses. `doing`: what cannot be done, as in `deploy prod`. */
export async function refuseLosses(work: Work, doing: string, losses: readonly Loss[]): Promise<void> {
  const refused = await withoutAccepted(work, losses);
  if (refused.length > 0) throw lossError(doing, refused);
}

/** `deploy prod`. */
export const deploying = (work: Work): string => `deploy ${work.at['environment'] ?? work.id}`;

const subjectsOf = (losses: readonly Loss[]): readonly string[] => [...new Set(losses.map(({ subject }) => subject))];

/** `9 instances of db would be deleted, web/east would not be as declared`. */
export function effectText(losses: readonly Loss[]): string {
  const gone = subjectsOf(losses.filter(({ instances }) => instances > 0));
  const count = losses.reduce((sum, { instances }) => sum + instances, 0);
  const other = subjectsOf(losses).filter((name) => !gone.includes(name));
  return [
    ...(gone.length === 0 ? [] : [`${plural(count, 'instance')} of ${gone.join(', ')} would be deleted`]),
    ...(other.length === 0 ? [] : [`${other.join(', ')} would not be as declared`]),
  ].join(', ');
}

/** The refusal, one message for all losses. */
export function lossError(doing: string, losses: readonly Loss[]): LifecycleError {
  const lines = losses.map((loss) => `  ${lossLine(loss)}`);
  const unique = (texts: readonly string[]): string => [...new Set(texts)].join('; ');
  return new LifecycleError(
    [`cannot ${doing}: ${effectText(losses)}, and this file declares ${subjectsOf(losses).join(', ')}`, ...lines].join(
      '\n',
    ),
    [
      `keep it: ${unique(losses.map(({ keep }) => keep))}`,
      `let it go: ${waysOut([unique(losses.map(({ letGo }) => letGo))], losses)}`,
    ].join('\n'),
  );
}
