// The stack file with the values of a committed release, over the wire: what comes back, what stays, and what is said of the rest.
import fs, { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { listen } from '../../../service';
import { dialectsInTurn } from '../../../test/dialects-in-turn';
import { runToEnd } from '../../../test/run-command';
import { ADMIN_TOKEN } from '../../../test/service-caller';
import { shopOf } from '../../../test/shop';
import { command as renderCommand } from './render';
import { command as affectedCommand } from './affected';
import { eachFolder } from '../../../test/folder';

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

const folder = eachFolder({ isHere: true });

test.each(dialectsInTurn(0))('%s: a release of the design, and one of an environment', async (dialect) => {
  const shop = shopOf(dialect);
  const listening = await listen(shop.service, { port: 0 });
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
    expect(await render(latest)).toExitWith(6, { stderr: 'web/deployer was deleted since' });
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
    // A change of clouds names the newest release of the design, and pulls nothing.
    const clouds = await shop.clouds({ east: '1', west: '1' });
    await shop.ok(shop.send('PUT', shop.at('prod'), { clouds, cms_ci: { ciAttributes: {} } }));
    await shop.commit('prod');
    const placed = await newest(shop.at('prod', '/releases'));
    expect((await render(placed)).stdout).toBe(
      back.replace('{ east: { priority: 1 } }', '{ east: { priority: 1 }, west: { priority: 1 } }'),
    );
    expect(readFileSync('oneops.yaml', 'utf8')).toBe(FILE);
    expect(await render(7)).toExitWith(3, { stderr: 'history' });
  } finally {
    await listening.close();
    shop.close();
  }
});

// Which stacks of a repository differ from a commit, and why; and how their rendered files differ.
describe('affected', () => {
  const FILES = {
    'shop/Pulumi.yaml': 'name: shop\nruntime: oneops\n',
    'shop/Pulumi.dev.yaml': 'encryptionsalt: v1:one\nconfig: { shop:size: S, oneops:url: http://dev }\n',
    'shop/Pulumi.prod.yaml': 'config: { shop:size: L, shop:key: { secure: v1:abc } }\n',
    'shop/oneops.yaml': `assembly: { name: shop, owner: team@acme.io }
include: parts/*.yaml
config: { size: { type: string }, key: { type: string, secret: true, default: '' } }
platforms:
  web: { use: web, with: { size: '\${config.size}' } }
templates:
  web:
    parameters: { size: { type: string } }
    body: { pack: oneops/tomcat:1, components: { compute: { size: '\${param.size}' } } }
variables: { KEY: '\${config.key}' }
overlays: { prod: { platforms: { web: { description: the big one } } } }
`,
    'shop/parts/motd.yaml': 'variables: { MOTD: { fn::readFile: motd.txt } }\n',
    'shop/parts/motd.txt': 'Welcome\n',
    'wiki/Pulumi.yaml': 'name: wiki\nruntime: oneops\n',
    'wiki/oneops.yaml': 'assembly: { name: wiki, owner: team@acme.io }\n',
    'typed/Pulumi.yaml': 'name: typed\nruntime: nodejs\n',
  };

  const STACK = 'shop/oneops.yaml';
  const write = (name: string, text: string): void => folder.write({ [name]: text });
  const git = (...words: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...words], {
      cwd: folder.path,
      stdio: 'pipe',
    });
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '-q', '-m', message);
  };
  const run = (...words: readonly string[]) => runToEnd(affectedCommand, {}, '--since', 'HEAD', ...words);

  beforeEach(() => {
    folder.write(FILES);
    git('init', '-q', '-b', 'main');
    commit('first');
  });

  const edit = (name: keyof typeof FILES, from: string, to: string): void => {
    if (!FILES[name].includes(from)) throw new Error(`${name} does not contain ${from}`);
    write(name, FILES[name].replace(from, to));
  };

  test('the settings of a stack are not read again for each other stack', async () => {
    const reads = async (): Promise<number> => {
      const spy = jest.spyOn(fs, 'readFileSync');
      await run();
      const names = spy.mock.calls.map(([name]) => String(name));
      spy.mockRestore();
      return names.filter((name) => name.endsWith('Pulumi.dev.yaml')).length;
    };
    write('shop/parts/motd.txt', 'Hello\n');
    const few = await reads();
    for (const name of 'abcd') write(`shop/Pulumi.${name}.yaml`, 'config: {}\n');
    expect([few > 0, await reads()]).toEqual([true, few]);
  });

  test('nothing is affected by comments, layout, encryption keys and files of no stack', async () => {
    edit(STACK, 'platforms:', '# ours\nplatforms:');
    edit('shop/Pulumi.dev.yaml', 'v1:one', 'v1:two');
    write('README.md', 'hello\n');
    expect(await run()).toExitWith(0, { stdout: '', stderr: 'typed: a program' });
  });

  const inBoth = (place: string): readonly string[] => [`shop dev ${place}`, `shop prod ${place}`];

  test.each<readonly [name: string, change: () => void, expected: readonly string[]]>([
    ['an overlay', () => edit(STACK, 'the big one', 'the big two'), ['shop prod oneops.yaml:11']],
    [
      'a template',
      () => edit(STACK, 'compute: { size', 'compute: { require_public_ip: true, size'),
      inBoth('oneops.yaml:9'),
    ],
    ['what a function reads', () => edit('shop/parts/motd.txt', 'Welcome', 'Hello'), inBoth('parts/motd.txt')],
    [
      'what a pattern includes',
      () => write('shop/parts/more.yaml', 'variables: { B: b }\n'),
      inBoth('parts/more.yaml:1'),
    ],
    ['a secret', () => edit('shop/Pulumi.prod.yaml', 'v1:abc', 'v1:def'), ['shop prod Pulumi.prod.yaml:1']],
    ['the service', () => edit('shop/Pulumi.dev.yaml', 'http://dev', 'http://qa'), ['shop dev Pulumi.dev.yaml:2']],
    ['policies', () => write('wiki/policies.yaml', 'policies: []\n'), ['wiki - policies.yaml:1']],
    // What reviews leave out, runs leave as it is.
    ['a rule of reviews', () => write('wiki/drift.yaml', 'ignore: []\n'), ['wiki - drift.yaml:1']],
    ['a new stack', () => write('shop/Pulumi.qa.yaml', 'config: { shop:size: M }\n'), ['shop qa the stack is new']],
    ['a stack that went', () => rmSync(join(folder.path, 'shop/Pulumi.dev.yaml')), ['shop dev the stack was removed']],
    [
      'a removed line',
      () => edit(STACK, "variables: { KEY: '${config.key}' }\n", ''),
      inBoth('oneops.yaml:10 (removed)'),
    ],
    ['a mistake', () => edit('wiki/oneops.yaml', 'assembly', 'asembly'), ['wiki - oneops.yaml:1, oneops.yaml']],
  ])('%s: committed or not', async (_, change, expected) => {
    change();
    const now = await run();
    const found = now.stdout.split('\n').filter((line) => line !== '');
    expect(found.map((line) => line.replace(/ +/g, ' ').replace(/(\(removed\)).*/, '$1'))).toEqual(expected);
    expect(now).toExitWith(2);
    commit('second');
    expect(await run()).toExitWith(0);
    expect((await runToEnd(affectedCommand, {}, '--since', 'HEAD~1')).stdout).toBe(now.stdout);
  });

  test('--json is a matrix; folders restrict it; and no value of a secret is printed', async () => {
    write('shop/Pulumi.dev.yaml', 'config:\n  shop:size: M\n  shop:key: canary\n');
    const { stdout, code } = await run('--json', 'shop');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual([
      { folder: 'shop', stack: 'dev', reasons: expect.arrayContaining(['Pulumi.dev.yaml:2']) as string[] },
    ]);
    expect(stdout).not.toContain('canary');
    expect(await run('wiki')).toExitWith(0);
  });

  test('a commit that does not exist, and a folder without a repository, have one message', async () => {
    expect(await runToEnd(affectedCommand, {}, '--since', 'none')).toExitWith(3, {
      stderr: 'there is no commit none here',
    });
    expect(await run('shop/parts')).toExitWith(3, { stderr: 'no project in shop/parts' });
    process.chdir(tmpdir());
    expect(await run()).toExitWith(3);
  });

  describe('render --diff-from', () => {
    const render = (...words: readonly string[]) => {
      process.chdir(join(folder.path, 'shop'));
      return runToEnd(renderCommand, {}, '--diff-from', 'HEAD', ...words);
    };

    test('shows how each stack differs, with values of the configuration and without secrets', async () => {
      write('shop/Pulumi.dev.yaml', 'config: { shop:size: XL, shop:key: canary }\n');
      const { code, stdout } = await render();
      expect(code).toBe(2);
      expect(stdout.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
        '--- HEAD/oneops.yaml',
        '+++ dev/oneops.yaml',
        '-        size: S',
        '+        size: XL',
      ]);
      const markdown = await render('--markdown');
      expect(markdown.stdout).toContain('### Stack <code>dev</code>\n\n```diff\n@@');
      expect(stdout + markdown.stdout).not.toContain('canary');
      expect(await render('--stack', 'prod')).toExitWith(0);
    });

    test('a file with mistakes is reported; one that had some before counts as new', async () => {
      edit(STACK, 'variables', 'varibles');
      expect(await render()).toExitWith(3, { stdout: '' });
      commit('broken');
      write(STACK, FILES[STACK]);
      expect((await render('--stack', 'dev')).stdout).toContain('+assembly:');
    });
  });
});
