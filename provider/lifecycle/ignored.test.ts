// What a row says of rules that keep attributes.
import { IGNORED, ignoredPaths, rulesSaid } from './ignored';

const inputs = (declared: string | undefined) => ({
  [IGNORED]: {
    'attributes.max_threads': {
      rule: 'drift.yaml:3, by ann@acme.io, until 2027-01-31: load test',
      ...(declared === undefined ? {} : { declared }),
    },
    owner: {},
  },
});

test.each([
  ['the same value', inputs('a'), inputs('a'), false],
  ['a rule that is new', {}, inputs('a'), false],
  ['a secret', inputs(undefined), inputs(undefined), false],
  ['another value', inputs('a'), inputs('b'), true],
])('%s', (_, olds, news, warns) => {
  const said = rulesSaid(olds, news);
  expect(said).toEqual([
    {
      warns,
      text: expect.stringMatching(/attributes.max_threads.*drift.yaml:3, by ann@acme.io, until 2027-01-31: load/),
    },
  ]);
});

test('paths are those of the input', () => {
  expect(ignoredPaths(inputs('a'))).toEqual([['attributes', 'max_threads'], ['owner']]);
  expect(ignoredPaths({})).toEqual([]);
});
