// Everything that stands below a record: for taking over an assembly or an environment whole. Sends GETs only.
// It must not know what is read of the records, nor what is done with them.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { LifecycleError, NotFound } from '../../api/errors';
import { parseId, type Kind } from '../kind';
import {
  assembly,
  attachment,
  cloud,
  cloudConfiguration,
  cloudService,
  component,
  deployment,
  designRelease,
  environment,
  platform,
  variable,
} from '../kinds';
import { linksOf } from '../releases/cloud-links';
import { isLocked, isPendingDelete } from '../verbs/live';
import type { Place } from './addresses';

/** A record below another. */
export interface Below extends Place {
  /** Born with its platform or environment, and nothing says that somebody set something of it: only its own values can tell. */
  readonly onlyIfDeclared: boolean;
}

type At = { readonly [parameter: string]: string };

const own = (of: Kind, id: string): Below => ({ of, id, onlyIfDeclared: false });

/** What an address of this kind has below it, parents first. Throws LifecycleError for kinds that have nothing below them. */
export async function recordsBelow(api: Api, { of, id, at }: Place): Promise<readonly Below[]> {
  const { address = {} } = parseId(of, at ?? id) ?? {};
  const { name = '', ...parents } = address;
  switch (of) {
    case assembly:
      return belowAssembly(api, id, { assembly: name });
    case platform:
      return belowPlatform(api, id, { ...parents, platform: name });
    case component:
      return belowComponent(api, { id, at }, { ...parents, component: name });
    case environment:
      return belowEnvironment(api, id, { ...parents, environment: name });
    case cloud: {
      const services = await api.call(routes.cloudServices.list, { address: { cloud: name } });
      return standing(services).map(({ ciName }) => own(cloudService, `${id}/${ciName}`));
    }
    default:
      throw new LifecycleError(`${of.token} ${id}: nothing stands below it`);
  }
}

async function belowAssembly(api: Api, id: string, at: At): Promise<readonly Below[]> {
  const variables = standing(await api.call(routes.designVariables.list, { address: at }));
  const platforms = standing(await api.call(routes.platforms.list, { address: at }));
  const environments = await api.call(routes.environments.list, { address: at });
  const design = await inTurn(platforms, async ({ ciName }) => {
    const its = `${id}/${ciName}`;
    return [own(platform, its), ...(await belowPlatform(api, its, { ...at, platform: ciName }))];
  });
  const running = await inTurn(environments, async ({ ciName }) => {
    const its = `${id}/${ciName}`;
    return [own(environment, its), ...(await belowEnvironment(api, its, { ...at, environment: ciName }))];
  });
  const ofDesign = variables.map(({ ciName }) => own(variable, `${id}/variables/${ciName}`));
  return [...ofDesign, ...design, own(designRelease, id), ...running];
}

async function belowPlatform(api: Api, id: string, at: At): Promise<readonly Below[]> {
  const [organization, ...rest] = id.split('/');
  const variablesAt = `${organization}/${rest[0]}/platforms/${rest[1]}/variables`;
  const variables = standing(await api.call(routes.platformVariables.list, { address: at }));
  const components = standing(await api.call(routes.components.list, { address: at }));
  const found = await inTurn(components, async (record) => {
    const isShared = components.some((other) => other !== record && other.ciName === record.ciName);
    const its = { id: `${id}/${record.ciName}`, at: isShared ? `${id}/${record.ciId}` : undefined };
    const attached = await belowComponent(api, its, { ...at, component: String(record.ciId) });
    return [
      { of: component, ...placeOf(its), onlyIfDeclared: attached.length === 0 && !isLocked(record) },
      ...attached,
    ];
  });
  const values = variables.map((record): Below => ({
    of: variable,
    id: `${variablesAt}/${record.ciName}`,
    onlyIfDeclared: !isLocked(record),
  }));
  return [...values, ...found];
}

interface Ids {
  readonly id: string;
  readonly at: string | undefined;
}

const placeOf = ({ id, at }: Ids): Pick<Place, 'id' | 'at'> => ({ id, ...(at === undefined ? {} : { at }) });

async function belowComponent(api: Api, ids: Ids, at: At): Promise<readonly Below[]> {
  const attachments = standing(await api.call(routes.attachments.list, { address: at }));
  return attachments.map(({ ciName }) => ({
    ...own(attachment, ''),
    ...placeOf({ id: `${ids.id}/${ciName}`, at: ids.at && `${ids.at}/${ciName}` }),
  }));
}

async function belowEnvironment(api: Api, id: string, at: At): Promise<readonly Below[]> {
  const [organization, ...rest] = id.split('/');
  const variablesAt = `${organization}/${rest[0]}/environments/${rest[1]}/variables`;
  const platforms = standing(await api.call(routes.environmentPlatforms.list, { address: at }));
  const configurations = await inTurn(platforms, async ({ ciName }) => {
    const whole = await api.call(routes.environmentPlatforms.read, { address: { ...at, platform: ciName } });
    return [...linksOf(whole).keys()].map((name): Below => ({
      of: cloudConfiguration,
      id: `${id}/${ciName}/${name}`,
      onlyIfDeclared: true,
    }));
  });
  const variables = standing(await api.call(routes.environmentVariables.list, { address: at }));
  return [
    ...configurations,
    ...variables.filter(isLocked).map(({ ciName }) => own(variable, `${variablesAt}/${ciName}`)),
    ...((await wasDeployed(api, at)) ? [own(deployment, id)] : []),
  ];
}

async function wasDeployed(api: Api, at: At): Promise<boolean> {
  try {
    await api.call(routes.deployments.latest, { address: at });
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

const standing = <R extends WireRecord>(records: readonly R[]): readonly R[] =>
  records.filter((record) => !isPendingDelete(record));

/** One after the other: a whole assembly is hundreds of reads, and the service has other callers. */
async function inTurn<T>(
  records: readonly T[],
  job: (record: T) => Promise<readonly Below[]>,
): Promise<readonly Below[]> {
  const found: Below[] = [];
  for (const record of records) found.push(...(await job(record)));
  return found;
}
