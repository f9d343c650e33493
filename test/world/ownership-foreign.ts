// What another user writes to the design and the environments of the assembly `shop`, by routes of the service. What the service refuses changes nothing.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { NotFound, OneOpsError } from '../../api/errors';
import { handOf, type Hand } from './hand';
import { drawFrom, type Draw, type ForeignWrite } from './ownership-history';

const DESIGN = { assembly: 'shop' };

/** A user at a service, whose work takes time: `tick` lets some pass. */
export interface Person {
  readonly api: Api;
  tick(): void | Promise<void>;
}

interface Around {
  readonly maria: Hand;
  readonly api: Api;
  readonly draw: Draw;
  readonly platforms: readonly string[];
  readonly environments: readonly string[];
  /** A number that no other write has. */
  readonly unique: number;
}

type Write = (around: Around) => Promise<unknown>;

const platformOf = ({ draw, platforms }: Around): string => draw.of(platforms);

const environmentOf = ({ draw, environments }: Around): string => draw.of(environments);

async function namesOf(list: Promise<readonly WireRecord[]>): Promise<readonly string[]> {
  return (await list).map(({ ciName }) => ciName).sort();
}

const ofPack = (pack: string) => ({ source: 'oneops', pack, version: '1' });

async function switched(around: Around, verb: 'enable' | 'disable'): Promise<void> {
  const environment = environmentOf(around);
  const platforms = await around.api.call(routes.environmentPlatforms.list, { address: { ...DESIGN, environment } });
  await around.maria.at({ environment }).switch(verb, around.draw.of(platforms).ciName);
}

async function configured(around: Around, attributes: { readonly [name: string]: string }): Promise<void> {
  const { api, draw, maria } = around;
  const environment = environmentOf(around);
  const platforms = await namesOf(api.call(routes.environmentPlatforms.list, { address: { ...DESIGN, environment } }));
  const clouds = (await api.call(routes.clouds.list, {})).filter(({ ciName }) => ['east', 'west'].includes(ciName));
  await maria.at({ environment }).configure(draw.of(platforms), draw.of(clouds).ciName, attributes);
}

/** Attributes that another user gives a value that nobody else gives: the machines show who wrote it. */
export const isForeignValue = (value: unknown): boolean => /^(hers-\d+|XL|77\d+)$/.test(String(value));

/** Each write by its name. */
const FOREIGN_WRITES: { readonly [name: string]: Write } = {
  'deletes a platform': (around) => around.maria.delete(platformOf(around)),
  'deletes a component': async (around) => {
    const platform = platformOf(around);
    const names = await namesOf(around.api.call(routes.components.list, { address: { ...DESIGN, platform } }));
    const added = names.filter((name) => ['deployer', 'extra', 'backdoor'].includes(name));
    await around.maria.delete(`${platform}/${around.draw.of(added)}`);
  },
  'deletes an attachment': (around) => around.maria.delete(`${platformOf(around)}/deployer/motd`),
  'deletes a variable': ({ maria }) => maria.delete('$LEVEL'),
  'deletes a variable of a platform': (around) => around.maria.delete(`${platformOf(around)}/$HOME`),
  'adds a component': (around) => {
    const place = `${platformOf(around)}/${around.draw.of(['backdoor', 'extra'])}`;
    const attributes = { username: 'backdoor', description: `hers-${around.unique}` };
    return around.maria.create(place, attributes, { template_name: 'user' });
  },
  'adds a platform': ({ maria, draw }) => maria.create(draw.of(['evil', 'api']), ofPack('tomcat')),
  'creates a platform again': async (around) => {
    const { maria, draw } = around;
    const platform = platformOf(around);
    await maria.delete(platform);
    await maria.commit();
    await maria.create(platform, ofPack(draw.of(['mysql', 'tomcat', 'redisio'])));
  },
  'creates a variable again': async ({ maria, unique }) => {
    await maria.delete('$LEVEL');
    await maria.commit();
    await maria.create('$LEVEL', { value: `hers-${unique}`, secure: 'false' });
  },
  'sets a size': (around) => around.maria.set(`${platformOf(around)}/compute`, { size: 'XL' }),
  'sets threads': ({ maria, unique }) => maria.set('web/tomcat', { max_threads: `77${unique}` }),
  'sets a variable': ({ maria, unique }) => maria.set('$LEVEL', { value: `hers-${unique}` }),
  'commits the design': ({ maria }) => maria.commit(),
  'disables a platform': (around) => switched(around, 'disable'),
  'enables a platform': (around) => switched(around, 'enable'),
  'takes a cloud offline': (around) => configured(around, { adminstatus: 'offline' }),
  'takes the share of a cloud': (around) => configured(around, { pct_scale: around.draw.of(['0', '50']) }),
  'sets threads in an environment': (around) =>
    around.maria.set(`${environmentOf(around)}:web/tomcat`, { max_threads: `77${around.unique}` }),
  'scales a platform': async (around) => {
    const [environment, platform] = [environmentOf(around), around.draw.of(['web', 'db', 'cache'])];
    const address = { ...DESIGN, environment, platform };
    const { depends_on: relations } = await around.api.call(routes.environmentPlatforms.edit, { address });
    const [relation] = relations;
    const relationAttributes = { ...relation?.relationAttributes, current: around.draw.of(['1', '3']), min: '1' };
    const owner = around.draw.of([{ current: 'manifest' }, {}]);
    const depends_on = { [String(relation?.toCiId)]: { relationAttributes, relationAttrProps: { owner } } };
    await around.api.call(routes.environmentPlatforms.update, { address, body: { depends_on } });
  },
  'pulls the design': (around) =>
    around.api.call(routes.environments.pull, { address: { ...DESIGN, environment: environmentOf(around) } }),
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
  const maria = handOf(api);
  const around = { maria, api, draw: drawFrom(write.draw), platforms, environments, unique };
  await attempted(async () => FOREIGN_WRITES[nameOfWrite(write)]?.(around));
  if (write.then === 'nothing') return;
  await attempted(() => maria.commit());
  for (const environment of environments) await attempted(() => deploy(person, environment, write.then === 'deploy'));
}
