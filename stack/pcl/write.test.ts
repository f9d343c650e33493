// A plan as a program in PCL: what carries over, what is reported instead, and texts that must come out as they were.
import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from '../bind/stack';
import { pclOf, type PclProgram, canHold, newIdentifiers, quoted } from './write';

const ASSEMBLY = 'assembly: { name: shop, owner: team@acme.io';
function programOf(text: string, config: { readonly [name: string]: string } = {}): PclProgram {
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], {
    ...{ classMetadata, templateClass, catalogue: 'off' },
    readFile: () => ({ problem: 'no file is read' }),
  });
  if (plan === undefined) throw new Error(findings.map(({ message }) => message).join('\n'));
  return pclOf(plan, config);
}

test.each<[what: string, text: string, lines: readonly string[]]>([
  [
    'references, texts, functions and what Pulumi knows',
    `config: { tags: { type: map, default: { tier: web } }, tier: { type: string } }
${ASSEMBLY}, description: '\${config.tier} on \${pulumi.stack}', tags: { a: '\${config.tags.tier}', b: { fn::join: ['-', [x, '\${config.tier}']] } } }
outputs: { owner: '\${assembly.owner}', 'the-id': '\${assembly.ciId}', all: 'as \${config.tags}' }`,
    [
      'config "tags" "map(any)" {\n  default = { "tier" = "web" }\n}',
      'config "tier" "string" {\n',
      '  description = "${tier} on ${stack()}"',
      '  tags = { "a" = tags.tier, "b" = join("-", ["x", tier]) }',
      'output "owner" {\n  __logicalName = "owner"\n  value = shop.owner\n}',
      'output "theId" {\n  __logicalName = "the-id"\n  value = shop.ciId\n}',
      'value = "as ${toJSON(tags)}"',
    ],
  ],
  [
    'options',
    `${ASSEMBLY}, pulumi: { protect: true, ignoreChanges: [description], customTimeouts: { create: 5m }, aliases: [{ name: old }, 'urn:pulumi:dev::p::t::n'] } }
platforms: { web: { pack: oneops/tomcat:1, pulumi: { parent: '\${assembly}', deletedWith: '\${assembly}' } } }`,
    [
      '    protect = true',
      '    customTimeouts = { "create" = "5m" }',
      '    ignoreChanges = [description]',
      '    aliases = [{ "name" = "old" }, "urn:pulumi:dev::p::t::n"]',
      '    parent = shop',
      '    deletedWith = shop',
      'stamps = web.revision',
    ],
  ],
  [
    'a secret that is the whole of a property, in a variable that YAML keeps as one',
    `${ASSEMBLY} }\nvariables: { KEY: { fn::secret: hunter2 } }`,
    ['variablesKEYEncryptedValue = secret("hunter2")', '  encryptedValue = variablesKEYEncryptedValue'],
  ],
  [
    'an output of another stack',
    `${ASSEMBLY}, description: { fn::stackReference: [acme/network/prod, address] } }`,
    [
      'resource stackReference "pulumi:pulumi:StackReference" {\n  name = "acme/network/prod"\n}',
      '  description = getOutput(stackReference, "address")',
    ],
  ],
  [
    'a question to the service',
    `${ASSEMBLY}, description: { fn::invoke: { function: getCloud, arguments: { name: east }, return: location } } }`,
    ['  description = invoke("oneops:index:getCloud", { "name" = "east" }).location'],
  ],
])('carries %s', (_, text, lines) => {
  const { text: program, losses } = programOf(text, {});
  for (const line of lines) expect(program).toContain(line);
  expect(losses).toEqual([]);
});

test('what PCL has no word for is the value of this stack where there is one, and otherwise an error, each at its place', () => {
  const file = `config: { tier: { type: string, allowed: [WEB] }, key: { type: string, secret: true } }
${ASSEMBLY}, description: { fn::lower: '\${config.tier}' }, tags: { k: { fn::lower: '\${config.key}' } } }`;
  const { text, losses } = programOf(file, { tier: 'WEB', key: 'hunter2' });
  expect(text).toContain('description = "web"');
  expect(text).not.toContain('hunter2');
  expect(losses.map(({ at: { start }, says, carried }) => [start.line, says.slice(0, 45), carried])).toEqual([
    [1, 'the values that tier may have are not carried', true],
    [2, 'fn::lower cannot be carried: the program has ', true],
    [2, 'fn::lower cannot be carried, and its value is', false],
  ]);
});

test('names are identifiers, each one its own, whatever they are alike', () => {
  const { take } = newIdentifiers();
  expect([
    take('shop'),
    take('shop', 'shop/DesignRelease'),
    take('web/deployer'),
    take('web-deployer'),
    take('1st'),
    take('größe'),
    take('null'),
    take('null'),
  ]).toEqual(['shop', 'shopDesignRelease', 'webDeployer', 'webDeployer2', 'it1st', 'grE', 'null2', 'null3']);
});

test.each<[text: string, written: string]>([
  ['a ${b} %{c}', '"a $${b} %%{c}"'],
  ['$${b}', '"\\u0024\\u0024{b}"'],
  ['$%{b}', '"\\u0024\\u0025{b}"'],
  ['"\\\n\t\r', '"\\"\\\\\\n\\t\\r"'],
  ['zwei\nZeilen ä 日本 🚀', '"zwei\\nZeilen ä 日本 🚀"'],
  ['\u0000\u001b', '"\\u0000\\u001b"'],
  ['5 % {', '"5 % {"'],
])('the text %j', (text, written) => {
  expect(quoted(text)).toBe(written);
});

test('texts that PCL changes are known', () => {
  expect(['ä', 'a\u0308', '\ud83d', '🚀'].map(canHold)).toEqual([true, false, false, true]);
});
