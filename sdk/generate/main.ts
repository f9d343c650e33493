// `npm run generate`: writes everything that follows from the kinds, classes and schemas; with `--print`, prints it instead.
// It must not know how any of it looks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from './generated';

/** Writes the generated files, or prints them as one JSON map of texts by path. */
export function main(words: readonly string[]): void {
  const root = join(__dirname, '..', '..');
  const files = generated(root);
  if (words.includes('--print')) process.stdout.write(JSON.stringify(Object.fromEntries(files)));
  else for (const [path, text] of files) writeFileSync(join(root, path), text);
}
