// What another user writes to the design and the environments of the assembly `shop`, by routes of the service. What the service refuses changes nothing.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { NotFound, OneOpsError } from '../../api/errors';
import { drawFrom, type Draw, type ForeignWrite } from './ownership-history';

const DESIGN = { assembly: 'shop' };

/** A user at a service, whose work takes time: `tick` lets some pass. */
export interface Person {
  readonly api: Api;
  tick(): void | Promise<void>;
}

interface Around {
  readonly api: Api;
  readonly draw: Draw;
  readonly platforms: readonly string[];
  readonly environments: readonly string[];
  /** A number that no other write has. */
  readonly unique: number;
}

type Write = (around: Around) => Promise<unknown>;

const set = (ciName: string, ciAttributes: { readonly [name: string]: string }) => ({
  cms_dj_ci: { ciName, ciAttributes },
});

const inPlatform = ({ draw, platforms }: Around) => ({ ...DESIGN, platform: draw.of(platforms) });

const inEnvironment = ({ draw, environments }: Around) => ({ ...DESIGN, environment: draw.of(environments) });

async function namesOf(list: Promise<readonly WireRecord[]>): Promise<readonly string[]> {
  return (await list).map(({ ciName }) => ciName).sort();
}

const createPlatform = (api: Api, name: string, pack: string): Promise<unknown> =>
  api.call(routes.platforms.create, { address: DESIGN, body: set(name, { source: 'oneops', pack, version: '1' }) });

async function switched(around: Around, verb: 'enable' | 'disable'): Promise<unknown> {
  const address = inEnvironment(around);
  const platforms = await around.api.call(routes.environmentPlatforms.list, { address });
  const chosen = around.draw.of(platforms);
  return around.api.call(routes.environments[verb], { address, body: { platformCiIds: [String(chosen.ciId)] } });
}

async function configured(around: Around, attributes: { readonly [name: string]: string }): Promise<unknown> {
  const { api, draw } = around;
  const address = inEnvironment(around);
  const platforms = await namesOf(api.call(routes.environmentPlatforms.list, { address }));
  const clouds = (await api.call(routes.clouds.list, {})).filter(({ ciName }) => ['east', 'west'].includes(ciName));
  return api.call(routes.environmentPlatforms.configureCloud, {
    address: { ...address, platform: draw.of(platforms) },
    body: { cloud_id: String(draw.of(clouds).ciId), attributes },
  });
}

/** Attributes that another user gives a value that nobody else gives: the machines show who wrote it. */
export const isForeignValue = (value: unknown): boolean => /^(hers-\d+|XL|77\d+)$/.test(String(value));

/** Each write by its name. */
const FOREIGN_WRITES: { readonly [name: string]: Write } = {
  'deletes a platform': (around) => around.api.call(routes.platforms.delete, { address: inPlatform(around) }),
  'deletes a component': async (around) => {
    const address = inPlatform(around);
    const names = await namesOf(around.api.call(routes.components.list, { address }));
    const chosen = around.draw.of(names.filter((name) => ['deployer', 'extra', 'backdoor'].includes(name)));
    return around.api.call(routes.components.delete, { address: { ...address, component: chosen } });
  },
  'deletes an attachment': (around) =>
    around.api.call(routes.attachments.delete, {
      address: { ...inPlatform(around), component: 'deployer', attachment: 'motd' },
    }),
  'deletes a variable': ({ api }) =>
    api.call(routes.designVariables.delete, { address: { ...DESIGN, variable: 'LEVEL' } }),
  'deletes a variable of a platform': (around) =>
    around.api.call(routes.platformVariables.delete, { address: { ...inPlatform(around), variable: 'HOME' } }),
  'adds a component': (around) =>
    around.api.call(routes.components.create, {
      address: inPlatform(around),
      body: {
        template_name: 'user',
        ...set(around.draw.of(['backdoor', 'extra']), { username: 'backdoor', description: `hers-${around.unique}` }),
      },
    }),
  'adds a platform': ({ api, draw }) => createPlatform(api, draw.of(['evil', 'api']), 'tomcat'),
  'creates a platform again': async (around) => {
    const address = inPlatform(around);
    await around.api.call(routes.platforms.delete, { address });
    await commitDesign(around.api);
    await createPlatform(around.api, address.platform, around.draw.of(['mysql', 'tomcat', 'redisio']));
  },
  'creates a variable again': async ({ api, unique }) => {
    await api.call(routes.designVariables.delete, { address: { ...DESIGN, variable: 'LEVEL' } });
    await commitDesign(api);
    await api.call(routes.designVariables.create, {
      address: DESIGN,
      body: set('LEVEL', { value: `hers-${unique}`, secure: 'false' }),
    });
  },
  'sets a size': (around) =>
    around.api.call(routes.components.update, {
      address: { ...inPlatform(around), component: 'compute' },
      body: set('compute', { size: 'XL' }),
    }),
  'sets threads': (around) =>
    around.api.call(routes.components.update, {
      address: { ...DESIGN, platform: 'web', component: 'tomcat' },
      body: set('tomcat', { max_threads: `77${around.unique}` }),
    }),
  'sets a variable': ({ api, unique }) =>
    api.call(routes.designVariables.update, {
      address: { ...DESIGN, variable: 'LEVEL' },
      body: set('LEVEL', { value: `hers-${unique}` }),
    }),
  'commits the design': ({ api }) => commitDesign(api),
  'disables a platform': (around) => switched(around, 'disable'),
  'enables a platform': (around) => switched(around, 'enable'),
  'takes a cloud offline': (around) => configured(around, { adminstatus: 'offline' }),
  'takes the share of a cloud': (around) => configured(around, { pct_scale: around.draw.of(['0', '50']) }),
  'sets threads in an environment': (around) =>
    around.api.call(routes.environmentPlatforms.updateComponent, {
      address: { ...inEnvironment(around), platform: 'web', component: 'tomcat' },
      body: set('tomcat', { max_threads: `77${around.unique}` }),
    }),
  'scales a platform': async (around) => {
    const address = { ...inEnvironment(around), platform: around.draw.of(['web', 'db', 'cache']) };
    const { depends_on: relations } = await around.api.call(routes.environmentPlatforms.edit, { address });
    const [relation] = relations;
    const relationAttributes = { ...relation?.relationAttributes, current: around.draw.of(['1', '3']), min: '1' };
    const owner = around.draw.of([{ current: 'manifest' }, {}]) as { readonly [name: string]: string };
    const body = { depends_on: { [String(relation?.toCiId)]: { relationAttributes, relationAttrProps: { owner } } } };
    return around.api.call(routes.environmentPlatforms.update, { address, body });
  },
  'pulls the design': (around) => around.api.call(routes.environments.pull, { address: inEnvironment(around) }),
};

const NAMES = Object.keys(FOREIGN_WRITES);

export const nameOfWrite = ({ what }: ForeignWrite): string => NAMES[what % NAMES.length] ?? '';

/** What the service refuses, and what does not exist, is left out; answers whether it was done. */
async function attempted(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof OneOpsError) && !(error instanceof TypeError)) throw error;
    return false;
  }
}

const orEmpty = async (list: Promise<readonly WireRecord[]>): Promise<readonly string[]> => {
  try {
    return await namesOf(list);
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
};

/** Names of the environments of the assembly. */
export const environmentsOf = (api: Api): Promise<readonly string[]> =>
  orEmpty(api.call(routes.environments.list, { address: DESIGN }));

async function commitDesign(api: Api): Promise<void> {
  const { releaseId, releaseState } = await api.call(routes.designReleases.latest, { address: DESIGN });
  const address = { ...DESIGN, release: String(releaseId) };
  if (releaseState === 'open') await api.call(routes.designReleases.commit, { address, body: {} });
}

/** Waits until no job and no deployment of an environment is under way. */
async function settled({ api, tick }: Person, address: { assembly: string; environment: string }): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    await tick();
    const { ciState } = await api.call(routes.environments.read, { address });
    const newest = await api.call(routes.deployments.latest, { address }).catch(() => undefined);
    if (!String(ciState).includes('locked') && newest?.deploymentState !== 'active') return;
  }
}

async function deploy(person: Person, environment: string, isDeployed: boolean): Promise<void> {
  const { api } = person;
  const address = { ...DESIGN, environment };
  await settled(person, address);
  await api.call(routes.environments.commit, { address, body: {} });
  await settled(person, address);
  if (!isDeployed) return;
  const { releaseId } = await api.call(routes.environmentReleases.bom, { address });
  const cms_deployment = { releaseId: String(releaseId), nsPath: `/acme/shop/${environment}/bom` };
  await api.call(routes.deployments.create, { address, body: { cms_deployment } });
  await settled(person, address);
}

/** Carries out a write, and what comes with it. */
export async function writeAs(person: Person, write: ForeignWrite, unique: number): Promise<void> {
  const { api } = person;
  const platforms = await orEmpty(api.call(routes.platforms.list, { address: DESIGN }));
  const environments = await environmentsOf(api);
  const around = { api, draw: drawFrom(write.draw), platforms, environments, unique };
  await attempted(async () => FOREIGN_WRITES[nameOfWrite(write)]?.(around));
  if (write.then === 'nothing') return;
  await attempted(() => commitDesign(api));
  for (const environment of environments) await attempted(() => deploy(person, environment, write.then === 'deploy'));
}
