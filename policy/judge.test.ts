// Names in a policy file that nothing has: which are reported, and which may be meant.
import { classMetadata, templateClass } from '../api/contract';
import { readStack } from '../stack';
import { declaredRecords, unmatchedNames } from './judge';
import { readPolicies } from './policy-file';
import type { JudgedRecord } from './rules';

function recordsOf(text: string): readonly JudgedRecord[] {
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], {
    ...{ classMetadata, templateClass, readFile: () => ({ problem: 'there is no such file' }), env: {} },
    catalogue: 'off',
  });
  if (plan === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return declaredRecords(plan, {}, { directory: '/', organization: 'acme' });
}

const stackWith = (...environments: readonly string[]): readonly JudgedRecord[] =>
  recordsOf(`assembly: { name: shop }
platforms: { web: { pack: "oneops/tomcat:1", components: { app: { type: user } } } }
environments: ${JSON.stringify(Object.fromEntries(environments.map((name) => [name, { clouds: { east: {} } }])))}
`);

const DEV = stackWith('dev');
const ALL = [...DEV, ...stackWith('prod', 'test1')];

const found = (policy: string, all: () => readonly JudgedRecord[] | undefined = () => ALL): readonly string[] =>
  unmatchedNames(readPolicies({ name: 'policies.yaml', text: `policies:\n  active-clouds: ${policy}\n` }), {
    ...{ stacks: ['dev', 'prod'], own: DEV, all },
  }).map(({ at, severity, message, hint }) => `${at.start.line}:${at.start.column} ${severity}: ${message}; ${hint}`);

test.each([
  [
    '{ environments: prdo }',
    '2:34 warning: environments: "prdo" matches no environment that a stack of this project declares; did you mean "prod"?',
  ],
  [
    '{ environments: [dev, europe] }',
    '2:40 warning: environments: "europe" matches no environment that a stack of this project declares; there are dev, prod, test1',
  ],
  [
    '{ only: shop/prd }',
    '2:26 warning: only: "shop/prd" matches no record that a stack of this project declares; did you mean "shop/prod"?',
  ],
  [
    '{ only: [shop/wb/*] }',
    '2:27 warning: only: "shop/wb/*" matches no record that a stack of this project declares; did you mean "shop/web/*"?',
  ],
  [
    '{ only: acme/shop/* }',
    '2:26 warning: only: "acme/shop/*" matches no record that a stack of this project declares; did you mean "shop/*"?',
  ],
  ['{ stacks: pord }', '2:28 warning: stacks: "pord" matches no stack that has settings here; did you mean "prod"?'],
])('%s is reported', (policy, warning) => expect(found(policy)).toEqual([warning]));

test.each([
  ['of another stack of the project', '{ environments: prod }'],
  ['of the stack itself', '{ environments: dev, only: shop/dev }'],
  ['a pattern that foresees others', '{ environments: [stag*, dev-*], only: [shop/api/*, other/*] }'],
  ['a stack without settings', '{ stacks: [staging, test*] }'],
  ['another number', '{ stacks: [prod2] }'],
  ['of a policy that is off', '{ level: disabled, environments: prdo, stacks: pord }'],
])('a name %s is not', (_, policy) => expect(found(policy)).toEqual([]));

test('nothing is said of what is not known: a stack of the project that cannot be read may have it', () => {
  expect(found('{ environments: prdo, only: shop/prd }', () => undefined)).toEqual([]);
});

test('what a planned run deletes is no longer declared', () => {
  const policies = readPolicies({
    name: 'policies.yaml',
    text: 'policies:\n  no-deletion: { kinds: Platform, only: [shop/old, shop/wbe] }\n',
  });
  const found = unmatchedNames(policies, { stacks: [], own: DEV, all: () => ALL });
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('"shop/wbe"')]);
});
