// The functions of a stack file: examples, known and unknown arguments, secrets, mistakes.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText } from '../../test/read-text';
import { stackSurroundings } from '../run/load';
import { FILE_FUNCTIONS, type FileFunction } from '../values/functions';
import { type Carrier, plainCarrier, resolve } from '../values/resolve';
import { holdsSecret } from '../values/value';
import type { ReadStack } from './stack';
import { bindConfig } from './config';
import type { StackPlan } from '../plan';
import { eachFolder } from '../../test/folder';

const env = { REGION: 'east', API_TOKEN: 'hunter2' };
const read = (value: string, top = 'env: [REGION, API_TOKEN]', more: object = {}): ReadStack =>
  readText(
    `assembly: { name: shop }\nconfig: { given: { type: map, default: {} } }\n${top}\noutputs:\n  out: ${value}\n  given: \${config.given}\n`,
    { readFile: () => ({ text: 'Welcome\n' }), env, ...more },
  );
const output = (value: string, top?: string) => {
  const { plan, findings } = read(value, top);
  if (plan?.outputs[0] === undefined) throw new Error(findings.map(({ message }) => message).join('\n'));
  return plan.outputs[0].value;
};
const faults = (value: string, top?: string) =>
  read(value, top).findings.map(({ code, message, at }) => `${at.start.line}:${at.start.column} ${code} ${message}`);

/** Resolves references to what configuration holds. */
const carrier = (given: unknown): Carrier<unknown> => ({
  ...plainCarrier(() => given),
  invoke: ({ function: name }, args) => ({ name, args }),
});

const rows = Object.entries(FILE_FUNCTIONS as { readonly [name: string]: FileFunction });
const computed = rows.filter(([, { compute }]) => compute !== undefined);

test.each(rows.filter(([name]) => !['invoke', 'stackReference', 'secret'].includes(name)))(
  'fn::%s does what its example says',
  (name, { example: [argument, result] }) =>
    expect(JSON.stringify(output(`{ fn::${name}: ${argument} }`))).toBe(result),
);

test.each(computed)('fn::%s waits for an argument not known yet', (name, { example: [argument, result], takes }) => {
  const held = parse(argument) as unknown;
  const isList = typeof takes !== 'string';
  const places = isList ? takes.map((_, index) => `"\${config.given[${index}]}"`) : ['"${config.given}"'];
  const value = output(`{ fn::${name}: ${isList ? `[${places.join(', ')}]` : (places[0] ?? '')} }`);
  expect(JSON.stringify(resolve(value, carrier(held)))).toBe(result);
});

test.each(computed)('fn::%s of a secret is a secret', (name, { example: [argument], takes }) => {
  const items = typeof takes === 'string' ? [] : (parse(argument) as readonly unknown[]);
  const hidden = (value: string): string => `{ fn::secret: ${value} }`;
  const written =
    typeof takes === 'string'
      ? [hidden(argument)]
      : items.map(
          (_, secret) =>
            `[${items.map((item, index) => (index === secret ? hidden(JSON.stringify(item)) : JSON.stringify(item))).join(', ')}]`,
        );
  for (const each of written) expect(holdsSecret(output(`{ fn::${name}: ${each} }`))).toBe(true);
});

test.each(computed.filter(([, { takes }]) => takes !== 'value' && takes !== 'sized'))(
  'fn::%s refuses another argument at its place',
  (name, { takes, argument }) => {
    const wrong = typeof takes === 'string' ? (takes === 'map' ? '[1]' : '{ a: 1 }') : '[{ a: 1 }]';
    const column = 8 + `{ fn::${name}: `.length;
    expect(faults(`{ fn::${name}: ${wrong} }`)).toEqual([`5:${column} wrong-type fn::${name} takes ${argument}`]);
  },
);

test('a call of configured values without a result is found before the first request, and shows no value', () => {
  const text =
    'assembly: { name: shop, description: { fn::fromJSON: "${config.given}" } }\nconfig: { given: { type: string } }\n';
  const { plan } = readText(text);
  const found = bindConfig(plan!, { given: '{hunter2' }).findings;
  expect(found).toMatchObject([
    { code: 'wrong-argument', message: 'fn::fromJSON: the text is not JSON', at: { start: { line: 1, column: 54 } } },
  ]);
});

test('fn::env reads declared names only, and a name of a secret makes a secret', () => {
  expect(output('{ fn::env: REGION }')).toBe('east');
  expect(holdsSecret(output('{ fn::env: API_TOKEN }'))).toBe(true);
  expect(faults('{ fn::env: REGIONS }')).toEqual([
    '5:19 undeclared-env the file does not declare the variable "REGIONS"',
  ]);
  expect(faults('{ fn::env: PATH }', 'env: [PATH]')).toEqual([
    '5:19 unset-env the environment variable "PATH" is not set',
  ]);
  expect(faults('{ fn::env: "${config.given}" }')).toEqual([expect.stringContaining('5:19 no-reference')]);
  expect(faults('x', 'env: REGION')).toEqual(['3:6 wrong-type must be a list of names of environment variables']);
  expect(faults('x', 'env: [a b]')).toEqual(['3:7 bad-name must be the name of an environment variable']);
});

test('fn::stackReference asks for an output, and its stack depends on no resource', () => {
  const asked = output('{ fn::stackReference: ["acme/net/${pulumi.stack}", address] }');
  expect(resolve(asked, carrier('prod'))).toEqual({
    name: 'stackReference',
    args: { stack: 'acme/net/prod', output: 'address' },
  });
  expect(faults('{ fn::stackReference: ["${assembly.name}", address] }')).toEqual([
    expect.stringContaining('no-reference'),
  ]);
  expect(faults('{ fn::stackReference: acme/net/prod }')).toEqual([expect.stringContaining('wrong-type')]);
});

test('numbers are texts where a text is expected, and texts are numbers where a number is', () => {
  const text = `assembly: { name: shop, description: { fn::length: [a, b] } }
variables: { COUNT: { fn::length: "\${config.given}" } }
config: { given: { type: list, default: [1] } }
platforms:
  web:
    pack: oneops/tomcat:1
    components: { user: { deployer: { username: deployer, attachments: { motd: { path: /x, content: y, priority: { fn::select: [0, ['2']] } } } } } }
`;
  const { plan, findings } = readText(text);
  expect(findings).toEqual([]);
  const args = (key: string) => plan?.resources.find((each) => each.key === key)?.args ?? {};
  expect(args('Assembly::shop')['description']).toBe('2');
  expect(args('Attachment::web/motd')['priority']).toBe(2);
  expect(resolve(args('Variable::variables/COUNT')['value'] ?? null, carrier([1]))).toBe('1');
});

describe('fn::readFile', () => {
  const folder = eachFolder();
  beforeEach(() => {
    mkdirSync(join(folder.path, 'project', 'parts'), { recursive: true });
    writeFileSync(join(folder.path, 'outside.txt'), 'secret');
    writeFileSync(join(folder.path, 'project', 'motd.txt'), 'Welcome\n');
    symlinkSync('../outside.txt', join(folder.path, 'project', 'link.txt'));
  });

  const findingsOf = (call: string) =>
    read(call, '', stackSurroundings(join(folder.path, 'project'))).findings.map(({ message }) => message);

  test.each(['../outside.txt', 'link.txt', 'parts/../../outside.txt'])('%s is outside the project', (name) => {
    expect(findingsOf(`{ fn::readFile: ${name} }`)).toEqual([
      `cannot read ${name}: it is outside the folder of the project`,
    ]);
  });

  test('files of the project are inside, by any way of writing them', () => {
    expect(findingsOf('{ fn::readFile: motd.txt }')).toEqual([]);
    expect(findingsOf('{ fn::readFile: parts/../../project/motd.txt }')).toEqual([]);
    expect(findingsOf(`{ fn::readFile: ${join(folder.path, 'project', 'motd.txt')} }`)).toEqual([]);
    expect(findingsOf('{ fn::readFile: none.txt }')).toEqual(['cannot read none.txt: there is no such file']);
  });
});

// Variables in a file: what each form comes to, in each place, and what is wrong with others.
describe('variables', () => {
  const read = (text: string, secretConfig: readonly string[] = []) =>
    readText(text, { secretConfig: new Set(secretConfig) });

  const file = (top: string) => `config: { key: { type: string, secret: true }, level: { type: string, default: info } }
assembly: { name: shop }
variables: ${top}
platforms: { web: { pack: oneops/tomcat:1, variables: {} } }
environments: { prod: { clouds: { east: { priority: 1 } }, variables: {} } }
outputs: { key: '\${config.key}', level: '\${config.level}' }
`;

  /** Arguments of one variable, references shown as `<config.key>`. */
  function argsOf(text: string, logicalName: string, secretConfig: readonly string[] = []) {
    const { plan, findings } = read(text, secretConfig);
    if (!plan) throw new Error(JSON.stringify(findings));
    const found = plan.resources.find(({ key }) => key === `Variable::${logicalName}`);
    return resolve<unknown>(found?.args as never, {
      ...plainCarrier((target) => (target.of === 'resource' ? `<${target.key}>` : `<${target.of}.${target.name}>`)),
      secret: (inner) => ({ secret: inner }),
      invoke: ({ function: token }, args) => ({ asked: token, args }),
    });
  }

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

  test('a platform in one environment gives another value to the variable of the platform', () => {
    const { plan, findings } = read(`assembly: { name: shop }
platforms: { web: { pack: oneops/custom:1, variables: { LEVEL: info, KEY: a } } }
environments:
  prod: { clouds: [east], platforms: { web: { variables: { LEVEL: warn, KEY: { fn::secret: s3cret } } } } }
`);
    expect(findings).toEqual([]);
    const [level, key] = (plan?.resources ?? []).filter(({ logicalName }) => logicalName.includes('prod/platforms'));
    expect(level).toMatchObject({
      key: 'Variable::environments/prod/platforms/web/variables/LEVEL',
      args: { assembly: 'shop', platform: 'web', name: 'LEVEL', value: 'warn' },
    });
    expect(Object.keys(key?.args ?? {})).toContain('encryptedValue');
  });
});

// Values given for a stack's configuration.

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
const codesOf = (given: { readonly [name: string]: string }) =>
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
])('%s is one finding, at its place', (_, given, expected) => expect(codesOf(given)).toEqual([expected]));

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
    'config: { n: { type: integer, secret: true } }\nassembly: { name: shop, description: "of ${config.n}", owner: "a${config.n}" }',
  );
  const { findings } = bindConfig(secret, { n: 'hunter2' });
  expect(findings.length).toBeGreaterThan(0);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
  expect(JSON.stringify(bindConfig(secret, { n: '12345' }).findings)).not.toContain('12345');
});
