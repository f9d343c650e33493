// Deciding on causes on a terminal: in the review of one stack, and in that of a fleet.
import { stripVTControlCharacters } from 'node:util';
import { openCommandWorld, type CommandWorld, type Ended, type Typed } from '../../../test/world/command-world';
import { openFleetWorld, type FleetWorld } from '../../../test/world/fleet-world';

const [TAKE, ENTER, CTRL_C] = ['\t', '\r', '\u0003'];
const [ACCEPT, REVERT, IGNORE] = [/What do you accept\?/, /What do you revert\?/, /What do you ignore\?/];

describe('in the review of one stack', () => {
  let at: CommandWorld;
  beforeAll(async () => {
    at = await openCommandWorld('documented');
    for (const attachment of ['motd', 'cron']) await at.attach(attachment, { path: '/tmp/theirs' });
    await at.tamper({ description: 'somebody was here' });
  });
  afterAll(() => at.close());
  const play = (typed: Typed): Promise<Ended> => at.drift(['--state', 'state.json'], { typed });

  test('findings of one cause are one entry, and still entries of their own', async () => {
    const { stdout } = await play([[ACCEPT, CTRL_C]]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown).toMatch(/all 2: Attachment path \(cause \w{10}\./);
    expect(shown).toMatch(/web\/deployer\/motd path$/m);
    expect(shown).toMatch(/web\/deployer attributes\.description$/m);
  });

  test('a cause and its findings are decided on once', async () => {
    const { stdout } = await play([
      [ACCEPT, `motd${TAKE}${ENTER}`],
      [REVERT, `all${TAKE}${ENTER}`],
      [IGNORE, CTRL_C],
    ]);
    const [, last = ''] = stripVTControlCharacters(stdout).split('What do you ignore?');
    expect(last).toContain('attributes.description');
    expect(last).not.toContain('path');
  });

  test('accepting it writes each of its values, and nothing else', async () => {
    const before = at.read('oneops.yaml');
    const { code } = await play([
      [ACCEPT, `${TAKE}${ENTER}`],
      [REVERT, ENTER],
      [IGNORE, ENTER],
      [/write 1 file\?/, 'y'],
    ]);
    expect(code).toBe(2);
    expect(at.read('oneops.yaml')).toBe(before.replace(/\/etc\/(motd|cron)/g, '/tmp/theirs'));
  });
});

describe('in the review of a fleet', () => {
  let at: FleetWorld;
  beforeEach(async () => {
    at = await openFleetWorld(['mail', 'news', 'wiki']);
    for (const assembly of ['mail', 'news']) await at.tamperIn(assembly, { description: 'somebody was here' });
    await at.tamperIn('wiki', { username: 'maria' });
  });
  afterEach(() => at.close());
  const play = (typed: Typed, ...words: readonly string[]): Promise<Ended> =>
    at.drift(['--all', 'stacks/*', ...words], {}, typed);
  const writes = (): readonly string[] => at.world.requests().filter((line) => !line.startsWith('GET'));
  const files = (): readonly string[] => ['mail', 'news', 'wiki'].map((name) => at.read(`stacks/${name}/oneops.yaml`));

  test('a cause is reverted in all of its stacks after one confirmation, and the next review is clean of it', async () => {
    const before = files();
    const { code, stdout } = await play([
      [ACCEPT, ENTER],
      [REVERT, `somebody${TAKE}${ENTER}`],
      [IGNORE, `wiki${TAKE}${ENTER}`],
      [/why are they ignored\?/, 'theirs\r'],
      [/who is responsible for it\?/, 'ann@acme.io\r'],
      [/until which day/, '\r'],
      [/write 1 file and send 2 requests\?/, 'y'],
    ]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown).toMatch(/all 2 in 2 stacks: Component attributes\.description/);
    expect(shown).toMatch(/^stacks\/mail\/dev:\n.*attributes\.description\n {2}PUT /m);
    expect([code, shown]).toEqual([0, expect.stringMatching(/\nIN SYNC: 3 stacks: 3 in sync\n/)]);
    expect([files(), writes().length]).toEqual([before, 2]);
    expect(at.read('stacks/wiki/drift.yaml')).toContain('ann@acme.io');
  });

  test('what is not set back in one stack, or not deployed, is said of it with what is left to do, and the others go on', async () => {
    const file = 'stacks/news/oneops.yaml';
    at.write(file, `${at.read(file)}environments: { prod: { clouds: [east] } }\n`);
    const body = { errors: ['no'] };
    const refused = { effect: 'status', status: 422, body, nth: 1 } as const;
    at.world.service.faults.set([
      { ...refused, route: 'components.update' },
      { effect: 'status', status: 422, body, route: 'environments.read' },
    ]);
    const { code, stdout, stderr } = await play([
      [ACCEPT, ENTER],
      [REVERT, `somebody${TAKE}${ENTER}`],
      [IGNORE, ENTER],
      [/deploy prod of stacks\/news\/dev, once it is set back\?/, 'y'],
      [/send 2 requests\?/, 'y'],
    ]);
    // The environment cannot be read, so the review is incomplete, whatever was set back.
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^not set back: stacks\/mail\/dev: \w{10} Component acme\/mail\/web\/deployer attributes\.description\n.*no/m,
    );
    expect(stderr).toMatch(
      /^0 of 1 records of this stack were set back; what came after in it was not sent, and nothing in it was deployed\nnext: review again, and decide on what is still found$/m,
    );
    expect(stripVTControlCharacters(stdout)).toMatch(/^set back: stacks\/news\/dev: \w{10} Component acme\/news\//m);
    expect(stderr).toMatch(
      /^stacks\/news\/dev: it is set back, but not deployed: .*\n.*\nnext: commit, pull and deploy it in OneOps; pulumi up alone does not$/m,
    );
  });

  test('stacks that share their files get both values, in one patch', async () => {
    const both = at.read('stacks/mail/.state/dev.json');
    at.write('stacks/mail/.state/prod.json', both.replaceAll('::dev::', '::prod::').replaceAll(':dev:', ':prod:'));
    at.write('stacks/mail/.state/ls.json', JSON.stringify([{ name: 'dev' }, { name: 'prod' }]));
    const { stdout } = await play([
      [ACCEPT, `all${TAKE}${ENTER}`],
      [REVERT, ENTER],
      [IGNORE, ENTER],
      [/write 2 files\?/, 'y'],
    ]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown.match(/^\+ .*description: somebody was here$/gm)).toHaveLength(2);
    expect(shown).toMatch(/^stacks\/mail\/prod: .*(\n {2}.*)?\n {2}is already as decided$/m);
    for (const name of ['mail', 'news']) expect(at.read(`stacks/${name}/oneops.yaml`)).toContain('somebody was here');
  });
});
