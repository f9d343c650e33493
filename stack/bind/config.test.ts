// Values given for a stack's configuration.
import { readText } from '../../test/read-text';
import type { StackPlan } from '../plan';
import { bindConfig } from './config';

const text = `config:
  owner: { type: string, default: team@acme.io }
  size: { type: string, allowed: [S, M], default: S }
  count: { type: integer, default: 1 }
  share: { type: number, default: 0.5 }
  debug: { type: boolean, default: false }
  hosts: { type: list, default: [a] }
  tags: { type: map, default: { tier: gold } }
  password: { type: string, secret: true }
assembly: { name: shop, owner: "\${config.owner}", tags: { tier: "\${config.tags.tier}" } }
environments:
  prod:
    clouds:
      east: {}
      west: { priority: "\${config.count}" }
`;

const planOf = (file: string): StackPlan => {
  const { plan, findings } = readText(file);
  if (!plan) throw new Error(JSON.stringify(findings));
  return plan;
};
const plan = planOf(text);
const bound = (given: { readonly [name: string]: string }) => bindConfig(plan, { password: 'hunter2', ...given });
const told = (given: { readonly [name: string]: string }) =>
  bound(given).findings.map(({ code, at }) => `${at.start.line}:${at.start.column} ${code}`);

test('defaults are where nothing is given', () => {
  expect(bound({})).toEqual({
    findings: [],
    values: {
      owner: 'team@acme.io',
      size: 'S',
      count: 1,
      share: 0.5,
      debug: false,
      hosts: ['a'],
      tags: { tier: 'gold' },
      password: 'hunter2',
    },
  });
});

test('given texts become values of their types', () => {
  const given = {
    owner: 'x@acme.io',
    size: 'M',
    count: '2',
    share: '7',
    debug: 'true',
    hosts: '["b"]',
    tags: '{"tier":"x"}',
  };
  expect(bound(given)).toMatchObject({
    findings: [],
    values: { owner: 'x@acme.io', size: 'M', count: 2, share: 7, debug: true, hosts: ['b'], tags: { tier: 'x' } },
  });
});

test.each([
  ['a value of another type', { count: 'many' }, '4:3 wrong-type'],
  ['a fraction', { count: '1.5' }, '4:3 wrong-type'],
  ['a map for a list', { hosts: '{}' }, '7:3 wrong-type'],
  ['a word for a map', { tags: 'gold' }, '8:3 wrong-type'],
  ['a word that is not allowed', { size: 'XL' }, '3:3 not-allowed'],
  ['a value its field refuses', { owner: 'nobody' }, '10:33 bad-format'],
  ['a number its field refuses', { count: '3' }, '15:26 out-of-range'],
  ['a step into nothing', { tags: '{}' }, '10:66 unknown-reference'],
])('%s is one finding, at its place', (_, given, expected) => expect(told(given)).toEqual([expected]));

test('a value that must be set is reported with the command that sets it', () => {
  const { findings } = bindConfig(plan, {});
  expect(findings).toMatchObject([
    {
      code: 'config-required',
      message: 'config "password" is not set',
      hint: 'set it with: pulumi config set --secret password',
    },
  ]);
  expect(bindConfig(plan, { pasword: 'x' }).findings[0]?.hint).toContain('"pasword" is set');
});

test('no secret is shown', () => {
  const secret = planOf(
    'config: { n: { type: integer, secret: true } }\nassembly: { name: shop, description: "${config.n}", owner: "${config.n}" }',
  );
  const { findings } = bindConfig(secret, { n: 'hunter2' });
  expect(findings.length).toBeGreaterThan(0);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
  expect(JSON.stringify(bindConfig(secret, { n: '12345' }).findings)).not.toContain('12345');
});
