// Deciding on a terminal: what a person sees and types there, and what becomes of it.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { tmpdir } from 'node:os';
import { type CommandWorld, type Ended, FILE, openCommandWorld, type Typed } from '../../../test/world/command-world';
import { type FleetWorld, openFleetWorld } from '../../../test/world/fleet-world';
import { newDrafts } from './drafts';

describe('decide', () => {
  const STATE = ['--state', 'state.json'];
  const [TAKE, ENTER, CTRL_C, CTRL_D, ESCAPE] = ['\t', '\r', '\u0003', '\u0004', '\u001b'];
  const [ACCEPT, REVERT, IGNORE] = [/What do you accept\?/, /What do you revert\?/, /What do you ignore\?/];

  // One world for all of them: only the last test writes to the service, and each gets the file as it was.
  let at: CommandWorld;
  beforeAll(async () => {
    at = await openCommandWorld('documented');
    await at.tamper({ description: 'somebody was here', username: 'maria' });
    await at.detach('motd');
  });
  beforeEach(() => {
    at.write('oneops.yaml', FILE);
    at.world.requests();
  });
  afterAll(() => at.close());

  const play = (typed: Typed, ...words: readonly string[]): Promise<Ended> => at.drift([...STATE, ...words], { typed });

  /** Everything that a review, a decision or a command could have written. */
  const written = (): readonly unknown[] => [
    at.read('oneops.yaml'),
    at.has('drift.yaml'),
    at.world.requests().filter((line) => !line.startsWith('GET')),
  ];
  const NOTHING = [FILE, false, []];

  /** Keys that take the first line with a word, and go on. */
  const take = (word: string): string => `${word}${TAKE}${ENTER}`;

  const DECIDED: Typed = [
    [ACCEPT, take('desc')],
    [REVERT, take('username')],
    [IGNORE, ENTER],
  ];
  const ACCEPTED: Typed = [
    [ACCEPT, take('desc')],
    [REVERT, ENTER],
    [IGNORE, ENTER],
  ];
  const IGNORED: Typed = [
    [ACCEPT, ENTER],
    [REVERT, ENTER],
    [IGNORE, take('motd')],
  ];

  /** Ways to give up, by where. */
  const LEAVING: { readonly [where: string]: Typed } = {
    'with Ctrl-C in a list': [[ACCEPT, `${TAKE}${CTRL_C}`]],
    'with Ctrl-D in a later list': [
      [ACCEPT, take('desc')],
      [REVERT, CTRL_D],
    ],
    'with Escape in a list': [[ACCEPT, `${TAKE}${ESCAPE}`]],
    'with nothing decided': [
      [ACCEPT, ENTER],
      [REVERT, ENTER],
      [IGNORE, ENTER],
    ],
    'with every decision taken back': [
      [ACCEPT, `${TAKE}${TAKE}${ENTER}`],
      [REVERT, ENTER],
      [IGNORE, ENTER],
    ],
    'with Ctrl-C where it asks why': [...IGNORED, [/why are they ignored\?/, CTRL_C]],
    'with Ctrl-C where it asks who': [
      ...IGNORED,
      [/why are they ignored\?/, 'theirs\r'],
      [/who is responsible for it\?/, CTRL_C],
    ],
    'with Ctrl-D where it asks whether to deploy': [...DECIDED, [/once it is set back\?/, CTRL_D]],
    'with no where it asks for the agreement': [...DECIDED, [/once it is set back\?/, 'n'], [/send 1 request\?/, 'n']],
    'with Ctrl-C where it asks for the agreement': [...ACCEPTED, [/write 1 file\?/, CTRL_C]],
  };

  test.each(Object.entries(LEAVING))('writes nothing if a person leaves %s', async (_, typed) => {
    expect(await play(typed)).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/nothing (is decided|was written or sent)\n$/),
    });
    expect(written()).toEqual(NOTHING);
  });

  test('says which decisions it leaves out, and why, and does the others', async () => {
    at.write(
      'oneops.yaml',
      FILE.replace('username: deployer', 'username: &twice deployer').replace(
        'description: deploys',
        'description: *twice',
      ),
    );
    const ended = await play([
      [ACCEPT, `desc${TAKE}${'\u007f'.repeat(4)}motd${TAKE}${ENTER}`],
      [REVERT, ENTER],
      [IGNORE, ENTER],
      [/write 1 file\?/, 'y'],
    ]);
    expect([ended.code, stripVTControlCharacters(ended.stdout)]).toEqual([
      2,
      expect.stringMatching(/^left out: .*attributes\.description\n {2}it is an alias[^]*^written: oneops\.yaml/m),
    ]);
  });

  test('says before it asks what other stacks of the same files would declare', async () => {
    at.write('Pulumi.qa.yaml', 'config: {}\n');
    const ended = await play([...ACCEPTED, [/write 1 file\?/, 'n']]);
    rmSync(join(at.folder, 'Pulumi.qa.yaml'));
    const shown = stripVTControlCharacters(ended.stdout);
    expect(shown).toMatch(
      /^the same files would declare something else for other stacks, too: qa$[^]*\nnothing was written or sent$/m,
    );
    expect(written()).toEqual(NOTHING);
  });

  test('writes nothing if somebody edited a file while it asked', async () => {
    const theirs = `${FILE}# theirs\n`;
    const edited = (): string => {
      at.write('oneops.yaml', theirs);
      return 'y';
    };
    const ended = await play([...ACCEPTED, [/write 1 file\?/, edited]]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('somebody edited oneops.yaml meanwhile')]);
    expect(at.read('oneops.yaml')).toBe(theirs);
  });

  test.each([
    ['--no-prompt', ['--no-prompt'], {}],
    ['--json', ['--json'], {}],
    ['another report on the standard output', ['--report', 'markdown'], {}],
    ['a build', [], { CI: 'true' }],
    ['a terminal that cannot be drawn on', [], { TERM: 'dumb' }],
  ])('asks nothing with %s', async (_, words, environment) => {
    const ended = await at.drift([...STATE, ...words], { typed: [], environment });
    expect([ended.code, ended.stdout]).toEqual([2, expect.not.stringMatching(ACCEPT)]);
  });

  test('accepts, reverts and ignores, each after one confirmation of everything, and reviews again', async () => {
    const ended = await play([
      [ACCEPT, take('attributes.desc')],
      [REVERT, take('username')],
      [IGNORE, take('motd')],
      [/why are they ignored\?/, 'rebuilt by hand\r'],
      [/who is responsible for it\?/, 'ann@acme.io\r'],
      [/until which day/, '2001-01-01\r'],
      [/a day from \d/, `${'\u007f'.repeat(10)}2999-12-31\r`],
      [/deploy prod, once it is set back\?/, 'y'],
      [/write 2 files and send 1 request\?/, 'y'],
    ]);
    const shown = stripVTControlCharacters(ended.stdout);
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(shown).toMatch(/^\+ +description: somebody was here$/m);
    expect(shown).toMatch(/^\+ {4}owner: ann@acme\.io$/m);
    expect(shown).toMatch(/^ {2}PUT \/acme\/assemblies\/shop\/design\/.*"username":"deployer"/m);
    // What is accepted and ignored was committed, too: the deployment of what is set back brings it along.
    expect(shown).toMatch(/the deployment also brings what others committed:\n {2}release \d+ of acme\/shop by maria/);
    expect(shown).toContain('written: oneops.yaml, drift.yaml');
    expect(shown).toMatch(/IN SYNC: [^]*$/);
    expect(at.read('oneops.yaml')).toBe(FILE.replace('description: deploys', 'description: somebody was here'));
    expect(at.read('drift.yaml')).toContain('2999-12-31');
    const again = await at.review();
    expect([again.outcome, again.findings.map(({ attribute, classification }) => [attribute, classification])]).toEqual(
      ['in-sync', expect.arrayContaining([['attributes.description', 'healed']])],
    );
  });
});

// Deciding on causes on a terminal: in the review of one stack, and in that of a fleet.

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

// Files as they are to be written: what a person gets to know when one of them cannot be.
describe('drafts', () => {
  const before = process.cwd();
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-drafts-')));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a file that cannot be written is named with those that are written, that nothing was sent, and what to do', () => {
    const drafts = newDrafts();
    drafts.put('mail.yaml', 'a: 1\n');
    drafts.put('gone/news.yaml', 'b: 2\n');
    drafts.put('wiki.yaml', 'c: 3\n');
    expect(() => drafts.write()).toThrow(
      new Error(
        'cannot write gone/news.yaml: ENOENT; written: mail.yaml; not written: gone/news.yaml, wiki.yaml; no request was sent: make sure that gone/news.yaml can be written, and review again',
      ),
    );
    expect(readFileSync('mail.yaml', 'utf8')).toBe('a: 1\n');
  });

  test('when the first one cannot be written, nothing is', () => {
    const drafts = newDrafts();
    drafts.put('gone/news.yaml', 'b: 2\n');
    expect(() => drafts.write()).toThrow(
      /^cannot write gone\/news\.yaml: ENOENT; nothing was written or sent: make sure/,
    );
  });
});
