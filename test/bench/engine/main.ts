// `make bench-engine`: stacks on the real engine, written into docs/bench.md next to what `make bench` writes.
// BENCH_RESOURCES, BENCH_LATENCIES, BENCH_TURNS, BENCH_REPEATS and BENCH_CHECKPOINTS=off choose less or more.
import { chapterText, machine, writeChapter } from '../report';
import { benchEngine } from './engine-bench';

const DEFAULTS = { BENCH_RESOURCES: '100,1000', BENCH_LATENCIES: '20,200', BENCH_CHECKPOINTS: 'on' };

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
  const timed = { ...chapter, about: `${chapter.about}\n\n${facts}. ${took}` };
  process.stdout.write(`${chapterText(timed)}\n`);
  // A page with a part of the figures would look like all of them.
  if (Object.keys(DEFAULTS).some((name) => process.env[name] !== undefined)) return;
  writeChapter(timed);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
