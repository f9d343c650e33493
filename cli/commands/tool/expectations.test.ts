// Files of expectations: every mistake has its line and the nearest word; and how instances are counted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countedIn, isAsExpected, readExpectations } from './expectations';

test.each([
  ['expct: {}', 'tests/a.yaml:1: there is no key "expct"; did you mean "expect"?'],
  [
    'stack: dev\nexpect:\n  outputs: {}\n  instnces: {}',
    'tests/a.yaml:4: there is no key "instnces"; did you mean "instances"?',
  ],
  ['expect:\n  instances:\n    prod/web: -1', 'tests/a.yaml:3: expect.instances.prod/web: '],
  [
    'changes:\n  - config: {}\n    expect: { creates: 1 }',
    'tests/a.yaml:3: there is no key "creates"; did you mean "create"?',
  ],
  ['changes:\n  - confg: {}\n    expect: {}', 'tests/a.yaml:2: there is no key "confg"; did you mean "config"?'],
  ['stack: [', 'tests/a.yaml:1: '],
])('%j is refused', (text, problem) => {
  expect(readExpectations('tests/a.yaml', text)).toEqual({ problem: expect.stringContaining(problem) as string });
});

test('an empty file expects that a run, its repetition, a review and a destroy go well', () => {
  const read = readExpectations('a.yaml', '');
  expect(read).toMatchObject({
    expectations: { stack: 'test', config: {}, expect: { outputs: {}, instances: {}, policies: [] }, changes: [] },
  });
});

test('instances are counted by place, and by cloud where the expectation names clouds', () => {
  const at = (platform: string, component: string, cloud: string) => ({
    environment: 'prod',
    platform,
    component,
    cloud,
  });
  const all = [
    at('web', 'compute', 'east'),
    at('web', 'compute', 'west'),
    at('web', 'os', 'east'),
    at('db', 'compute', 'east'),
  ];
  expect(countedIn(all, 'prod/web', 1)).toBe(3);
  expect(countedIn(all, 'prod/web/compute', 1)).toBe(2);
  expect(countedIn(all, 'prod/web/compute', { east: 1 })).toEqual({ east: 1, west: 1 });
  expect(countedIn(all, 'qa/web', { east: 1 })).toEqual({ east: 0 });
});

test.each([
  [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1], [1, 2], false],
  ['1', 1, false],
  [{ a: 1 }, undefined, false],
])('%j against %j: %p', (wanted, seen, expected) => {
  expect(isAsExpected(wanted, seen)).toBe(expected);
});

test('the file in the docs can be read', () => {
  const page = readFileSync(join(__dirname, '../../../docs/testing.md'), 'utf8');
  const [, text = 'no block'] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(readExpectations('tests/dev.yaml', text)).toMatchObject({ expectations: { stack: 'dev' } });
});
