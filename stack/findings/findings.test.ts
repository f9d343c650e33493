// How findings look in a terminal.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { rangesOf, sourceFile } from '../yaml/source';
import { type Finding, newReport, sortFindings } from './finding';
import { renderFindings } from './show';
import { examine } from '../run/load';
import { conversionExample } from '../convert/convert';
import { explanationOf, EXPLANATIONS } from './codes';
import { CONVERSION_CODES } from './old-files';
import { wrong } from '../../test/findings-corpus';
import { fixOf } from '../editor';

const file = sourceFile('oneops.yaml', 'assembly:\n  name: shop\n\tpakc: oneops/tomcat:1\n');
const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  severity: 'error',
  code: 'unknown-key',
  message: 'unknown key "pakc"',
  path: [],
  at: rangesOf(file)(start, end),
  secret: false,
  ...more,
});
const pakc = file.text.indexOf('pakc');

test('place, line, caret, hint and a count', () => {
  const warning = finding(0, 8, { severity: 'warning', message: 'odd' });
  const text = renderFindings([warning, finding(pakc, pakc + 4, { hint: 'did you mean "pack"?' })], [file]);
  expect(text).toBe(
    `oneops.yaml:1:1: warning ONE1101: odd
  assembly:
  ^^^^^^^^
oneops.yaml:3:2: error ONE1101: unknown key "pakc"
   pakc: oneops/tomcat:1
   ^^^^
  hint: did you mean "pack"?
1 error, 1 warning
`,
  );
});

test('nothing for no findings', () => expect(renderFindings([], [file])).toBe(''));

test('no line of a secret', () => {
  const text = renderFindings([finding(pakc, pakc + 4, { secret: true })], [file]);
  expect(text).toBe('oneops.yaml:3:2: error ONE1101: unknown key "pakc"\n1 error\n');
});

test('no more than the limit, all of them counted', () => {
  const text = renderFindings(Array(57).fill(finding(0, 8)), [file]);
  expect(text.match(/oneops\.yaml:/g)).toHaveLength(50);
  expect(text).toMatch(/\nand 7 more\n57 errors\n$/);
});

test('a range over several lines is marked to the end of its first', () => {
  expect(renderFindings([finding(2, pakc)], [file])).toContain('  assembly:\n    ^^^^^^^\n');
});

test('an end of file, and a file that does not exist, have no line', () => {
  expect(renderFindings([finding(file.text.length, file.text.length)], [file]).split('\n')).toHaveLength(3);
  expect(renderFindings([finding(0, 4)], []).split('\n')).toHaveLength(3);
});

test('a long line is cut around what is marked', () => {
  const long = sourceFile('long.yaml', `${'x'.repeat(500)}HERE${'y'.repeat(500)}`);
  const text = renderFindings([finding(0, 0, { at: rangesOf(long)(500, 504) })], [long]);
  const [, line = '', caret = ''] = text.split('\n');
  expect(line.length).toBeLessThan(130);
  expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
});

test('colour changes nothing but colour', () => {
  const plain = renderFindings([finding(pakc, pakc + 4, { hint: 'x' })], [file]);
  const coloured = renderFindings([finding(pakc, pakc + 4, { hint: 'x' })], [file], { colour: true });
  expect(coloured).not.toBe(plain);
  expect(coloured.replace(/\p{Cc}\[\d*m/gu, '')).toBe(plain);
});

test('carets are under what they mark, and no text steers the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(60), fc.nat(20), (text, from, length) => {
      const source = sourceFile('f', text);
      const at = rangesOf(source)(from, from + length);
      const rendered = renderFindings([finding(0, 0, { at, message: text, hint: text })], [source]);
      expect(rendered.replaceAll('\n', '')).not.toMatch(/[\p{Cc}]/u);
      const [, line, caret] = rendered.split('\n');
      if (caret?.trim().startsWith('^'))
        expect([...caret].length).toBeLessThanOrEqual(2 * [...(line ?? '')].length + 1);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['説明: 店', '店', 6, 2],
  ['한국: 서울', '서울', 6, 4],
  ['ｆｕｌｌ: a', 'a', 10, 1],
  ['ﾊﾝ: a', 'a', 4, 1],
  ['🛒: 🛍️', '🛍️', 4, 2],
  ['🇩🇪: x', 'x', 4, 1],
  ['cafe\u0301: é', 'é', 6, 1],
  ['naïve: e\u0301x', 'e\u0301x', 7, 2],
  ['a: ✓', '✓', 3, 1],
])('in %j, the carets are in the cells of %j', (text, wanted, before, cells) => {
  const source = sourceFile('f', text);
  const start = text.lastIndexOf(wanted);
  const at = rangesOf(source)(start, start + wanted.length);
  const [, , carets] = renderFindings([finding(0, 0, { at })], [source]).split('\n');
  expect(carets).toBe(`  ${' '.repeat(before)}${'^'.repeat(cells)}`);
});

test('findings are reported in the order of the files, each once', () => {
  const report = newReport(['b.yaml', 'a.yaml']);
  const place = (name: string, start: number) => ({
    path: [],
    at: rangesOf(sourceFile(name, file.text))(start, start + 2),
  });
  report.error(place('a.yaml', 1), 'x', 'x');
  report.error(place('b.yaml', 9), 'x', 'x');
  report.error(place('b.yaml', 2), 'x', 'x');
  report.error(place('b.yaml', 9), 'x', 'x');
  expect(report.findings().map(({ at }) => `${at.file} ${at.start.offset}`)).toEqual([
    'b.yaml 2',
    'b.yaml 9',
    'a.yaml 1',
  ]);
  expect(sortFindings(report.findings(), ['a.yaml', 'b.yaml'])[0]?.at.file).toBe('a.yaml');
});

// Laws of the codes: each is written once, and every code that the source raises is explained.

const ROOT = join(__dirname, '..', '..');
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
  expect(conversionExample(each).shown).toContain(id);
});

/** Codes that no file can raise: they are about addresses and records of programs. */
const OF_PROGRAMS = ['declared-twice', 'left-around', 'two-scopes'];

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
    ...[...source.matchAll(/\brefuse\([^,()]+,\s*[^,]+,\s*'([a-z-]+)'/g)].map(([, code = '']) => code),
    // What is put together before it is reported.
    ...[...source.matchAll(/\bcode: '([a-z-]+)',\s*(?:message|why|hint|\.\.\.)/g)].map(([, code = '']) => code),
  ]);
  expect(raised.length).toBeGreaterThan(80);
  expect(
    [...new Set(raised)].filter((code) => !OF_PROGRAMS.includes(code) && explanationOf(code) === undefined),
  ).toEqual([]);
});

// Every hint that proposes another word is a quick fix, and the fix removes its finding.

const texts = [
  ...wrong.map(({ title, text }): [string, string, object] => [title, text, {}]),
  ...EXPLANATIONS.flatMap(({ explanations }) => explanations).map((each): [string, string, object] => [
    each.id,
    each.wrong,
    each.config ?? {},
  ]),
];

const proposing = texts.filter(([, text, config]) =>
  examine(text, { config: { ...config } }).findings.some(({ hint }) => hint?.includes('did you mean')),
);

test('there are many', () => {
  expect(proposing.length).toBeGreaterThan(30);
});

test.each(proposing)('the fix of %s', (_, text, config) => {
  const { file, findings } = examine(text, { config: { ...config } });
  for (const finding of findings.filter(({ hint }) => hint?.includes('did you mean'))) {
    const fix = fixOf(finding, [file]);
    expect([finding.message, fix]).toEqual([finding.message, expect.anything()]);
    if (fix === undefined) continue;
    const { at, text: word } = fix;
    const after = file.text.slice(0, at.start.offset) + word + file.text.slice(at.end.offset);
    const left = examine(after, { config: { ...config } }).findings;
    expect(left.filter(({ code, message }) => code === finding.code && message === finding.message)).toEqual([]);
  }
});
