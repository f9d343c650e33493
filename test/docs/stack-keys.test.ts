// The pages on stack files explain every key of the schema: each is named in a stack file that a test reads, or in the text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { camelCase, snakeCase } from '../../provider';

const ROOT = join(__dirname, '..', '..');
const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** What is in code on these pages. */
const codeOf = (...pages: readonly string[]): string =>
  pages.flatMap((page) => textOf(page).match(/```[^]*?```|`[^`\n]+`/g) ?? []).join('\n');

const PAGES = codeOf(
  ...['yaml', 'yaml-environments', 'yaml-options', 'composition'].map((page) => `docs/${page}.md`),
);
/** Functions of values, and those that ask the service, have pages that are generated with an example of each. */
const FUNCTIONS = codeOf('docs/reference/values.md', 'docs/reference/functions.md', 'docs/functions.md');

interface Schema {
  readonly properties?: { readonly [key: string]: unknown };
  readonly definitions?: { readonly [name: string]: Schema };
}

const schema = JSON.parse(textOf('stack.schema.json')) as Schema;
const { definitions = {}, ...root } = schema;

/** Attributes of a class belong to the catalogue: `packs` and the editor show them. */
const isClass = (name: string): boolean => /^(component|environmentComponent)\./.test(name);
/** The templates of packs, by which components are named. */
const templates = new Set(
  Object.values(definitions)
    .flatMap((each) => keysBelow(each))
    .flatMap(([key, value]) => (key === 'components' ? keysBelow(value) : []))
    .map(([key]) => key),
);

function keysBelow(node: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as Schema;
  const own = typeof properties === 'object' && !Array.isArray(node) ? Object.entries(properties) : [];
  return [...own, ...Object.values(node).flatMap((inner) => keysBelow(inner))];
}

const isNamed = (key: string, code: string): boolean =>
  [key, snakeCase(key), camelCase(key)].some((word) => code.split(/[^\w:-]+|:(?=\s|$)/m).includes(word));

test.each([['the top', root] as const, ...Object.entries(definitions).filter(([name]) => !isClass(name))])(
  'the keys of %s',
  (name, definition) => {
    const pages = (key: string): string => (key.startsWith('fn::') || name === 'invoke' ? FUNCTIONS : PAGES);
    const keys = [...new Set(keysBelow(definition).map(([key]) => key))].filter((key) => !templates.has(key));
    expect(keys.filter((key) => !isNamed(key, pages(key)))).toEqual([]);
  },
);
