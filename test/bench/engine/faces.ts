// `make bench-faces`: the dynamic provider and the resource plugin next to each other. BENCH_RESOURCES=1000 measures the stack that docs/bench.md
// describes, and writes the chapter there.
import { writeChapter } from '../page';
import { chapterText, machine } from '../report';
import { benchFaces } from './faces-bench';

const TOLD = '1000';

async function main(): Promise<void> {
  const facts = machine();
  const size = process.env['BENCH_RESOURCES'] ?? '100';
  const repeats = Number(process.env['BENCH_REPEATS'] ?? 3);
  const began = performance.now();
  const chapter = await benchFaces({ size, repeats }, (line) => process.stderr.write(`${line}\n`));
  const took = `It took ${((performance.now() - began) / 60_000).toFixed(0)} minutes.`;
  const text = chapterText({ ...chapter, about: `${chapter.about}\n\n${facts}. ${took}` });
  process.stdout.write(`${text}\n`);
  if (size === TOLD) writeChapter(text);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
