// The demo refuses before it makes anything; the story `readme` runs it to its end, and stops it half-way.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { type Outcome, runCommand } from '../../../test/run-command';
import { command as demoCommand } from './demo';
import { RULE_NAMES } from '../../../policy';
import { command as policiesCommand } from './policies';
import { version } from '../../../package.json';
import { command as setupCommand } from './setup';
import { rehearsalText } from './rehearse';
import { readPreview } from '../../../preview';
import { countedIn, readExpectations } from './expectations';
import { eachFolder } from '../../../test/folder';

const folder = eachFolder();

test('without a CLI there is a reason, and nothing is left', async () => {
  await expect(runCommand(demoCommand, { PATH: folder.path, TMPDIR: folder.path })).rejects.toThrow(
    /^demo needs Pulumi's CLI 3\.259 or later, and there is no pulumi on PATH\n {2}install it:/,
  );
  expect(readdirSync(folder.path)).toEqual([]);
});

// The policies command: rules, and the exceptions of a file.

test('each rule has a line', async () => {
  const { stdout } = await runCommand(policiesCommand, {});
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...RULE_NAMES, '']);
});

test('exceptions are listed; one whose last day has passed ends the list with 5', async () => {
  const except = (until: string): string => `{ record: shop/dev, reason: a trial, owner: maria, until: ${until} }`;
  const listed = (...exceptions: readonly string[]): ReturnType<typeof runCommand> => {
    folder.write({ 'policies.yaml': `policies: { autorepair: { except: [${exceptions.join()}] } }\n` });
    return runCommand(policiesCommand, {}, '--exceptions', '--policies', join(folder.path, 'policies.yaml'), '--json');
  };
  const held = await listed(except('2999-12-31'));
  expect([held.code, JSON.parse(held.stdout)]).toEqual([
    0,
    [expect.objectContaining({ owner: 'maria', ended: false })],
  ]);
  expect(await listed(except('2999-12-31'), except('2020-01-31'))).toExitWith(5);
});

// `setup` with a `pulumi` that only copies: what is installed, kept, replaced and refused, and what is said about it.
describe('setup', () => {
  /** Installs as the CLI does: a plugin that exists stays, unless --reinstall is given. */
  const COPIES = `to="$PULUMI_HOME/plugins/$3-$4-v$5"
[ -d "$to" ] && [ "$8" != --reinstall ] && exit 0
rm -rf "$to"; mkdir -p "$PULUMI_HOME/plugins"; cp -r "$7" "$to"`;
  const cli = (version: string, plugin: string): string =>
    `if [ "$1" = version ]; then echo ${version}; exit; fi\n${plugin}`;

  async function setup(script: string | undefined, ...words: readonly string[]): Promise<Outcome> {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin, { recursive: true });
    if (script !== undefined) {
      writeFileSync(join(bin, 'pulumi'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, 'pulumi'), 0o755);
    }
    const PATH = script === undefined ? bin : [bin, '/usr/bin', '/bin'].join(delimiter);
    return runCommand(setupCommand, { PATH, PULUMI_HOME: join(folder.path, 'home') }, ...words);
  }

  const host = (kind = 'language', name = 'oneops'): string =>
    join(folder.path, 'home', 'plugins', `${kind}-${name}-v${version}`, `pulumi-${kind}-${name}`);
  const outcomes = ({ stdout }: Outcome): readonly string[] =>
    (JSON.parse(stdout) as { plugins: readonly { kind: string; outcome: string }[] }).plugins.map(
      ({ kind, outcome }) => `${kind} ${outcome}`,
    );

  test('installs all plugins, keeps them, and replaces one with other content', async () => {
    const usual = cli('v3.259.0', COPIES);
    const first = await setup(usual);
    const templates = `/home/plugins/language-oneops-v${version}/templates`;
    expect(first).toExitWith(0, { stderr: '' });
    expect(first.stdout.replaceAll(folder.path, '')).toBe(
      [
        'Pulumi v3.259.0, plugins in /home/plugins',
        `  language oneops ${version}: installed`,
        `  resource oneops ${version}: installed`,
        `  converter oneops ${version}: installed`,
        `  converter boo ${version}: installed`,
        'A project needs nothing but "runtime: oneops" in its Pulumi.yaml.',
        `pulumi new ${templates}/oneops-typescript begins one`,
        `pulumi new ${templates}/oneops-yaml begins one\n`,
      ].join('\n'),
    );
    // npm packs no file of this name.
    expect(existsSync(join(folder.path, templates, 'oneops-typescript', '.gitignore'))).toBe(true);
    expect(statSync(host()).mode & 0o111).toBe(0o111);
    const unchanged = ['resource unchanged', 'converter unchanged', 'converter unchanged'];
    expect(outcomes(await setup(usual, '--json'))).toEqual(['language unchanged', ...unchanged]);
    expect(statSync(host('converter', 'boo')).mode & 0o111).toBe(0o111);

    rmSync(join(folder.path, templates, 'oneops-typescript', '.gitignore'));
    expect(outcomes(await setup(usual, '--json'))).toEqual(['language replaced', ...unchanged]);
    writeFileSync(host(), 'cut off');
    expect(outcomes(await setup(usual, '--json'))).toEqual(['language replaced', ...unchanged]);
    expect(readFileSync(host(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('a folder with other than plain characters is quoted in the commands to copy, and only there', async () => {
    folder.path = join(folder.path, "Ann's home");
    mkdirSync(folder.path);
    const { stdout } = await setup(cli('v3.259.0', COPIES));
    expect(stdout).toContain(`plugins in ${folder.path}/home/plugins\n`);
    const commands = [...stdout.matchAll(/^(pulumi new .*) begins one$/gm)].map(([, command = '']) => command);
    const print = `pulumi() { printf '%s\\n' "$@"; }`;
    const given = commands.map((command) => execFileSync('sh', ['-c', `${print}; ${command}`], { encoding: 'utf8' }));
    const templates = join(folder.path, 'home', 'plugins', `language-oneops-v${version}`, 'templates');
    expect(given).toEqual(['oneops-typescript', 'oneops-yaml'].map((name) => `new\n${join(templates, name)}\n`));
  });

  test('reports other versions in the cache, because a project gets the newest', async () => {
    for (const name of ['language-oneops-v999.2.0', `language-oneops-v${version}.lastused`, 'resource-oneopsx-v9.0.0'])
      mkdirSync(join(folder.path, 'home', 'plugins', name), { recursive: true });
    const done = await setup(cli('v3.259.0', COPIES));
    expect(done.stdout.match(/the cache also holds .*\n.*/g)).toEqual([
      'the cache also holds 999.2.0, and a project gets the newest:\n    pulumi plugin rm language oneops 999.2.0 removes it',
    ]);
  });

  test.each<[string, string | undefined, RegExp]>([
    [
      'is missing',
      undefined,
      /^setup needs Pulumi's CLI 3\.259 or later, and there is no pulumi on PATH\n {2}install it:/,
    ],
    ['is too old', cli('v3.258.9', COPIES), /and the pulumi on PATH is v3\.258\.9\n/],
    ['is broken', 'exit 3', /does not print its version/],
    [
      'refuses',
      cli('v3.259.0', 'echo "disk full" >&2; exit 255'),
      /^pulumi plugin install lang.* failed:\n {2}disk full$/,
    ],
    [
      'does nothing',
      cli('v3.259.0', 'true'),
      /that it installed the language plugin oneops, and .* does not contain it$/,
    ],
  ])('a CLI that %s is an error with a reason', async (_, script, message) => {
    await expect(setup(script)).rejects.toThrow(message);
  });
});

// Files of expectations: every mistake has its line and the nearest word; and how instances are counted.

test.each([
  ['expct: {}', '1: there is no key "expct"; did you mean "expect"?'],
  ['expect:\n  outputs: {}\n  instnces: {}', '3: expect: there is no key "instnces"; did you mean "instances"?'],
  ['expect:\n  instances:\n    prod/web: -1', '3: expect.instances.prod/web: '],
  ['changes:\n  - expect: { creates: 1 }', '2: changes.0.expect: there is no key "creates"; did you mean "create"?'],
  ['changes:\n  - confg: {}\n    expect: {}', '2: changes.0: there is no key "confg"; did you mean "config"?'],
  ['stack: [', '1: '],
])('%j is refused', (text, problem) => {
  const said = expect.stringContaining(`tests/a.yaml:${problem}`) as string;
  expect(readExpectations('tests/a.yaml', text)).toEqual({ problem: said });
});

test('an empty file expects that a run, its repetition, a review and a destroy go well', () => {
  const read = readExpectations('a.yaml', '');
  expect(read).toMatchObject({
    expectations: { stack: 'test', config: {}, expect: { outputs: {}, instances: {}, policies: [] }, changes: [] },
  });
});

test('instances are counted by place, and by cloud where the expectation names clouds', () => {
  const all = ['web compute east', 'web compute west', 'web os east', 'db compute east'].map((each) => {
    const [platform = '', component = '', cloud = ''] = each.split(' ');
    return { environment: 'prod', platform, component, cloud };
  });
  expect(countedIn(all, 'prod/web', 1)).toBe(3);
  expect(countedIn(all, 'prod/web/compute', 1)).toBe(2);
  expect(countedIn(all, 'prod/web/compute', { east: 1 })).toEqual({ east: 1, west: 1 });
  expect(countedIn(all, 'qa/web', { east: 1 })).toEqual({ east: 0 });
});

test('the file in the docs can be read', () => {
  const page = readFileSync(join(__dirname, '../../../docs/testing.md'), 'utf8');
  const [, text = 'no block'] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(readExpectations('tests/dev.yaml', text)).toMatchObject({ expectations: { stack: 'dev' } });
});

// What a rehearsal prints.

test('a rehearsal has the warnings of the preview', () => {
  const urn = 'urn:pulumi:dev::shop::oneops:index:Deployment::prod';
  const diagnostics = [{ urn, severity: 'warning', message: 'brings along: platform web by maria' }];
  const plan = readPreview(JSON.stringify({ steps: [], diagnostics }), { stack: 'dev', organization: 'acme' });
  const of = { version: 1, stack: 'dev', service: 'https://oneops.acme.io', records: 1 } as const;
  const lists = { since: [], deployments: [], notCopied: [], unknown: [] };
  expect(rehearsalText({ ...of, ...lists, plan })).toContain(
    '\nwarnings:\n  prod: brings along: platform web by maria\n',
  );
});
