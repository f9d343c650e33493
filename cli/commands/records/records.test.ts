// The doctor: each thing that can be wrong is named with its cure, the exit code says which kind it is, and no token is ever shown.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen, type Listening, manualClock } from '../../../service';
import { dialectsInTurn } from '../../../test/dialects-in-turn';
import { type Outcome, runCommand, runToEnd } from '../../../test/run-command';
import { type CheckResult, command as doctorCommand } from './doctor';
import { knownPacks } from '../../../api/contract';
import { ADMIN_TOKEN, basic } from '../../../test/service-caller';
import { type Shop, shopOf } from '../../../test/shop';
import { command as discardCommand } from './discard';
import type { Command } from '../../command';
import { command as exportCommand } from './export';
import { command as importFileCommand } from './import-file';
import { command as packsCommand } from './packs';
import { commandService } from '../../../test/command-service';
import { eachFolder } from '../../../test/folder';

describe('doctor', () => {
  const folder = eachFolder({ isHere: true });
  const users = [
    { name: 'ann', token: 'canary-full' },
    { name: 'eve', token: 'canary-read', rights: 'read' },
    { name: 'zed', token: 'canary-other', organizations: ['beta'] },
  ] as const;
  const at = commandService('classic', undefined, { users, clock: manualClock(Date.now()) });

  type Environment = { readonly [name: string]: string };
  const doctor = (environment: Environment, ...words: readonly string[]): Promise<Outcome> =>
    runToEnd(doctorCommand, environment, ...words);
  const settings = (token: string, more: Environment = {}) => ({ ...at.settings, ONEOPS_TOKEN: token, ...more });

  type Results = { readonly [subject: string]: CheckResult };
  const bySubject = ({ stdout }: Outcome): Results =>
    Object.fromEntries((JSON.parse(stdout) as readonly CheckResult[]).map((result) => [result.subject, result]));

  /** What is not fine. Whatever pulumi this machine has, or has not, is no concern of these tests. */
  const faultsIn = (results: Results): readonly string[] =>
    Object.values(results)
      .filter(({ subject, verdict }) => subject !== 'engine' && verdict !== 'fine')
      .map(({ subject, verdict }) => `${subject} ${verdict}`);

  test('finds nothing wrong, and writes nothing', async () => {
    const before = at.service.journal().length;
    const found = bySubject(await doctor(settings('canary-full'), '--json'));
    expect(faultsIn(found)).toEqual([]);
    expect(found).toMatchObject({
      token: { says: 'is that of user ann' },
      dialect: { verdict: 'fine', says: expect.stringContaining('classic') as string },
      organization: { says: 'acme: 0 assemblies, 2 clouds' },
      rights: { says: 'may create assemblies' },
      clock: { verdict: 'fine' },
    });
    const sent = at.service.journal().slice(before);
    expect(sent.filter(({ method }) => method !== 'GET').map(({ route, status }) => `${route} ${status}`)).toEqual([
      'assemblies.create 422',
    ]);
  });

  test.each([
    ['that may only read', 'canary-read', 'acme', 'rights unsure', 'may not create assemblies'],
    // Where the user does not belong, nothing is said of rights.
    ['of a user of other organizations', 'canary-other', 'acme', 'organization wrong', undefined],
    ['for an organization that does not exist', 'canary-full', 'nowhere', 'organization wrong', undefined],
  ])('a token %s', async (_, token, organization, fault, rights) => {
    const found = bySubject(await doctor(settings(token, { ONEOPS_ORGANIZATION: organization }), '--json'));
    expect([faultsIn(found), found['rights']?.says]).toEqual([[fault], rights]);
  });

  const MISSING = [/:url, oneops:organization, oneops:token are missing/, /pulumi config set --secret oneops:token/];

  test.each<[string, token: string, more: Environment, code: number, stdout: RegExp | readonly RegExp[]]>([
    ['a token that nobody has', 'canary-wrong', {}, 4, /✗ token {9}the service does not know it\n {16}make a new one/],
    ['no settings', '', { ONEOPS_URL: '', ONEOPS_ORGANIZATION: '' }, 4, MISSING],
    ['no answer', 'canary-full', { ONEOPS_URL: 'http://127.0.0.1:9' }, 1, /✗ service {7}.*cannot be reached/],
    ['an address in clear', 'canary-full', { ONEOPS_URL: 'http://oneops.example.com' }, 3, /unencrypted/],
  ])('%s: what to do, and no token is shown', async (_, token, more, code, stdout) => {
    expect(await doctor(settings(token, more))).toExitWith(code, { stdout, without: 'canary' });
  });

  test('something else that answers at the address', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
    const { url, close } = await listen({ ...at.service, handle: () => Promise.resolve(page) }, { port: 0 });
    const ended = await doctor(settings('canary-full', { ONEOPS_URL: url }));
    await close();
    expect(ended).toExitWith(1, { stdout: /✗ service/, without: 'canary' });
  });

  test.each([
    ['an hour ahead', 3_600_000, 'unsure'],
    ['an hour behind', -3_600_000, 'unsure'],
    ['a second apart', 1_000, 'fine'],
  ])('a clock %s deserves a look, or is fine, and fails nothing', async (_, apart, verdict) => {
    const clock = manualClock(Date.now() + apart);
    const { url, close } = await listen({ ...at.service, clock }, { port: 0 });
    const found = bySubject(await doctor(settings('canary-full', { ONEOPS_URL: url }), '--json'))['clock'];
    await close();
    expect(found?.verdict).toBe(verdict);
    if (verdict === 'fine') return;
    expect(found?.advice).toContain('NTP');
    expect(Math.abs(Number(/^(\d+) s from/.exec(found?.says ?? '')?.[1]) - 3600)).toBeLessThanOrEqual(5);
  });

  const DIALECT = '"oneops:dialect":{"value":"documented","secret":false}';

  test.each([
    ['a token in clear', '"oneops:token":{"value":"canary-full","secret":false}', 'stack', 'unsure'],
    ['an encrypted token', '"oneops:token":{"value":"canary-full","secret":true}', 'stack', undefined],
    ['another dialect', `"oneops:token":{"value":"canary-full","secret":true},${DIALECT}`, 'dialect', 'unsure'],
  ])('the stack contains %s', async (_, configuration, subject, verdict) => {
    folder.pulumi(`[ "$1" = version ] && echo v3.259.0 || echo '{${configuration}}'`);
    folder.write({ 'Pulumi.yaml': 'name: shop\n' });
    const { ONEOPS_TOKEN: _token, ...withoutToken } = at.settings;
    const done = await doctor({ ...withoutToken, PATH: folder.path }, '--json');
    expect(bySubject(done)[subject]?.verdict).toBe(verdict);
    expect(done.stdout).not.toContain('canary');
  });

  const OLD = { verdict: 'unsure', advice: '3.259 is the oldest that is tried; install a newer one' } as const;
  const NONE = { verdict: 'wrong', advice: 'install it as its pages say, and put it on PATH' } as const;
  const HOSTED = { 'Pulumi.yaml': 'name: shop\nruntime: oneops\n' };
  const CACHED = { ...HOSTED, 'home/plugins/language-oneops-v0.0.1/x': '' };
  const NAMED = { 'Pulumi.yaml': 'name: shop\nruntime: oneops\nplugins: {}\n' };
  const PROGRAM = { 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' };

  test.each<[string, string | undefined, string, Partial<CheckResult> | undefined, object?]>([
    ['no engine', undefined, 'engine', { ...NONE, says: 'there is no pulumi on PATH' }],
    ['a broken engine', 'exit 3', 'engine', { ...NONE, says: 'the pulumi on PATH does not print its version' }],
    ['an engine that is too old', 'echo v3.258.9', 'engine', { ...OLD, says: 'Pulumi v3.258.9' }],
    ['an engine of another age', 'echo v2.300.0', 'engine', { ...OLD, says: 'Pulumi v2.300.0' }],
    ['the oldest engine that is tried', 'echo v3.259.0', 'engine', { verdict: 'fine', says: 'Pulumi v3.259.0' }],
    ['an engine of the next age', 'echo v4.0.1', 'engine', { verdict: 'fine', says: 'Pulumi v4.0.1' }],
    ['no language host', 'echo v3.259.0', 'host', { verdict: 'wrong' }, HOSTED],
    ['a language host in the cache', 'echo v3.259.0', 'host', { verdict: 'fine' }, CACHED],
    ['a language host that the project names', 'echo v3.259.0', 'host', undefined, NAMED],
    ['a program, which needs no language host', 'echo v3.259.0', 'host', undefined, PROGRAM],
  ])('%s', async (_, script, subject, expected, files = {}) => {
    if (script !== undefined) folder.pulumi(script);
    folder.write({ ...files });
    const home = { PATH: folder.path, PULUMI_HOME: join(folder.path, 'home') };
    const done = await doctor(settings('canary-full', home), '--json');
    const found = bySubject(done)[subject];
    expect(done).toExitWith(expected?.verdict === 'wrong' ? 1 : 0);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
    if (expected?.verdict === 'fine') expect(found).not.toHaveProperty('advice');
  });

  test('a stack that does not exist is one result among the others', async () => {
    folder.pulumi(`case "$1 $2" in *' ls') echo '[{"name":"prod"}]' ;; version*) echo v3.259.0 ;; *) exit 1 ;; esac`);
    folder.write({ 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' });
    const done = await doctor(settings('canary-full', { PATH: folder.path }), '--stack', 'prd', '--json');
    expect(done).toExitWith(3);
    const says = `the project has no stack named 'prd': did you mean "prod"?`;
    expect(bySubject(done)).toMatchObject({ settings: { verdict: 'wrong', says }, engine: { verdict: 'fine' } });
  });
});

// The discard command: it shows what would be lost and who wrote it, asks, and discards nothing else.

const MARIA = 'maria-token-5501';

describe.each(dialectsInTurn(0))('discard, %s', (dialect) => {
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
  const threads = (max_threads: string): Promise<unknown> =>
    asMaria('PUT', shop.at('prod', '/platforms/web/components/tomcat'), {
      cms_dj_ci: { ciAttributes: { max_threads } },
    });

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
    await threads('77');
    await shop.ok(
      shop.send('PUT', shop.at('prod', '/platforms/db'), { cms_dj_ci: { ciAttributes: { autoscale: 'true' } } }),
    );
    const { ciId } = await shop.manifest('prod', 'db');
    await asMaria('PUT', shop.at('prod', '/disable'), { platformCiIds: [ciId] });
    const shown = await sent(['acme/shop/prod', '--dry-run']);
    expect(shown.writes).toEqual([]);
    expect(shown.outcome).toExitWith(0, {
      stdout: [
        /^the manifest release of acme\/shop\/prod: \d+, opened by admin at .*, 4 changes\n/,
        /\n {2}component web\/tomcat: update of max_threads by maria at /,
        /\n {2}platform db: update of autoscale by admin at /,
        /\n {2}platform web: use of cloud west: update of pct_scale by admin at /,
        /\n {2}platform db: whether it is enabled: update of enabled by maria at /,
      ],
    });
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
    await threads('77');
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
    between = () => threads('88');
    const { outcome, writes } = await sent(['acme/shop/prod', '--yes', '--others']);
    expect([outcome.code, writes]).toEqual([1, ['environmentPlatforms.updateComponent']]);
    expect(outcome.stderr).toBe('nothing was discarded: it changed since it was shown; run the command again\n');
    between = undefined;
    expect(await discard('acme/shop/prod', '--yes', '--others')).toExitWith(0);
  });

  test.each<[string, readonly string[], string]>([
    ['no address', [], 'discard needs one address: acme/shop or acme/shop/prod'],
    ['two addresses', ['acme/shop', 'acme/shop/prod'], 'is one argument too many'],
    ['no stack, or another organization', ['other/shop'], 'write an address, as in acme/shop/prod'],
    ['a plan of a design', ['acme/shop', '--bom'], '--bom needs an environment'],
  ])('wrong use, %s: one message', async (_, words, message) => {
    expect(await discard(...words)).toExitWith(3, { stderr: message });
  });

  test('without a token, or with a refused one: 4, and the token in no message', async () => {
    const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme' };
    expect(await runToEnd(discardCommand, settings, 'acme/shop')).toExitWith(4);
    expect(await runToEnd(discardCommand, { ...settings, ONEOPS_TOKEN: 'wrong-token-99' }, 'acme/shop')).toExitWith(4, {
      without: 'wrong-token-99',
    });
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
    expect(await runToEnd(discardCommand, settings, 'acme/shop', '--yes')).toExitWith(1);
    expect(await runToEnd(discardCommand, settings, 'acme/shop', '--yes', '--others')).toExitWith(0);
    const { text } = await shop.design('GET', '/platforms');
    expect(text).not.toContain('cache');
  } finally {
    await listening.close();
    shop.close();
  }
});

// The export command and `import-file --declared`: what is written where, what a person reads, that only GETs are sent, and that no secret is shown.
describe('export', () => {
  eachFolder({ isHere: true });
  const at = commandService('classic', async () => {
    await at.make('Assembly', { name: 'shop', owner: 'team@acme.io' });
    await at.make('Platform', { assembly: 'shop', name: 'web', source: 'oneops', pack: 'custom', version: '1' });
    await at.make('Variable', { assembly: 'shop', name: 'KEY', encryptedValue: 'canary-secret-77aa' });
  });
  const run = (command: Command, ...words: readonly string[]): Promise<Outcome> => at.read(command, ...words);

  const TEXT = `# Written by pulumi-oneops export from acme/shop.
# Its environments are not in it.
config:
  KEY: { type: string, secret: true }

assembly: { name: shop, owner: team@acme.io }

variables: { KEY: '$\{config.KEY}' }

platforms:
  web: { pack: oneops/custom:1 }
`;

  test('the file goes to the standard output, and what to do next to a person', async () => {
    const { code, stdout, stderr } = await run(exportCommand, '--assembly', 'shop');
    expect([code, stdout]).toEqual([0, TEXT]);
    expect(stderr.split('\n')).toEqual([
      'acme/shop: 4 resources',
      'secret KEY: Variable acme/shop/variables/KEY encryptedValue',
      'To bring the records into a stack, run:',
      '  pulumi stack init',
      '  pulumi config set --secret KEY',
      '  pulumi-oneops import-file --declared --output import.json',
      '  pulumi import --file import.json --generate-code=false --protect=false',
      '  rm import.json',
      '  pulumi preview',
      '  pulumi up',
      '',
    ]);
  });

  test('a folder gets a project too, and a file that exists is not replaced', async () => {
    expect(await run(exportCommand, '--assembly', 'shop', '--out', 'shop')).toExitWith(0, {
      stdout: '',
      stderr: ['acme/shop: 4 resources in shop/oneops.yaml', 'also written: Pulumi.yaml, .gitignore\n', '  cd shop\n'],
    });
    expect(readFileSync('shop/oneops.yaml', 'utf8')).toBe(TEXT);
    expect(readFileSync('shop/Pulumi.yaml', 'utf8')).toContain('name: shop\nruntime: oneops\n');
    expect(await run(exportCommand, '--assembly', 'shop', '--out', 'shop')).toExitWith(3);
  });

  test('the same as JSON', async () => {
    const { code, stdout, stderr } = await run(exportCommand, '--assembly', 'shop', '--json', '--out', 'shop');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      assembly: 'acme/shop',
      environments: false,
      declared: 4,
      file: 'shop/oneops.yaml',
      secrets: [{ name: 'KEY', kind: 'Variable', id: 'acme/shop/variables/KEY', path: ['encryptedValue'] }],
      notes: [],
      faults: [],
    });
  });

  test('wrong use, and an assembly that does not exist', async () => {
    expect(await run(exportCommand)).toExitWith(3);
    expect(await run(exportCommand, '--assembly', 'shpo', '--out', 'shpo')).toExitWith(1, {
      stderr: 'there is nothing at acme/shpo',
    });
    expect(existsSync('shpo')).toBe(false);
  });

  test('import-file --declared needs a stack file, its configuration, and no address', async () => {
    expect(await run(importFileCommand, '--declared', 'acme/shop')).toExitWith(3);
    expect(await run(importFileCommand, '--declared')).toExitWith(3, {
      stderr: 'there is no stack file to import from',
    });
    await run(exportCommand, '--assembly', 'shop', '--out', '.');
    expect(await run(importFileCommand, '--declared')).toExitWith(3, { stderr: 'KEY' });
    expect(existsSync('import.json')).toBe(false);
  });
});

// The packs command: everything the catalogue holds, in short, in full and as JSON; and what it says to a wrong name.

async function packs(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await runCommand(packsCommand, {}, ...words);
  expect(code).toBe(0);
  return stdout;
}

test('without a name, every pack has a line', async () => {
  const text = await packs();
  for (const { source, name, version, description } of knownPacks)
    expect(text).toMatch(new RegExp(`^${source}/${name}:${version} .* ${description}$`, 'm'));
});

test.each(['tomcat', 'oneops/tomcat', 'oneops/tomcat:1', 'tomcat:1'])(
  '%s: templates and attributes in full',
  async (name) => {
    const text = await packs(name);
    expect(text).toMatch(/^ {2}user +0\.\.\* +User +Account$/m);
    expect(text).toMatch(/^user \(User\)$/m);
    expect(text).toMatch(/^ {2}username +text, required .*3 to 15 characters of a-z/m);
    expect(text).toMatch(/^ {2}install_type +text, required += binary .*one of repository, binary$/m);
  },
);

test('as JSON, with the values that are allowed; no default of a secret', async () => {
  const described = JSON.parse(await packs('mysql', '--json')) as readonly [
    { readonly templates: readonly { readonly name: string; readonly attributes: readonly object[] }[] },
  ];
  const attributesOf = (template: string) => described[0].templates.find(({ name }) => name === template)?.attributes;
  expect(attributesOf('volume')).toContainEqual(
    expect.objectContaining({
      name: 'fstype',
      default: 'xfs',
      ofPack: true,
      allowed: expect.arrayContaining(['ext4']) as string[],
    }),
  );
  expect(attributesOf('mysql')).toContainEqual(
    expect.objectContaining({ name: 'password', secret: true, default: '' }),
  );
});

test.each([
  [['tomcatt'], /there is no pack "tomcatt"/],
  [['--packs', '/nowhere/at/all'], /\/nowhere\/at\/all/],
])('%j is refused with the reason', async (words, reason) => {
  await expect(packsCommand.run(words)).rejects.toThrow(reason);
});
