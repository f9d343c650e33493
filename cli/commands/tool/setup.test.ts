// `setup` with a `pulumi` that only copies: what is installed, kept, replaced and refused, and what is said about it.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCommand, type Outcome } from '../../../test/run-command';
import { version } from '../../../package.json';
import { setupCommand } from './setup';

/** Installs as the CLI does: a plugin that exists stays, unless --reinstall is given. */
const COPIES = `to="$PULUMI_HOME/plugins/$3-$4-v$5"
[ -d "$to" ] && [ "$8" != --reinstall ] && exit 0
rm -rf "$to"; mkdir -p "$PULUMI_HOME/plugins"; cp -r "$7" "$to"`;
const cli = (version: string, plugin: string): string =>
  `if [ "$1" = version ]; then echo ${version}; exit; fi\n${plugin}`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function setup(script: string | undefined, ...words: readonly string[]): Promise<Outcome> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  if (script !== undefined) {
    writeFileSync(join(bin, 'pulumi'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'pulumi'), 0o755);
  }
  const PATH = script === undefined ? bin : [bin, '/usr/bin', '/bin'].join(delimiter);
  return runCommand(setupCommand, { PATH, PULUMI_HOME: join(folder, 'home') }, ...words);
}

const host = (kind = 'language', name = 'oneops'): string =>
  join(folder, 'home', 'plugins', `${kind}-${name}-v${version}`, `pulumi-${kind}-${name}`);
const outcomes = ({ stdout }: Outcome): readonly string[] =>
  (JSON.parse(stdout) as { plugins: readonly { kind: string; outcome: string }[] }).plugins.map(
    ({ kind, outcome }) => `${kind} ${outcome}`,
  );

test('installs all plugins, keeps them, and replaces one with other content', async () => {
  const usual = cli('v3.259.0', COPIES);
  const first = await setup(usual);
  const templates = `/home/plugins/language-oneops-v${version}/templates`;
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout.replaceAll(folder, '')).toBe(
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
  expect(existsSync(join(folder, templates, 'oneops-typescript', '.gitignore'))).toBe(true);
  expect(statSync(host()).mode & 0o111).toBe(0o111);
  const unchanged = ['resource unchanged', 'converter unchanged', 'converter unchanged'];
  expect(outcomes(await setup(usual, '--json'))).toEqual(['language unchanged', ...unchanged]);
  expect(statSync(host('converter', 'boo')).mode & 0o111).toBe(0o111);

  rmSync(join(folder, templates, 'oneops-typescript', '.gitignore'));
  expect(outcomes(await setup(usual, '--json'))).toEqual(['language replaced', ...unchanged]);
  writeFileSync(host(), 'cut off');
  expect(outcomes(await setup(usual, '--json'))).toEqual(['language replaced', ...unchanged]);
  expect(readFileSync(host(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('a folder with other than plain characters is quoted in the commands to copy, and only there', async () => {
  rmSync(folder, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "oneops-setup Ann's "));
  const { stdout } = await setup(cli('v3.259.0', COPIES));
  expect(stdout).toContain(`plugins in ${folder}/home/plugins\n`);
  const commands = [...stdout.matchAll(/^(pulumi new .*) begins one$/gm)].map(([, command = '']) => command);
  const print = `pulumi() { printf '%s\\n' "$@"; }`;
  const given = commands.map((command) => execFileSync('sh', ['-c', `${print}; ${command}`], { encoding: 'utf8' }));
  const templates = join(folder, 'home', 'plugins', `language-oneops-v${version}`, 'templates');
  expect(given).toEqual(['oneops-typescript', 'oneops-yaml'].map((name) => `new\n${join(templates, name)}\n`));
});

test('reports other versions in the cache, because a project gets the newest', async () => {
  for (const name of ['language-oneops-v999.2.0', `language-oneops-v${version}.lastused`, 'resource-oneopsx-v9.0.0'])
    mkdirSync(join(folder, 'home', 'plugins', name), { recursive: true });
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
    cli('v3.259.0', 'echo "error: disk full" >&2; exit 255'),
    /^pulumi plugin install language .* failed:\n {2}error: disk full$/,
  ],
  [
    'does nothing',
    cli('v3.259.0', 'true'),
    /reported that it installed the language plugin oneops, and .* does not contain it$/,
  ],
])('a CLI that %s is an error with a reason', async (_, script, message) => {
  await expect(setup(script)).rejects.toThrow(message);
});
