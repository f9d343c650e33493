// A run is repeated after changes of the files it read, and of no others, until it is ended.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whileChanging } from './watch';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Resolves when the number of runs is reached. */
function counter() {
  const seen: string[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  return {
    seen,
    add(text: string) {
      seen.push(text);
      waiting.filter(({ count }) => count <= seen.length).forEach(({ done }) => done());
    },
    until: (count: number): Promise<void> =>
      new Promise((done) => (seen.length >= count ? done() : waiting.push({ count, done }))),
  };
}

test('each change of a file that was read is a run; the code of the last one is the result', async () => {
  const [file, other] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  writeFileSync(file, 'one');
  const end = new AbortController();
  const { seen, add, until } = counter();
  const result = whileChanging(() => {
    const text = readFileSync(file, 'utf8');
    add(text);
    return { code: text.length, read: text === 'three' ? [file, other] : [file] };
  }, end.signal);
  await until(1);
  // A file that replaces another one, as editors write it.
  writeFileSync(join(folder, 'new'), 'three');
  renameSync(join(folder, 'new'), file);
  await until(2);
  writeFileSync(other, 'was looked for');
  await until(3);
  end.abort();
  expect(await result).toBe(5);
  expect(seen).toEqual(['one', 'three', 'three']);
});

test('a run that throws is reported, and the next change runs again', async () => {
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'right');
  const end = new AbortController();
  const { add, until } = counter();
  const shown = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    add(String(text));
    return true;
  });
  const result = whileChanging(() => {
    const text = readFileSync(file, 'utf8');
    if (text !== 'right') throw new Error(`cannot read it: ${text}`);
    add(text);
    return { code: 0, read: [file] };
  }, end.signal);
  await until(1);
  writeFileSync(file, 'wrong');
  await until(2);
  expect(shown).toHaveBeenCalledWith('cannot read it: wrong\n');
  writeFileSync(file, 'right');
  await until(3);
  end.abort();
  expect(await result).toBe(0);
  shown.mockRestore();
});

test('what is looked for is seen when it comes, in a folder that comes with it, or under a pattern', async () => {
  const end = new AbortController();
  const { seen, add, until } = counter();
  const result = whileChanging(() => {
    add('');
    return { code: 0, read: [join(folder, 'parts', 'a.yaml'), join(folder, 'platforms', '*.yaml')] };
  }, end.signal);
  await until(1);
  mkdirSync(join(folder, 'parts'));
  await until(2);
  writeFileSync(join(folder, 'parts', 'a.yaml'), 'a');
  await until(3);
  mkdirSync(join(folder, 'platforms'));
  await until(4);
  writeFileSync(join(folder, 'platforms', 'web.yaml'), 'web');
  await until(5);
  end.abort();
  expect(await result).toBe(0);
  expect(seen.length).toBeGreaterThanOrEqual(5);
});
