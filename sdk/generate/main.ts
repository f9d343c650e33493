// `npm run generate`: writes everything that follows from the kinds and functions: classes, schemas and reference pages. With `--print`, it prints them instead.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generated } from './generated';

/** Writes the generated files, or prints them as one JSON map of texts by path. */
export function writeKindFiles(words: readonly string[]): void {
  const root = join(__dirname, '..', '..');
  const files = generated(root);
  if (words.includes('--print')) process.stdout.write(JSON.stringify(Object.fromEntries(files)));
  else
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
}
