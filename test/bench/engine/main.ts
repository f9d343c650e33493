// `make bench-engine`: stacks on the real engine, written into docs/bench.md after what `make bench` writes before it.
// BENCH_RESOURCES, BENCH_LATENCIES, BENCH_TURNS, BENCH_REPEATS and BENCH_CHECKPOINTS=off choose less or more.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../engine';
import { chapterText, machine } from '../report';
import { benchEngine } from './engine-bench';

const PAGE = join(REPOSITORY, 'docs', 'bench.md');

const DEFAULTS = { BENCH_RESOURCES: '100,1000', BENCH_LATENCIES: '0,20', BENCH_CHECKPOINTS: 'on' };

const listed = (name: keyof typeof DEFAULTS): readonly string[] =>
  (process.env[name] ?? DEFAULTS[name]).split(',').map((word) => word.trim());

const numbered = (name: string, usual: number): number => Number(process.env[name] ?? usual);

async function main(): Promise<void> {
  const facts = machine();
  const scope = {
    sizes: listed('BENCH_RESOURCES'),
    latencies: listed('BENCH_LATENCIES').map(Number),
    turns: (size: string) => ({
      turns: numbered('BENCH_TURNS', size === '100' ? 2 : 1),
      repeats: numbered('BENCH_REPEATS', size === '100' ? 1 : 3),
    }),
    checkpoints: listed('BENCH_CHECKPOINTS')[0] !== 'off',
  };
  const began = performance.now();
  const chapter = await benchEngine(scope, (line) => process.stderr.write(`${line}\n`));
  const took = `It took ${((performance.now() - began) / 60_000).toFixed(0)} minutes.`;
  const text = chapterText({ ...chapter, about: `${chapter.about}\n\n${facts}. ${took}` });
  process.stdout.write(`${text}\n`);
  // A page with a part of the figures would look like all of them.
  if (Object.keys(DEFAULTS).some((name) => process.env[name] !== undefined)) return;
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const before = page.split(`\n## ${chapter.heading}\n`)[0] ?? '';
  writeFileSync(PAGE, `${before.trimEnd()}\n\n${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
