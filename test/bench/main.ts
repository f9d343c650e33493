// `make bench`: runs every bench and writes docs/bench.md. Words after the name choose chapters: `reads slowest memory check host`.
// BENCH_BEFORE names another checkout, in which each chapter runs first: before and after, on one machine in one run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchCheck } from './check-bench';
import { fill } from './fill';
import { benchHost } from './host-bench';
import { type Chapter, machine, reportOf, writePage } from './report';
import { benchMemory, benchReads, type Prepared } from './service-bench';
import { benchSlowest } from './slowest-bench';

async function prepared(folder: string, records: number): Promise<Prepared> {
  const file = join(folder, `records-${records}.db`);
  return { file, ...(await fill(file, records)) };
}

function inOther(chapter: string): void {
  const { BENCH_BEFORE: cwd, ...env } = process.env;
  if (cwd === undefined) return;
  process.stdout.write('before:\n');
  spawnSync(process.execPath, [...process.execArgv, 'test/bench/main.ts', chapter], { cwd, env, stdio: 'inherit' });
  process.stdout.write('after:\n');
}

async function main(words: readonly string[]): Promise<void> {
  const facts = machine();
  const folder = mkdtempSync(join(tmpdir(), 'oneops-bench-'));
  try {
    const none = await prepared(folder, 0);
    const few = await prepared(folder, 1000);
    const many = await prepared(folder, 100_000);
    const benches: { readonly [name: string]: () => Promise<Chapter> } = {
      reads: () => benchReads(few, many),
      slowest: () => benchSlowest(folder),
      memory: () => benchMemory(none, many),
      check: benchCheck,
      host: benchHost,
    };
    const chapters: Chapter[] = [];
    for (const [name, bench] of Object.entries(benches)) {
      if (words.length > 0 && !words.includes(name)) continue;
      inOther(name);
      const chapter = await bench();
      chapters.push(chapter);
      process.stdout.write(`${reportOf([chapter], facts).split('\n').slice(7).join('\n')}\n`);
    }
    // A page with some of the chapters would look like all of them.
    if (words.length === 0) writePage(chapters, facts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
