// The generated files and their texts.
// It must not write anything: a test compares, a command writes.
import { join } from 'node:path';
import { kinds } from '../../provider';
import { classesText } from './classes';
import { readDocumentation } from './documentation';
import { resourceOf } from './model';

/** Path below the repository's root, and text, of each generated file. */
export function generated(root: string): ReadonlyMap<string, string> {
  const documentation = readDocumentation(join(root, 'provider', 'kinds'));
  const resources = kinds.map((of) => resourceOf(of, documentation.get(of.token)));
  return new Map([['sdk/resources.ts', classesText(resources)]]);
}
