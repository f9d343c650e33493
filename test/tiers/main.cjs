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

/** What runs now. Each command is a group of processes, which a signal to this one ends, too. */
const running = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const { pid } of running) process.kill(-pid, signal);
    process.exit(1);
  });

/** Runs a command to its end. Resolves to its exit code; rejects where it cannot be started. */
async function ended(command, words, env = process.env) {
  const child = spawn(command, words, { cwd: ROOT, stdio: 'inherit', env, detached: true });
  running.add(child);
  const [status] = await once(child, 'close');
  running.delete(child);
  return status;
}

/** Starts jest once. A jest that ends without results is one failure. */
async function runOnce(run, folder) {
  const file = join(folder, 'totals.json');
  rmSync(file, { force: true });
  const { platform } = run;
  if (platform) process.stdout.write(`\nNode ${platform.NODE}, SDK ${platform.SDK}, CLI ${platform.CLI}\n`);
  const env = { ...process.env, ...countsOf(run), TIER_TOTALS: file };
  if (platform) Object.assign(env, { SDK: platform.SDK, PATH: pathOf(platform) });
  const words = [
    join(ROOT, 'node_modules', '.bin', 'jest'),
    ...['--testPathPatterns', patternOf(run.suites)],
    ...(run.named ? ['--testNamePattern', `\\b${process.env['NAME']}\\b`] : []),
  ];
  const status = await ended('node', words, env);
  try {
    const totals = JSON.parse(readFileSync(file, 'utf8'));
    const counted = { ...totals, failed: totals.failed || (status === 0 ? 0 : 1) };
    if (run.named && counted.passed + counted.failed === 0) process.stderr.write(nothingNamed(process.env['NAME']));
    return run.named ? ofNamed(counted) : counted;
  } catch (cause) {
    if (cause.code !== 'ENOENT') throw cause;
    return { ...NOTHING, failed: 1 };
  }
}

/** Runs a tier; returns its line of the table. */
async function runTier(part, folder) {
  const started = Date.now();
  let totals = NOTHING;
  for (const run of TIERS[part]) totals = sum(totals, await runOnce(run, folder));
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
  const linted = ended('make', ['--no-print-directory', 'lint']);
  return async () => {
    const isClean = (await linted) === 0;
    const totals = { ...NOTHING, failed: isClean ? 0 : 1 };
    return { totals, cells: ['lint', '', '', '', '', isClean ? 'passed' : 'failed'] };
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
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const lint = words.includes('lint') ? beginLint() : undefined;
  const results = [];
  for (const part of parts) results.push(await runTier(part, folder));
  if (lint) results.push(await lint());
  const totals = results.map((each) => each.totals).reduce(sum, NOTHING);
  const header = ['part', 'suites', 'tests', 'counts', 'seconds', 'result'];
  process.stdout.write(`\n${tableText([header, ...results.map(({ cells }) => cells)])}\n\n${plainLine(totals)}\n`);
  return totals.failed === 0 ? 0 : 1;
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
