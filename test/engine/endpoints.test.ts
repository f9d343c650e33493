// Two services in one program, through a provider of its own for the second: each is spoken to with
// its own token only. And trouble with a service is reported once, however many resources it has.
import { inlineProgram, type InlineProgram } from './inline-program';
import { startService, TOKEN, type LiveService } from './live-service';

const WEST_TOKEN = 'canary-token-west-77e1';

const PROGRAM = `const oneops = require('pulumi-oneops');
const west = new oneops.Provider('west', {
  url: process.env.WEST_URL, organization: 'acme', tokenEnv: 'WEST_TOKEN',
});
new oneops.Assembly('home', { owner: 'team@acme.io' });
const away = new oneops.Assembly('away', { owner: 'team@acme.io' }, { provider: west });
new oneops.Platform('web', { assembly: away, source: 'oneops', pack: 'custom', version: '1' }, { provider: west });
`;

const THREE = `const oneops = require('pulumi-oneops');
for (const name of ['one', 'two', 'three']) new oneops.Assembly(name, { owner: 'team@acme.io' });
`;

const count = (text: string, part: string): number => text.split(part).length - 1;

let home: LiveService;
let west: LiveService;

beforeAll(async () => {
  home = await startService();
  west = await startService('classic', WEST_TOKEN);
});

afterAll(async () => {
  await home.stop();
  await west.stop();
});

describe('two services', () => {
  let project: InlineProgram;
  let told = '';

  beforeAll(async () => {
    const services = { ONEOPS_URL: home.url, ONEOPS_TOKEN: TOKEN, WEST_TOKEN, WEST_URL: west.url };
    project = await inlineProgram({ 'program.js': PROGRAM }, services);
  });

  afterAll(() => project.remove());

  const succeed = async (...operation: readonly string[]): Promise<void> => {
    const config = { 'oneops:url': home.url, 'oneops:organization': 'acme' };
    const { ok, shown } = await project.drive(config, ...operation);
    told += shown;
    expect([ok, shown]).toEqual([true, expect.any(String)]);
  };

  test('each gets its own records', async () => {
    await succeed('up');
    expect(await home.assemblies()).toEqual(['home']);
    expect(await west.assemblies()).toEqual(['away']);
    expect(await west.platforms('away')).toEqual(['web']);
    await succeed('preview', 'expectNoChanges');
    await succeed('refresh', 'expectNoChanges');
    await succeed('destroy');
    expect([await home.assemblies(), await west.assemblies()]).toEqual([[], []]);
  });

  test('no token went to a service it is not meant for, and none is reported or kept in clear', async () => {
    for (const live of [home, west]) {
      const users = new Set(live.service.journal().map(({ user }) => user));
      expect(users.has('admin')).toBe(true);
      expect(users.has(null)).toBe(false);
    }
    const everything = told + (await project.run('stack', 'export')).output;
    expect(everything).not.toContain(TOKEN);
    expect(everything).not.toContain(WEST_TOKEN);
  });
});

describe('trouble with a service is reported once for three resources', () => {
  test.each<[string, { readonly [key: string]: string }, string, number]>([
    // The engine asks for no more once a check has failed.
    ['a missing token', {}, 'oneops:token is missing', 0],
    ['a wrong token', { 'oneops:token': 'wrong-token' }, 'answered 401', 0],
    ['nobody there', { 'oneops:url': 'http://127.0.0.1:9', 'oneops:token': TOKEN }, '127.0.0.1:9 cannot be reached', 0],
  ])('%s', async (_, settings, once, others) => {
    const project = await inlineProgram({ 'program.js': THREE });
    const config = { 'oneops:url': home.url, 'oneops:organization': 'acme', ...settings };
    const { ok, shown } = await project.drive(config, 'up', 'continueOnError');
    await project.remove();
    expect(ok).toBe(false);
    // Rows show the same while the run lasts.
    const kept = shown.slice(shown.indexOf('Diagnostics:'));
    expect([count(kept, once), count(kept, 'as said before'), kept]).toEqual([1, others, expect.any(String)]);
    expect(shown).not.toContain('wrong-token');
  });
});
