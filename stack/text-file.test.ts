// Text files: UTF-8 is read as it is, anything else is refused with its place.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextFile, readTextFileIn } from './text-file';

const folder = mkdtempSync(join(tmpdir(), 'texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const reading = (bytes: Uint8Array): ReturnType<typeof readTextFile> => {
  const file = join(folder, 'text');
  writeFileSync(file, bytes);
  return readTextFile(file);
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
  [
    'after characters of several bytes',
    Buffer.concat([Buffer.from('é\uFFFD🚀'), Buffer.of(0xe4)]),
    'byte E4 at line 1, column 5',
  ],
  ['a character that is cut off', Buffer.from('é').subarray(0, 1), 'byte C3 at line 1, column 1'],
])('%s', (_, bytes, place) => {
  expect(reading(bytes)).toEqual({ problem: `it is not UTF-8: ${place}; save it as UTF-8` });
});

test.each([
  ['with a mark, little-endian', Buffer.from('\uFEFFa: 1', 'utf16le')],
  ['with a mark, big-endian', Buffer.from('\uFEFFa: 1', 'utf16le').swap16()],
  ['without a mark, little-endian', Buffer.from('a: 1', 'utf16le')],
  ['without a mark, big-endian', Buffer.from('a: 1', 'utf16le').swap16()],
])('UTF-16 %s', (_, bytes) => {
  expect(reading(bytes)).toEqual({ problem: 'it is encoded as UTF-16: save it as UTF-8' });
});

test('what is not a file', () => {
  expect(readTextFile(join(folder, 'none'))).toEqual({ problem: 'there is no such file' });
  expect(readTextFile(folder)).toEqual({ problem: 'it is a folder' });
});

test('what is outside of a folder is not opened', () => {
  const outside = { problem: 'it is outside the folder of the project' };
  expect(readTextFileIn(folder, '/dev/zero')).toEqual(outside);
  symlinkSync('/dev/zero', join(folder, 'link'));
  expect(readTextFileIn(folder, join(folder, 'link'))).toEqual(outside);
  expect(readTextFileIn(folder, join(folder, 'none'))).toEqual({ problem: 'there is no such file' });
});
