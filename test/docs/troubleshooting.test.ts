// The law of the pages of troubleshooting: every message it quotes is in the source, so that a reader who searches for one finds it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const PAGES = ['troubleshooting.md', 'troubleshooting-runs.md']
  .map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8'))
  .join('\n');

const sources = ['api', 'provider', 'sdk', 'stack', 'drift', 'preview', 'service', 'cli']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** Messages in headings, each as its fixed parts: `…` stands for what differs. */
const messages = [...PAGES.matchAll(/^### `(.+)`$/gm)].map(([, message = '']) => message);
const partsOf = (message: string): readonly string[] =>
  message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /[a-z]/i.test(part));

test('the pages have messages, each of them once', () => {
  expect(messages.length).toBeGreaterThan(24);
  expect(messages.filter((message, index) => messages.indexOf(message) !== index)).toEqual([]);
});

test.each(messages)('%s', (message) => {
  expect(partsOf(message)).not.toEqual([]);
  expect(partsOf(message).filter((part) => !sources.includes(part))).toEqual([]);
});
