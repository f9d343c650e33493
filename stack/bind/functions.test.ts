// The functions of a stack file: their table's examples, known and unknown arguments, secrets, and what is wrong.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText } from '../../test/read-text';
import { stackSurroundings } from '../run/load';
import { FILE_FUNCTIONS, FUNCTION_NAMES, type FileFunction } from '../values/functions';
import { resolve, type Carrier } from '../values/resolve';
import { holdsSecret } from '../values/value';
import type { ReadStack } from './stack';
import { bindConfig } from './config';

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
  lookup: () => given,
  combine: (values, compute) => compute(values),
  secret: (value) => value,
  invoke: ({ function: name }, args) => ({ name, args }),
});

const rows = Object.entries(FILE_FUNCTIONS as { readonly [name: string]: FileFunction });
const computed = rows.filter(([, { compute }]) => compute !== undefined);

test.each(rows.filter(([name]) => !['invoke', 'stackReference', 'secret'].includes(name)))(
  'fn::%s does what its example says',
  (name, { example: [argument, result], formerly }) => {
    for (const word of [name, formerly ?? name])
      expect(JSON.stringify(output(`{ fn::${word}: ${argument} }`))).toBe(result);
  },
);

test.each(computed)(
  'fn::%s waits for an argument that is not known yet',
  (name, { example: [argument, result], takes }) => {
    const held = parse(argument) as unknown;
    const isList = typeof takes !== 'string';
    const places = isList ? takes.map((_, index) => `"\${config.given[${index}]}"`) : ['"${config.given}"'];
    const value = output(`{ fn::${name}: ${isList ? `[${places.join(', ')}]` : (places[0] ?? '')} }`);
    expect(JSON.stringify(resolve(value, carrier(held)))).toBe(result);
  },
);

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

test.each([
  ['{ fn::select: [2, [a, b]] }', 'fn::select: the list has no such item: it has 2, and the first one is 0'],
  ['{ fn::select: [-1, [a, b]] }', 'fn::select: the list has no such item: it has 2, and the first one is 0'],
  ['{ fn::select: [length, [a, b]] }', 'fn::select: the list has no such item: it has 2, and the first one is 0'],
  ['{ fn::select: [__proto__, { a: 1 }] }', 'fn::select: the map has no such key'],
  ["{ fn::fromJSON: '{hunter2' }", 'fn::fromJSON: the text is not JSON'],
  ['{ fn::fromBase64: "?" }', 'fn::fromBase64: the text is not Base64'],
  ['{ fn::fromBase64: "//4=" }', 'fn::fromBase64: what it encodes is not text in UTF-8'],
  ['{ fn::replace: ["", x, y] }', 'fn::replace: what to look for is an empty text'],
])('%s has no result', (written, message) => {
  expect(read(written).findings).toMatchObject([{ code: 'wrong-argument', message }]);
});

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
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'functions-'));
    mkdirSync(join(folder, 'project', 'parts'), { recursive: true });
    writeFileSync(join(folder, 'outside.txt'), 'secret');
    writeFileSync(join(folder, 'project', 'motd.txt'), 'Welcome\n');
    symlinkSync('../outside.txt', join(folder, 'project', 'link.txt'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const findingsOf = (call: string) =>
    read(call, '', stackSurroundings(join(folder, 'project'))).findings.map(({ message }) => message);

  test.each(['../outside.txt', 'link.txt', 'parts/../../outside.txt'])('%s is outside the project', (name) => {
    expect(findingsOf(`{ fn::readFile: ${name} }`)).toEqual([
      `cannot read ${name}: it is outside the folder of the project`,
    ]);
    expect(findingsOf(`{ fn::file: ${name} }`)).toEqual([]);
  });

  test('files of the project are inside, by any way of writing them', () => {
    expect(findingsOf('{ fn::readFile: motd.txt }')).toEqual([]);
    expect(findingsOf('{ fn::readFile: parts/../../project/motd.txt }')).toEqual([]);
    expect(findingsOf(`{ fn::readFile: ${join(folder, 'project', 'motd.txt')} }`)).toEqual([]);
    expect(findingsOf('{ fn::readFile: none.txt }')).toEqual(['cannot read none.txt: there is no such file']);
  });
});

test('every name is known once', () => expect(new Set(FUNCTION_NAMES.values()).size).toBe(rows.length));
