// What was written and is not what runs: deployments that failed or were never begun, and runs that stopped before they came to them.
// It sends no request: the state and what was read anyway show all of it.
import { routes, type Deployment, type Release } from '../../api/contract';
import {
  formatId,
  isPlainObject,
  kinds,
  OUR_MARK,
  parseId,
  parseMember,
  parseMemberPath,
  type State,
} from '../../provider';
import type { ReadRecord } from './last-write';
import type { ReviewRecording } from './recording-api';
import type { Author } from './review';
import type { AppliedRecord, Subject } from './subjects';

/** A record, what is seen of it instead of `complete`, and by whom. */
export interface Undeployed {
  readonly subject: Subject;
  readonly live: string;
  readonly author?: Author | undefined;
  /** Whether it is more than something to know. */
  readonly counts: boolean;
}

/** Each record whose last write is not what runs. `known`: what was read of each. */
export function undeployedIn(
  known: readonly ReadRecord[],
  recording: ReviewRecording,
  user: string | undefined,
): readonly Undeployed[] {
  const applied = new Map(
    known.flatMap(({ subject }) => (subject.applied ? [[keyOf(subject.applied), subject.applied] as const] : [])),
  );
  return known.flatMap(({ subject, live }): Undeployed[] => {
    if (live === undefined) return [];
    const found = rolledOut(subject, live, recording, user) ?? unfinished(subject, applied);
    return found === undefined ? [] : [{ subject, ...found }];
  });
}

type Found = Omit<Undeployed, 'subject'>;

const keyOf = ({ kind, id }: Pick<AppliedRecord, 'kind' | 'id'>): string => `${kind.token} ${id}`;

/** What the newest deployment of an environment, and its plan, say against its being complete. */
function rolledOut(
  { kind, id, applied }: Subject,
  live: State,
  recording: ReviewRecording,
  user: string | undefined,
): Found | undefined {
  const wanted = kind.fills?.['state'];
  if (wanted === undefined) return undefined;
  const { assembly = '', environment = '' } = parseId(kind, id)?.address ?? {};
  // A 404 leaves no answer.
  const at = { assembly, environment };
  const newest = recording.answer(routes.deployments.latest, at) as Deployment | undefined;
  const plan = recording.answer(routes.environmentReleases.bom, at) as Release | undefined;
  const state = live.inputs['state'];
  const planned = plan?.releaseState === 'open' ? plan : undefined;
  if (planned !== undefined && (state === wanted || state === 'planned')) {
    const author = { who: planned.createdBy ?? '', when: planned.created ?? 0, releaseId: planned.releaseId };
    return { live: 'committed, and not deployed', author, counts: true };
  }
  const isOurs =
    newest === undefined ||
    newest.description === OUR_MARK ||
    newest.deploymentId === applied?.computed['deploymentId'];
  const author = newest && {
    who: newest.updatedBy ?? newest.createdBy ?? '',
    when: newest.updated ?? newest.created ?? 0,
  };
  if (typeof state === 'string' && state !== wanted) {
    const number = newest === undefined ? '' : ` ${newest.deploymentId}`;
    return { live: state.includes(' ') ? state : `deployment${number} is ${state}`, author, counts: true };
  }
  if (isOurs || applied === undefined || newest.createdBy === user) return undefined;
  return { live: `deployment ${newest.deploymentId}, complete, is not of this stack`, author, counts: false };
}

/** What a run wrote and did not carry on: members written since the release, or the deployment, that knows them; a release that was not pulled. */
function unfinished({ applied }: Subject, all: ReadonlyMap<string, AppliedRecord>): Found | undefined {
  if (applied === undefined) return undefined;
  const members = isPlainObject(applied.inputs['members']) ? Object.entries(applied.inputs['members']) : [];
  const written = members.flatMap(([path, text]) => {
    const record = all.get(memberKey(applied, path) ?? '');
    const isWritten = record !== undefined && record.computed['revision'] !== parseMember(String(text)).revision;
    return isWritten ? [{ path, record }] : [];
  });
  const stage = applied.kind.fills === undefined ? 'committed' : 'deployed';
  if (written.length > 0)
    return {
      live: `written, and not ${stage}: ${shown(written.map(({ path }) => path))}`,
      author: lastWriter(written.map(({ record }) => record)),
      counts: true,
    };
  const release = releaseOf(applied, all);
  if (release === undefined || applied.inputs['designRelease'] === release.computed['revision']) return undefined;
  return { live: 'the design was committed, and not pulled', author: lastWriter([release]), counts: true };
}

const SHOWN = 10;

const shown = (paths: readonly string[]): string =>
  [...paths.slice(0, SHOWN), ...(paths.length > SHOWN ? [`${paths.length - SHOWN} more`] : [])].join(', ');

/** Key of the record that a member's path is of. */
function memberKey({ kind, id }: AppliedRecord, path: string): string | undefined {
  const parsed = parseId(kind, id);
  if (parsed === undefined) return undefined;
  const stage = kind.fills === undefined ? 'design' : 'environment';
  if (stage === 'environment' && path === 'environment') return `Environment ${id}`;
  const found = parseMemberPath(kinds, stage, path);
  if (found === undefined) return undefined;
  const address = { ...parsed.address, ...found.inside };
  return `${found.of.token} ${formatId(found.of, parsed.organization, address)}`;
}

/** The release in the state that an environment's design release is made of. */
function releaseOf({ madeOf }: AppliedRecord, all: ReadonlyMap<string, AppliedRecord>): AppliedRecord | undefined {
  const urns = Array.isArray(madeOf['designRelease']) ? (madeOf['designRelease'] as readonly unknown[]) : [];
  const found = [...all.values()].find(({ urn }) => urns.includes(urn));
  // A newer one that a refresh found was committed by another user.
  return found?.inputs['newer'] === undefined ? found : undefined;
}

/** Who wrote the newest of our own writes, as the state has it. */
function lastWriter(records: readonly AppliedRecord[]): Author | undefined {
  const [newest] = records
    .map(({ computed }) => ({ who: textOf(computed['updatedBy']), when: Number(computed['updated'] ?? 0) }))
    .sort((left, right) => right.when - left.when);
  return newest?.who === '' ? undefined : newest;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
