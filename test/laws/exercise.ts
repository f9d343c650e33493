// One life of an organization that calls every route of the contract once at least, each with an answer that says yes.
import type * as z from 'zod';
import { type Dialect, routes, type Route } from '../../api/contract';

/** What a call is given besides its route. */
export interface Sent {
  readonly address?: { readonly [parameter: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
}

/** Sends one request as some user and answers the parsed body; throws for any other answer than yes. */
export type Call = <R extends Route>(route: R, sent?: Sent) => Promise<z.output<R['answer']>>;

/** Users of the service the routes are exercised on; the first has all rights in all organizations. */
export const USERS = [
  { name: 'admin', token: 'token-of-admin', password: 'pass of admin' },
  { name: 'maria', token: 'token-of-maria', password: 'pass of maria', organizations: ['acme'] },
] as const;

interface Exercise {
  readonly dialect: Dialect;
  /** Name under which the events of attachments are sent. */
  readonly events: 'runs_on' | 'run_on';
  /** Calls as the user of a token. */
  as(token: string): Call;
}

const ADMIN = USERS[0].token;
const MARIA = USERS[1].token;
const LOCATION = '/public/oneops/clouds/ec2-us-east-1';

/** Calls until an answer is as wanted. */
async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 300; turn += 1) {
    const value = await read();
    if (isWanted(value)) return value;
  }
  throw new Error('not settled after 300 reads');
}

function only<T>(list: readonly T[] | null | undefined, isWanted: (item: T) => boolean = () => true): T {
  const found = list?.find(isWanted);
  if (found === undefined) throw new Error('nothing of what was wanted is in the list');
  return found;
}

const text = (id: number): string => String(id);

interface Texts {
  readonly [name: string]: string;
}

/** Reads at one place: of its address each route gets what its path names. */
async function reads(call: Call, { address = {}, query = {} }: Sent, ...of: readonly Route[]): Promise<void> {
  for (const route of of) {
    const named = Object.entries(address).filter(([parameter]) => route.path.includes(`{${parameter}}`));
    await call(route, { address: Object.fromEntries(named), query });
  }
}

/** Bodies that write a record which takes effect at once, and one that is committed. */
const ci = (ciAttributes: Texts, ciName?: string) => ({
  cms_ci: { ...(ciName === undefined ? {} : { ciName }), ciAttributes },
});
const djCi = (ciAttributes: Texts, more: object = {}) => ({ cms_dj_ci: { ...more, ciAttributes } });

/** Routes that a collection may have. */
type Collection = { readonly [verb in 'create' | 'list' | 'read' | 'update' | 'delete']: Route } & {
  readonly [verb in 'template' | 'toggle']?: Route;
};

interface Life {
  readonly at: Texts;
  /** The parameter of the record, and its name. */
  readonly named: readonly [parameter: string, name: string];
  readonly create: Texts;
  readonly update: Texts;
}

/** The life of one record of a collection: all the routes that need no more than its place. */
async function wholeLife(call: Call, of: Collection, wrapped: 'cms_ci' | 'cms_dj_ci', life: Life): Promise<void> {
  const { at, named, create, update } = life;
  const [parameter, ciName] = named;
  const address = { ...at, [parameter]: ciName };
  if (of.template) await call(of.template, { address: at });
  await call(of.create, { address: at, body: { [wrapped]: { ciName, ciAttributes: create } } });
  await call(of.list, { address: at });
  const { ciId } = (await call(of.read, { address })) as { readonly ciId: number };
  await call(of.update, { address, body: { [wrapped]: { ciId, ciAttributes: update } } });
  if (of.toggle) await call(of.toggle, { address });
  await call(of.delete, { address });
}

/** Calls every route. */
export async function exercise(world: Exercise): Promise<void> {
  const call = world.as(ADMIN);
  await account(world, call);
  await clouds(world, call);
  await catalogue(call);
  await design(world, call);
  await environment(call);
  await operations(call);
  await deploymentsOf(call);
  await farewell(call);
}

async function account(world: Exercise, call: Call): Promise<void> {
  await reads(call, {}, routes.service.status, routes.service.description);
  await call(routes.catalogue.metadata, { query: { class_name: 'account.Cloud' } });

  const acme = only(await call(routes.organizations.list), ({ name }) => name === 'acme');
  await call(routes.organizations.show, { address: { id: text(acme.id) } });
  await call(routes.organizations.read);
  await call(routes.organizations.update, {
    body: { organization: { full_name: 'Acme Works', ci: { ciAttributes: { description: 'makes everything' } } } },
  });
  await reads(call, {}, routes.organizations.current, routes.profile.read);
  await call(routes.profile.changeOrganization, { body: { org_id: 'acme' } });

  const maria = world.as(MARIA);
  const guest = await maria(routes.organizations.create, { body: { name: 'guest' } });
  await maria(routes.organizations.leave, { address: { id: text(guest.id) } });
  await call(routes.organizations.delete, { address: { id: 'guest' } });
  const user = { username: 'maria', password: USERS[1].password };
  const { token } = await maria(routes.profile.token, { body: { user } });
  await world.as(token)(routes.profile.read);
  await world.as(token)(routes.profile.resetToken);

  const team = await call(routes.teams.create, { body: { team: { name: 'builders', design: true } } });
  const address = { team: text(team.id) };
  await reads(call, { address }, routes.teams.list, routes.teams.read, routes.teams.members);
  await call(routes.teams.update, { address, body: { team: { transition: true, description: 'they build' } } });
  await call(routes.teams.delete, { address });

  await call(routes.environmentProfiles.create, { body: ci({ availability: 'redundant' }, 'production') });
  await wholeLife(call, routes.environmentProfiles, 'cms_ci', {
    at: {},
    named: ['profile', 'spare'],
    create: { availability: 'single' },
    update: { description: 'what customers see' },
  });
}

async function clouds({ dialect }: Exercise, call: Call): Promise<void> {
  const team = await call(routes.teams.create, { body: { team: { name: 'cloudkeepers', cloud_services: 'true' } } });
  await reads(call, {}, routes.clouds.list, routes.clouds.locations, routes.clouds.template);
  const cloud = { cloud: 'north' };
  await call(routes.clouds.create, {
    body: { cms_ci: { ciName: 'north', ciAttributes: { location: LOCATION } }, teams: [team.id] },
  });
  await call(routes.clouds.read, { address: cloud });
  await call(routes.clouds.update, { address: cloud, body: ci({ description: 'cold' }) });
  await call(routes.clouds.teams, { address: cloud });
  await call(routes.clouds.updateTeams, { address: cloud, body: { remove: [team.id] } });

  const available = await call(routes.cloudServices.available, { address: cloud });
  const elb = only(available['lb'], ({ ciName }) => ciName === 'elb');
  const service = { ...cloud, service: 'elb' };
  const template = await call(routes.cloudServices.template, {
    address: service,
    query: { mgmtCiId: text(elb.ciId) },
  });
  const completed = {
    ...template,
    ciAttributes: { ...template.ciAttributes, key: 'k', secret: 's', region: 'us-east-1' },
  };
  await call(routes.cloudServices.create, {
    address: cloud,
    body: dialect === 'classic' ? { cms_ci: completed, mgmtCiId: elb.ciId } : completed,
  });
  await call(routes.cloudServices.list, { address: cloud });
  const made = await call(routes.cloudServices.read, { address: service });
  const changed = { ciName: made.ciName, ciAttributes: { region: 'us-west-2' } };
  await call(routes.cloudServices.update, {
    address: service,
    body: dialect === 'classic' ? { cms_ci: changed } : changed,
  });
  await call(routes.cloudServices.diff, { address: cloud, query: { changes_only: 'true' } });
  await cloudOfferings(call);
  await call(routes.cloudServices.delete, { address: service });

  await wholeLife(call, routes.cloudVariables, 'cms_ci', {
    at: cloud,
    named: ['variable', 'zone'],
    create: { value: 'a' },
    update: { value: 'b' },
  });
  await wholeLife(call, routes.cloudSupports, 'cms_ci', {
    at: cloud,
    named: ['support', 'night-shift'],
    create: { approval: 'false' },
    update: { description: 'awake' },
  });
  await call(routes.cloudZones.list, { address: cloud });
  await call(routes.clouds.delete, { address: cloud });
}

async function cloudOfferings(call: Call): Promise<void> {
  const service = { cloud: 'north', service: 'elb' };
  await call(routes.cloudOfferings.available, { address: service });
  await wholeLife(call, routes.cloudOfferings, 'cms_ci', {
    at: service,
    named: ['offering', 'large'],
    create: { criteria: "ciAttributes['size']=='L'", cost_rate: '0.1' },
    update: { cost_rate: '1' },
  });
}

async function catalogue(call: Call): Promise<void> {
  await reads(call, {}, routes.catalogue.publicOfferings, routes.catalogue.publicServices);
  for (const query of [{}, { ns_path: '/acme/_clouds/east' }])
    await reads(call, { query }, routes.catalogue.offerings, routes.catalogue.services);
  const packs = await call(routes.catalogue.packs);
  const version = only(packs['oneops']?.['tomcat']);
  const address = { source: 'oneops', pack: 'tomcat', version, platform: 'tomcat', mode: 'redundant' };
  const { packComponents, packVariables, packModeComponents } = routes.catalogue;
  await reads(call, { address }, packComponents, packVariables, packModeComponents);
  await call(routes.reports.compute, { query: { grouping: 'cloud' } });
}

const SHOP = { assembly: 'shop' };
const WEB = { ...SHOP, platform: 'web' };
const DEPLOYER = { ...WEB, component: 'deployer' };
const USER = { username: 'deployer' };

/** Commits the newest design release; one that is closed already stays as it is. */
async function commitDesign(call: Call): Promise<number> {
  const { releaseId } = await call(routes.designReleases.latest, { address: SHOP });
  const address = { ...SHOP, release: text(releaseId) };
  await call(routes.designReleases.commit, { address, body: { desc: 'all' } });
  return releaseId;
}

async function design(world: Exercise, call: Call): Promise<void> {
  await assemblies(call);
  await platforms(call);
  await components(call);
  await variables(call);
  await attachments(world, call);
  await monitors(call);
  await designReleases(call);
  await copies(call);
}

async function assemblies(call: Call): Promise<void> {
  await call(routes.assemblies.template);
  await call(routes.assemblies.create, {
    body: { cms_ci: { ciName: 'shop', comments: 'web shop', ciAttributes: { owner: 'maria@acme.io' } } },
  });
  await reads(call, { address: SHOP }, routes.assemblies.list, routes.assemblies.read);
  await call(routes.assemblies.update, { address: SHOP, body: ci({ description: 'sells' }) });
  const team = await call(routes.teams.create, { body: { team: { name: 'shopkeepers' } } });
  await call(routes.assemblies.updateTeams, { address: SHOP, body: { teams: [team.id] } });
  await reads(call, { address: SHOP }, routes.assemblies.teams, routes.assemblies.users);
}

const newPlatform = (name: string, pack: string, links: readonly string[] = []) => ({
  cms_dj_ci: { ciName: name, ciAttributes: { source: 'oneops', pack, version: '1', major_version: '1' } },
  links_to: links,
});

async function platforms(call: Call): Promise<void> {
  await call(routes.platforms.template, { address: SHOP });
  await call(routes.platforms.create, { address: SHOP, body: newPlatform('db', 'mysql') });
  await call(routes.platforms.create, { address: SHOP, body: newPlatform('web', 'tomcat', ['db']) });
  await call(routes.platforms.create, { address: SHOP, body: newPlatform('spare', 'custom') });
  await reads(call, { address: WEB }, routes.platforms.list, routes.platforms.read);
  await call(routes.platforms.update, { address: WEB, body: { ...djCi({ description: 'front' }), links_to: ['db'] } });
  await call(routes.platforms.componentTypes, { address: WEB });
  await call(routes.platforms.diff, { address: WEB, query: { committed: 'false', changes_only: 'true' } });
  const spare = { ...SHOP, platform: 'spare' };
  await call(routes.platforms.commit, { address: spare, body: { desc: 'spare alone' } });
  await call(routes.platforms.update, { address: spare, body: djCi({ description: 'not for long' }) });
  await call(routes.platforms.discard, { address: spare });
  await call(routes.platforms.packRefresh, { address: spare });
  await call(routes.platforms.packUpdate, { address: spare, body: { version: '1' } });
  await call(routes.platforms.delete, { address: spare });
}

async function components(call: Call): Promise<void> {
  const query = { template_name: 'user' };
  const template = await call(routes.components.template, { address: WEB, query });
  const ciAttributes = { ...template.ciAttributes, ...USER };
  const user = { cms_dj_ci: { ciName: 'deployer', ciAttributes }, ...query };
  await call(routes.components.create, { address: WEB, body: user });
  await call(routes.components.list, { address: WEB });
  const { ciId } = await call(routes.components.read, { address: DEPLOYER });
  await call(routes.components.update, { address: DEPLOYER, body: djCi({ description: 'deploys' }, { ciId }) });
  await call(routes.components.services, { address: DEPLOYER });
  await call(routes.components.updateServices, { address: DEPLOYER, body: { services: ['*mirror'], owner: 'design' } });
  const guest = { ...djCi({ username: 'guest' }, { ciName: 'guest' }), ...query };
  await call(routes.components.create, { address: WEB, body: guest });
  await call(routes.components.delete, { address: { ...WEB, component: 'guest' } });
}

async function variables(call: Call): Promise<void> {
  for (const [of, at, kept] of [
    [routes.designVariables, SHOP, 'region'],
    [routes.platformVariables, WEB, 'heap'],
  ] as const) {
    const { ciId } = await call(of.create, { address: at, body: djCi({ value: 'one' }, { ciName: kept }) });
    await call(of.lock, { address: at, body: { ciIds: [ciId] } });
    await call(of.unlock, { address: at, body: { ciIds: [ciId] } });
    await wholeLife(call, of, 'cms_dj_ci', {
      at,
      named: ['variable', 'unused'],
      create: { value: 'one' },
      update: { value: 'two' },
    });
  }
}

async function attachments({ events }: Exercise, call: Call): Promise<void> {
  const attributes = { content: 'hello', path: '/etc/motd', priority: '1', [events]: 'after-add,on-demand' };
  const body = (ciName: string) => djCi(attributes, { ciName });
  for (const name of ['motd', 'second']) await call(routes.attachments.create, { address: DEPLOYER, body: body(name) });
  const inPlatform = { ...WEB, attachment: 'motd' };
  await call(routes.attachments.readInPlatform, { address: inPlatform });
  await call(routes.attachments.updateInPlatform, { address: inPlatform, body: djCi({ content: 'good day' }) });
  await wholeLife(call, routes.attachments, 'cms_dj_ci', {
    at: DEPLOYER,
    named: ['attachment', 'first'],
    create: attributes,
    update: { content: 'hi' },
  });
  await call(routes.attachments.deleteInPlatform, { address: { ...WEB, attachment: 'second' } });
}

const monitors = (call: Call): Promise<void> =>
  wholeLife(call, routes.monitors, 'cms_dj_ci', {
    at: DEPLOYER,
    named: ['monitor', 'logins'],
    create: { description: 'who came' },
    update: { sample_interval: '30' },
  });

async function designReleases(call: Call): Promise<void> {
  const first = await commitDesign(call);
  const release = { ...SHOP, release: text(first) };
  await call(routes.designReleases.read, { address: release });
  await call(routes.designReleases.list, { address: SHOP, query: { size: '5' } });
  await call(routes.designVariables.create, { address: SHOP, body: djCi({ value: 'x' }, { ciName: 'later' }) });
  const last = await call(routes.designReleases.latest, { address: SHOP });
  // Nothing to discard where each write is closed immediately: the release as it is, is the answer.
  await call(routes.designReleases.discard, { address: { ...SHOP, release: text(last.releaseId) } });
  await call(routes.designReleases.restore, { address: release });
  await commitDesign(call);
}

async function copies(call: Call): Promise<void> {
  await call(routes.assemblies.clone, { address: SHOP, body: { ciName: 'copy' } });
  const saved = await call(routes.assemblies.clone, { address: SHOP, body: { ciName: 'shop-design', export: 'true' } });
  const copy = await call(routes.assemblies.read, { address: { assembly: 'copy' } });
  await call(routes.platforms.clone, { address: WEB, body: { to_assembly_id: copy.ciId, to_ci_name: 'web2' } });
  await call(routes.designs.list);
  await call(routes.designs.read, { address: { design: text(saved.ciId) } });
  await call(routes.designs.export, { address: { design: 'shop-design' } });
  const designed = { ...ci({ owner: 'maria@acme.io' }, 'from-design'), catalog_template: saved.ciId };
  await call(routes.assemblies.create, { body: designed });
  await call(routes.designs.delete, { address: { design: 'shop-design' } });
  const written = await call(routes.design.extract, { address: SHOP });
  await call(routes.design.extractYaml, { address: SHOP });
  await call(routes.assemblies.create, { body: ci({ owner: 'maria@acme.io' }, 'loaded') });
  await call(routes.design.load, { address: { assembly: 'loaded' }, body: { data: JSON.stringify(written) } });
  for (const assembly of ['copy', 'from-design', 'loaded'])
    await call(routes.assemblies.delete, { address: { assembly } });
}

const PROD = { ...SHOP, environment: 'prod' };
const PROD_WEB = { ...PROD, platform: 'web' };
const PROD_COMPUTE = { ...PROD_WEB, component: 'compute' };
const PROD_DEPLOYER = { ...PROD_WEB, component: 'deployer' };

/** Reads the environment until no job has it, and checks that the last one ended well. */
async function settled(call: Call): Promise<void> {
  const read = async () => call(routes.environments.read, { address: PROD });
  const { comments } = await until(read, ({ ciState }) => ciState !== 'locked' && ciState !== 'manifest_locked');
  if (comments?.startsWith('ERROR:') === true) throw new Error(comments);
}

async function environment(call: Call): Promise<void> {
  await call(routes.environments.template, { address: SHOP, query: { profile_id: 'production' } });
  const clouds = await call(routes.clouds.list);
  const idOf = (name: string): string => text(only(clouds, ({ ciName }) => ciName === name).ciId);
  const [east, west] = [idOf('east'), idOf('west')];
  const designed = await call(routes.platforms.list, { address: SHOP });
  await call(routes.environments.create, {
    address: PROD,
    body: {
      clouds: { [east]: '1' },
      platform_availability: Object.fromEntries(
        designed.map(({ ciId, ciName }) => [text(ciId), ciName === 'web' ? 'redundant' : 'single']),
      ),
      cms_ci: { ciName: 'prod', ciAttributes: { availability: 'single', codpmt: 'true' } },
      async: 'true',
    },
  });
  await call(routes.environments.pullStatus, { address: PROD });
  await settled(call);
  await call(routes.environments.list, { address: SHOP });
  await call(routes.environments.update, {
    address: PROD,
    body: { cms_ci: { ciAttributes: { description: 'what customers see' } }, clouds: { [east]: '1', [west]: '2' } },
  });
  await manifest(call, east);
  await environmentVariables(call);
  await relays(call);
  await settled(call);
}

async function manifest(call: Call, east: string): Promise<void> {
  const listed = await call(routes.environmentPlatforms.list, { address: PROD });
  const web = only(listed, ({ ciName }) => ciName === 'web');
  await call(routes.environmentPlatforms.read, { address: PROD_WEB });
  const { depends_on: scalable } = await call(routes.environmentPlatforms.edit, { address: PROD_WEB });
  const { toCiId } = only(scalable);
  await call(routes.environmentPlatforms.update, {
    address: PROD_WEB,
    body: { depends_on: { [toCiId]: { relationAttributes: { current: '2', min: '1', max: '4' } } } },
  });
  await call(routes.environmentPlatforms.configureCloud, {
    address: PROD_WEB,
    body: { cloud_id: east, attributes: { pct_scale: '100' } },
  });
  await call(routes.environmentPlatforms.cloudPriority, { address: PROD_WEB, body: { cloud_id: east, priority: '1' } });
  for (let turn = 0; turn < 2; turn += 1) await call(routes.environmentPlatforms.toggle, { address: PROD_WEB });
  await call(routes.environments.disable, { address: PROD, body: { platformCiIds: [text(web.ciId)] } });
  await call(routes.environments.enable, { address: PROD, body: { platformCiIds: [text(web.ciId)] } });
  await call(routes.environmentPlatforms.activate, { address: PROD_WEB });
  const components = await call(routes.environmentPlatforms.components, { address: PROD_WEB });
  await call(routes.environmentPlatforms.component, { address: PROD_COMPUTE });
  await call(routes.environmentPlatforms.updateComponent, {
    address: PROD_COMPUTE,
    body: { cms_dj_ci: { ciAttributes: { size: 'M' }, ciAttrProps: { owner: { size: 'manifest' } } } },
  });
  await call(routes.environmentPlatforms.touchComponent, { address: PROD_DEPLOYER });
  const { ciId } = only(components, ({ ciName }) => ciName === 'os');
  await call(routes.environmentPlatforms.touchComponents, { address: PROD_WEB, body: { componentCiIds: [ciId] } });
  const lb = { ...PROD_WEB, component: 'lb' };
  await call(routes.environmentPlatforms.dependsOn, { address: lb });
  await call(routes.environmentPlatforms.updateDependsOn, {
    address: lb,
    body: { depends_on: { compute: { relationAttributes: { pct_dpmt: '50' } } } },
  });
  const watched = only(await call(routes.environmentMonitors.list, { address: PROD_COMPUTE }));
  const inProd = { ...PROD_COMPUTE, monitor: watched.ciName };
  await call(routes.environmentMonitors.read, { address: inProd });
  await call(routes.environmentMonitors.update, { address: inProd, body: djCi({ sample_interval: '30' }) });
  const written = await call(routes.environments.extract, { address: PROD });
  await call(routes.environments.extractYaml, { address: PROD });
  await call(routes.environments.load, { address: PROD, body: { data: JSON.stringify(written) } });
  await call(routes.environments.timeline, { address: PROD });
  await call(routes.environmentAttachments.list, { address: PROD_DEPLOYER });
  const motd = { ...PROD_DEPLOYER, attachment: 'motd' };
  const body = djCi({ content: 'good evening' });
  await call(routes.environmentAttachments.read, { address: motd });
  await call(routes.environmentAttachments.update, { address: motd, body });
  const inPlatform = { ...PROD_WEB, attachment: 'motd' };
  await call(routes.environmentAttachments.readInPlatform, { address: inPlatform });
  await call(routes.environmentAttachments.updateInPlatform, { address: inPlatform, body });
}

async function environmentVariables(call: Call): Promise<void> {
  const body = { cms_dj_ci: { ciAttributes: { value: 'here' }, ciAttrProps: { owner: { value: 'manifest' } } } };
  for (const [of, address, variable] of [
    [routes.environmentVariables, PROD, 'region'],
    [routes.environmentPlatformVariables, PROD_WEB, 'heap'],
  ] as const) {
    const listed = await call(of.list, { address });
    const locked = { ciIds: [only(listed, ({ ciName }) => ciName === variable).ciId] };
    await call(of.read, { address: { ...address, variable } });
    await call(of.update, { address: { ...address, variable }, body });
    await call(of.unlock, { address, body: locked });
    await call(of.lock, { address, body: locked });
  }
}

const relays = (call: Call): Promise<void> =>
  wholeLife(call, routes.relays, 'cms_ci', {
    at: PROD,
    named: ['relay', 'watch'],
    create: { emails: 'watch@acme.io' },
    update: { severity: 'critical' },
  });

/** Starts a deployment of the bom release; answers its number. */
async function start(call: Call): Promise<string> {
  const { releaseId, nsPath } = await call(routes.environmentReleases.bom, { address: PROD });
  const body = { cms_deployment: { releaseId, nsPath, comments: 'roll out' } };
  return text((await call(routes.deployments.create, { address: PROD, body })).deploymentId);
}

async function ended(call: Call, deployment: string, state: string): Promise<void> {
  const read = async () => call(routes.deployments.status, { address: { ...PROD, deployment } });
  await until(read, ({ deploymentState }) => deploymentState === state);
}

/** Commits what is open and starts its deployment; answers its number. */
async function begun(call: Call, body = {}): Promise<string> {
  await call(routes.environments.commit, { address: PROD, body });
  await settled(call);
  return start(call);
}

/** The newest deployment, once it is complete. */
async function latestEnded(call: Call): Promise<string> {
  await settled(call);
  const deployment = text((await call(routes.deployments.latest, { address: PROD })).deploymentId);
  await ended(call, deployment, 'complete');
  return deployment;
}

async function operations(call: Call): Promise<void> {
  await ended(call, await begun(call, { desc: 'first' }), 'complete');
  const { environments, health, platforms, platform, components, actions } = routes.operations;
  await reads(call, { address: PROD_WEB }, environments, health, routes.operations.environment, platforms, platform);
  await reads(call, { address: PROD_COMPUTE }, components, actions);
  const anchor = await call(routes.operations.component, { address: PROD_COMPUTE });
  const query = { instances_state: 'all' };
  const machines = await call(routes.operations.computes, { address: PROD_WEB, query });
  const { platformInstances, environmentInstances, assemblyInstances } = routes.operations;
  await reads(call, { address: PROD_WEB, query }, platformInstances, environmentInstances, assemblyInstances);
  await reads(call, { address: { cloud: 'east' }, query }, routes.clouds.instances, routes.clouds.operations);
  const machine = only(machines);
  const instance = { ...PROD_COMPUTE, instance: text(machine.ciId) };
  await call(routes.operations.instance, { address: instance });
  const replace = { state: 'replace' };
  const back = { ids: [machine.ciId], state: 'default' };
  await call(routes.operations.setInstanceState, { address: instance, body: replace });
  await call(routes.operations.setInstancesState, { body: back });
  await call(routes.operations.setAssemblyInstanceState, { address: instance, body: replace });
  await call(routes.operations.setAssemblyInstancesState, { address: SHOP, body: back });
  for (const switched of ['autorepair', 'autoreplace', 'autoscale', 'autocomply'] as const)
    await call(routes.operations[switched], { address: PROD_WEB, body: { status: 'enable' } });
  await call(routes.operations.procedures, { address: { ...PROD, platform: 'db' } });
  await procedures(call, anchor.ciId, machine.ciId);
  const users = await call(routes.operations.instances, { address: PROD_DEPLOYER, query });
  await call(routes.operations.deleteInstance, { address: { ...PROD_DEPLOYER, instance: text(only(users).ciId) } });
}

async function procedures(call: Call, anchor: number, machine: number): Promise<void> {
  const definition = {
    name: 'reboot',
    flow: [
      {
        targetIds: [text(machine)],
        relationName: 'base.RealizedAs',
        direction: 'from',
        actions: [{ actionName: 'reboot', stepNumber: 1, isCritical: true }],
      },
    ],
  };
  const { procedureId } = await call(routes.procedures.create, {
    body: {
      cms_procedure: {
        procedureCiId: '0',
        procedureName: 'reboot',
        ciId: text(anchor),
        procedureState: 'pending',
        definition: JSON.stringify(definition),
      },
    },
  });
  const address = { procedure: text(procedureId) };
  await call(routes.procedures.update, { address, body: { cms_procedure: { procedureState: 'active' } } });
  await until(
    async () => call(routes.procedures.read, { address }),
    ({ procedureState }) => procedureState === 'complete',
  );
  await reads(call, { address }, routes.procedures.status, routes.procedures.logData);
  await call(routes.procedures.actionLogs, { query: { procedure_id: text(procedureId) } });
  await call(routes.procedures.list, { query: { ciId: text(anchor), include_actions: 'true' } });
  await call(routes.lookups.procedure, { address: { id: text(procedureId) } });
}

async function deploymentsOf(call: Call): Promise<void> {
  const touch = async () => call(routes.environmentPlatforms.touchComponent, { address: PROD_COMPUTE });
  await touch();
  await call(routes.deployments.preview, { address: PROD });
  await call(routes.deployments.plan, { address: PROD, body: { commit: 'true', desc: 'seen before' } });
  await call(routes.deployments.createFromCommitted, {
    address: PROD,
    body: { cms_deployment: { comments: 'in one go' } },
  });
  await call(routes.lookups.deployment, { address: { id: await latestEnded(call) } });
  await call(routes.environmentPlatforms.deployComponent, { address: PROD_COMPUTE });
  await latestEnded(call);
  await approvedDeployment(call, touch);
  await canceledOrder(call, touch);
  await environmentReleases(call, touch);
}

/** A deployment that waits for the support of a cloud. */
async function approvedDeployment(call: Call, touch: () => Promise<unknown>): Promise<void> {
  const east = { cloud: 'east' };
  const guarded = { approval: 'true', approval_auth_type: 'token', approval_token: 'open sesame' };
  await call(routes.cloudSupports.create, { address: east, body: ci(guarded, 'gate') });
  await touch();
  const deployment = await begun(call);
  const address = { ...PROD, deployment };
  const approvals = await call(routes.deployments.approvals, { address });
  const settlement = { approvalId: only(approvals).approvalId, state: 'approved', token: 'open sesame' };
  await call(routes.deployments.settle, { address, body: { approvals: [settlement] } });
  await call(routes.cloudSupports.delete, { address: { ...east, support: 'gate' } });
  await ended(call, deployment, 'complete');
  const { read, edit, logData, list } = routes.deployments;
  await reads(call, { address }, read, edit, logData, list);
}

/** A deployment that fails because the order of one machine was canceled, and is canceled as a whole. */
async function canceledOrder(call: Call, touch: () => Promise<unknown>): Promise<void> {
  await touch();
  const deployment = await begun(call);
  const [machine] = await machineIds(call);
  const instance = { ...PROD_COMPUTE, instance: String(machine) };
  await call(routes.operations.cancelDeployment, { address: instance });
  await ended(call, deployment, 'failed');
  await call(routes.deployments.update, {
    address: { ...PROD, deployment },
    body: { cms_deployment: { deploymentState: 'canceled' } },
  });
}

async function environmentReleases(call: Call, touch: () => Promise<unknown>): Promise<void> {
  const { releaseId } = only(
    await call(routes.environmentReleases.list, { address: PROD }),
    ({ nsPath, releaseState }) => nsPath.endsWith('/manifest') && releaseState === 'closed',
  );
  const address = { ...PROD, release: text(releaseId) };
  await call(routes.environmentReleases.read, { address });
  await call(routes.lookups.release, { address: { id: text(releaseId) } });
  await call(routes.environmentReleases.latest, { address: PROD });
  await call(routes.environmentReleases.restore, { address });
  await touch();
  await call(routes.environments.discard, { address: PROD });
  await call(routes.operations.setInstancesState, {
    body: { ids: await machineIds(call), state: 'replace' },
  });
  await call(routes.environments.forceDeploy, { address: PROD, body: {} });
  await settled(call);
  const bom = await call(routes.environmentReleases.bom, { address: PROD });
  await call(routes.environmentReleases.discard, { address: { ...PROD, release: text(bom.releaseId) } });
}

async function machineIds(call: Call): Promise<number[]> {
  const query = { instances_state: 'all' };
  return (await call(routes.operations.computes, { address: PROD_WEB, query })).map(({ ciId }) => ciId);
}

/** A second version of a platform that goes before it is active, then all of it goes. */
async function farewell(call: Call): Promise<void> {
  const web = await call(routes.environmentPlatforms.read, { address: PROD_WEB });
  await call(routes.lookups.record, { address: { id: text(web.ciId) } });
  await call(routes.lookups.relation, { address: { id: text(only(web.consumes).ciRelationId) } });
  await call(routes.platforms.update, { address: WEB, body: { ...djCi({ major_version: '2' }), links_to: ['db'] } });
  await commitDesign(call);
  await call(routes.environments.pull, { address: PROD, body: { platform_availability: { web: 'single' } } });
  await settled(call);
  await call(routes.environmentPlatforms.delete, { address: { ...PROD, platform: 'web!2' } });
  await call(routes.environments.discard, { address: PROD });
  const platforms = await call(routes.environmentPlatforms.list, { address: PROD });
  await call(routes.environments.disable, {
    address: PROD,
    body: { platformCiIds: platforms.map(({ ciId }) => ciId) },
  });
  await ended(call, await begun(call), 'complete');
  await call(routes.environments.delete, { address: PROD });
  await call(routes.assemblies.delete, { address: SHOP });
}
