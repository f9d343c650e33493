// Writes everything that follows from the kinds: classes and schemas, at the repository's root and in sdk/.
// It must not know how any of them looks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from './generated';

/** Writes the generated files. */
export function main(): void {
  const root = join(__dirname, '..', '..');
  for (const [path, text] of generated(root)) writeFileSync(join(root, path), text);
}
