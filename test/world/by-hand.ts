// What another person does at the service besides the stack: commits of the design and deployments of the assembly `shop`.
import { routes, type Route } from '../../api/contract';
import type { Api } from '../../api/client';
import type { World } from './world';

const DESIGN = { assembly: 'shop' };
const PROD = { ...DESIGN, environment: 'prod' };

/** The world in which somebody acts right before the first request by a route, or before the one of a number. */
export function actingBefore(world: World, { name }: Route, act: () => Promise<unknown>, nth = 1): World {
  let asked = 0;
  const call: World['api']['call'] = async (route, input) => {
    if (route.name === name && (asked += 1) === nth) await act();
    return world.api.call(route, input);
  };
  return { ...world, api: { ...world.api, call } };
}

/** Commits the design release, if one is open. Where changes take effect immediately, none ever is. */
export async function commitDesignByHand(api: Api, assembly = DESIGN.assembly): Promise<void> {
  const { releaseId, releaseState } = await api.call(routes.designReleases.latest, { address: { assembly } });
  const address = { assembly, release: String(releaseId) };
  if (releaseState === 'open') await api.call(routes.designReleases.commit, { address, body: {} });
}

/** Commits `prod` as another user, and lets the service finish the plan. */
export async function commitByHand({ other, clock }: World): Promise<void> {
  await other.call(routes.environments.commit, { address: PROD, body: {} });
  clock.advance(10_000);
  await other.call(routes.environments.read, { address: PROD });
}

/** Deploys what is committed in `prod` as another user, and waits until it is complete. */
export async function deployByHand({ other, clock }: World): Promise<void> {
  const { releaseId } = await other.call(routes.environmentReleases.bom, { address: PROD });
  const body = { cms_deployment: { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' } };
  await other.call(routes.deployments.create, { address: PROD, body });
  for (let round = 0; round < 100; round += 1) {
    clock.advance(5_000);
    const { deploymentState } = await other.call(routes.deployments.latest, { address: PROD });
    if (deploymentState === 'complete') return;
  }
  throw new Error('the deployment by hand was not complete after 500 seconds');
}

/** Disables or enables platforms of `prod` as another user, and leaves that open. */
export async function switchByHand(
  { other }: Pick<World, 'other'>,
  route: 'disable' | 'enable',
  ...names: readonly string[]
): Promise<void> {
  const platforms = await other.call(routes.environmentPlatforms.list, { address: PROD });
  const platformCiIds = platforms.flatMap(({ ciId, ciName }) => (names.includes(ciName) ? [String(ciId)] : []));
  await other.call(routes.environments[route], { address: PROD, body: { platformCiIds } });
}

/** Changes what a platform of `prod` says of one of its clouds as another user, and leaves that open. */
export async function configureByHand(
  { other }: Pick<World, 'other'>,
  platform: string,
  cloud: string,
  attributes: { readonly [wireName: string]: string },
): Promise<void> {
  const found = (await other.call(routes.clouds.list, {})).find(({ ciName }) => ciName === cloud);
  const body = { cloud_id: String(found?.ciId), attributes };
  await other.call(routes.environmentPlatforms.configureCloud, { address: { ...PROD, platform }, body });
}

/** Sets what scales the platform `web` of `prod` as another user, with locks or without them, and leaves that open. */
export async function scaleByHand(
  { other }: Pick<World, 'other'>,
  values: { readonly [wireName: string]: string },
  isLocked = true,
): Promise<void> {
  const address = { ...PROD, platform: 'web' };
  const { depends_on: relations } = await other.call(routes.environmentPlatforms.edit, { address });
  const [relation] = relations;
  if (relation === undefined) throw new Error('web scales nothing');
  const locks = isLocked ? Object.fromEntries(Object.keys(values).map((name) => [name, 'manifest'])) : {};
  const scaled = {
    relationAttributes: { ...relation.relationAttributes, ...values },
    relationAttrProps: { owner: { ...relation.relationAttrProps?.owner, ...locks } },
  };
  const body = { depends_on: { [String(relation.toCiId)]: scaled } };
  await other.call(routes.environmentPlatforms.update, { address, body });
}
