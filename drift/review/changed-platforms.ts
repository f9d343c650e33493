// What somebody changed within the platforms of an environment, or took out of it, which its releases show and no list does: platforms that were deleted
// there alone, their availability, and values of dependencies between components.
import { fillPath, routes, type Call } from '../../api/contract';
import {
  changedWithin,
  type ChangedAvailability,
  type DeletedPlatform,
  type SetDependency,
} from '../../provider/history';
import { withReachedRelease } from './releases';
import { answered, type AskingWhatRuns, type DeployedPlace, type RunsOtherwise, type WhatRuns } from './what-runs';

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
): Promise<'no' | 'told' | 'set back'> {
  if (attribute === 'propagate_to') return 'no';
  const { depends_on: scaling } = await api.call(routes.environmentPlatforms.edit, { address });
  const present = scaling.find(({ ciRelationId }) => ciRelationId === relationId)?.relationAttributes;
  if (present === undefined) return 'no';
  const isRaised = attribute === 'current' && Number(present['current']) > Number(now);
  return isRaised && set.by !== user ? 'set back' : 'told';
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
  if (scaling === 'told') return [];
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
