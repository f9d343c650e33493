// What state holds for ever: ids, type names and provider texts of every kind. The golden file may grow and never change.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatId, parseId, scopesOf } from '../provider';
import { kinds } from '../provider/kinds';
import providers from '../provider/faces/dynamic';
import { frozenNow, titleOf, type Frozen } from './generate/frozen';

const GOLDEN = join(__dirname, 'golden', 'frozen.json');
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly [title: string]: Frozen };
const now = frozenNow();

test.each(Object.keys(golden))('%s is what it was', (title) => {
  expect(now[title]).toEqual(golden[title]);
});

test('every kind is in sdk/golden/frozen.json: run npm run generate', () => {
  expect(Object.keys(golden).sort()).toEqual(Object.keys(now).sort());
});

test('every provider text that state holds finds its provider', () => {
  const names = Object.values(golden).map(({ provider }) => /\.(\w+);$/.exec(provider)?.[1]);
  expect(Object.keys(providers).sort()).toEqual([...new Set(names)].sort());
});

test('an id leads back to its address', () => {
  for (const of of kinds.flatMap(scopesOf)) {
    const id = golden[titleOf(of)]?.id ?? '';
    const parsed = parseId(of, id);
    expect(parsed && formatId(of, parsed.organization, parsed.address)).toBe(id);
  }
});
