// What runs in the environments under review, compared with what is committed there: plans that nobody carries out, instances that are missing, not
// of the current release or in a bad state, and platforms that are switched off. A few lists for each environment, none for a single record.
import type { Api } from '../../api/client';
import { type Call, type Deployment, type Instance, type Release, fillPath, routes } from '../../api/contract';
import { Bug, Forbidden, NotFound, OneOpsError, Unauthenticated } from '../../api/errors';
import {
  type ChangedAvailability,
  type DeletedPlatform,
  type PlatformSwitch,
  type SetDependency,
  changedWithin,
  isManifest,
  platformSwitches,
} from '../../provider/history';
import { OUR_MARK, type Session, platformOf } from '../../provider';
import { withReachedRelease } from './releases';
import { closedAt, committer } from './waiting';
import type { Author } from './review';

/** Where an environment is, as requests name it. */
export interface DeployedPlace extends Readonly<Record<string, string>> {
  readonly assembly: string;
  readonly environment: string;
}

/** How what runs is requested. */
export interface AskingWhatRuns {
  /** Sends each GET once: see `onceEach`. */
  readonly api: Api;
  /** A few further requests: see `boundedGets`. */
  readonly get: Call;
  /** Remembers the switches of platforms. */
  readonly session: Session;
}

/** Something that was found of what runs. */
export interface RunsOtherwise {
  /** What it is about: `['plan']`, `['instances']`. */
  readonly path: readonly string[];
  /** What is seen, in a few words. */
  readonly live: string;
  readonly author?: Author | undefined;
  /** Whether instances that should run do not. */
  readonly takesAway: boolean;
  /** What restores it, if no command does. */
  readonly byHand?: string;
}

/** What was found in one environment, and one sentence for each thing that nothing shows. */
interface WhatRuns {
  readonly found: readonly RunsOtherwise[];
  readonly notes: readonly string[];
}

/** The last word of what a plan does with an instance. */
const DONE: { readonly [action: string]: string } = {
  add: 'missing',
  update: 'not of the current release',
  replace: 'marked to be replaced',
  delete: 'to be deleted',
};

/** Instances in a state that says they do not work (service-facts §2.2.11). */
const BAD_STATES: readonly string[] = ['unhealthy'];

/** `web: 3 missing, 1 not of the current release; db: 2 missing`. */
function countsText<T extends { readonly nsPath: string }>(
  records: readonly T[],
  wordOf: (record: T) => string,
): string {
  const platforms = [...new Set(records.map(platformOf))].sort();
  return platforms
    .map((platform) => {
      const words = records.filter((each) => platformOf(each) === platform).map(wordOf);
      const counts = [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`);
      return `${platform}: ${counts.join(', ')}`;
    })
    .join('; ');
}

/** An answer, or nothing of a kind there is none of; or why there is no answer. */
type Answered<T> = { readonly answer: T | undefined } | NotKnown;

async function answered<T>(ask: () => Promise<T>): Promise<Answered<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (error instanceof NotFound) return { answer: undefined };
    if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
    const isRefused = error instanceof Unauthenticated || error instanceof Forbidden;
    return { reason: error.message.split('\n')[0] ?? error.message, isRefused };
  }
}

/** What runs in an environment: its newest deployment, a plan that nobody carried out, and its instances. */
interface Runs {
  readonly newest: Deployment | undefined;
  readonly planned: Release | undefined;
  readonly instances: readonly Instance[];
}

/** Why it is not known what runs. */
interface NotKnown {
  readonly reason: string;
  /** The service refused the token. */
  readonly isRefused: boolean;
}

/** Reads what runs in an environment: three requests. */
export async function readRuns(api: Api, address: DeployedPlace): Promise<Runs | NotKnown> {
  const query = { instances_state: 'all' };
  const newest = await answered(() => api.call(routes.deployments.latest, { address }));
  const planned = await answered(() => api.call(routes.environmentReleases.bom, { address }));
  const instances = await answered(() => api.call(routes.operations.environmentInstances, { address, query }));
  if ('reason' in newest) return newest;
  if ('reason' in planned) return planned;
  if ('reason' in instances) return instances;
  const plan = planned.answer?.releaseState === 'open' ? planned.answer : undefined;
  return { newest: newest.answer, planned: plan, instances: instances.answer ?? [] };
}

/** What differs between what is committed in an environment and its instances. One request, and another one where something differs. */
export async function whatRuns(
  { api, get }: Pick<AskingWhatRuns, 'api' | 'get'>,
  address: DeployedPlace,
  { newest, planned, instances }: Runs,
): Promise<WhatRuns> {
  const bad = instances.filter(({ opsState }) => BAD_STATES.includes(opsState ?? ''));
  const found: RunsOtherwise[] =
    bad.length === 0
      ? []
      : [{ path: ['instances'], live: countsText(bad, ({ opsState }) => opsState ?? ''), takesAway: false }];
  // A plan or a deployment that exists is reported by itself; while one is carried out, no other can be made.
  const isBusy = newest !== undefined && !['complete', 'canceled'].includes(newest.deploymentState);
  if (planned !== undefined || isBusy) return { found, notes: [] };
  const preview = await answered(() => api.call(routes.deployments.preview, { address }));
  if ('reason' in preview)
    return {
      found,
      notes: [`what a deployment of ${address.environment} would change is not known: ${preview.reason}`],
    };
  const changes = preview.answer?.rfcs.cis ?? [];
  if (changes.length === 0) return { found, notes: [] };
  const plan = {
    path: ['plan'],
    live: `what is committed is not what runs: ${countsText(changes, ({ rfcAction }) => DONE[rfcAction ?? ''] ?? String(rfcAction))}`,
    author: await lastCommitter(get, address, newest ?? (await newestOf(api, address))),
    takesAway: changes.some(({ rfcAction }) => rfcAction === 'add' || rfcAction === 'delete'),
  };
  return { found: [...found, plan], notes: [] };
}

/** The newest deployment; none where the service does not answer it. */
async function newestOf(api: Api, address: DeployedPlace): Promise<Deployment | undefined> {
  const newest = await answered(() => api.call(routes.deployments.latest, { address }));
  return 'reason' in newest ? undefined : newest.answer;
}

/** Releases that are looked at, newest first. */
const PAGE = { size: '50' };

/** Who committed an environment after its newest deployment began; undefined when nobody did. */
async function lastCommitter(
  get: Call,
  address: DeployedPlace,
  newest: Deployment | undefined,
): Promise<Author | undefined> {
  const releases = (await get(routes.environmentReleases.list, { address, query: PAGE })) as
    readonly Release[] | null | undefined;
  const [closed] = (releases ?? [])
    .filter((each) => isManifest(each) && each.releaseState === 'closed')
    .sort((left, right) => right.releaseId - left.releaseId);
  if (closed === undefined || closedAt(closed) < (newest?.created ?? 0)) return undefined;
  return { who: committer(closed), when: closedAt(closed), releaseId: closed.releaseId, stage: 'released' };
}

/**
 * Who deployed an environment after a deployment of ours: the newest who did, and the others as those who may have done it, too. Undefined when
 * nobody else did.
 */
export async function deployedSince(get: Call, address: DeployedPlace, ours: number): Promise<Author | undefined> {
  const list = (await get(routes.deployments.list, { address })) as readonly Deployment[] | null | undefined;
  const others = (list ?? [])
    .filter(({ deploymentId, description }) => deploymentId > ours && description !== OUR_MARK)
    .sort((left, right) => right.deploymentId - left.deploymentId);
  const [newest] = others;
  if (newest === undefined) return undefined;
  const who = newest.createdBy ?? '';
  const unsure = [...new Set(others.map(({ createdBy }) => createdBy ?? ''))].filter((name) => name !== who);
  return {
    who,
    when: newest.updated ?? newest.created ?? 0,
    releaseId: newest.releaseId,
    ...(newest.deploymentState === 'complete' ? { stage: 'deployed' as const } : {}),
    ...(unsure.length === 0 ? {} : { unsure }),
  };
}

/** A platform that is switched off, and for which that is committed. */
interface SwitchedOff {
  readonly platform: string;
  /** How it is known, as the end of a sentence. */
  readonly reason: string;
  readonly author: Author | undefined;
  /** Nothing of it runs any more. */
  readonly isDown: boolean;
}

/** Platforms of an environment that are switched off: by what its releases and a plan show. None where the service does not let that be read. */
export async function switchedOff(
  { api, session }: AskingWhatRuns,
  address: DeployedPlace,
): Promise<readonly SwitchedOff[]> {
  const at = { ...address, organization: api.organization };
  const switches = await answered(() => platformSwitches({ api, session, at }));
  if ('reason' in switches) return [];
  return [...(switches.answer?.values() ?? [])]
    .filter(({ committed }) => committed === false)
    .map((each) => ({
      platform: each.platform.ciName,
      reason: each.reason,
      author: switcherOf(each),
      isDown: each.reach === 'deployed',
    }));
}

function switcherOf({ switched, reach }: PlatformSwitch): Author | undefined {
  if (switched === undefined) return undefined;
  const { by: who, at: when, releaseId } = switched;
  return { who, when, releaseId, stage: reach === 'deployed' ? 'deployed' : 'released' };
}

// What somebody changed within the platforms of an environment, or took out of it, which its releases show and no list does: platforms that were deleted
// there alone, their availability, and values of dependencies between components.

/** All of it, each with how far its release has come. `get`: asks for what attributes it. */
export async function changedOfPlatforms(
  asking: AskingWhatRuns & AskingUser & { readonly get: Call },
  address: DeployedPlace,
): Promise<WhatRuns> {
  const { api, session } = asking;
  const at = { ...address, organization: api.organization };
  const unknown = `whether somebody changed the dependencies between components in ${address.environment} is not known`;
  const changed = await answered(() => changedWithin({ api, session, at }));
  if ('reason' in changed) return { found: [], notes: [`${unknown}: ${changed.reason}`] };
  const { deleted = [], availability = [], dependencies = [], walk = 'whole' } = changed.answer ?? {};
  const read = await Promise.all(dependencies.map((each) => answered(() => otherwiseSet(asking, address, each))));
  const attributed: RunsOtherwise[] = [];
  for (const each of [
    ...(await deletedHere(asking, at, deleted)),
    ...availability.map((own) => changedAvailability(at, own)),
    ...read.flatMap((own) => ('reason' in own ? [] : (own.answer ?? []))),
  ])
    attributed.push({
      ...each,
      author: each.author && (await withReachedRelease(asking.get, { ...address }, each.author)),
    });
  return {
    found: attributed,
    notes: [
      ...new Set(read.flatMap((each) => ('reason' in each ? [`${unknown}: ${each.reason}`] : []))),
      ...(walk === 'whole' ? [] : [`${unknown}: ${NOT_SHOWN[walk]}`]),
    ],
  };
}

/** Platforms of the design that somebody deleted in an environment: nothing of them runs any more, and nothing says that it should. */
async function deletedHere(
  { api }: Pick<AskingWhatRuns, 'api'>,
  at: DeployedPlace & { readonly organization: string },
  deleted: readonly DeletedPlatform[],
): Promise<readonly RunsOtherwise[]> {
  if (deleted.length === 0) return [];
  const { organization: _, ...address } = at;
  const inDesign = await answered(() => api.call(routes.platforms.list, { address }));
  const inEnvironment = await answered(() => api.call(routes.environmentPlatforms.list, { address }));
  if ('reason' in inDesign || 'reason' in inEnvironment) return [];
  const stays = (name: string): boolean => inEnvironment.answer?.some(({ ciName }) => ciName === name) === true;
  const numberOf = (name: string): number | undefined => inDesign.answer?.find(({ ciName }) => ciName === name)?.ciId;
  const gone = deleted.filter(({ name, isOpen }) => numberOf(name) !== undefined && (isOpen || !stays(name)));
  return gone.map((each) => deletedPlatform(at, each, numberOf(each.name)));
}

/** One that is no longer redundant is not scaled any more. */
const changedAvailability = (
  address: DeployedPlace & { readonly organization: string },
  { platform, before, now, set: { by, at, releaseId }, isOpen }: ChangedAvailability,
): RunsOtherwise => ({
  path: ['platforms', platform, 'availability'],
  live: `${now || 'nothing'} instead of ${before || 'nothing'}: ${by || 'somebody'} set it in release ${releaseId}${isOpen ? ', not committed' : ''}`,
  author: { who: by, when: at, releaseId, ...(isOpen ? { stage: 'design' as const } : {}) },
  takesAway: before === 'redundant',
  byHand: `no command sets it back: send PUT ${fillPath(routes.environmentPlatforms.update.path, { ...address, platform })} with ${JSON.stringify({ cms_dj_ci: { ciAttributes: { availability: before } } })}, then commit ${address.environment} and deploy it`,
});

const deletedPlatform = (
  address: DeployedPlace & { readonly organization: string },
  { name, deleted: { by, at, releaseId }, isOpen }: DeletedPlatform,
  number: number | undefined,
): RunsOtherwise => ({
  path: ['platforms', name],
  live: `${by || 'somebody'} deleted ${name} in ${address.environment} alone, in release ${releaseId}${isOpen ? ', not committed' : ''}; the design still has it`,
  author: { who: by, when: at, releaseId, ...(isOpen ? { stage: 'design' as const } : {}) },
  takesAway: true,
  byHand: `no command brings it back: send POST ${fillPath(routes.environments.pull.path, address)} with {"platform_availability":{"${number}":"single"}}, or "redundant" as it was, which pulls the design, then commit ${address.environment} and deploy it`,
});

const NOT_SHOWN = {
  unlisted: 'the service does not list the changes of its releases',
  'too far': 'only its newest releases were read',
} as const;

/** The connection of a review, and the user whose own writes are reported elsewhere. */
type AskingUser = Pick<AskingWhatRuns, 'api'> & { readonly user: string | undefined };

/**
 * Whether the scaling of a platform shows an attribute of a dependency. It shows the present value: `set back` means that what another user committed
 * still runs, and that an open release sets it back.
 */
async function inScaling(
  { api, user }: AskingUser,
  address: DeployedPlace & { readonly platform: string },
  { relationId, attribute, now, set }: SetDependency,
): Promise<'no' | 'shown' | 'set back'> {
  if (attribute === 'propagate_to') return 'no';
  const { depends_on: scaling } = await api.call(routes.environmentPlatforms.edit, { address });
  const present = scaling.find(({ ciRelationId }) => ciRelationId === relationId)?.relationAttributes;
  if (present === undefined) return 'no';
  const isRaised = attribute === 'current' && Number(present['current']) > Number(now);
  return isRaised && set.by !== user ? 'set back' : 'shown';
}

/**
 * What is found of an attribute of a dependency, with the names of its components. The numbers of those that scale are left out where they are the values
 * of their platform now. Nothing declares the rest.
 */
async function otherwiseSet(
  asking: AskingUser,
  address: DeployedPlace,
  dependency: SetDependency,
): Promise<readonly RunsOtherwise[]> {
  const { api } = asking;
  const { platform, from, to, attribute, before, now, set, orBy, isOpen, takesAway } = dependency;
  const within = { ...address, platform };
  const scaling = await inScaling(asking, within, dependency);
  if (scaling === 'shown') return [];
  const components = await api.call(routes.environmentPlatforms.components, { address: within });
  const nameOf = (id: number): string => components.find(({ ciId }) => ciId === id)?.ciName ?? String(id);
  const named = { ...within, organization: api.organization, component: nameOf(from) };
  const path = fillPath(routes.environmentPlatforms.updateDependsOn.path, named);
  const body = JSON.stringify({ depends_on: { [nameOf(to)]: { relationAttributes: { [attribute]: before } } } });
  const stage = isOpen ? ', not committed' : scaling === 'set back' ? '; an open release sets it back' : '';
  const who = [set.by || 'somebody', ...orBy].join(' or ');
  const carriedOut = `commit ${address.environment} and deploy it`;
  return [
    {
      path: ['platforms', platform, 'components', nameOf(from), 'depends', nameOf(to), attribute],
      live: `${now || 'nothing'} instead of ${before || 'nothing'}: ${who} set it in release ${set.releaseId}${stage}`,
      author: {
        who: set.by,
        when: set.at,
        releaseId: set.releaseId,
        ...(isOpen ? { stage: 'design' as const } : {}),
        ...(orBy.length === 0 ? {} : { unsure: orBy }),
      },
      takesAway,
      byHand:
        scaling === 'set back'
          ? `an open release sets it back: ${carriedOut}`
          : `no command sets it back: send PUT ${path} with ${body}, then ${carriedOut}`,
    },
  ];
}
