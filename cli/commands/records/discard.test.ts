// The discard command: it shows what would be lost and who wrote it, asks, and discards nothing else.
import { DIALECTS } from '../../../api/contract';
import { runToEnd, type Outcome } from '../../../test/run-command';
import { ADMIN_TOKEN, basic } from '../../../test/service-caller';
import { shopOf, type Shop } from '../../../test/shop';
import { listen, type Listening } from '../../../service';
import { discardCommand } from './discard';

const MARIA = 'maria-token-5501';

describe.each(DIALECTS)('discard, %s', (dialect) => {
  let shop: Shop;
  let listening: Listening;
  /** What another user does between the first read and the discard. */
  let between: (() => Promise<unknown>) | undefined;

  const discard = (...words: readonly string[]): Promise<Outcome> =>
    runToEnd(
      discardCommand,
      { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: ADMIN_TOKEN },
      ...words,
    );
  const sent = async (
    words: readonly string[],
  ): Promise<{ readonly outcome: Outcome; readonly writes: readonly string[] }> => {
    const before = shop.service.journal().length;
    const outcome = await discard(...words);
    const writes = shop.service.journal().slice(before);
    return { outcome, writes: writes.flatMap(({ method, route }) => (method === 'GET' ? [] : [String(route)])) };
  };
  const asMaria = (method: string, path: string, body: object): Promise<unknown> =>
    shop.ok(shop.send(method, path, body, { authorization: basic(MARIA) }));

  beforeAll(async () => {
    shop = shopOf(dialect, { users: [{ name: 'maria', token: MARIA }] });
    between = undefined;
    const { handle } = shop.service;
    const interrupted: typeof handle = async (request) => {
      // The command asks for its own user between the two reads.
      if (request.path.includes('/account/profile')) await between?.();
      return handle(request);
    };
    listening = await listen({ ...shop.service, handle: interrupted }, { port: 0 });
    await shop.assembly();
    await shop.platform('db', { pack: 'mysql' });
    await shop.platform('web', { pack: 'tomcat', links: ['db'] });
    await shop.ok(
      shop.design('POST', '/variables', { cms_dj_ci: { ciName: 'REGION', ciAttributes: { value: 'east' } } }),
    );
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1', west: '1' }));
    await shop.settled('prod');
    expect(await shop.deploy('prod')).toBe('complete');
  }, 60_000);

  afterAll(async () => {
    await listening.close();
    shop.close();
  });

  test('nothing is open: says so, and sends nothing', async () => {
    for (const [address, noun] of [
      ['acme/shop', 'the design release'],
      ['acme/shop/prod', 'the manifest release'],
    ]) {
      const { outcome, writes } = await sent([String(address)]);
      expect([outcome, writes]).toEqual([
        { code: 0, stdout: `${noun} of ${address} is not open: nothing to discard\n`, stderr: '' },
        [],
      ]);
    }
    expect((await discard('acme/shop/prod', '--bom')).stdout).toContain('the plan of acme/shop/prod is not open');
  });

  test('changes of an environment: shown with their authors, refused if some are by others, and discarded', async () => {
    await shop.ok(shop.configure('prod', 'web', 'west', { pct_scale: '50' }));
    await asMaria('PUT', shop.at('prod', '/platforms/web/components/tomcat'), {
      cms_dj_ci: { ciAttributes: { max_threads: '77' } },
    });
    await shop.ok(
      shop.send('PUT', shop.at('prod', '/platforms/db'), { cms_dj_ci: { ciAttributes: { autoscale: 'true' } } }),
    );
    const { ciId } = await shop.manifest('prod', 'db');
    await asMaria('PUT', shop.at('prod', '/disable'), { platformCiIds: [ciId] });
    const shown = await sent(['acme/shop/prod', '--dry-run']);
    expect(shown.writes).toEqual([]);
    expect(shown.outcome.code).toBe(0);
    expect(shown.outcome.stdout).toMatch(
      /^the manifest release of acme\/shop\/prod: \d+, opened by admin at .*, 4 changes\n/,
    );
    expect(shown.outcome.stdout).toMatch(/\n {2}component web\/tomcat: update of max_threads by maria at /);
    expect(shown.outcome.stdout).toMatch(/\n {2}platform db: update of autoscale by admin at /);
    expect(shown.outcome.stdout).toMatch(/\n {2}platform web: use of cloud west: update of pct_scale by admin at /);
    expect(shown.outcome.stdout).toMatch(/\n {2}platform db: whether it is enabled: update of enabled by maria at /);
    const refused = await sent(['acme/shop/prod', '--yes']);
    expect([refused.outcome.code, refused.writes]).toEqual([1, []]);
    expect(refused.outcome.stderr).toContain('nothing was discarded: maria changed it, too; ask them, or discard');
    const silent = await sent(['acme/shop/prod', '--others']);
    expect([silent.outcome.code, silent.writes]).toEqual([1, []]);
    expect(silent.outcome.stderr).toContain('nothing was sent: agree with --yes');
    const done = await sent(['acme/shop/prod', '--others', '--yes']);
    expect([done.outcome.code, done.writes]).toEqual([0, ['environments.discard']]);
    expect(done.outcome.stdout).toMatch(/\ndiscarded release \d+\nnext: pulumi up --refresh/);
    expect((await discard('acme/shop/prod')).stdout).toContain('is not open');
    const web = await shop.ok(shop.send('GET', shop.at('prod', '/platforms/web/components/tomcat')));
    expect([web.rfcAction, web.ciAttributes['max_threads']]).not.toEqual(['update', '77']);
  });

  test('a plan: shown by its instances, and discarded', async () => {
    await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'inactive' }));
    await asMaria('PUT', shop.at('prod', '/platforms/web/components/tomcat'), {
      cms_dj_ci: { ciAttributes: { max_threads: '77' } },
    });
    const { bom } = await shop.commit('prod');
    expect(bom).toBeDefined();
    const shown = await discard('acme/shop/prod', '--bom', '--dry-run');
    expect(shown.stdout).toMatch(/\n {2}instance web\/tomcat-\d+-1: update of .*max_threads by admin at /);
    const done = await sent(['acme/shop/prod', '--bom', '--yes', '--json']);
    expect([done.outcome.code, done.writes]).toEqual([0, ['environmentReleases.discard']]);
    expect(JSON.parse(done.outcome.stdout)).toMatchObject({
      discarded: true,
      release: { kind: 'bom', releaseId: bom?.releaseId, createdBy: 'admin' },
    });
  });

  test('a release that changes between the read and the discard is not discarded', async () => {
    await shop.ok(shop.configure('prod', 'web', 'west', { pct_scale: '50' }));
    const path = shop.at('prod', '/platforms/web/components/tomcat');
    between = () => asMaria('PUT', path, { cms_dj_ci: { ciAttributes: { max_threads: '88' } } });
    const { outcome, writes } = await sent(['acme/shop/prod', '--yes', '--others']);
    expect([outcome.code, writes]).toEqual([1, ['environmentPlatforms.updateComponent']]);
    expect(outcome.stderr).toBe('nothing was discarded: it changed since it was shown; run the command again\n');
    between = undefined;
    expect((await discard('acme/shop/prod', '--yes', '--others')).code).toBe(0);
  });

  test.each<[string, readonly string[], string]>([
    ['no address', [], 'discard needs one address: acme/shop or acme/shop/prod'],
    ['two addresses', ['acme/shop', 'acme/shop/prod'], 'discard needs one address'],
    ['no stack, or another organization', ['other/shop'], 'write an address, as in acme/shop/prod'],
    ['a plan of a design', ['acme/shop', '--bom'], '--bom needs an environment'],
  ])('wrong use, %s: one message', async (_, words, message) => {
    expect(await discard(...words)).toMatchObject({ code: 3, stderr: expect.stringContaining(message) as string });
  });

  test('for names that do not exist, the nearest one', async () => {
    expect((await discard('acme/shpo')).stderr).toContain('there is no assembly called "shpo": did you mean "shop"?');
    expect((await discard('acme/shop/prd')).stderr).toContain(
      'there is no environment of assembly "shop" called "prd": did you mean "prod"?',
    );
    expect((await discard('acme/shop/prd')).code).toBe(1);
  });

  test('without a token, or with a refused one: 4, and the token in no message', async () => {
    const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme' };
    expect((await runToEnd(discardCommand, settings, 'acme/shop')).code).toBe(4);
    const refused = await runToEnd(discardCommand, { ...settings, ONEOPS_TOKEN: 'wrong-token-99' }, 'acme/shop');
    expect(refused.code).toBe(4);
    expect(refused.stderr).not.toContain('wrong-token-99');
  });
});

test('changes of a design: shown without those that come with a new platform, and discarded', async () => {
  const shop = shopOf('classic', { users: [{ name: 'maria', token: MARIA }] });
  const listening = await listen(shop.service, { port: 0 });
  const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: ADMIN_TOKEN };
  const secret = 'demo-secret-77';
  try {
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
    await shop.commitDesign();
    await shop.platform('cache', { pack: 'redisio' });
    await shop.ok(
      shop.send(
        'PUT',
        '/acme/assemblies/shop/design/platforms/web/components/tomcat',
        { cms_dj_ci: { ciAttributes: { max_threads: '77' } } },
        { authorization: basic(MARIA) },
      ),
    );
    await shop.ok(
      shop.design('POST', '/platforms/web/variables', {
        cms_dj_ci: { ciName: 'KEY', ciAttributes: { secure: 'true', encrypted_value: secret } },
      }),
    );
    const shown = await runToEnd(discardCommand, settings, 'acme/shop', '--dry-run');
    expect(
      shown.stdout
        .split('\n')
        .slice(1, 5)
        .map((line) => line.replace(/ at .*/, '')),
    ).toEqual([
      '  platform cache: add by admin',
      '  component web/tomcat: update of max_threads by maria',
      '  variable web/$KEY: add by admin',
      '  the service does not list changes of links between platforms and of dependencies between components',
    ]);
    expect(shown.stdout).not.toContain(secret);
    expect((await runToEnd(discardCommand, settings, 'acme/shop', '--yes')).code).toBe(1);
    expect((await runToEnd(discardCommand, settings, 'acme/shop', '--yes', '--others')).code).toBe(0);
    const { text } = await shop.design('GET', '/platforms');
    expect(text).not.toContain('cache');
  } finally {
    await listening.close();
    shop.close();
  }
});
