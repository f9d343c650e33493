// `make bench-engine`: stacks on the real engine, as a chapter of docs/bench.md.
// BENCH_RESOURCES and BENCH_LATENCIES choose less or more.
import { chapterText, machine, writeChapter } from '../report';
import { benchEngine } from './engine-bench';

const DEFAULTS = { BENCH_RESOURCES: '100,1000', BENCH_LATENCIES: '20,200' };

const listed = (name: keyof typeof DEFAULTS): readonly string[] =>
  (process.env[name] ?? DEFAULTS[name]).split(',').map((word) => word.trim());

async function main(): Promise<void> {
  const facts = machine();
  const scope = {
    sizes: listed('BENCH_RESOURCES'),
    latencies: listed('BENCH_LATENCIES').map(Number),
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
