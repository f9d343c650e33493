// A person's writes at the service by hand. Records have places: `web`, `web/compute/motd`,
// `web/os!cpu`, `$LEVEL`, `web/$HOME`, `prod:web/compute`, `@north/nova`; a number can be a name.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord, type Release, type Route } from '../../api/contract';
import { orNone } from '../../api/errors';

/** A write is of something that does not exist. */
export class NothingThere extends Error {}

type Attributes = { readonly [wireName: string]: string };

/** What a write says besides attributes: members of the record, and of the body around it. */
interface More {
  /** Its number and name, where the place has its number. */
  readonly record?: Pick<WireRecord, 'ciId' | 'ciName'>;
  readonly owner?: Attributes;
  readonly comments?: string;
  readonly [member: string]: unknown;
}

export interface Hand {
  /** The same hand at another assembly than `shop`, or another environment than `prod`. */
  at(elsewhere: { readonly assembly?: string; readonly environment?: string }): Hand;
  read(place: string): Promise<WireRecord>;
  /** Writes attributes of a record. It is open until a commit, where changes are committed. */
  set(place: string, attributes?: Attributes, more?: More): Promise<WireRecord>;
  create(place: string, attributes?: Attributes, more?: More): Promise<WireRecord>;
  delete(place: string): Promise<void>;
  /** Commits what is open in the design after `act`: nothing, where changes take effect immediately. */
  commit(act?: unknown): Promise<void>;
  discard(): Promise<void>;
  /** The newest release of the design. */
  release(): Promise<Release>;
  /** Pulls the design, and lets the service finish it. `availability`: of new platforms. */
  pull(availability?: Attributes): Promise<void>;
  /** Commits the environment, and lets the service finish the plan, which has nothing `without` some platforms. */
  commitEnvironment(...without: readonly string[]): Promise<void>;
  /** Discards what is open in the environment. */
  discardEnvironment(): Promise<void>;
  /** Begins to deploy what is committed in the environment; answers the deployment's number. */
  begin(): Promise<number>;
  /** Asks for a state of the newest deployment. */
  move(deploymentState: string): Promise<void>;
  /** Deploys what is committed in the environment, and waits until it is complete. */
  deploy(): Promise<void>;
  /** Commits and deploys the environment; answers whether there was something to deploy. */
  rollOut(): Promise<boolean>;
  /** Disables or enables platforms of the environment, and leaves that open. */
  switch(verb: 'disable' | 'enable', ...platforms: readonly string[]): Promise<void>;
  /** Changes what a platform of the environment says of one of its clouds, and leaves that open. */
  configure(platform: string, cloud: string, attributes: Attributes): Promise<void>;
  /** Gives the environment clouds besides its own, with their priorities, and leaves that open. */
  useClouds(priorities: Attributes): Promise<void>;
  /** Has a component of the environment deployed again, although nothing of it changed. */
  touch(component: string): Promise<void>;
  /** Sets what scales a platform of the environment, and leaves that open. */
  scale(values: Attributes, isLocked?: boolean, platform?: string): Promise<void>;
}

/** Routes of one kind of record. */
interface Routes {
  readonly read: Route;
  readonly update: Route;
  readonly create?: Route;
  readonly delete?: Route;
}

const { environmentPlatforms } = routes;

/** By what a place names in the design, and in an environment. */
const ROUTES: { readonly [named: string]: Routes } = {
  platform: routes.platforms,
  component: routes.components,
  attachment: routes.attachments,
  monitor: routes.monitors,
  variable: routes.designVariables,
  'variable of a platform': routes.platformVariables,
  'platform of an environment': environmentPlatforms,
  'component of an environment': { read: environmentPlatforms.component, update: environmentPlatforms.updateComponent },
  'attachment of an environment': routes.environmentAttachments,
  'monitor of an environment': routes.environmentMonitors,
  'variable of an environment': routes.environmentVariables,
  'variable of a platform of an environment': routes.environmentPlatformVariables,
  service: routes.cloudServices,
};

const OF_CLOUD = /^@(?<cloud>[\w-]+)\/(?<service>[\w-]+)$/;
const PLACE =
  /^(?:(?<environment>[\w-]+):)?(?:(?<platform>[\w-]+)(?:\/|$))?(?:\$(?<variable>[\w-]+)|(?<component>[\w-]+)(?:\/(?<attachment>[\w-]+)|!(?<monitor>[\w-]+))?)?$/;

/** The innermost first. */
const NAMED = ['service', 'monitor', 'attachment', 'component', 'variable', 'platform'] as const;

/** The routes of the record at a place, its address and its name. */
function found(assembly: string, place: string) {
  const groups = (OF_CLOUD.exec(place) ?? PLACE.exec(place))?.groups ?? {};
  const named = NAMED.find((each) => groups[each] !== undefined) ?? 'nothing';
  const above = [
    ...(named === 'variable' && groups['platform'] !== undefined ? ['a platform'] : []),
    ...(groups['environment'] === undefined ? [] : ['an environment']),
  ];
  const of = ROUTES[[named, ...above].join(' of ')];
  if (of === undefined) throw new Error(`there is no place ${place}`);
  const names = Object.entries(groups).filter(([, name]) => name !== undefined);
  return { of, address: { assembly, ...Object.fromEntries(names) }, name: groups[named] ?? '' };
}

const recordOf = (
  { name, isOfCloud }: { readonly name: string; readonly isOfCloud: boolean },
  ciAttributes: Attributes,
  { record, owner, comments, ...rest }: More,
) => ({
  [isOfCloud ? 'cms_ci' : 'cms_dj_ci']: {
    ...(record ?? { ciName: name }),
    ciAttributes,
    ...(owner === undefined ? {} : { ciAttrProps: { owner } }),
    ...(comments === undefined ? {} : { comments }),
  },
  ...rest,
});

/** The hand of a client's user. `pass`: lets so many milliseconds of the service's time go by. */
export function handOf(
  api: Api,
  pass: (milliseconds: number) => unknown = () => undefined,
  { assembly = 'shop', environment = 'prod' } = {},
): Hand {
  const address = { assembly, environment };
  const write = (verb: 'create' | 'update', place: string, attributes: Attributes, more: More): Promise<WireRecord> => {
    const { of, name, address } = found(assembly, place);
    const body = recordOf({ name, isOfCloud: 'cloud' in address }, attributes, more);
    return api.call(of[verb] as Route, { address, body }) as Promise<WireRecord>;
  };
  const closed = async (verb: 'commit' | 'discard'): Promise<void> => {
    const { releaseId, releaseState } = await api.call(routes.designReleases.latest, { address });
    const release = { assembly, release: String(releaseId) };
    if (releaseState === 'open') await api.call(routes.designReleases[verb], { address: release, body: {} });
  };
  /** The numbers of platforms of the environment, by their names. */
  const numbersOf = async (names: readonly string[]): Promise<readonly string[]> => {
    const platforms = names.length === 0 ? [] : await api.call(environmentPlatforms.list, { address });
    return platforms.flatMap(({ ciId, ciName }) => (names.includes(ciName) ? [String(ciId)] : []));
  };
  const hand: Hand = {
    at: (elsewhere) => handOf(api, pass, { ...address, ...elsewhere }),
    read: (place) => {
      const { of, address: at } = found(assembly, place);
      return api.call(of.read, { address: at }) as Promise<WireRecord>;
    },
    set: (place, attributes = {}, more = {}) => write('update', place, attributes, more),
    create: (place, attributes = {}, more = {}) => write('create', place, attributes, more),
    delete: async (place) => {
      const { of, address: at } = found(assembly, place);
      await api.call(of.delete as Route, { address: at });
    },
    commit: async (act) => {
      await act;
      await closed('commit');
    },
    discard: () => closed('discard'),
    release: () => api.call(routes.designReleases.latest, { address }),
    pull: async (availability) => {
      const body = availability === undefined ? {} : { platform_availability: availability };
      await api.call(routes.environments.pull, { address, body });
      await pass(60_000);
      await api.call(routes.environments.read, { address });
    },
    commitEnvironment: async (...without) => {
      const exclude = (await numbersOf(without)).join();
      const body = exclude === '' ? {} : { exclude_platforms: exclude };
      await api.call(routes.environments.commit, { address, body });
      await pass(10_000);
      await api.call(routes.environments.read, { address });
    },
    discardEnvironment: async () => {
      await api.call(routes.environments.discard, { address, body: {} });
    },
    begin: async () => {
      const { releaseId } = await api.call(routes.environmentReleases.bom, { address });
      const body = { cms_deployment: { releaseId: String(releaseId), nsPath: `/acme/${assembly}/${environment}/bom` } };
      return (await api.call(routes.deployments.create, { address, body })).deploymentId;
    },
    move: async (deploymentState) => {
      const { deploymentId, releaseId } = await api.call(routes.deployments.latest, { address });
      const body = { cms_deployment: { deploymentState, releaseId: String(releaseId) } };
      await api.call(routes.deployments.update, { address: { ...address, deployment: String(deploymentId) }, body });
      await pass(3_000);
    },
    deploy: async () => {
      await hand.begin();
      for (let round = 0; round < 100; round += 1) {
        await pass(5_000);
        const { deploymentState } = await api.call(routes.deployments.latest, { address });
        if (deploymentState === 'complete') return;
      }
      throw new Error('the deployment by hand was not complete after 500 seconds');
    },
    rollOut: async () => {
      await hand.commitEnvironment().catch(() => undefined);
      const plan = await orNone(api.call(routes.environmentReleases.bom, { address }));
      if (plan?.releaseState === 'open') await hand.deploy();
      return plan?.releaseState === 'open';
    },
    switch: async (verb, ...names) => {
      await api.call(routes.environments[verb], { address, body: { platformCiIds: await numbersOf(names) } });
    },
    configure: async (platform, cloud, attributes) => {
      const known = (await api.call(routes.clouds.list, {})).find(({ ciName }) => ciName === cloud);
      const body = { cloud_id: String(known?.ciId), attributes };
      await api.call(environmentPlatforms.configureCloud, { address: { ...address, platform }, body });
    },
    useClouds: async (priorities) => {
      const { clouds: own } = await api.call(routes.environments.read, { address });
      const all = await api.call(routes.clouds.list, {});
      const more = all.flatMap(({ ciId, ciName }) =>
        ciName in priorities ? [[String(ciId), priorities[ciName]]] : [],
      );
      const clouds = { ...own, ...Object.fromEntries(more) };
      const body = { cms_ci: { ciName: environment, ciAttributes: {} }, clouds };
      await api.call(routes.environments.update, { address, body });
    },
    touch: async (component) => {
      const { address: at } = found(assembly, `${environment}:${component}`);
      await api.call(environmentPlatforms.touchComponent, { address: at, body: {} });
    },
    scale: async (values, isLocked = true, platform = 'web') => {
      const scaled = { ...address, platform };
      const { depends_on: relations } = await api.call(environmentPlatforms.edit, { address: scaled });
      const [relation] = relations;
      if (relation === undefined) throw new NothingThere(`${platform} scales nothing`);
      const locks = isLocked ? Object.fromEntries(Object.keys(values).map((name) => [name, 'manifest'])) : {};
      const changed = {
        relationAttributes: { ...relation.relationAttributes, ...values },
        relationAttrProps: { owner: { ...relation.relationAttrProps?.owner, ...locks } },
      };
      const body = { depends_on: { [String(relation.toCiId)]: changed } };
      await api.call(environmentPlatforms.update, { address: scaled, body });
    },
  };
  return hand;
}
