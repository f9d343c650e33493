// Two services in one program, through a provider of its own for the second: each is spoken to with
// its own token only.
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
  let output = '';

  beforeAll(async () => {
    const services = { ONEOPS_URL: home.url, ONEOPS_TOKEN: TOKEN, WEST_TOKEN, WEST_URL: west.url };
    project = await inlineProgram({ 'program.js': PROGRAM }, services);
  });

  afterAll(() => project.remove());

  const succeed = async (...operation: readonly string[]): Promise<void> => {
    const config = { 'oneops:url': home.url, 'oneops:organization': 'acme' };
    const { ok, shown } = await project.drive(config, ...operation);
    output += shown;
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
    const everything = output + (await project.run('stack', 'export')).output;
    expect(everything).not.toContain(TOKEN);
    expect(everything).not.toContain(WEST_TOKEN);
  });
});
