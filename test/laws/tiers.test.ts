// Every test file belongs to `make test` or to `make verify`, and every suite that a tier names exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORMS, patternOf, ROOT, TIERS } from '../tiers/tiers.cjs';
import { ofNamed } from '../tiers/totals.cjs';

const FOLDERS = [
  'api',
  'cli',
  'drift',
  'editors',
  'engine',
  'policy',
  'preview',
  'provider',
  'sdk',
  'service',
  'stack',
  'test',
];

const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
).filter((file) => file.endsWith('.test.ts'));

const filesOf = (suites: readonly string[]): readonly string[] => {
  const pattern = new RegExp(patternOf(suites));
  return testFiles.filter((file) => pattern.test(file));
};

test('every test file runs in `make test` or in `make verify`', () => {
  const suites = ['test', 'verify'].flatMap((tier) => TIERS[tier]!.flatMap((run) => run.suites));
  const run = filesOf(suites);
  expect(run.length).toBeGreaterThan(150);
  expect(testFiles.filter((file) => !run.includes(file))).toEqual([]);
});

test.each(Object.entries(TIERS))('%s names suites that exist', (_, runs) => {
  for (const { suites } of runs) expect(suites.filter((suite) => filesOf([suite]).length === 0)).toEqual([]);
});

test('no run names a suite twice', () => {
  for (const { suites } of Object.values(TIERS).flat()) expect([...new Set(suites)]).toEqual(suites);
});

test('every tier has a command of its name', () => {
  const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
  expect(Object.keys(TIERS).filter((tier) => !new RegExp(`^${tier}:.* ## `, 'm').test(makefile))).toEqual([]);
});

test('a count of a tier is read by one of its suites', () => {
  const readsOf = (file: string): string =>
    readFileSync(file, 'utf8').replace(/dialectsInTurn|rowsInTurn|testInTurn/g, "'DIALECTS'");
  for (const { suites, counts = {} } of Object.values(TIERS).flat()) {
    const text = filesOf(suites).map(readsOf).join('\n');
    expect(Object.keys(counts).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  }
});

test('a soak plays both dialects of suites that make test and make verify play in turn', () => {
  const soaks = Object.entries(TIERS).flatMap(([name, runs]) => (name.startsWith('soak-') ? runs : []));
  const single = soaks
    .filter(({ counts = {} }) => counts['DIALECTS'] !== 'all')
    .flatMap(({ suites }) => filesOf(suites));
  expect(single.filter((file) => readFileSync(file, 'utf8').includes("from '../dialects-in-turn'"))).toEqual([]);
});

test('a run for one kind leaves out the others, and fails if it judged nothing', () => {
  const totals = { suites: 5, passed: 37, failed: 0, skipped: 814 };
  expect(ofNamed(totals)).toEqual({ ...totals, skipped: 0 });
  expect(ofNamed({ ...totals, failed: 2 }).failed).toBe(2);
  expect(ofNamed({ ...totals, passed: 0 }).failed).toBe(1);
});

test('the newest platform of the matrix is the one that everything else runs on, and the oldest what package.json promises', () => {
  const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const manifest = JSON.parse(textOf('package.json')) as {
    readonly engines: { readonly node: string };
    readonly [of: string]: { readonly [name: string]: string };
  };
  const { NODE, SDK, CLI } = PLATFORMS;
  expect(`${manifest.engines.node}.0`).toBe(`>=${NODE[0]}`);
  expect(textOf('engine/node.sh')).toContain(`VERSION=\${1:-${NODE[1]}}`);
  expect(manifest['peerDependencies']?.['@pulumi/pulumi']).toBe(`>=${SDK[0]} <4`);
  expect(manifest['devDependencies']?.['@pulumi/pulumi']).toBe(SDK.at(-1));
  expect(textOf('engine/go.mod')).toContain(`pulumi/pkg/v3 v${CLI.at(-1)}\n`);
  expect(textOf('engine/versions.mjs')).toContain(`OLDEST_USED = '${CLI[0]}'`);
  expect(textOf('cli/pulumi-cli.ts')).toContain(`[${CLI[0]?.split('.').slice(0, 2).join(', ')}] as const`);
});
