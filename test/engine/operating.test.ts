// What operators do while a stack runs on the real engine, by the commands as they are installed, from a
// subfolder of the project.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { routes, type Deployment } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { openStory } from './story';

const STACK = (size: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: ${size} } } } }
environments: { prod: { clouds: { east: { priority: 1 } }, deploy: { timeout: 2 } } }
`;
const PROD = { assembly: 'shop', environment: 'prod' };

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const { live, project } = openStory({ dialect, files: { 'oneops.yaml': STACK('S') } });

  const oneops = (words: string, token?: string) => {
    mkdirSync(join(project.dir, 'sub'), { recursive: true });
    return project.oneops(words.split(' '), token === undefined ? {} : { ONEOPS_TOKEN: token }, 'sub');
  };
  const up = (size: string) =>
    project.write('oneops.yaml', STACK(size)).then(() => project.run('up', '--skip-preview'));
  const sizes = async (): Promise<readonly unknown[]> => {
    const computes = (await live.instances('shop')).filter(({ ciName }) => ciName.startsWith('compute-'));
    return computes.map(({ ciAttributes }) => ciAttributes['size']);
  };
  /** Does something as soon as the deployment of a run waits for an approval; answers the run's end. */
  const whileWaiting = async (size: string, act: () => Promise<{ readonly code: number; readonly output: string }>) => {
    let hasEnded = false;
    const running = up(size).finally(() => (hasEnded = true));
    const isPending = (newest: Deployment): boolean => newest.deploymentState === 'pending';
    while (!hasEnded && !isPending(await live.other.call(routes.deployments.latest, { address: PROD })));
    expect(await act()).toExitWith(0);
    return running;
  };

  test('a deployment that fails is retried, and the next run joins what came of it', async () => {
    expect(await up('S')).toExitWith(0);
    live.service.faults.set([{ effect: 'fail-deployment', record: 'web/compute', message: 'no capacity' }]);
    expect(await up('L')).toExitWith(1);
    const shown = await oneops('deployment show prod');
    expect([shown.code, shown.output]).toEqual([1, expect.stringContaining('no capacity')]);
    live.service.faults.set([]);
    expect(await oneops('deployment retry prod --yes --follow')).toExitWith(0);
    expect([await up('L'), await sizes()]).toEqual([expect.objectContaining({ code: 0 }), ['L']]);
  });

  test('a run waits for an approval: approved, rejected, canceled by another user', async () => {
    const gate = { ciName: 'gate', ciAttributes: { approval: 'true', approval_auth_type: 'none' } };
    await live.other.call(routes.cloudSupports.create, { address: { cloud: 'east' }, body: { cms_ci: gate } });
    expect(await whileWaiting('M', () => oneops('deployment approve prod --yes'))).toExitWith(0);
    const rejected = await whileWaiting('S', () => oneops('deployment reject prod --yes'));
    expect([rejected.code, rejected.output]).toEqual([1, expect.stringContaining('was canceled')]);
    const canceled = await whileWaiting('S', () => oneops('deployment cancel prod --yes --others', 'maria-token'));
    expect([canceled.code, canceled.output]).toEqual([1, expect.stringContaining('was canceled')]);
    expect([(await oneops('status --drift')).code, await sizes()]).toEqual([2, ['M']]);
    await live.other.call(routes.cloudSupports.delete, { address: { cloud: 'east', support: 'gate' } });
  });
});
