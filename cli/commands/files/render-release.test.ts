// The stack file with the values of a committed release, over the wire: what comes back, what stays, and what is said of the rest.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIALECTS } from '../../../api/contract';
import { listen } from '../../../service';
import { runToEnd } from '../../../test/run-command';
import { ADMIN_TOKEN } from '../../../test/service-caller';
import { shopOf } from '../../../test/shop';
import { renderCommand } from './render';

const FILE = `assembly: { name: shop, owner: team@acme.io }
variables: { MOTD: now }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat: { max_threads: '500' } # more on busy days
      user: { deployer: { username: deployer } }
environments:
  prod: { subdomain: prod.shop.acme, clouds: { east: { priority: 1 } }, platforms: { web: { components: { compute: { size: L } } } } }
`;

test.each(DIALECTS)('%s: a release of the design, and one of an environment', async (dialect) => {
  const shop = shopOf(dialect);
  const listening = await listen(shop.service, { port: 0 });
  const before = process.cwd();
  process.chdir(mkdtempSync(join(tmpdir(), 'release-')));
  try {
    writeFileSync('oneops.yaml', FILE);
    const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: ADMIN_TOKEN };
    const render = (release: number) => runToEnd(renderCommand, settings, '--release', String(release));
    const newest = async (path: string): Promise<number> => {
      const all = await shop.ok<{ releaseId: number; nsPath: string }[]>(shop.send('GET', path));
      return Math.max(...all.filter(({ nsPath }) => !nsPath.endsWith('/bom')).map(({ releaseId }) => releaseId));
    };
    const design = (): Promise<number> => newest('/acme/assemblies/shop/design/releases');
    const set = (path: string, ciAttributes: object) =>
      shop.ok(shop.send('PUT', path, { cms_dj_ci: { ciAttributes } }));
    const tomcat = '/acme/assemblies/shop/design/platforms/web/components/tomcat';
    const variable = (value: string) => ({ cms_dj_ci: { ciName: 'MOTD', ciAttributes: { value } } });
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
    await shop.ok(shop.design('POST', '/variables', variable('then')));
    const secrets = { java_options: '-Dpassword=canary', logfiles_path: `/log/${ADMIN_TOKEN}` };
    await set(tomcat, { max_threads: '300', min_spare_threads: '40', ...secrets });
    await shop.commitDesign();
    const first = await design();
    await shop.ok(shop.createEnvironment('prod', { east: '1' }, { attributes: { subdomain: 'prod.shop.acme' } }));
    await shop.settled('prod');
    const compute = shop.at('prod', '/platforms/web/components/compute');
    await set(compute, { size: 'M' });
    await shop.commit('prod');
    const small = await newest(shop.at('prod', '/releases'));
    await set(compute, { size: 'L' });
    await shop.commit('prod');

    await shop.ok(shop.design('PUT', '/variables/MOTD', variable('now')));
    await set(tomcat, { max_threads: '500', min_spare_threads: '50', java_options: '', logfiles_path: '/log' });
    const deployer = { ciName: 'deployer', ciAttributes: { username: 'deployer' } };
    const body = { cms_dj_ci: deployer, template_name: 'user' };
    await shop.ok(shop.design('POST', '/platforms/web/components', body));
    await shop.commitDesign();
    const latest = await design();
    expect(await render(latest)).toEqual({ code: 0, stdout: FILE, stderr: '' });

    // Deleted, and created again under another number.
    await shop.ok(shop.design('DELETE', '/platforms/web/components/deployer'));
    await shop.commitDesign();
    const without = await render(latest);
    expect([without.code, without.stderr]).toEqual([6, expect.stringContaining('web/deployer was deleted since')]);
    await shop.ok(shop.design('POST', '/platforms/web/components', body));
    await shop.commitDesign();
    expect(await render(latest)).toEqual({ code: 0, stdout: FILE, stderr: '' });
    const back = FILE.replace('MOTD: now', 'MOTD: then')
      .replace("'500'", "'300'")
      .replace(/ +user: .*\n/, '');
    expect(await render(first)).toEqual({
      code: 6,
      stdout: back,
      stderr: [
        'component web/tomcat had min_spare_threads "40": the file does not declare it\n',
        'component web/tomcat had another java_options, which may hold a secret: the file does not declare it\n',
        'component web/tomcat had logfiles_path "/log/[secret]": the file does not declare it\n',
      ].join(''),
    });
    expect(await render(small)).toMatchObject({ code: 6, stdout: back.replace('size: L', 'size: M') });
    expect(readFileSync('oneops.yaml', 'utf8')).toBe(FILE);
    expect(await render(7)).toMatchObject({ code: 3, stderr: expect.stringContaining('history') as string });
  } finally {
    rmSync(process.cwd(), { recursive: true });
    process.chdir(before);
    await listening.close();
    shop.close();
  }
});
