// Runs tiers of tests one after the other, and ends with one table and the line `N passed, N failed`.
// `node test/tiers/main.cjs lint test verify`; `NAME=Cloud node test/tiers/main.cjs kind-test`.
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { delimiter, join } = require('node:path');
const { ROOT, TIERS, patternOf } = require('./tiers.cjs');
const { NOTHING, ofNamed, plainLine, sum } = require('./totals.cjs');

/** The counts of a run. What is set in the environment wins. */
const countsOf = ({ counts = {} }) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, process.env[name] ?? count]));

const nothingNamed = (name) =>
  `No test of a kind has the word ${name} in its title, so nothing was judged. Write NAME as the \`token\` of the kind, and add the kind to the list in provider/kinds/index.ts.\n`;

/** The PATH that leads to a certain Node and a certain CLI. Throws when one of them cannot be had. */
function pathOf({ NODE, CLI }) {
  const had = (command, words, env) => {
    const { status, stdout } = spawnSync(command, words, {
      cwd: ROOT,
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
    return stdout.trim();
  };
  const path = had('engine/node.sh', [NODE], process.env);
  const { root } = JSON.parse(
    had('node', ['engine/provide.mjs', '--json', '--exactly', CLI], { ...process.env, PATH: path }),
  );
  return [join(root, 'bin'), path].join(delimiter);
}

/** Starts jest once. A jest that ends without results is one failure. */
function runOnce(run, folder) {
  const file = join(folder, 'totals.json');
  rmSync(file, { force: true });
  const { platform } = run;
  if (platform) process.stdout.write(`\nNode ${platform.NODE}, SDK ${platform.SDK}, CLI ${platform.CLI}\n`);
  const env = { ...process.env, ...countsOf(run), TIER_TOTALS: file };
  if (platform) Object.assign(env, { SDK: platform.SDK, PATH: pathOf(platform) });
  const { status, error } = spawnSync(
    'node',
    [
      join(ROOT, 'node_modules', '.bin', 'jest'),
      ...['--testPathPatterns', patternOf(run.suites)],
      ...(run.named ? ['--testNamePattern', `\\b${process.env['NAME']}\\b`] : []),
    ],
    { cwd: ROOT, stdio: 'inherit', env },
  );
  if (error) throw error;
  try {
    const totals = JSON.parse(readFileSync(file, 'utf8'));
    const ended = { ...totals, failed: totals.failed || (status === 0 ? 0 : 1) };
    if (run.named && ended.passed + ended.failed === 0) process.stderr.write(nothingNamed(process.env['NAME']));
    return run.named ? ofNamed(ended) : ended;
  } catch (cause) {
    if (cause.code !== 'ENOENT') throw cause;
    return { ...NOTHING, failed: 1 };
  }
}

/** Runs a tier; returns its line of the table. */
function runTier(part, folder) {
  const started = Date.now();
  const totals = TIERS[part].map((run) => runOnce(run, folder)).reduce(sum, NOTHING);
  const counts = new Map(TIERS[part].flatMap((run) => Object.entries(countsOf(run))));
  return {
    totals,
    cells: [
      part,
      String(totals.suites),
      String(totals.passed + totals.failed),
      [...counts].map(([name, count]) => `${name}=${count}`).join(' '),
      ((Date.now() - started) / 1000).toFixed(0),
      totals.failed === 0 ? 'passed' : `${totals.failed} failed`,
    ],
  };
}

/**
 * Begins `make lint`, which keeps one core busy, beside the tiers: the first stories wait for the engine. Returns what
 * waits for its end, and then returns its line of the table. Whatever it finds counts as one failure.
 */
function beginLint() {
  const ended = once(spawn('make', ['--no-print-directory', 'lint'], { cwd: ROOT, stdio: 'inherit' }), 'close');
  return async () => {
    const [status] = await ended;
    const totals = { ...NOTHING, failed: status === 0 ? 0 : 1 };
    return { totals, cells: ['lint', '', '', '', '', status === 0 ? 'passed' : 'failed'] };
  };
}

function tableText(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function main(words) {
  const parts = words.filter((word) => word !== 'lint');
  const unknown = parts.filter((part) => !(part in TIERS));
  if (parts.length === 0 || unknown.length > 0) {
    process.stderr.write(`There is no tier ${unknown.join(', ')}. Tiers: ${Object.keys(TIERS).join(', ')}\n`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'oneops-tiers-'));
  try {
    const lint = words.includes('lint') ? beginLint() : undefined;
    const results = parts.map((part) => runTier(part, folder));
    if (lint) results.push(await lint());
    const totals = results.map((each) => each.totals).reduce(sum, NOTHING);
    const header = ['part', 'suites', 'tests', 'counts', 'seconds', 'result'];
    process.stdout.write(`\n${tableText([header, ...results.map(({ cells }) => cells)])}\n\n${plainLine(totals)}\n`);
    return totals.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
