// drift.yaml: what is read, what is wrong with it and where, and what is written into it.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachFolder } from '../../test/folder';
import { ignoredAttributes, readDriftFile, UnusableDriftFile, withExpected } from './drift-file';
import { readTextFile, readTextFileIn } from '../yaml/text-file';

const name = 'drift.yaml';
const read = (text: string) => readDriftFile({ name, text });

test.each(['', '# nothing\n', 'ignore:\n', '{}\n'])('%j says nothing', (text) => {
  expect(read(text)).toEqual({ name, severities: [], ignore: [], expected: [] });
});

test('severities, in their order', () => {
  const text = "severities:\n  Component.attributes.size: low\n  '*.description': high\n  undeclared: medium\n";
  expect(read(text).severities).toEqual([
    { pattern: 'Component.attributes.size', severity: 'low' },
    { pattern: '*.description', severity: 'high' },
    { pattern: 'undeclared', severity: 'medium' },
  ]);
});

const entry = (...lines: readonly string[]): string => `ignore:\n  - ${lines.join('\n    ')}\n`;
const WHY = ['reason: r', 'owner: o'];
const CLOUD = 'kind: Cloud';

test.each([
  ['ignored: []\n', '1: there is no key "ignored"; did you mean "ignore"?'],
  [entry(...WHY, CLOUD, 'untill: 2027-01-31'), '5: ignore.0: there is no key "untill"; did you mean "until"?'],
  [
    entry(...WHY, CLOUD, 'untill: 2027-01-31', 'stack: dev'),
    '6: ignore.0: there is no key "stack"; did you mean "stacks"?',
  ],
  [entry('owner: o', CLOUD), '2: ignore.0.reason: it is required'],
  [entry('reason: r', CLOUD), '2: ignore.0.owner: it is required'],
  [entry(...WHY), '2: ignore.0: needs record, kind, attribute or classification'],
  [entry(...WHY, CLOUD, 'until: 2027-02-30'), '5: ignore.0.until: must be a day like 2027-01-31'],
  ['severities:\n  undeclared: grave\n', '2: severities.undeclared: a severity is one of high, medium, low'],
  ['severities:\n  Componet.attributes: low\n', '2: there is no kind "Componet"; did you mean "Component"?'],
  ['ignore: { a: b }\n', '1: ignore:'],
  // No YAML.
  ['ignore: [\n', ''],
])('%j is refused, with its place', (text, message) => {
  expect(() => read(text)).toThrow(UnusableDriftFile);
  expect(() => read(text)).toThrow(`drift.yaml:${message}`);
});

test('the attributes that a stack leaves as they are on a day', () => {
  const file = read(
    `ignore:
  - { record: shop/web/a, attribute: attributes.size, reason: r, owner: o, until: 2026-11-21 }
  - { record: shop/web/b, attribute: description, reason: r, owner: o, stacks: prod }
  - { record: shop/web/c, classification: deleted, reason: r, owner: o }
  - { record: shop/web/d, attribute: description, reason: r, owner: o, until: 2026-11-20 }
`,
  );
  const on = (stack: string | undefined, day: string) =>
    ignoredAttributes(file, { stack, day }).map(({ record, attribute }) => `${record} ${attribute}`);
  expect(on('acme/shop/dev', '2026-11-21')).toEqual(['shop/web/a attributes.size']);
  expect(on('prod', '2026-11-22')).toEqual(['shop/web/b description']);
  expect(ignoredAttributes(file, { stack: 'dev', day: '2026-11-21' })).toMatchObject([
    { kind: '*', reason: 'r', owner: 'o', until: '2026-11-21', at: { file: name } },
  ]);
});

test('an expected value takes the place of the earlier one; line breaks and comments stay', () => {
  const value = { record: 'shop/prod/web/east', kind: 'CloudConfiguration', attribute: 'pctScale' };
  const first = withExpected({ name, text: '\uFEFF# ours\r\nignore: [] # none\r\n' }, [{ ...value, value: 50 }]);
  const second = withExpected({ name, text: first }, [{ ...value, value: null }]);
  expect(read(second).expected).toEqual([{ ...value, value: null }]);
  expect(second).toMatch(/^\uFEFF# ours\r\n[^]*# none/);
  expect(second.replaceAll('\r\n', '')).not.toContain('\n');
});

// Text files: UTF-8 is read as it is, anything else is refused with its place.
describe('text file', () => {
  const folder = eachFolder();
  const reading = (bytes: Uint8Array): ReturnType<typeof readTextFile> => {
    writeFileSync(join(folder.path, 'text'), bytes);
    return readTextFile(join(folder.path, 'text'));
  };

  test.each([
    ['nothing', ''],
    ['one byte', 'a'],
    ['several alphabets', 'Grüße, 名前, 🚀\n'],
    ['a byte order mark', '\uFEFFname: shop\n'],
    ['a replacement character of its own', 'a \uFFFD b\n'],
  ])('%s', (_, text) => {
    expect(reading(Buffer.from(text))).toEqual({ text });
  });

  test.each([
    ['Latin-1', Buffer.from('a: 1\nb: Stra\u00dfe\n', 'latin1'), 'byte DF at line 2, column 8'],
    ['after longer ones', Buffer.concat([Buffer.from('é\uFFFD🚀'), Buffer.of(0xe4)]), 'byte E4 at line 1, column 5'],
    ['the first byte and another one', Buffer.of(0xe4, 0x62, 0xe4), 'byte E4 at line 1, column 1'],
    ['a character that is cut off', Buffer.from('é').subarray(0, 1), 'byte C3 at line 1, column 1'],
  ])('%s', (_, bytes, place) => {
    expect(reading(bytes)).toEqual({ problem: `it is not UTF-8: ${place}; save it as UTF-8` });
  });

  test.each(['\uFEFFa: 1', 'a: 1'])('%j in UTF-16, of either byte order', (text) => {
    const problem = 'it is encoded as UTF-16: save it as UTF-8';
    expect(reading(Buffer.from(text, 'utf16le'))).toEqual({ problem });
    expect(reading(Buffer.from(text, 'utf16le').swap16())).toEqual({ problem });
  });

  test('what is not a file', () => {
    expect(readTextFile(join(folder.path, 'none'))).toEqual({ problem: 'there is no such file' });
    expect(readTextFile(folder.path)).toEqual({ problem: 'it is a folder' });
  });

  test('what is outside of a folder is not opened', () => {
    const outside = { problem: 'it is outside the folder of the project' };
    expect(readTextFileIn(folder.path, '/dev/zero')).toEqual(outside);
    symlinkSync('/dev/zero', join(folder.path, 'link'));
    expect(readTextFileIn(folder.path, join(folder.path, 'link'))).toEqual(outside);
    expect(readTextFileIn(folder.path, join(folder.path, 'none'))).toEqual({ problem: 'there is no such file' });
  });
});
