// Variables in a file: what each form comes to, in each place, and what is wrong with others.
import { readText } from '../../test/read-text';
import { resolve } from '../values/resolve';

const read = (text: string, secretConfig: readonly string[] = []) =>
  readText(text, { secretConfig: new Set(secretConfig) });

const told = (text: string) =>
  read(text).findings.map(({ code, at, severity }) => `${at.start.line}:${at.start.column} ${severity} ${code}`);

const file = (
  top: string,
  web = '{}',
  prod = '{}',
) => `config: { key: { type: string, secret: true }, level: { type: string, default: info } }
assembly: { name: shop }
variables: ${top}
platforms: { web: { pack: oneops/tomcat:1, variables: ${web} } }
environments: { prod: { clouds: { east: { priority: 1 } }, variables: ${prod} } }
outputs: { key: '\${config.key}', level: '\${config.level}' }
`;

/** Arguments of one variable, references shown as `<config.key>`. */
function argsOf(text: string, logicalName: string, secretConfig: readonly string[] = []) {
  const { plan, findings } = read(text, secretConfig);
  if (!plan) throw new Error(JSON.stringify(findings));
  const found = plan.resources.find(({ key }) => key === `Variable::${logicalName}`);
  return resolve<unknown>(found?.args as never, {
    lookup: (target) => (target.of === 'resource' ? `<${target.key}>` : `<${target.of}.${target.name}>`),
    combine: (values, compute) => compute(values),
    secret: (inner) => ({ secret: inner }),
    invoke: ({ function: token }, args) => ({ asked: token, args }),
  });
}

test('each place is a scope, with names that are paths below the assembly', () => {
  const text = file('{ LEVEL: info }', '{ HEAP: 2g }', '{ LEVEL: warn }');
  expect(argsOf(text, 'variables/LEVEL')).toEqual({ assembly: '<Assembly::shop>', name: 'LEVEL', value: 'info' });
  expect(argsOf(text, 'platforms/web/variables/HEAP')).toEqual({
    assembly: 'shop',
    platform: '<Platform::web>',
    name: 'HEAP',
    value: '2g',
  });
  expect(argsOf(text, 'environments/prod/variables/LEVEL')).toEqual({
    assembly: 'shop',
    environment: '<Environment::prod>',
    name: 'LEVEL',
    value: 'warn',
  });
});

test.each([
  ['a text', 'info', { value: 'info' }],
  ['a number by its source text', '7.0', { value: '7.0' }],
  ['true', 'true', { value: 'true' }],
  ['nothing but quotes', "''", { value: '' }],
  ['a reference of the service', '"$OO_CLOUD{zone}"', { value: '$OO_CLOUD{zone}' }],
  ['configuration', '"${config.level}"', { value: '<config.level>' }],
  ['secret configuration', '"${config.key}"', { encryptedValue: '<config.key>' }],
  ['text around secret configuration', '"Bearer ${config.key}"', { encryptedValue: 'Bearer <config.key>' }],
  ['fn::secret', '{ fn::secret: "${config.level}" }', { encryptedValue: { secret: '<config.level>' } }],
  ['a map', '{ value: info, adopt: true }', { value: 'info', adopt: true }],
  ['a map with a secret', '{ encrypted_value: "${config.key}" }', { encryptedValue: '<config.key>' }],
  ['a map whose value is a secret', '{ value: "${config.key}" }', { encryptedValue: '<config.key>' }],
])('%s', (_, written, args) => {
  expect(argsOf(file(`{ X: ${written} }`), 'variables/X')).toEqual({
    assembly: '<Assembly::shop>',
    name: 'X',
    ...args,
  });
});

test('configuration that Pulumi keeps as a secret is one, declared so or not', () => {
  const text = file('{ X: "${config.level}" }');
  expect(argsOf(text, 'variables/X', ['level'])).toMatchObject({ encryptedValue: '<config.level>' });
});

test('the secret of another resource stays one', () => {
  const text = file('{ X: "${config.key}", Y: "${variables.X.encrypted_value}" }');
  expect(argsOf(text, 'variables/Y')).toMatchObject({ encryptedValue: '<Variable::variables/X>' });
});

test('options, references and order', () => {
  const { plan } = read(
    file('{ X: { value: a, pulumi: { protect: true } } }', '{}', '{ X: b }').replace(
      'outputs: {',
      "outputs: { x: '${environments.prod.variables.X.value}',",
    ),
  );
  expect(plan?.resources.find(({ key }) => key === 'Variable::variables/X')?.options).toEqual({ protect: true });
  const order = plan?.resources.map(({ key }) => key) ?? [];
  const keys = [
    'Variable::variables/X',
    'DesignRelease::shop',
    'Environment::prod',
    'Variable::environments/prod/variables/X',
    'Deployment::prod',
  ] as const;
  expect(order.filter((key) => keys.some((each) => each === key))).toEqual(keys);
});

test.each([
  ['a list', file('{ X: [a] }'), ['3:17 error wrong-type']],
  ['a secret twice', file('{ X: { value: "${config.key}", encrypted_value: b } }'), ['3:43 error given-twice']],
  ['white space before the value', file('{ X: " a" }'), ['3:17 error bad-format']],
  ['a name that is none', file('{ 9X: a }'), ['3:14 error bad-name']],
  ['a mask in place of a secret', file('{ X: "::ENCRYPTED::" }'), ['3:17 error masked-secret']],
])('%s is reported at its place', (_, text, expected) => {
  expect(told(text)).toEqual(expected);
});

test('an environment may give values to variables of an assembly that another stack owns', () => {
  const text = file('{}', '{}', '{ LEVEL: warn }').replace('{ name: shop }', '{ name: shop, existing: true }');
  expect(told(text)).toEqual([]);
});

describe('a platform in one environment', () => {
  const inProd = (variables: string, designed: string, more = ''): string =>
    [
      'assembly: { name: shop }',
      `platforms: { web: { pack: oneops/custom:1${more}, variables: ${designed} } }`,
      `environments: { prod: { clouds: [east], platforms: { web: { variables: ${variables} } } } }`,
    ].join('\n');

  test('gives another value to the variable of the platform', () => {
    const { plan, findings } = read(inProd('{ LEVEL: warn, KEY: { fn::secret: s3cret } }', '{ LEVEL: info, KEY: a }'));
    expect(findings).toEqual([]);
    const [level, key] = (plan?.resources ?? []).filter(({ logicalName }) => logicalName.includes('prod/platforms'));
    expect(level).toMatchObject({
      key: 'Variable::environments/prod/platforms/web/variables/LEVEL',
      args: { assembly: 'shop', platform: 'web', name: 'LEVEL', value: 'warn' },
    });
    expect(Object.keys(key?.args ?? {})).toContain('encryptedValue');
  });

  test('one that the file does not declare is reported at its place, with what may be meant', () => {
    expect(told(inProd('{ LEVLE: warn }', '{ LEVEL: info }'))).toEqual(['3:74 warning unknown-variable']);
    expect(read(inProd('{ LEVLE: warn }', '{ LEVEL: info }')).findings[0]?.hint).toBe('did you mean "LEVEL"?');
    expect(told(inProd('{ LEVEL: warn }', '{}', ', existing: true'))).toEqual([]);
  });
});

test('no finding shows a secret that is in the file', () => {
  const { findings } = read(file('{ X: { encrypted_value: hunter2, adotp: true } }'));
  expect(findings.map(({ code, secret }) => [code, secret])).toEqual([
    ['secret-in-file', true],
    ['unknown-key', true],
  ]);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
});
