// Files as they are to be written: what a person gets to know when one of them cannot be.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDrafts } from './drafts';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-drafts-')));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

test('a file that cannot be written is named with those that are written, that nothing was sent, and what to do', () => {
  const drafts = newDrafts();
  drafts.put('mail.yaml', 'a: 1\n');
  drafts.put('gone/news.yaml', 'b: 2\n');
  drafts.put('wiki.yaml', 'c: 3\n');
  expect(() => drafts.write()).toThrow(
    new Error(
      'cannot write gone/news.yaml: ENOENT; written: mail.yaml; not written: gone/news.yaml, wiki.yaml; no request was sent: make sure that gone/news.yaml can be written, and review again',
    ),
  );
  expect(readFileSync('mail.yaml', 'utf8')).toBe('a: 1\n');
});

test('when the first one cannot be written, nothing is', () => {
  const drafts = newDrafts();
  drafts.put('gone/news.yaml', 'b: 2\n');
  expect(() => drafts.write()).toThrow(
    /^cannot write gone\/news\.yaml: ENOENT; nothing was written or sent: make sure/,
  );
});
