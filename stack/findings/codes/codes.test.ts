// Laws of the codes: each is written once, raised by its wrong example alone, and every code that the source raises is explained.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from '../../examine';
import { conversionExample } from '../../convert/convert';
import { CONVERSION_CODES, EXPLANATIONS, explanationOf } from '.';

const ROOT = join(__dirname, '..', '..', '..');
const all = EXPLANATIONS.flatMap(({ explanations }) => explanations);
const every = [...all, ...CONVERSION_CODES];

test('ids and words are used once, and ids are in order', () => {
  for (const words of [every.map(({ id }) => id), every.map(({ code }) => code)])
    expect(new Set(words).size).toBe(words.length);
  expect(every.map(({ id }) => id)).toEqual(every.map(({ id }) => id).sort());
  expect(every.filter(({ id, code }) => !/^ONE1\d{3}$/.test(id) || explanationOf(id) !== explanationOf(code))).toEqual(
    [],
  );
});

test.each(all.map((each): [string, typeof each] => [each.id, each]))('%s', (_, { code, wrong, right, config = {} }) => {
  expect(examine(wrong, { config }).findings.map((finding) => finding.code)).toEqual([code]);
  expect(examine(right, { config }).findings).toEqual([]);
});

test.each(CONVERSION_CODES.map((each): [string, typeof each] => [each.id, each]))('%s', (id, each) => {
  expect(conversionExample(each).told).toContain(id);
});

/** Codes that no file can raise: the address is given by structure, the record is declared by a program, the service is asked. */
const OF_PROGRAMS = ['declared-twice', 'two-scopes'];

test('every code that the source raises is explained', () => {
  const sources = ['stack', 'provider', 'api/contract'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith(join('findings', 'codes')),
      )
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  const raised = sources.flatMap((source) => [
    ...[...source.matchAll(/report\.(?:error|warning)\(\s*[^,]+,\s*'([a-z-]+)'/g)].map(([, code = '']) => code),
    ...[...source.matchAll(/(?<!Set|\w)(?:problem|warning|refuse|fail)\(\s*'([a-z-]+)',/g)].map(
      ([, code = '']) => code,
    ),
    // What is put together before it is reported.
    ...[...source.matchAll(/\bcode: '([a-z-]+)',\s*(?:message|why|hint|\.\.\.)/g)].map(([, code = '']) => code),
  ]);
  expect(raised.length).toBeGreaterThan(80);
  expect(
    [...new Set(raised)].filter((code) => !OF_PROGRAMS.includes(code) && explanationOf(code) === undefined),
  ).toEqual([]);
});
