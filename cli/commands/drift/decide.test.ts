// Deciding on a terminal: what a person sees and types there, and what becomes of it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openCommandWorld, FILE, type CommandWorld, type Ended, type Typed } from '../../../test/world/command-world';

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
  expect([again.outcome, again.findings.map(({ attribute, classification }) => [attribute, classification])]).toEqual([
    'in-sync',
    expect.arrayContaining([['attributes.description', 'healed']]),
  ]);
});
