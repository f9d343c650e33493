// What operators do while a stack runs on the real engine, by the commands as they are installed, from a
// subfolder of the project.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dialectsInTurn } from '../dialects-in-turn';
import { openStory } from './story';

const STACK = (size: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: ${size} } } } }
environments: { prod: { clouds: { east: { priority: 1 } }, deploy: { timeout: 2 } } }
`;

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const { live, project } = openStory({ dialect, files: { 'oneops.yaml': STACK('S') } });

  const oneops = (words: string) => {
    mkdirSync(join(project.dir, 'sub'), { recursive: true });
    return project.oneops(words.split(' '), {}, 'sub');
  };
  const up = (size: string) =>
    project.write('oneops.yaml', STACK(size)).then(() => project.run('up', '--skip-preview'));
  const sizes = async (): Promise<readonly unknown[]> => {
    const computes = (await live.instances('shop')).filter(({ ciName }) => ciName.startsWith('compute-'));
    return computes.map(({ ciAttributes }) => ciAttributes['size']);
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
});
