// Which values a finding shows.
import { asList, mustBe } from './mask';

test.each([
  'https://bob:password@acme.io',
  'curl -u "bob:canary" https://acme.io',
  ['curl -H "Authorization: Basic secret"'],
  { '"Authorization': { a: '"authorization": "Basic canary"' } },
  ['-----BEGIN PRIVATE KEY-----'],
  { 'https://bob:canary@acme.io': 1 },
])('what may contain a secret in clear is not shown: %j', (value) => {
  expect([mustBe('a flag', value, false), asList(value, false)]).toEqual(['must be a flag', undefined]);
});

test('other values are shown', () => {
  expect([mustBe('a flag', { a: ['b'] }, false), asList('a, b', false)]).toEqual([
    'must be a flag, not {"a":["b"]}',
    'write a list: ["a","b"]',
  ]);
});
