// The ways of CONTRIBUTING.md: their files exist, and each is next to another one of its way.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, readSources } from '../house/sources';

const ROOT = join(__dirname, '..', '..');

const [, section = ''] = /^### Ways\n([^]*?)^## /m.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
const ways = section.split(/^(?=1\. )/m).slice(1);

const filesOf = (way: string): readonly string[] =>
  [...way.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);

test('there are ways', () => expect(ways.length).toBeGreaterThan(0));

test.each(ways)('way %#: at most 15 files, each next to another one', (way) => {
  const files = filesOf(way);
  expect(files.length).toBeLessThanOrEqual(15);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const sources = readSources().product;
  const doors = new Map(
    sources.filter(({ path }) => path.endsWith('index.ts')).map((door) => [door.path, importsOf(door)]),
  );
  const importsIn = new Map(
    sources
      .filter(({ path }) => files.includes(path))
      .map((source) => [source.path, importsOf(source).flatMap((file) => [file, ...(doors.get(file) ?? [])])]),
  );
  const isNext = (one: string, other: string): boolean => importsIn.get(one)?.includes(other) === true;
  const alone = files.filter(
    (one) => !files.some((other) => other !== one && (isNext(one, other) || isNext(other, one))),
  );
  expect(alone).toEqual([]);
});
