// The engine waits for the port before it does anything else. So a plugin loads only the protocol first, and kinds, functions and the client with
// the first resource.
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
  const files = [...loadedBy(join(__dirname, 'main.ts'))].map((file) => relative(join(__dirname, '..', '..'), file));
  expect(files.sort()).toEqual([
    'api/errors.ts',
    'provider/catalogue/level.ts',
    'provider/nearest.ts',
    'provider/plain-object.ts',
    'provider/plugin/failures.ts',
    'provider/plugin/listing.ts',
    'provider/plugin/main.ts',
    'provider/plugin/properties.ts',
    'provider/plugin/resource-provider.ts',
    'provider/plugin/serve.ts',
    'provider/setting-names.ts',
    'provider/settings.ts',
    'provider/unknown.ts',
  ]);
});
