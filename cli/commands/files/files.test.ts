// The init command: a project that check accepts, from any values, and nothing over what exists.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { parse } from 'yaml';
import { runCommand } from '../../../test/run-command';
import { command as checkCommand } from './check';
import { command as fmtCommand } from './fmt';
import { command as initCommand } from './init';
import { version } from '../../../package.json';
import { command as renderCommand } from './render';
import { CONVERSION_CODES, explanationOf, EXPLANATIONS } from '../../../stack';
import { command as convertCommand } from './convert';
import { command as graphCommand, graphMermaid, graphText } from './graph';
import { command as explainCommand } from './explain';
import { command as schemaCommand } from './schema';
import { eachFolder } from '../../../test/folder';

describe('init', () => {
  const folder = eachFolder({ isHere: true });

  const init = (...words: readonly string[]) => runCommand(initCommand, {}, ...words);
  const FILES = ['Pulumi.yaml', 'oneops.yaml'];

  test.each([
    ['nothing more', []],
    ['everything', ['--name', 'shop', '--organization', 'acme', '--pack', 'oneops/mysql:1', '--cloud', 'east']],
  ])('check accepts a project with %s, and its layout is the standard one', async (_, words) => {
    expect(await init('My shop!', '--owner', 'team@acme.io', ...words)).toExitWith(0, {
      stdout: `written: ${FILES.join(', ')}\nnext:\n  cd 'My shop!'\n`,
    });
    process.chdir('My shop!');
    expect(await runCommand(checkCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: nothing wrong\n' });
    expect(await runCommand(fmtCommand, {}, 'Pulumi.yaml', 'oneops.yaml', '--check')).toExitWith(0);
  });

  test('the next commands bring the language host where it is missing, and Pulumi.yaml names no folder for it', async () => {
    const environment = { PULUMI_HOME: join(folder.path, 'home') };
    const next = async (name: string): Promise<string> =>
      (await runCommand(initCommand, environment, name, '--owner', 'team@acme.io')).stdout;
    expect(await next('one')).toContain('next:\n  cd one\n  npx pulumi-oneops setup\n  pulumi stack init dev\n');
    mkdirSync(join(folder.path, 'home', 'plugins', `language-oneops-v${version}`), { recursive: true });
    expect(await next('two')).toContain('next:\n  cd two\n  pulumi stack init dev\n');
    expect(parse(readFileSync(join('one', 'Pulumi.yaml'), 'utf8'))).toEqual({ name: 'one', runtime: 'oneops' });
  });

  test('values are only values, whatever signs they hold', async () => {
    const organization = 'a: ${config.x} #"';
    const words = ['--owner', 'team@acme.io', '--name', 'no', '--organization', organization, '--cloud', 'a,b'];
    expect(await init(...words, '--json')).toExitWith(0);
    expect(parse(readFileSync('oneops.yaml', 'utf8'))).toMatchObject({ environments: { dev: { clouds: ['a,b'] } } });
    expect(parse(readFileSync('Pulumi.yaml', 'utf8'))).toMatchObject({
      name: 'no',
      config: { 'oneops:organization': { value: organization } },
    });
    expect((await runCommand(checkCommand, {})).stdout).toBe('oneops.yaml: nothing wrong\n');
  });

  test('a file that already exists stays as it is, and nothing else is written', async () => {
    writeFileSync('Pulumi.yaml', 'mine\n');
    await expect(async () => init('--owner', 'a@b.c')).rejects.toThrow('already has Pulumi.yaml');
    expect(readFileSync('Pulumi.yaml', 'utf8')).toBe('mine\n');
    expect(existsSync('oneops.yaml')).toBe(false);
  });

  test('a link that leads nowhere is a file, and a file is no folder', async () => {
    symlinkSync('elsewhere', 'Pulumi.yaml');
    await expect(async () => init('--owner', 'team@acme.io')).rejects.toThrow('already has Pulumi.yaml');
    writeFileSync('file', '');
    await expect(async () => init('file', '--owner', 'team@acme.io')).rejects.toThrow(
      /nothing was written: .*file is no folder$/,
    );
    expect(readdirSync('.').sort()).toEqual(['Pulumi.yaml', 'file']);
  });

  test('a value that makes a wrong file is refused with its finding, and no owner is an error', async () => {
    await expect(async () => init('--owner', 'team@acme.io', '--name', 'no name')).rejects.toThrow(
      /nothing was written\noneops.yaml:2:9/,
    );
    await expect(async () => init('--owner', 'team@acme.io', '--cloud', 'a b')).rejects.toThrow(
      'nothing was written: --cloud "a b" is no name of a cloud; name one without',
    );
    await expect(async () => init()).rejects.toThrow('--owner');
    expect(existsSync('Pulumi.yaml')).toBe(false);
  });

  /** Runs init as on a terminal, where somebody gives these answers, and returns what was asked. An answer of `\u0004` ends the input. */
  async function onTerminal(answers: readonly string[], ...words: readonly string[]): Promise<readonly string[]> {
    const asked: string[] = [];
    const next = answers.values();
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const stderr = Object.assign(
      new Writable({
        write(chunk: Buffer, _, done) {
          const shown = /([◆▲]) {2}(\w[^\n]*)/.exec(stripVTControlCharacters(chunk.toString()));
          const [, mark, question = ''] = shown ?? [];
          // A key takes the mark of a wrong answer away again.
          if (mark === '▲' || (mark === '◆' && question !== asked.at(-1))) {
            asked.push(question);
            const { value = '\u0004' } = next.next();
            setImmediate(() => stdin.write(value === '\u0004' ? value : `${value}\r`));
          }
          done();
        },
      }),
      { isTTY: true },
    );
    const streams = { stdin, stderr };
    const before = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
    for (const [name, value] of Object.entries(streams))
      Object.defineProperty(process, name, { configurable: true, value });
    const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await initCommand.run(words)).toBe(0);
      return asked;
    } finally {
      stdout.mockRestore();
      for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor);
    }
  }

  const QUESTIONS = [
    'name of the assembly [story]',
    'mail address of its owner',
    'organization of the service (empty: set it later)',
    'pack of the first platform [oneops/tomcat:1]',
    'cloud of an environment "dev" (empty: no environment)',
  ];

  test('on a terminal, asks what no option says, and an answer is what the option would be', async () => {
    expect(await onTerminal(['', 'team@acme.io', 'acme', '', 'east'], 'story')).toEqual(QUESTIONS);
    await init('other', '--name', 'story', '--owner', 'team@acme.io', '--organization', 'acme', '--cloud', 'east');
    for (const file of FILES)
      expect(readFileSync(join('story', file), 'utf8')).toBe(readFileSync(join('other', file), 'utf8'));
    const rest = ['--name', 'shop', '--pack', 'oneops/mysql:1'];
    expect(await onTerminal(['team@acme.io', '', ''], 'third', ...rest)).toEqual([
      QUESTIONS[1],
      QUESTIONS[2],
      QUESTIONS[4],
    ]);
    process.chdir('third');
    expect(await runCommand(checkCommand, {})).toMatchObject({ code: 0, stdout: 'oneops.yaml: nothing wrong\n' });
  });

  test('a question without a default is asked again, a wrong answer is a finding, and the end of the input writes nothing', async () => {
    expect(await onTerminal(['', '', ' ', 'team@acme.io', '', '', ''], 'story')).toEqual([
      QUESTIONS[0],
      ...[1, 1, 1].map((index) => QUESTIONS[index]),
      ...QUESTIONS.slice(2),
    ]);
    const wrong = onTerminal(['no name', 'team@acme.io', '', '', ''], 'wrong');
    await expect(wrong).rejects.toThrow(/nothing was written\noneops.yaml:2:9/);
    const ended = onTerminal(['shop', 'team@acme.io', '\u0004'], 'ended');
    await expect(ended).rejects.toThrow('nothing was written: not all questions were answered');
    expect(readdirSync('.')).toEqual(['story']);
  });

  test('a program in TypeScript compiles, whatever values it has, and needs its packages', async () => {
    const words = ['made', '--name', 'shop', '--owner', "o'brien@acme.io", '--cloud', 'east', '--typescript'];
    expect(await init(...words)).toExitWith(0, {
      stdout:
        'written: Pulumi.yaml, index.ts, package.json, tsconfig.json, .gitignore\nnext:\n  cd made\n  npm install\n',
    });
    const program = readFileSync(join('made', 'index.ts'), 'utf8');
    const { diagnostics } = ts.transpileModule(program, { reportDiagnostics: true });
    expect([program, diagnostics]).toEqual([expect.stringMatching(/owner: 'o\\'brien@acme.io'[^]*{ east: {/), []]);
    expect(parse(readFileSync(join('made', 'Pulumi.yaml'), 'utf8'))).toMatchObject({ runtime: { name: 'nodejs' } });
  });

  test('a program goes into the folder of a new repository, and its .gitignore stays', async () => {
    folder.write({ '.gitignore': 'notes\n' });
    expect(await init('--owner', 'team@acme.io', '--typescript')).toExitWith(0);
    expect(existsSync('index.ts') && readFileSync('.gitignore', 'utf8')).toBe('notes\n');
  });
});

// The render command: the resolved file of a stack, where each line comes from, how two stacks differ, and its exit codes.
describe('render', () => {
  const folder = eachFolder({ isHere: true });
  beforeEach(() => {
    folder.write({
      'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
      'Pulumi.big.yaml': 'config: { shop:names: [web, db], oneops:overlay: prod }\n',
      'parts/shared.yaml': 'variables: { MOTD: { fn::readFile: motd.txt } }\n',
      'parts/motd.txt': 'Welcome\n',
      'oneops.yaml': STACK,
    });
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

  test('what is wrong is reported, and nothing is printed', async () => {
    expect(await render('--overlay', 'prot')).toExitWith(3, {
      stdout: '',
      stderr: ['oneops.yaml:8:1: error ONE1712: there is no overlay "prot"', 'hint: did you mean "prod"?'],
    });
    writeFileSync('oneops.yaml', '');
    expect(await render()).toExitWith(3, { stdout: '' });
  });

  test('--diff shows the values of two configurations, and no secret, also of one of them alone', async () => {
    const settings = (tier: string, key: string): string =>
      `config:\n  shop:t: a\${${tier}}\n  shop:tags: { tier: ${tier} }\n  shop:key: ${key}\n  shop:pin: ${key}\n  shop:api_token: canary-${tier}\n`;
    folder.write({
      'oneops.yaml': `assembly: { name: shop, description: 'of \${config.t}, \${pulumi.stack}' }
config: { t: { type: string }, tags: { type: map, default: {} }, key: { type: string, secret: true }, pin: { type: string }, api_token: { type: string } }
variables: { T: '\${config.t}', KEY: '\${config.key}', PIN: '\${config.pin}', TOKEN: '\${config.api_token}', TAG: '\${config.tags.tier}' }
`,
      'Pulumi.dev.yaml': settings('one', '{ secure: v1:abc }'),
      'Pulumi.prod.yaml': settings('two', 'canary-three'),
    });
    const { code, stdout } = await render('--diff', 'dev', 'prod');
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => /^[-+] /.test(line))).toEqual([
      '-  description: of a$${one}, dev',
      '+  description: of a$${two}, prod',
      '-  T: a$${one}',
      '+  T: a$${two}',
      '-  TAG: one',
      '+  TAG: two',
    ]);
    expect(stdout).toContain('   KEY: (secret)\n');
    expect(stdout).not.toContain('canary');
  });
});

// The convert command: what it prints and writes, what it writes over, and its exit codes.
describe('convert', () => {
  eachFolder({ isHere: true });
  beforeEach(() => {
    writeFileSync('design.yaml', DESIGN);
  });

  const DESIGN = `variables: { LEVEL: info }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user/oneops.1.User:
        deployer: { username: deployer }
`;

  const convert = (...words: readonly string[]) => runCommand(convertCommand, {}, ...words);

  test('--out writes three new files, and nothing over one of them', async () => {
    expect(await convert('design.yaml', '--out', 'new')).toExitWith(0, {
      stdout: '',
      stderr: 'written in new: oneops.yaml, configure.sh, report.txt, Pulumi.yaml, .gitignore\nnext:\n  cd new\n',
    });
    const all = ['.gitignore', 'Pulumi.yaml', 'configure.sh', 'oneops.yaml', 'report.txt'];
    expect(readdirSync('new').sort()).toEqual(all);
    expect(readFileSync('new/configure.sh', 'utf8')).toContain('pulumi stack select --create dev\n');
    // The values of secrets with several lines are in such files, and those of an import.
    expect(readFileSync('new/.gitignore', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['*.secret', 'import.json']),
    );
    writeFileSync('new/report.txt', 'mine\n');
    rmSync('new/oneops.yaml');
    const again = convert('design.yaml', '--out', 'new', '--json');
    await expect(again).rejects.toThrow('nothing was written: new already has configure.sh, report.txt');
    expect(readdirSync('new').sort()).toEqual(all.filter((name) => name !== 'oneops.yaml'));
    expect(readFileSync('new/report.txt', 'utf8')).toBe('mine\n');
    await expect(convert('design.yaml', '--out', 'design.yaml')).rejects.toThrow('design.yaml is no folder');
  });

  test('prints a file that check accepts, and what became of the settings, each with a code that explain knows, in text and JSON', async () => {
    writeFileSync('design.yaml', DESIGN.replace('LEVEL: info', 'LEVEL: yes }\nwhatever: { X: 1'));
    const { stdout, stderr } = await convert('design.yaml', '--assembly', 'shop');
    expect(stderr).toContain('design.yaml:1  variables.LEVEL  changed ONE1802: what YAML 1.1 reads\n');
    expect(stderr).toContain('design.yaml:2  whatever.X  left behind ONE1807: not known here\n');
    writeFileSync('oneops.yaml', stdout);
    expect(await runCommand(checkCommand, {})).toExitWith(0);
    const { settings, findings } = JSON.parse((await convert('design.yaml', '--json')).stdout) as {
      readonly [list in 'settings' | 'findings']: readonly { readonly id: string; readonly code: string }[];
    };
    expect(findings.length).toBeGreaterThan(0);
    for (const { id, code } of [...settings, ...findings]) expect([code, explanationOf(code)?.id]).toEqual([code, id]);
  });

  test('a file that is not valid is exit code 2, and nothing is written', async () => {
    writeFileSync('design.yaml', 'platforms: [1\n');
    expect(await convert('design.yaml', '--out', 'new')).toExitWith(3, {
      stdout: '',
      stderr: /error\nnothing was written\n$/,
    });
    expect(readdirSync('.')).toEqual(['design.yaml']);
  });

  test('a line of a profile that may contain a secret is not shown', async () => {
    writeFileSync('p.ini', '[default]\npassword canary\nlevel info\n');
    expect(await convert('design.yaml', '--from', 'boo', '--profile', 'p.ini')).toExitWith(3, {
      stderr: ['p.ini:2:1: error', 'level info'],
      without: 'canary',
    });
  });

  test('partials are read next to the file with the tag, also without their ending', async () => {
    mkdirSync('parts/more', { recursive: true });
    writeFileSync('boo.yaml', 'assembly: { name: shop }\nplatforms:\n  {{> parts/web}}\n  {{> parts/none}}\n');
    writeFileSync('parts/web.yaml', 'web:\n  {{> more/pack.txt}}\n');
    writeFileSync('parts/more/pack.txt', 'pack: oneops/tomcat:1');
    expect(await convert('boo.yaml')).toExitWith(6, {
      stdout: '  web:\n    pack: oneops/tomcat:1\n',
      stderr: ['boo.yaml:4:3: warning', '{{> parts/none}}: there is no file parts/none, with or without .yaml'],
    });
  });

  test.each([
    [['none.yaml'], 'cannot read none.yaml: there is no such file'],
    [['stack.yaml'], 'stack.yaml is a stack file already'],
    [[], 'convert takes one file'],
    [['design.yaml', '--from', 'dsign'], '--from takes one of boo, design, not "dsign"'],
    [['design.yaml', '--profile', 'none.ini:x'], 'cannot read none.ini: there is no such file'],
  ])('convert %j is refused', async (words, message) => {
    writeFileSync('stack.yaml', 'assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcat:1 } }\n');
    await expect(async () => convert(...words)).rejects.toThrow(message);
  });

  test.each([
    ['a name', DESIGN.replace('  web:', '  web_one:'), 'web_one'],
    ['an attribute', `${DESIGN}      compute/oneops.1.Compute:\n        compute: { sise: L }\n`, 'sise'],
  ])('%s in the result that check refuses is reported with its line there', async (_, design, word) => {
    writeFileSync('design.yaml', design);
    const { code, stdout, stderr } = await convert('design.yaml');
    expect(code).toBe(6);
    const line = stdout.split('\n').findIndex((each) => each.includes(word)) + 1;
    expect(stderr).toContain('check refuses the result');
    expect(stderr).toContain(`oneops.yaml:${line}:`);
    const json = JSON.parse((await convert('design.yaml', '--json')).stdout) as { readonly refused: readonly object[] };
    expect(json.refused).not.toEqual([]);
  });
});

// The graph command: the same graph in each format, and names that hold signs of a format.
describe('graph', () => {
  const STACK = `assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat:1
    links: [db]
    components: { user: { deployer: { description: 'of \${platforms.cache.ciId}' } } }
  db: { pack: oneops/mysql:1 }
  cache: { pack: oneops/custom:1 }
environments:
  dev: { clouds: [east] }
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    platforms: { cache: { enabled: false } }
`;

  eachFolder({ isHere: true, files: { 'oneops.yaml': STACK } });

  const shown = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(graphCommand, {}, ...words);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };

  test('data: links and references make dependencies; clouds, and what is down', async () => {
    const east = { name: 'east', priority: 1 };
    expect(JSON.parse(await shown('--json'))).toEqual({
      assembly: 'shop',
      platforms: [
        { name: 'db', pack: 'oneops/mysql:1', dependsOn: [] },
        { name: 'web', pack: 'oneops/tomcat:1', dependsOn: ['db', 'cache'] },
        { name: 'cache', pack: 'oneops/custom:1', dependsOn: [] },
      ],
      environments: [
        { name: 'dev', clouds: [east], down: [] },
        { name: 'prod', clouds: [east, { name: 'west', priority: 2 }], down: ['cache'] },
      ],
    });
  });

  test('text says the same, and Mermaid names each dependency once', async () => {
    const text = await shown();
    expect(text).toMatch(/^assembly shop$/m);
    expect(text).toMatch(/^ {2}web {4}oneops\/tomcat:1\n {9}depends on db, cache$/m);
    expect(text).toMatch(/^environment prod\n {2}primary {4}east\n {2}secondary {2}west\n {2}down {7}cache$/m);
    expect((await shown('--format', 'mermaid')).match(/^ {2}p\d --> p\d$/gm)).toHaveLength(2);
  });

  test('no line of text cuts a name', () => {
    const names = ['a', 'b', 'c'].map((sign) => sign.repeat(75));
    const web = { name: 'web', pack: 'oneops/tomcat:1', dependsOn: names };
    const lines = graphText({ assembly: 'shop', platforms: [web], environments: [] }).split('\n');
    expect(lines.slice(2).map((line) => line.replace('depends on', '').trim())).toEqual([
      `${names[0]},`,
      `${names[1]},`,
      names[2],
    ]);
  });

  test('no name is read as syntax', () => {
    const graph = {
      assembly: '<b>&"',
      platforms: [{ name: '"]--><script>', pack: 'a/b:1', dependsOn: [] }],
      environments: [],
    };
    expect(graphMermaid(graph)).not.toMatch(/<script|<b>|"\]-/);
  });

  test('a wrong file is a finding, a wrong format an error', async () => {
    writeFileSync('wrong.yaml', 'assembly: { name: shop, ownr: x }\n');
    expect(await runCommand(graphCommand, {}, 'wrong.yaml')).toExitWith(3, { stderr: 'wrong.yaml:1:' });
    await expect(async () => runCommand(graphCommand, {}, '--format', 'mermaids')).rejects.toThrow('not "mermaids"');
  });
});

// The fmt command: what it writes, what it leaves as it is, and its exit codes.
describe('fmt', () => {
  const folder = eachFolder({ isHere: true });

  const UGLY = 'assembly:   {name: shop}  # ours\n';
  const FORMATTED = 'assembly: { name: shop } # ours\n';
  const fmt = (...words: readonly string[]) => runCommand(fmtCommand, {}, ...words);

  test('writes the files of the project, included ones too, and changes nothing the second time; --check writes nothing', async () => {
    const include = 'include: [variables.yaml]\n';
    folder.write({ 'oneops.yaml': UGLY + include, 'variables.yaml': 'variables: { A: 1 }\n' });
    expect(await fmt('--check')).toEqual({
      code: 2,
      stdout: 'oneops.yaml: has another layout; run: pulumi-oneops fmt oneops.yaml\nvariables.yaml: unchanged\n',
      stderr: '',
    });
    folder.write({ 'variables.yaml': 'variables:   {A: 1}\n' });
    expect(readFileSync('oneops.yaml', 'utf8')).toBe(UGLY + include);
    expect(await fmt()).toEqual({ code: 0, stdout: 'oneops.yaml: formatted\nvariables.yaml: formatted\n', stderr: '' });
    expect(['oneops.yaml', 'variables.yaml'].map((file) => readFileSync(file, 'utf8'))).toEqual([
      FORMATTED + include,
      'variables: { A: 1 }\n',
    ]);
    const again = await fmt('--check', '--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      ['oneops.yaml', 'variables.yaml'].map((file) => ({ file, result: 'unchanged' })),
    ]);
  });

  test('a file that is not valid YAML stays as it is, with its finding; the others are formatted', async () => {
    folder.write({ 'a.yaml': 'a: [1\n', 'b.yaml': UGLY });
    expect(await fmt('a.yaml', 'b.yaml')).toExitWith(3, {
      stdout: /^a\.yaml: left as it is\nb\.yaml: formatted\n$/,
      stderr: 'a.yaml:1:4: error ONE1004:',
    });
    expect(readFileSync('a.yaml', 'utf8')).toBe('a: [1\n');
  });
});

// The explain command: what it prints for an id and for a word, and what it says to a code that does not exist.

const explain = async (...words: readonly string[]): Promise<string> =>
  (await runCommand(explainCommand, {}, ...words)).stdout;

test('an id and its word print the same: meaning, the mistake with its finding, what is right', async () => {
  const text = await explain('ONE1207');
  expect(await explain('unknown-platform')).toBe(text);
  expect(await explain('1207')).toBe(text);
  expect(text).toMatch(/^ONE1207 unknown-platform\n\nThe file declares no platform/);
  expect(text).toContain('oneops.yaml:6:18: error ONE1207: there is no platform "wbe"\n');
  expect(text).toMatch(/\nRight:\n\n {2}assembly: \{ name: shop \}\n/);
});

test.each(CONVERSION_CODES.map((each): [string, typeof each] => [each.id, each]))(
  '%s is explained with an old file and what convert says of it',
  async (id, { code, meaning, old }) => {
    const text = await explain(id);
    expect(await explain(code)).toBe(text);
    expect(text.replace(/\s+/g, ' ')).toContain(meaning);
    for (const line of old.trim().split('\n')) expect(text).toContain(`  ${line}`.trimEnd());
    expect(text.slice(text.indexOf('What convert says:'))).toContain(id);
  },
);

test('without a code, all are listed', async () => {
  const text = await explain();
  for (const { explanations } of [...EXPLANATIONS, { explanations: CONVERSION_CODES }])
    for (const { id, code } of explanations) expect(text).toContain(`  ${id}  ${code}\n`);
});

test('JSON for programs', async () => {
  expect(JSON.parse(await explain('ONE1207', '--json'))).toMatchObject({ id: 'ONE1207', code: 'unknown-platform' });
});

test('a code that does not exist is answered with the nearest one', async () => {
  await expect(async () => explain('unknown-plattform')).rejects.toThrow('did you mean "unknown-platform"?');
});

test('meanings and examples fit a terminal of 80 columns', async () => {
  for (const { id, meaning } of EXPLANATIONS.flatMap(({ explanations }) => explanations)) {
    const lines = (await explain(id)).split('\n');
    const prose = lines.slice(2, lines.indexOf('Wrong:'));
    expect(prose.join(' ').trim()).toBe(meaning);
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
  }
});

// The schema command prints the schema that the package contains, byte for byte.

test('prints the schema of stack files', async () => {
  const { code, stdout, stderr } = await runCommand(schemaCommand, {});
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(readFileSync(join(__dirname, '..', '..', '..', 'schemas', 'stack.schema.json'), 'utf8'));
});
