// The commands clone and save: what they copy, what they report as not copied, and names that are taken or do not exist.
import { DIALECTS } from '../../api/contract';
import { runCommand, type Outcome } from '../../test/run-command';
import { ADMIN_TOKEN } from '../../test/service-caller';
import { shopOf, type Shop } from '../../test/shop';
import { listen, type Listening } from '../../service';
import { cloneCommand } from './clone';
import { saveCommand } from './save';

describe.each(DIALECTS)('%s', (dialect) => {
  let shop: Shop;
  let listening: Listening;
  /** Whether the answer to the next copy is lost. */
  let losesAnswer = false;

  const settings = () => ({
    ONEOPS_URL: listening.url,
    ONEOPS_ORGANIZATION: 'acme',
    ONEOPS_TOKEN: ADMIN_TOKEN,
  });
  const clone = (...words: readonly string[]): Promise<Outcome> => runCommand(cloneCommand, settings(), ...words);
  const save = (...words: readonly string[]): Promise<Outcome> => runCommand(saveCommand, settings(), ...words);
  const writes = (): number => shop.service.journal().filter(({ method }) => method !== 'GET').length;

  beforeAll(async () => {
    shop = shopOf(dialect);
    const { handle } = shop.service;
    const lossy: typeof handle = async (request) => {
      const response = await handle(request);
      if (!losesAnswer || !request.path.endsWith('/clone')) return response;
      losesAnswer = false;
      return { ...response, status: 502, headers: { 'content-type': 'text/html' }, body: '<html>bad gateway</html>' };
    };
    listening = await listen({ ...shop.service, handle: lossy }, { port: 0 });
    await shop.assembly();
    await shop.ok(
      shop.send('POST', '/acme/assemblies', { cms_ci: { ciName: 'empty', ciAttributes: { owner: 'team@acme.io' } } }),
    );
    await shop.platform('web', { pack: 'tomcat' });
    await shop.ok(
      shop.design('POST', '/variables', { cms_dj_ci: { ciName: 'REGION', ciAttributes: { value: 'east' } } }),
    );
    await shop.commitDesign();
    await shop.platform('cache', { pack: 'redisio' });
  }, 60_000);

  afterAll(async () => {
    await listening.close();
    shop.close();
  });

  const platformsOf = async (assembly: string): Promise<readonly string[]> =>
    (
      await shop.ok<readonly { readonly ciName: string }[]>(
        shop.send('GET', `/acme/assemblies/${assembly}/design/platforms`),
      )
    )
      .map(({ ciName }) => ciName)
      .sort();

  test('clone copies the design with its uncommitted changes, and says so', async () => {
    const { code, stdout, stderr } = await clone('acme/shop', 'shop-copy', '--description', 'of the shop');
    expect([code, stdout]).toEqual([
      0,
      'copied acme/shop to acme/shop-copy\nnext: pulumi-oneops import-file acme/shop-copy --below writes the file with which a stack takes it over\n',
    ]);
    // In `documented` every write of a design is committed immediately.
    expect(stderr).toMatch(dialect === 'classic' ? /^uncommitted changes of release \d+ are copied, too\n$/ : /^$/);
    expect(await platformsOf('shop-copy')).toEqual(['cache', 'web']);
    const copy = await shop.ok(shop.send('GET', '/acme/assemblies/shop-copy'));
    expect(copy.ciAttributes['description']).toBe('of the shop');
  });

  test('save saves the committed design, and says what it leaves out', async () => {
    const { code, stdout, stderr } = await save('acme/shop', 'storefront', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { name: 'storefront', ciId: expect.any(Number) as number }]);
    expect(stderr).toMatch(
      dialect === 'classic'
        ? /^uncommitted changes of release \d+ are not saved\nnot saved: \$REGION\n$/
        : /^not saved: \$REGION\n$/,
    );
    const { text } = await shop.send('GET', '/acme/catalog/designs/storefront/export');
    expect([text.includes('web'), text.includes('cache')]).toEqual([true, dialect === 'documented']);
    expect((await save('acme/shop')).stdout).toBe('saved the design of acme/shop as shop\n');
  });

  test('a lost answer: the copy is found, and made only once', async () => {
    losesAnswer = true;
    expect(await clone('acme/shop', 'lost', '--json')).toExitWith(0);
    losesAnswer = true;
    expect(await save('acme/shop', 'lost', '--json')).toExitWith(0);
    expect(losesAnswer).toBe(false);
    const designs = await shop.ok<readonly { readonly ciName: string }[]>(shop.send('GET', '/acme/catalog/designs'));
    expect(designs.filter(({ ciName }) => ciName === 'lost')).toHaveLength(1);
  });

  test.each<[string, 'clone' | 'save', readonly string[], string]>([
    ['clone without a name', 'clone', ['acme/shop'], 'clone needs an address and a name'],
    ['save without an address', 'save', [], 'save needs an address'],
    [
      'a name that is not valid',
      'clone',
      ['acme/shop', '1st'],
      '"1st" is not a name of an assembly: must be a letter, then',
    ],
    ['a reserved name', 'save', ['acme/shop', 'manifest'], '"manifest" is not a name of a design'],
    [
      'a name that is taken, in any case',
      'clone',
      ['acme/shop', 'SHOP'],
      'organization "acme" has an assembly "SHOP" already',
    ],
    ['an environment', 'clone', ['acme/shop/prod', 'copy'], '"acme/shop/prod" is not the address of an assembly'],
    [
      'an organization that the user does not have',
      'clone',
      ['acme/shop', 'copy', '--to', 'acmee'],
      'did you mean "acme"?',
    ],
    ['nothing to save', 'save', ['acme/empty'], 'assembly "empty" has no committed design to save'],
  ])('wrong use, %s: reported, and nothing is written', async (_, name, words, message) => {
    const before = writes();
    await expect((name === 'clone' ? clone : save)(...words)).rejects.toThrow(message);
    expect(writes()).toBe(before);
  });

  test('a saved name that is taken, an assembly that does not exist, a refused token', async () => {
    await save('acme/shop', 'once');
    await expect(save('acme/shop', 'Once')).rejects.toThrow(
      'the catalogue of organization "acme" has a design "Once" already',
    );
    expect(await clone('acme/shpo', 'copy')).toMatchObject({
      code: 1,
      stderr: 'pulumi-oneops: there is no assembly called "shpo": did you mean "shop"?\n',
    });
    const refused = await runCommand(saveCommand, { ...settings(), ONEOPS_TOKEN: 'wrong-token-31' }, 'acme/shop');
    expect(refused.code).toBe(4);
    expect(refused.stderr).not.toContain('wrong-token-31');
  });
});
