// The render command: the resolved file of a stack, where each line comes from, how two stacks differ, and its exit codes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { checkCommand } from './check';
import { renderCommand } from './render';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-'));
  process.chdir(folder);
  mkdirSync('parts');
  writeFileSync('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
  writeFileSync('Pulumi.big.yaml', 'config: { shop:names: [web, db], oneops:overlay: prod }\n');
  writeFileSync('parts/shared.yaml', 'variables: { MOTD: { fn::readFile: motd.txt } }\n');
  writeFileSync('parts/motd.txt', 'Welcome\n');
  writeFileSync('oneops.yaml', STACK);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const STACK = `assembly: { name: shop, owner: team@acme.io } # ours
include: parts/shared.yaml
config: { names: { type: list, default: [web] } }
platforms:
  '\${each.key}':
    each: '\${config.names}'
    pack: oneops/tomcat:1
overlays:
  prod: { platforms: { web: { description: the big one } } }
`;

const RENDERED = `assembly:
  name: shop
  owner: team@acme.io
config:
  names:
    type: list
    default:
      - web
platforms:
  web:
    pack: oneops/tomcat:1
variables:
  MOTD:
    fn::readFile: parts/motd.txt
`;

const render = (...words: readonly string[]) => runCommand(renderCommand, {}, ...words);

test('the resolved file is a stack file that renders to itself', async () => {
  expect(await render()).toEqual({ code: 0, stdout: RENDERED, stderr: '' });
  writeFileSync('oneops.yaml', RENDERED);
  expect(await runCommand(checkCommand, {})).toExitWith(0);
  const unused = 'oneops.yaml:5:3: warning ONE1411: nothing uses config "names"';
  expect(await render()).toMatchObject({
    code: 0,
    stdout: RENDERED,
    stderr: expect.stringContaining(unused) as string,
  });
});

test('--stack takes the configuration and the overlay of a stack, --overlay another overlay', async () => {
  const big = await render('--stack', 'acme/shop/big');
  expect(big.stdout).toContain('  web:\n    pack: oneops/tomcat:1\n    description: the big one\n  db:\n');
  expect((await render('--stack', 'prod')).stdout).toContain('description: the big one\nvariables');
  expect((await render('--overlay', 'prod')).stdout).toBe((await render('--stack', 'prod')).stdout);
});

test('--explain says where each line comes from', async () => {
  const { stdout } = await render('--stack', 'prod', '--explain');
  const lines = stdout.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^oneops\.yaml:1 +owner: team@acme\.io$/));
  expect(lines).toContainEqual(expect.stringMatching(/^oneops\.yaml:7 +pack: oneops\/tomcat:1$/));
  expect(lines).toContainEqual(expect.stringMatching(/^oneops\.yaml:9 +description: the big one$/));
  expect(lines).toContainEqual(expect.stringMatching(/^parts\/shared\.yaml:1 +fn::readFile: parts\/motd\.txt$/));
});

test('--diff shows how two stacks differ, each under its name', async () => {
  const { code, stdout } = await render('--diff', 'dev', 'big');
  expect([code, stdout]).toEqual([
    0,
    `--- dev/oneops.yaml
+++ big/oneops.yaml
@@ -9,6 +9,9 @@
 platforms:
   web:
     pack: oneops/tomcat:1
+    description: the big one
+  db:
+    pack: oneops/tomcat:1
 variables:
   MOTD:
     fn::readFile: parts/motd.txt
`,
  ]);
  writeFileSync('Pulumi.dev.yaml', 'config: {}\n');
  expect(await render('--diff', 'dev', 'qa')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'there is no Pulumi.qa.yaml: qa has the default configuration\ndev and qa do not differ\n',
  });
  await expect(async () => render('--diff', 'dev')).rejects.toThrow('the names of two stacks');
});

test('--diff reports a finding of both stacks once', async () => {
  writeFileSync('oneops.yaml', STACK.replace('platforms', 'platfroms'));
  const { code, stdout, stderr } = await render('--diff', 'dev', 'qa');
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr.split('unknown key "platfroms"')).toHaveLength(2);
});

test.each([
  ['a file that is not there', ['none.yaml'], 'cannot read none.yaml: there is no such file'],
  ['a folder', ['parts'], 'cannot read parts: it is a folder'],
])('%s cannot be rendered', async (_, words, message) => {
  await expect(async () => render(...words)).rejects.toThrow(message);
});

test('what is wrong is reported, and nothing is printed', async () => {
  const wrong = await render('--overlay', 'prot');
  expect(wrong).toMatchObject({ code: 3, stdout: '' });
  expect(wrong.stderr).toContain('oneops.yaml:8:1: error ONE1712: there is no overlay "prot"');
  expect(wrong.stderr).toContain('hint: did you mean "prod"?');
  writeFileSync('oneops.yaml', '');
  expect(await render()).toMatchObject({ code: 3, stdout: '' });
});

test('a large file is explained line by line', async () => {
  const text = '    x\n'.repeat(150_000);
  writeFileSync('oneops.yaml', `assembly: { name: shop, owner: team@acme.io }\noutputs:\n  text: |\n${text}`);
  const { code, stdout } = await render('--explain');
  expect(code).toBe(0);
  expect(stdout.split('\n').length).toBeGreaterThan(150_000);
});

describe('two stacks of which the configuration differs', () => {
  beforeEach(() => {
    writeFileSync(
      'oneops.yaml',
      `assembly: { name: shop, description: 'of \${config.t}, \${pulumi.stack}' }
config: { t: { type: string }, tags: { type: map, default: {} }, key: { type: string, secret: true }, api_token: { type: string } }
variables: { T: '\${config.t}', KEY: '\${config.key}', TOKEN: '\${config.api_token}', TAG: '\${config.tags.tier}' }
`,
    );
    const settings = (tier: string, key: string): string =>
      `config:\n  shop:t: a\${${tier}}\n  shop:tags: { tier: ${tier} }\n  shop:key: ${key}\n  shop:api_token: canary-${tier}\n`;
    writeFileSync('Pulumi.dev.yaml', settings('one', '{ secure: v1:abc }'));
    writeFileSync('Pulumi.prod.yaml', settings('two', 'canary-three'));
  });

  test('--diff shows its values, and no secret', async () => {
    const { code, stdout } = await render('--diff', 'dev', 'prod');
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => /^[-+] /.test(line))).toEqual([
      "-  description: 'of a$${one}, dev'",
      "+  description: 'of a$${two}, prod'",
      "-  T: 'a$${one}'",
      "+  T: 'a$${two}'",
      '-  TAG: one',
      '+  TAG: two',
    ]);
    expect(stdout).toContain("   KEY: '(secret)'\n");
    expect(stdout).not.toContain('canary');
  });
});
