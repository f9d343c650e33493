// Deciding on a terminal: what a person sees and types there, and what becomes of it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openCommandWorld, FILE, type CommandWorld, type Ended, type Typed } from '../../../test/drift/command-world';

const STATE = ['--state', 'state.json'];
const [UP, DOWN, RIGHT, LEFT] = ['\u001b[A', '\u001b[B', '\u001b[C', '\u001b[D'];
const [ENTER, CTRL_A, CTRL_C, CTRL_D, BACKSPACE, ESCAPE] = ['\r', '\u0001', '\u0003', '\u0004', '\u007f', '\u001b'];
const LIST = /\d+ of \d+ shown/;

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

const DECIDED: Typed = [
  [LIST, `username${RIGHT}${RIGHT}`],
  [/1 revert/, ESCAPE],
  [LIST, `desc${RIGHT}`],
  [/1 accept, 1 revert/, ENTER],
];

/** Ways to give up, by where. */
const LEAVING: { readonly [where: string]: Typed } = {
  'with Ctrl-C in the list': [[LIST, `${RIGHT}${CTRL_C}`]],
  'with Ctrl-D in the list': [[LIST, `${RIGHT}${CTRL_D}`]],
  'with nothing decided': [[LIST, `${UP}${DOWN}x${BACKSPACE}${ENTER}`]],
  'with every decision taken back': [[LIST, `${RIGHT}${CTRL_A}${LEFT}${CTRL_A}${ENTER}`]],
  'with Ctrl-C where it asks why': [
    [LIST, `${LEFT}${ENTER}`],
    [/why are they ignored\? $/, CTRL_C],
  ],
  'with Ctrl-C where it asks who': [
    [LIST, `${LEFT}${ENTER}`],
    [/why are they ignored\? $/, 'theirs\n'],
    [/who is responsible for it\? $/, CTRL_C],
  ],
  'with Ctrl-D where it asks whether to deploy': [...DECIDED, [/once it is set back\? \(yes\/no\) $/, CTRL_D]],
  'with no where it asks for the agreement': [
    ...DECIDED,
    [/once it is set back\? \(yes\/no\) $/, 'no\n'],
    [/send 1 request\? \(yes\/no\) $/, 'no\n'],
  ],
  'with Ctrl-C where it asks for the agreement': [
    [LIST, `desc${RIGHT}${ENTER}`],
    [/write 1 file\? \(yes\/no\) $/, CTRL_C],
  ],
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
    [LIST, `desc${RIGHT}`],
    [/1 accept/, ESCAPE],
    [LIST, `motd${RIGHT}${ENTER}`],
    [/write 1 file\? \(yes\/no\) $/, 'yes\n'],
  ]);
  expect([ended.code, stripVTControlCharacters(ended.stdout)]).toEqual([
    2,
    expect.stringMatching(/^left out: .*attributes\.description\n {2}it is an alias[^]*^written: oneops\.yaml/m),
  ]);
});

test('says before it asks what other stacks of the same files would declare', async () => {
  at.write('Pulumi.qa.yaml', 'config: {}\n');
  const ended = await play([
    [LIST, `desc${RIGHT}${ENTER}`],
    [/write 1 file\? \(yes\/no\) $/, 'no\n'],
  ]);
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
    return 'yes\n';
  };
  const ended = await play([
    [LIST, `desc${RIGHT}${ENTER}`],
    [/write 1 file\? \(yes\/no\) $/, edited],
  ]);
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
  expect([ended.code, ended.stdout]).toEqual([2, expect.not.stringMatching(LIST)]);
});

test('fits into 80 columns and 24 rows, and needs no colour', async () => {
  const ended = await at.drift([...STATE], { typed: [[LIST, `${DOWN}${CTRL_C}`]], environment: { NO_COLOR: '1' } });
  const [, screen = ''] = ended.stdout.split(/(?=type to filter)/);
  expect(screen).not.toContain('\u001b[1m');
  const lines = screen.split('\n');
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  expect(lines.length).toBeLessThan(24);
});

test('accepts, reverts and ignores, each after one confirmation of everything, and reviews again', async () => {
  const ended = await play([
    [LIST, `attributes.desc${RIGHT}`],
    [/1 accept, 0 revert/, `${ESCAPE}`],
    [LIST, `username${RIGHT}${RIGHT}`],
    [/1 accept, 1 revert/, ESCAPE],
    [LIST, `motd${LEFT}`],
    [/1 accept, 1 revert, 1 ignore/, ENTER],
    [/why are they ignored\? $/, 'rebuilt by hand\n'],
    [/who is responsible for it\? $/, 'ann@acme.io\n'],
    [/until which day[^]*\? $/, '2001-01-01\n'],
    [/until which day[^]*\? $/, '2999-12-31\n'],
    [/deploy prod, once it is set back\? \(yes\/no\) $/, 'yes\n'],
    [/write 2 files and send 1 request\? \(yes\/no\) $/, 'yes\n'],
  ]);
  const shown = stripVTControlCharacters(ended.stdout);
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  expect(shown).toMatch(/^\+ +description: somebody was here$/m);
  // The patch and the requests are shown as they are written and sent.
  expect(shown.split('\n').filter((line) => line.length > 80 && !/^([-+]|\s*[A-Z]+ \/)/.test(line))).toEqual([]);
  expect(shown).toMatch(/^\+ {4}owner: ann@acme\.io$/m);
  expect(shown).toMatch(/^ {2}PUT \/acme\/assemblies\/shop\/design\/.*"username":"deployer"/m);
  // What is accepted and ignored was committed, too: the deployment of what is set back brings it along.
  expect(shown).toMatch(/the deployment also brings what others committed:\n {2}release \d+ of acme\/shop by maria/);
  expect(shown).toContain('written: oneops.yaml, drift.yaml');
  expect(shown).toMatch(/IN SYNC: [^]*$/);
  expect(at.read('oneops.yaml')).toBe(FILE.replace('description: deploys', 'description: somebody was here'));
  expect(at.read('drift.yaml')).toContain('2999-12-31');
  const again = await at.review();
  expect([again.outcome, again.findings.map(({ attribute, classification }) => [attribute, classification])]).toEqual([
    'in-sync',
    expect.arrayContaining([['attributes.description', 'healed']]),
  ]);
});
