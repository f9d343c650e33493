// The engine waits for the port first. So a plugin loads only the protocol, and kinds, functions and the client with the first resource.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Files that a file loads when it is loaded: types and `import()` cost nothing. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8').replace(/^import type [^;]*;/gm, '');
  for (const [, of = ''] of text.matchAll(/^(?:import|export) (?:[^;']* from )?'(\.[^']*)';/gm)) {
    const target = join(dirname(file), of);
    loadedBy(existsSync(`${target}.ts`) ? `${target}.ts` : join(target, 'index.ts'), seen);
  }
  return seen;
}

test('a plugin loads no kind and no client before its first answer', () => {
  const root = join(__dirname, '..', '..', '..');
  expect([...loadedBy(join(__dirname, 'main.ts'))].map((file) => relative(root, file)).sort()).toEqual([
    'api/errors.ts',
    'provider/faces/plugin/failures.ts',
    'provider/faces/plugin/main.ts',
    'provider/faces/plugin/properties.ts',
    'provider/faces/plugin/resource-provider.ts',
    'provider/faces/plugin/serve.ts',
    'provider/settings.ts',
    'provider/values/plain.ts',
    'provider/values/text.ts',
  ]);
});
