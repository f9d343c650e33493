// One mistake is one finding: a misspelt key is reported as unknown, and the key it was meant to be is not reported as missing as well.
import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from './stack';

const find = (text: string): readonly string[] =>
  readStack([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'there is none' }),
  }).findings.map(({ code, hint, message }) => `${code}: ${message}: ${hint ?? ''}`);

const shop = 'assembly: { name: shop }\n';

test.each([
  ['asembly', 'asembly: { name: shop }\n', 'assembly'],
  ['the name of the assembly', 'assembly: { nam: shop }\n', 'name'],
  ['pak', `${shop}platforms: { web: { pak: oneops/tomcat:1 } }\n`, 'pack'],
  ['packs', `${shop}platforms: { web: { packs: oneops/tomcat:1 } }\n`, 'pack'],
  ['verison', `${shop}platforms: { web: { pack: tomcat, source: oneops, verison: 1 } }\n`, 'version'],
  ['sorce', `${shop}platforms: { web: { pack: tomcat, sorce: oneops, version: 1 } }\n`, 'source'],
  ['valu', `${shop}variables: { A: { valu: x } }\n`, 'value'],
  ['clouds of an environment', `${shop}environments: { prod: { cluods: [east], deploy: false } }\n`, 'clouds'],
])('%s', (_, text, meant) => {
  const findings = find(text);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^unknown-key/);
  expect(findings[0]).toContain(`did you mean "${meant}"?`);
});

test.each([
  ['no assembly', 'variables: { A: x }\n', '"assembly" is required'],
  ['no name', 'assembly: {}\n', '"name" is required'],
  ['no pack', `${shop}platforms: { web: { description: x } }\n`, '"pack" is required'],
  ['no value', `${shop}variables: { A: { overwrite: true } }\n`, 'value'],
])('%s is still missing', (_, text, message) => {
  const findings = find(text);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(message);
});

test.each([
  ['a platform', `${shop}platforms: { "a b": { pack: oneops/tomcat:1 } }\n`, 'a letter, then letters, digits and "-"'],
  [
    'a component',
    `${shop}platforms: { web: { pack: oneops/tomcat:1, components: { user: { "a b": {} } } } }\n`,
    '"-" and "_"',
  ],
  ['an environment', `${shop}environments: { "a/b": { deploy: false } }\n`, 'at most 32 characters'],
])('the name of %s: the finding says what a name is', (_, text, rule) => {
  expect(
    find(text)
      .filter((each) => each.startsWith('bad-name'))
      .join('\n'),
  ).toContain(rule);
});

test('a key of x- at the top is the own of who wrote it, in several files too', () => {
  const file = (name: string, text: string) => ({ name, text });
  const { findings, plan } = readStack(
    [
      file(
        'a.yaml',
        `x-user: &user { sudoer: false, ulimit: 20000 }\n${shop}platforms:\n  web:\n    pack: oneops/tomcat:1\n    components: { user: { deployer: { <<: *user, username: deployer } } }\n`,
      ),
      file('b.yaml', 'x-user: 1\nvariables: { A: x }\n'),
    ],
    { classMetadata, templateClass, readFile: () => ({ problem: 'there is none' }) },
  );
  expect(findings).toEqual([]);
  const deployer = plan?.resources.find(({ key }) => key === 'Component::web/deployer');
  expect(deployer?.args['attributes']).toEqual({ username: 'deployer', sudoer: false, ulimit: 20000 });
});
