// The findings of each file of the golden corpus are exactly those that the file names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isScalar, parseDocument, visit } from 'yaml';
import fc from 'fast-check';
import { command as checkCommand } from '../../cli/commands/files/check';
import { examine, explanationOf, EXPLANATIONS } from '../../stack';
import { prepare } from '../../stack/host/prepare';
import { runCommand } from '../run-command';
import { type Case, right, wrong } from '../findings-corpus';
import { COMPOSED, hostileTexts, STACK } from './fuzz/hostile-texts';
import type { Fault, Part } from './fuzz/read-hostile';

/** What is found in a text, as the corpus writes it; with its hint where the corpus has one. */
const found = (text: string, expected: readonly string[] = []): readonly string[] =>
  examine(text).findings.map(({ at, severity, code, message, hint }, index) => {
    const line = `${at.start.line}:${at.start.column} ${severity} ${explanationOf(code)?.id} ${message}`;
    return expected[index]?.includes(' | ') === true ? `${line} | ${hint}` : line;
  });

const examples = EXPLANATIONS.flatMap(({ explanations }) => explanations).length;

test(`the corpus: ${wrong.length + examples} wrong files and ${right.length + examples} right ones, with ${examples} examples of each`, () => {
  expect(wrong.length + examples).toBeGreaterThanOrEqual(150);
  expect(right.length + examples).toBeGreaterThanOrEqual(50);
});

test.each(wrong.map((each): [string, Case] => [each.title, each]))('wrong: %s', (_, { text, findings }) => {
  expect(findings.length).toBeGreaterThan(0);
  expect(found(text, findings)).toEqual(findings);
});

test('a misspelt word at every place that takes one is one finding, and its hint is the word that was meant', () => {
  const words = wrong.filter(({ title }) => title.startsWith('a misspelt word: '));
  expect(words.length).toBeGreaterThanOrEqual(60);
  expect(words.filter(({ findings }) => findings.length !== 1)).toEqual([]);
  // Too far from the word that was meant, or among words that nobody lists.
  const others = words.filter(({ findings }) => !findings[0]?.includes(' | did you mean "'));
  expect(others.map(({ title }) => title.split(': ')[1])).toEqual([
    'a key of a monitor',
    'a number that is a word',
    'a reference to a component',
  ]);
});

test('wrong files: check ends with 3 exactly for errors, and no run begins with such a file, so that nothing reaches a service', async () => {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'oneops-mistakes-'));
  process.chdir(directory);
  try {
    for (const { title, text, findings } of wrong) {
      writeFileSync('oneops.yaml', text);
      const isError = findings.some((line) => / error ONE/.test(line));
      const { code } = await runCommand(checkCommand, {});
      const request = { directory, options: {}, config: {}, secretKeys: [], project: 'shop', stack: 'dev' };
      const isRefused = 'problem' in prepare(request, () => undefined);
      expect([title, code, isRefused]).toEqual([title, isError ? 3 : 0, isError]);
    }
  } finally {
    process.chdir(before);
    rmSync(directory, { recursive: true });
  }
});

test.each(right.map((each): [string, Case] => [each.title, each]))('right: %s', (_, { text }) => {
  expect(found(text)).toEqual([]);
});

// One mistake is one finding: a key of a right file with two of its letters exchanged is reported, and nothing that only follows from it.

/** Words that name a thing: another name is another thing, and what refers to the first one is a second mistake. */
const NAMES = [/: compute -> cmopute$/];

interface Misspelt {
  readonly title: string;
  readonly text: string;
}

/** The file once for each key of letters alone, with the second and the third letter of that key exchanged. */
function misspeltFiles({ title, text }: Misspelt): readonly Misspelt[] {
  const found: Misspelt[] = [];
  visit(parseDocument(text), {
    Pair: (_, { key }) => {
      if (!isScalar(key) || !key.range) return;
      const [start, end] = key.range;
      const word = text.slice(start, end);
      const [, first = '', second = '', third = '', rest = ''] = /^([a-z])([a-z])([a-z])(\w*)$/i.exec(word) ?? [];
      const other = first + third + second + rest;
      if (second !== third)
        found.push({ title: `${title}: ${word} -> ${other}`, text: text.slice(0, start) + other + text.slice(end) });
    },
  });
  return found;
}

const cases = right.flatMap(misspeltFiles).filter(({ title }) => !NAMES.some((name) => name.test(title)));

test('every key of the corpus is misspelt once', () => {
  expect(cases.length).toBeGreaterThan(200);
});

test.each(cases.map((each): [string, string] => [each.title, each.text]))('%s', (_, text) => {
  const found = examine(text).findings.map(({ at, message }) => `${at.start.line}:${at.start.column} ${message}`);
  expect(found.slice(1)).toEqual([]);
});

// Every command that reads files, and files that nobody should have written. Whatever the text, it ends in findings: in a worker that may hold
// 200 MB, and within seconds.

const CASES = Number(process.env['FINDING_CASES'] ?? 750);
const SEED = Number(process.env['SEED'] ?? 20_261_122);

/** Texts between two looks at the faults. */
const PART = 250;

/** Longest that one text may take, in milliseconds. */
const WATCHDOG = 30_000;

/** What a worker may hold, the program itself included. */
const HEAP = { maxOldGenerationSizeMb: 184, maxYoungGenerationSizeMb: 16 };

const PARTS: readonly Part[] = Array.from({ length: Math.ceil(CASES / PART) }, (_, index) => ({
  seed: SEED + index,
  count: Math.min(PART, CASES - index * PART),
}));

/** Has a worker read one part after the other, and returns the faults. Throws an error that contains the text at which the worker died or stayed. */
async function readAll(): Promise<readonly Fault[]> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(__dirname, 'fuzz', 'read-hostile.ts'), {
    execArgv: ['--require', join(__dirname, '..', 'run-source.cjs')],
    resourceLimits: HEAP,
    workerData: { progress },
  });
  const faults: Fault[] = [];
  try {
    for (const part of PARTS) {
      const answer = once(worker, 'message') as Promise<[readonly Fault[]]>;
      worker.postMessage(part);
      const [found] = await Promise.race([answer, stuck(progress, answer)]).catch((error: unknown) => {
        const text = fc.sample(hostileTexts, { seed: part.seed, numRuns: part.count })[Atomics.load(progress, 0)];
        throw new Error(`${String(error)} at the text\n${text}`);
      });
      faults.push(...found);
    }
  } finally {
    await worker.terminate();
  }
  return faults;
}

/** Fails when the worker stays at one text. */
function stuck(progress: Int32Array, answer: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    let seen = { index: -1, since: performance.now() };
    const timer = setInterval(() => {
      const index = Atomics.load(progress, 0);
      if (index !== seen.index) seen = { index, since: performance.now() };
      else if (performance.now() - seen.since > WATCHDOG) {
        stop();
        reject(new Error(`it takes longer than ${WATCHDOG} ms`));
      }
    }, 500);
    const stop = (): void => clearInterval(timer);
    answer.then(stop, stop);
  });
}

test.each([STACK, COMPOSED])('the file that is changed is right', (text) =>
  expect(examine(text, { files: { 'motd.txt': '', 'motd.yaml': '{}' } }).findings).toEqual([]),
);

test(`${CASES} texts end in findings with a place, and none in a crash`, async () => {
  expect(await readAll()).toEqual([]);
}, 1_500_000);
