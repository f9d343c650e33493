// What a review learns from the stack files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './sources';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sources-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('the notes of a review say what a warning of the stack files is', () => {
  writeFileSync(
    join(directory, 'oneops.yaml'),
    'config:\n  key: { type: string, default: x }\nassembly: { name: shop }\n',
  );
  const found = { configuration: {}, secrets: new Set<string>() };
  const place = { file: 'oneops.yaml', project: undefined, state: undefined, stack: undefined };
  const { notes } = codeOf({ ...place, found, organization: 'acme', directory });
  // One line: an excerpt of the file would be folded into the line of the note.
  expect(notes).toEqual(['oneops.yaml:2:3: warning ONE1411: nothing uses config "key"']);
});
