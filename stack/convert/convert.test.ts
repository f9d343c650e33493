// Old files as stack files: what is carried, changed and left behind, and where mistakes are found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../test/read-text';
import { readYaml } from '../yaml/read';
import { sourceFile } from '../yaml/source';
import { convert, type Converted, type OldFile } from './convert';
import { leavesOf } from './ledger';

/** Old files, and what they become. */
const fixture = (name: string): string =>
  readFileSync(join(__dirname, '..', '..', 'test', 'fixtures', 'convert', name), 'utf8');

const converted = (text: string, more: Partial<OldFile> = {}): Converted =>
  convert({ name: 'old.yaml', text, assembly: 'shop', ...more });

const codesIn = ({ findings }: Pick<Converted, 'findings'>): readonly string[] =>
  findings.map(({ code, at }) => `${at.start.line}:${at.start.column} ${code}`);

/** Errors of the result as a stack file. */
const wrong = ({ yaml = '' }: Converted): readonly string[] =>
  readText(yaml, { readFile: () => ({ text: '' }) })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ message, at }) => `${at.start.line}: ${message}`);

const became = ({ accounts }: Converted, setting: string): readonly string[] =>
  accounts
    .filter((account) => account.setting === setting)
    .map(({ line, outcome, note }) => `${line} ${outcome}${note === undefined ? '' : `: ${note}`}`);

const BOO = fixture('boo.txt');

const profiles = { name: 'config.ini', text: fixture('config.ini') };

test.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf'])('a Boo setting named %s is left behind', (name) => {
  const result = converted(`boo: { ${name}: x }\nassembly: { name: shop }\n`);
  expect(became(result, `boo.${name}`)).toEqual(['1 left behind: a setting of Boo itself, without a meaning here']);
});

test('a Boo template of one environment', () => {
  const result = converted(BOO, { profiles: { ...profiles, section: 'default' } });
  expect(result.yaml).toBe(fixture('boo.oneops.txt'));
  expect(wrong(result)).toEqual([]);
  expect(codesIn(result)).toEqual(['37:21 refused-setting']);
  expect(result.commands).toEqual([
    'pulumi stack select --create default',
    'pulumi config set --stack default oneops:url https://oneops.acme.io',
    'pulumi config set --stack default oneops:organization acme',
    'pulumi config set --stack default --secret oneops:token',
    'pulumi config set --stack default email team@acme.io',
    'pulumi config set --stack default --secret web-DB_PASS',
    'pulumi config set --stack default --secret api_pass',
    'pulumi config set --stack default host_name files.acme.io',
    'pulumi config set --stack default id_rsa_pub < ~/.ssh/id_rsa.pub',
  ]);
  expect(JSON.stringify(result.accounts) + result.yaml + result.commands.join()).not.toContain('canary');
  expect(became(result, 'boo.ip_output')).toEqual(['10 left behind: the output of Boo; declare outputs instead']);
  expect(became(result, 'environment.clouds.{{cloud}}')).toEqual([
    '79 changed: "east" as in the profile: no reference is allowed here',
  ]);
  expect(became(result, '[default] unused')).toEqual(['8 left behind: no tag names it']);
});

test('each profile is the configuration of a stack; what no reference can say is as in the first one', () => {
  const result = converted(BOO, { profiles });
  expect(result.commands.filter((command) => command.includes('email'))).toEqual([
    'pulumi config set --stack default email team@acme.io',
    'pulumi config set --stack night email night@acme.io',
  ]);
  expect(became(result, 'environment.clouds.{{cloud}}')[0]).toContain('left behind');
});

test('without a profile a key is named after its tag, and the commands request values', () => {
  const result = converted(BOO);
  expect(wrong(result)).toEqual([]);
  expect(result.yaml).toContain('      cloud:\n');
  expect(result.commands).toContain('pulumi config set oneops:url');
  expect(became(result, 'environment.clouds.{{cloud}}')[0]).toContain('left behind: no value is known');
});

test('words that are misspelt are left behind where they are written', () => {
  const result = converted(`assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat
    components:
      compute:
        size: M
        attahcments:
          one: { path: /etc/motd, run_on: after-add }
      user:
        one: { username: one }
        two: { username: two, dependson: [one] }
`);
  expect(codesIn(result)).toEqual(['8:9 unknown-key', '12:31 unknown-key']);
  expect(result.findings.map(({ hint }) => hint)).toEqual([
    'did you mean "attachments"?',
    'did you mean "sibling_depends_on"?',
  ]);
  expect(result.accounts.filter(({ outcome }) => outcome === 'left behind')).toHaveLength(3);
});

describe('sections of Mustache', () => {
  const TEXT = `assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat:1
    variables:
{{#night}}
      LEVEL: debug
{{/night}}
{{^night}}
      LEVEL: info
{{/night}}
      SCRIPT: |
        first
        {{#night}}
        second
        {{/night}}
        third
`;
  const of = (text: string) => converted(TEXT, { from: 'boo', profiles: { name: 'p.ini', text } });

  test('are rendered as the profile says, with the lines of the source', () => {
    const without = of('[day]\nnight =\n');
    expect(without.yaml).toContain('LEVEL: info\n      SCRIPT: |\n        first\n        third\n');
    expect(became(without, 'platforms.web.variables.LEVEL')).toEqual(['10 carried']);
    expect(became(without, 'LEVEL')).toEqual(['7 left behind: in a section that is not shown']);
    const shown = of('[night]\nnight = yes\n');
    expect(shown.yaml).toContain('LEVEL: debug\n      SCRIPT: |\n        first\n        second\n        third\n');
    expect(became(shown, 'platforms.web.variables.LEVEL')).toEqual(['7 carried']);
  });

  test('are left behind where profiles differ, or where none is given', () => {
    expect(became(of('[day]\nx = 1\n[night]\nnight = yes\n'), '{{#night}}')[0]).toContain('others differ');
    expect(became(converted(TEXT, { from: 'boo' }), '{{#night}}')[0]).toContain('choose with --profile');
  });

  test('a wrong line of a profile is found at its start, also after a byte order mark', () => {
    expect(codesIn(of('\uFEFF[day]\nnight yes\n'))).toEqual(['2:1 bad-profile']);
  });

  test('that are not closed are an error at their place', () => {
    expect(codesIn(converted('boo:\n  a: 1\n{{#x}}\n'))).toEqual(['3:1 bad-tag']);
    expect(codesIn(converted('boo:\n  a: 1\n{{/x}}\n'))).toEqual(['3:1 bad-tag']);
  });
});

test('a key that a profile gives again is left behind where it was given before', () => {
  const text =
    "boo: { a: 1 }\nvariables: { A: '{{level}}', B: '{{secret}}' }\nplatforms: { web: { pack: oneops/tomcat:1 } }\n";
  const ini =
    '[dev]\nlevel = one\n[prod]\nlevel = other\nsecret = canary-a\n[dev]\nlevel: two\nlevel = three\nsecret = canary-b\nsecret = canary-c\n';
  const result = converted(text, { profiles: { name: 'p.ini', text: ini } });
  const shown = result.accounts.filter(({ file }) => file === 'p.ini');
  expect(shown.map(({ line, setting, code, note }) => [line, setting, code, note])).toEqual([
    [2, '[dev] level', 'repeated-profile-value', 'line 7 gives it again'],
    [4, '[prod] level', 'setting-configured', 'the configuration of the stack prod'],
    [5, '[prod] secret', 'setting-configured', 'the configuration of the stack prod'],
    [7, '[dev] level', 'repeated-profile-value', 'line 8 gives it again'],
    [8, '[dev] level', 'setting-configured', 'the configuration of the stack dev'],
    [9, '[dev] secret', 'repeated-profile-value', 'line 10 gives it again'],
    [10, '[dev] secret', 'setting-configured', 'the configuration of the stack dev'],
  ]);
  expect(result.commands).toContain('pulumi config set --stack dev level three');
  expect(JSON.stringify([result.yaml, result.commands, result.accounts, result.findings])).not.toContain('canary');
  const chosen = converted(text, { profiles: { name: 'p.ini', text: ini, section: 'prod' } });
  expect(chosen.accounts.filter(({ code }) => code === 'repeated-profile-value')).toEqual([]);
});

describe('partials and sections over lists', () => {
  const files: { readonly [name: string]: string } = {
    'web.yaml': `web:
  pack: oneops/tomcat:1
  components:
    user:
{{> users}}
    lb: { colour: red, attahcments: 1 }
`,
    'users.yaml': `      {{#users}}
      user-{{.}}:
        username: {{.}}
      {{/users}}
`,
    'endless.yaml': '  a:\n    {{> endless}}\n',
    'open.yaml': '{{#users}}\n',
    'last.yaml': 'variables: { LEVEL: info }',
  };
  const readPartial: NonNullable<OldFile['readPartial']> = (name) => {
    const text = files[`${name}.yaml`];
    return text === undefined ? { problem: `there is no file ${name}.yaml` } : { name: `${name}.yaml`, text };
  };
  const TEMPLATE = `assembly: { name: shop }
platforms:
  {{> web}}
`;
  const of = (text: string, ini?: string) =>
    converted(text, { readPartial, ...(ini === undefined ? {} : { profiles: { name: 'p.ini', text: ini } }) });
  const lost = ({ accounts }: Converted): readonly string[] =>
    accounts
      .filter(({ outcome }) => outcome === 'left behind')
      .map(({ file, line, setting, note }) => `${file}:${line} ${setting}: ${note}`);

  test('a partial is read with the indentation of its tag, and a list is written out', () => {
    const result = of(TEMPLATE, '[dev]\nusers = ["ada", "bob"]\n');
    expect(result.yaml).toBe(`assembly:
  name: shop
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user:
        user-ada:
          username: ada
        user-bob:
          username: bob
      lb:
        colour: red
`);
    expect(result.findings.map(({ at, code }) => [at.file, at.start.line, at.start.column, code])).toEqual([
      ['web.yaml', 6, 24, 'unknown-key'],
    ]);
    expect(lost(result)).toEqual([
      'web.yaml:6 platforms.web.components.lb.attahcments: not known here; did you mean attachments?',
    ]);
    const users = result.accounts.filter(({ setting }) => setting.endsWith('username'));
    expect(users.map(({ file, line, column, setting }) => [file, line, column, setting])).toEqual([
      ['users.yaml', 3, 19, 'platforms.web.components.user.user-ada.username'],
      ['users.yaml', 3, 19, 'platforms.web.components.user.user-bob.username'],
    ]);
    expect(became(result, '{{#users}}')).toEqual(['1 changed: written out: 2 items, as in the profile']);
    expect(became(result, '{{> web}}')).toEqual(['3 changed: the text of web.yaml']);
    expect(became(result, '[dev] users')).toEqual(['2 changed: its items are written out']);
    expect(result.files.map(({ name }) => name)).toEqual(['old.yaml', 'web.yaml', 'users.yaml', 'p.ini']);
  });

  test('items that are maps give values, sections and their own lists', () => {
    const people = [
      { name: 'ada', admin: true, groups: ['red', 'blue'] },
      { name: 'bob', admin: false, groups: [] },
    ];
    const result = of(
      `boo: { a: 1 }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user:
{{#users}}
        {{name}}:
          username: '{{name}} of {{team}}'
{{#admin}}
          sudoer: 'true'
{{/admin}}
          group: '[{{#groups}}"{{.}}",{{/groups}}"all"]'
{{#never}}
          shell: /bin/sh
{{/never}}
{{/users}}
`,
      `[dev]\nteam = web\nusers = ${JSON.stringify(people)}\n`,
    );
    expect(result.yaml).toContain(`        ada:
          username: ada of \${config.team}
          sudoer: 'true'
          group:
            - red
            - blue
            - all
        bob:
          username: bob of \${config.team}
          group:
            - all
`);
    expect(became(result, '{{#admin}}')).toEqual(['10 changed: shown as the items of users say']);
    expect(became(result, '{{#never}}')[0]).toContain('left out, because the profile has no never');
  });

  test('what differs in profiles is left behind, also a part that no item shows', () => {
    const text = `boo: { a: 1 }
variables:
{{#levels}}
  {{name}}: {{value}}
{{#unknown}}
  {{name}}_2: x
{{/unknown}}
{{/levels}}
`;
    const item = '{"name":"A","value":"1","unknown":false}';
    const result = of(text, `[dev]\nlevels = [${item}]\n[prod]\nlevels = []\n`);
    expect(result.yaml).toContain("variables:\n  A: '1'\n");
    expect(lost(result).slice(1)).toEqual([
      'old.yaml:3 {{#levels}}: the list: 1 item as in the first profile, others differ',
      'old.yaml:5 {{#unknown}}: its content: no item of levels shows it',
      'p.ini:4 [prod] levels: the items of the first profile are written out, others differ',
    ]);
  });

  test('a dotted name is a value of a map everywhere', () => {
    const text = `boo: { oneops_host: '{{db.host}}' }
assembly: { name: '{{db.shop.name}}' }
variables:
  HOST: '{{db.host}}'
  PASS: '{{db.password}}'
  '{{db.password}}': x
{{#db.hosts}}
  {{.}}: y
{{/db.hosts}}
{{#db.isOn}}
  ON: z
{{/db.isOn}}
{{^db.isOff}}
  OFF: z
{{/db.isOff}}
`;
    const db = { host: 'h', hosts: ['one'], shop: { name: 'store' }, password: 'canary', isOn: true, isOff: false };
    const result = of(text, `[dev]\ndb = ${JSON.stringify(db)}\n`);
    expect(result.yaml).toContain('  name: store\n');
    expect(result.yaml).toContain('  one: y\n  ON: z\n  OFF: z\n');
    expect(result.commands).toContain('pulumi config set --stack dev oneops:url h');
    expect(result.commands).toContain('pulumi config set --stack dev db_host h');
    expect(result.commands).toContain('pulumi config set --stack dev --secret db_password');
    expect(became(result, '[dev] db')).not.toEqual(['2 left behind: no tag names it']);
    expect(JSON.stringify([result.yaml, result.commands, result.accounts, result.findings])).not.toContain('canary');
  });

  test('without its items a list is there once, with tags of its name', () => {
    const result = of(`boo: { a: 1 }\nvariables:\n{{#levels}}\n  {{.}}: '{{.}}'\n{{/levels}}\n`);
    expect(result.yaml).toContain('variables:\n  levels: ${config.levels}\n');
    expect(became(result, '{{#levels}}')[0]).toContain('choose with --profile');
    const one = of(`boo: { a: 1 }\nvariables:\n  A: '{{#level}}is {{.}}{{/level}}'\n`, '[dev]\nlevel = info\n');
    expect(one.yaml).toContain('A: is ${config.level}\n');
  });

  const USERS = 'users = [{"name":"B","password":"canary"}]';
  const DB = 'db = {"password":"canary"}';
  /** A section with one line. */
  const each = (name: string, line: string): string => `{{#${name}}}\n  ${line}\n{{/${name}}}\n`;

  test.each<[text: string, ini: string, variables: { readonly [name: string]: string }]>([
    // A section over a scalar, a nested list, and an item or a map printed as a whole.
    [each('users', '{{name}}: "{{#password}}x {{.}}{{/password}}"'), USERS, { B: 'x ${config.users_1_password}' }],
    [
      each('users', '{{name}}: "{{#passwords}}{{.}}{{/passwords}}"'),
      'users = [{"name":"B","passwords":["canary"]}]',
      { B: '${config.users_1_passwords_1}' },
    ],
    [each('users', "A: '{{.}}'"), USERS, { A: '${config.users_1}' }],
    ["  A: '{{db}}'\n", DB, { A: '${config.db}' }],
    // A value of a map in its section, beside its name in a list, and of one pair by its dotted name.
    [each('db', "A: '{{password}}'"), DB, { A: '${config.db_password}' }],
    [
      each('env', '{{name}}: "{{value}}"'),
      'env = [{"name":"LEVEL","value":"info"},{"name":"DB_PASSWORD","value":"canary"}]',
      { LEVEL: 'info', DB_PASSWORD: '${config.env_2_value}' },
    ],
    ["  A: '{{db.value}}'\n", 'db = {"name":"DB_PASSWORD","value":"canary"}', { A: '${config.db_value}' }],
    // One item of several.
    [
      "  A: '{{#env}}{{.}} {{/env}}x'\n",
      'env = ["LEVEL=info","-Ddb.password.main=canary"]',
      { A: 'LEVEL=info ${config.env_2} x' },
    ],
  ])('no secret is copied: %j with %s', (text, ini, variables) => {
    const name = /\$\{config\.(\w+)\}/.exec(Object.values(variables).join())?.[1] ?? '';
    const result = of(`boo: { a: 1 }\nvariables:\n${text}`, `[dev]\n${ini}\n`);
    for (const [key, value] of Object.entries(variables)) expect(result.yaml).toContain(`  ${key}: ${value}\n`);
    expect(result.yaml).toContain(`  ${name}: { type: string, secret: true }\n`);
    expect(result.commands).toContain(`pulumi config set --stack dev --secret ${name}`);
    expect(JSON.stringify([result.yaml, result.commands, result.accounts, result.findings])).not.toContain('canary');
  });

  test('things of a list keep their texts, also where the name of what contains them has the word for a secret', () => {
    const ini =
      '[dev]\napp = {"name":"token-service","env":[{"name":"LEVEL","value":"info"}],"url":"http://token.example.com:80"}\n';
    const result = of('boo: { a: 1 }\nvariables:\n{{#app.env}}\n  {{name}}: "{{value}}"\n{{/app.env}}\n', ini);
    expect(result.yaml).toContain('  LEVEL: info\n');
    expect(result.commands.join()).not.toContain('--secret');
  });

  test('no secret of a map becomes a key or an address', () => {
    const ini = '[dev]\ndb = {"password":"canary"}\n';
    const result = of(
      "boo: { oneops_host: '{{db}}' }\nvariables:\n  '{{db}}': x\n{{#db}}\n  '{{password}}': y\n  '{{.}}': z\n{{/db}}\n",
      ini,
    );
    expect(JSON.stringify([result.yaml, result.commands, result.accounts, result.findings])).not.toContain('canary');
  });

  test.each([
    ['none', 'old.yaml:3 {{> none}}: there is no file none.yaml', '3:3'],
    ['endless', 'endless.yaml:2 {{> endless}}: partials are in each other without end', '2:5'],
  ])('a partial that is not there, or in itself, is left behind: %s', (name, expected, place) => {
    const result = of(`boo: { x: 1 }\nvariables:\n  {{> ${name}}}\nplatforms: { web: { pack: oneops/tomcat:1 } }\n`);
    expect(lost(result)).toContain(expected);
    expect(codesIn(result)).toContain(`${place} unread-partial`);
  });

  test('a partial whose section is not closed is an error at the tag that names it', () => {
    const { findings } = of('boo: { x: 1 }\n{{> open}}\n');
    expect(codesIn({ findings })).toEqual(['2:1 bad-tag']);
    expect(findings[0]?.message).toBe('{{> open}}: a section of open.yaml is not closed, or closed and not opened');
  });

  test('a partial without an end of its last line keeps that of its tag', () => {
    expect(of('boo: { x: 1 }\n{{> last}}\nassembly: { name: shop }\n').yaml).toContain('LEVEL: info');
  });

  test('a list of lists of lists ends with a message', () => {
    const items = JSON.stringify(Array.from({ length: 100 }, () => ({})));
    const open = Array.from({ length: 6 }, (_, level) => `{{#a${level}}}`).join('');
    const close = Array.from({ length: 6 }, (_, level) => `{{/a${5 - level}}}`).join('');
    const ini = `[dev]\n${Array.from({ length: 6 }, (_, level) => `a${level} = ${items}\n`).join('')}`;
    const { findings } = of(`boo:\n  x: '${open}y${close}'\n`, ini);
    expect(codesIn({ findings })).toEqual(['2:42 too-long-template']);
    expect(findings[0]?.message).toBe(
      '{{#a5}}: here the template with its partials and lists becomes too long: it may have 1000000 characters, and each tag and each text between tags counts 20 more',
    );
    expect(findings[0]?.hint).toBe('shorten a list of the profile, or convert parts of the template one by one');
  });
});

const DESIGN = fixture('design.txt');

test('a design export', () => {
  const result = converted(DESIGN);
  expect(result.from).toBe('design');
  expect(result.yaml).toContain("port: '8080'");
  expect(result.yaml).toContain("version: '1.1'");
  expect(result.yaml).toContain('active: 10');
  expect(result.yaml).toContain('DIR=$${FILE%/*}');
  expect(result.yaml).toContain('pass: ${config.web-pass}');
  expect(wrong(result)).toEqual([]);
  expect(result.yaml).toContain('assembly:\n  name: shop\n  owner: ${config.owner}\n');
  expect(result.commands).toEqual([
    'pulumi stack select --create dev',
    'pulumi config set owner',
    'pulumi config set --secret web-pass',
    'pulumi config set --secret web-tomcat-cert-basic_auth_password',
  ]);
  expect(codesIn(result)).toEqual([]);
  expect(became(result, 'platforms.web.variables.version')).toEqual(['12 changed: what YAML 1.1 reads']);
  expect(result.accounts.filter(({ outcome }) => outcome === 'left behind')).toEqual([]);
  const action = 'platforms.web.components.tomcat/oneops.1.Tomcat.tomcat.attachments.cert.run_on_action';
  expect(became(result, action)).toEqual(['42 changed: declares nothing: the key is left out']);
  const named = converted(DESIGN.replace('run_on_action: []', "run_on_action: '[before-repair]'"));
  expect(became(named, action)).toEqual(['42 left behind: not known here']);
});

test.each([
  [
    'a text under | with a last line that is indented too little',
    'platforms:\n  web:\n    content: |\n      <beans>\n    </beans>\n    other: 1\n',
    ['5:5 bad-syntax'],
  ],
  ['a list', '- a\n', ['1:1 wrong-type']],
  ['nothing', '', ['1:1 empty-file']],
  ['characters that stand for tags', 'boo: \uE000\n', ['1:6 bad-tag']],
])('%s is reported at its place', (_, text, expected) => {
  const result = converted(text);
  expect(codesIn(result)).toEqual(expected);
  expect(result.yaml).toBeUndefined();
});

test.each([
  ['', '3:5'],
  // Lines of tags alone are not in the text that is read.
  ['boo: { a: 1 }\n{{#x}}\n{{/x}}\n', '6:5'],
])('the hint for such a text says where it starts, after %j', (before, place) => {
  const text = 'platforms:\n  web:\n    content: |\n      <beans>\n    </beans>\n    other: 1\n';
  const { findings } = converted(before + text);
  expect(findings[0]?.hint).toContain(`the text that starts at ${place} ends here`);
});

test.each([
  ['Boo', BOO],
  ['a design', DESIGN],
])('every value of %s is accounted for', (_, text) => {
  const { accounts } = converted(text);
  const masked = text.replaceAll('{{cloud}}:', 'the-cloud:');
  const { root } = readYaml(sourceFile('old.yaml', masked));
  if (root === undefined) throw new Error('the text is not valid');
  const lines = leavesOf(root).map(({ at }) => at.start.line);
  const accounted = accounts.map(({ line }) => line);
  expect(lines.filter((line) => !accounted.includes(line))).toEqual([]);
  expect(accounts.length).toBeGreaterThanOrEqual(lines.length);
});

test('a value of a profile of which the file has the text is not said to be in the configuration', () => {
  const text = `boo:
assembly: { name: shop }
platforms: { web: { pack: oneops/tomcat } }
environment: { clouds: { '{{cloud}}': { priority: '1' } } }
`;
  const result = converted(text, {
    profiles: { name: 'config.ini', text: '[one]\ncloud = east\n[two]\ncloud = west\n' },
  });
  expect(result.commands.join('\n')).not.toContain('cloud');
  expect(became(result, '[one] cloud')).toEqual([
    '2 changed: it is written into the file, where no reference is allowed',
  ]);
  expect(became(result, '[two] cloud')).toEqual([
    '4 left behind: the file has the value of the first profile: no reference is allowed there',
  ]);
  expect(became(result, 'platforms.web.pack')).toEqual(['3 changed: it names no version: 1 is written, check it']);
});

test('a rolling deployment stays one: percent_deploy of a scaling is pct_dpmt, at both places', () => {
  const above = converted(
    'boo: { environment_name: dev }\nassembly: { name: shop, owner: a@b.io }\nplatforms: { web: { pack: oneops/tomcat, pack_version: 1 } }\n' +
      'environment: { availability: redundant }\nscale: { web: { scaling: { compute: { current: 4, percent_deploy: 25 } } } }\n',
  );
  expect(above.yaml).toMatch(/compute:\s+current: 4\s+pct_dpmt: 25\n/);
  expect(became(above, 'scale.web.scaling.compute.percent_deploy').join()).toContain('pct_dpmt');
  const inside = converted(
    'assembly: { name: shop, owner: a@b.io }\nplatforms: { web: { pack: oneops/tomcat, pack_version: 1 } }\n' +
      'environments: { dev: { availability: redundant, platforms: { web: { scale: { compute: { percent_deploy: 25 } } } } } }\n',
  );
  expect(inside.yaml).toMatch(/compute:\s+pct_dpmt: 25\n/);
  expect([...wrong(above), ...wrong(inside)]).toEqual([]);
});

test('a number with an exponent and without a point is text, as old readers have it', () => {
  const result = converted('variables: { A: 1e3, B: 12E-2, C: 1.0e+3, D: 7.0, E: 1000 }\nplatforms: {}\n');
  expect(result.yaml).toMatch(/A: '1e3'\s+B: '12E-2'\s+C: '1000(\.0)?'\s+D: '7.0'\s+E: '1000'/);
});

test('of a key that is given twice the last one counts, as for the service, and the report says so', () => {
  const result = converted(
    'variables:\n  LEVEL: debug\n  OTHER: x\n  LEVEL: info\nplatforms: { web: { pack: oneops/tomcat:1 } }\n',
  );
  expect(codesIn(result)).toEqual([]);
  expect(result.yaml).toMatch(/LEVEL: info/);
  expect(result.yaml).not.toContain('debug');
  expect(became(result, 'variables.LEVEL')).toEqual([
    '2 changed: line 4 gives it again, and that one counts',
    '4 carried',
  ]);
});

test.each([
  ['as far as its key', '    '],
  ['less than its key', '  '],
  ['not at all', ''],
])('JSON in single quotes may end in a line that is indented %s, as for old readers', (_, indent) => {
  const template = (end: string): string =>
    'assembly: { name: shop, owner: a@b.io }\nplatforms:\n  web:\n    pack: oneops/tomcat:1\n    variables:\n' +
    `      JSON: '{\n        "a": "it''s",\n${indent}"b": 2\n${end}}' # why\n      LAST: x\n`;
  const result = converted(template(indent), { from: 'boo' });
  expect(codesIn(result)).toEqual([]);
  expect(result.yaml).toBe(converted(template('          '), { from: 'boo' }).yaml);
  expect(result.yaml).toContain("it''s");
  expect(became(result, 'platforms.web.variables.LAST')).toEqual(['10 carried']);
});

test.each(['name: web\nversion: 1\n', '{ "dependencies": { "yaml": "2" } }\n'])(
  'a file that is no template at all is refused: %j',
  (text) => {
    const result = converted(text);
    expect([result.yaml, codesIn(result)]).toEqual([undefined, ['1:1 no-old-file']]);
  },
);

// Clear secrets of an old file: none is in the result, a command asks for each of them.
describe('literal secrets', () => {
  /** A template with a component whose attributes, from line 8 on, are those. */
  const component = (attributes: string): string =>
    `assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      zork/oneops.1.Zork:
        app:
${attributes.replace(/^/gm, '          ')}
`;

  const configured = ({ accounts }: Converted): readonly string[] =>
    accounts
      .filter(({ code }) => code === 'setting-configured')
      .map(({ line, setting, note }) => `${line} ${setting.replace(/^.*\bapp\./, '')}: ${note}`);

  const wholeText = ({ yaml, commands, accounts, findings }: Converted): string =>
    JSON.stringify([yaml, commands, accounts, findings]);

  const notCopied = (name: string): string => `the secret ${name} of the configuration: its value is not copied`;

  test.each<[attribute: string, written: string, name: string, setting: string]>([
    ['DB_PASSWORD: canary', 'DB_PASSWORD: ', 'DB_PASSWORD', 'DB_PASSWORD'],
    ['DB_PASSWORD: 1234567', 'DB_PASSWORD: ', 'DB_PASSWORD', 'DB_PASSWORD'],
    ['env: { DB_PASSWORD: canary, LEVEL: info }', 'DB_PASSWORD: ', 'env-DB_PASSWORD', 'env.DB_PASSWORD'],
    ['DB_CREDENTIALS: { user: canary }', 'user: ', 'DB_CREDENTIALS-user', 'DB_CREDENTIALS.user'],
    ['args: [DB_PASSWORD, canary]', '- ', 'args-DB_PASSWORD', 'args[1]'],
    ['args: [run, --password, canary]', '- ', 'args-password', 'args[2]'],
    ['env: [{ name: DB_PASSWORD, value: canary }]', 'value: ', 'env-DB_PASSWORD', 'env[0].value'],
  ])('%s in clear is a secret of the configuration', (attribute, written, name, setting) => {
    const result = converted(component(attribute));
    const secret = `web-app-${name}`;
    expect(result.yaml).toContain(`${written}\${config.${secret}}`);
    expect(result.yaml).toMatch(new RegExp(`  ${secret}: \\{ type: (string|integer), secret: true \\}\n`));
    expect(result.commands).toContain(`pulumi config set --secret ${secret}`);
    expect(configured(result)).toEqual([`8 ${setting}: ${notCopied(secret)}`]);
    expect(wholeText(result)).not.toMatch(/canary|1234567/);
  });

  test('a name that no file could have is cut', () => {
    const result = converted(component(`environment: { ${'x'.repeat(300)}_TOKEN: "canary\\nmore" }`));
    const name = /< (\S+)\.secret$/m.exec(result.commands.join('\n'))?.[1];
    expect(name).toHaveLength(120);
    expect(result.yaml).toContain(`\${config.${name}}`);
  });

  test('a text of 200,000 dollar signs is read in linear time', () => {
    const dollars = '$'.repeat(200_000);
    const { yaml } = converted(component(`content: ${dollars}x -Dpassword={{x}}`));
    expect(yaml).toContain(`${dollars}x -Dpassword=\${config.x}`);
  });

  test.each([
    ['JSON with a tag', `opts: '{"list":[1],"password":1234567,"host":"{{host}}"}'`, 'opts: ${config.web-app-opts}'],
    ['what is around a tag', 'opts: -Dpassword=can{{x}}ary -Da=b', 'opts: ${config.web-app-opts}'],
  ])('a text with a secret is one as a whole: %s', (_, attribute, written) => {
    const result = converted(component(attribute));
    expect(result.yaml).toContain(written);
    const [line = ''] = configured(result).filter((each) => each.includes('secret'));
    expect(line).toContain(notCopied(/web-app-\w+/.exec(written)?.[0] ?? ''));
    expect(wholeText(result)).not.toMatch(/canary|1234567/);
  });

  test('a private key is asked for as a file, because it has several lines', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\\ncanary\\n-----END RSA PRIVATE KEY-----';
    const result = converted(component(`content: "${key}\\n"\nKEY_SECRET: "canary\\nmore"`));
    expect(result.commands).toContain('pulumi config set --secret web-app-content < web-app-content.secret');
    expect(configured(result)).toEqual([
      `8 content: ${notCopied('web-app-content')}, write its lines to web-app-content.secret`,
      `9 KEY_SECRET: ${notCopied('web-app-KEY_SECRET')}, write its lines to web-app-KEY_SECRET.secret`,
    ]);
    expect(wholeText(result)).not.toContain('canary');
  });

  test('attachments, monitors, variables and environments keep no secret either', () => {
    const result = converted(`assembly: { name: shop, tags: { api_token: canary } }
variables: { API_TOKEN: canary, OPTIONS: -Dpassword=canary, TOKEN_URL: 'http://x' }
platforms:
  web:
    pack: oneops/tomcat:1
    variables: { db_password: canary }
    components:
      artifact/oneops.1.Artifact:
        app:
          environment: { DB_PASSWORD: canary }
          attachments: { one: { content: 'export TOKEN=canary' } }
          monitors: { own: { cmd: 'check --password=canary' } }
environments:
  prod:
    clouds: { east: { priority: '1' } }
    variables: { API_TOKEN: canary }
    platforms:
      web: { components: { artifact/oneops.1.Artifact: { app: { environment: { DB_PASSWORD: canary } } } } }
`);
    expect(wholeText(result)).not.toContain('canary');
    expect(result.yaml).toContain('API_TOKEN: ${config.API_TOKEN}');
    expect(result.yaml).toContain('OPTIONS: ${config.OPTIONS}');
    expect(result.yaml).toContain('TOKEN_URL: http://x');
    expect(result.yaml).toContain('API_TOKEN: ${config.prod-API_TOKEN}');
    expect(result.yaml).toContain('DB_PASSWORD: ${config.prod-web-app-environment-DB_PASSWORD}');
    const note = `encrypted from now on; ${notCopied('API_TOKEN')}`;
    expect(result.accounts.find(({ setting }) => setting === 'variables.API_TOKEN')?.note).toBe(note);
  });

  test.each([
    ['A_PASSWORD: 4711', 'A_PASSWORD: ${config.A_PASSWORD}', /secret A_PASSWORD of/],
    ["A_PASSWORD: 'a$OO_GLOBAL{B}'", 'A_PASSWORD: ${config.A_PASSWORD}', /secret A_PASSWORD of/],
    ["A_PASSWORD: '{{pw}}'", 'A_PASSWORD: ${config.pw}', /^encrypted from now on; a secret of the configuration$/],
    ["A_PASSWORD: '$OO_GLOBAL{B}'", 'A_PASSWORD: $OO_GLOBAL{B}', undefined],
    ['A_PASSWORD: true', "A_PASSWORD: 'true'", undefined],
  ])('a variable %s', (variable, written, note) => {
    const { yaml, accounts } = converted(`assembly: { name: shop }\nvariables:\n  ${variable}\n`);
    expect(yaml).toContain(`  ${written}\n`);
    const shown = accounts.find(({ setting }) => setting === 'variables.A_PASSWORD')?.note;
    expect(shown).toEqual(note === undefined ? undefined : expect.stringMatching(note));
  });

  test('a design export keeps no secret either', () => {
    const result = converted(
      component('environment: { DB_PASSWORD: canary }\nother: ["API_TOKEN", "::ENCRYPTED::"]').replace(/.*\n/, ''),
      { from: 'design' },
    );
    expect(result.yaml).toContain('DB_PASSWORD: ${config.web-app-environment-DB_PASSWORD}');
    expect(configured(result)).toEqual([
      `7 environment.DB_PASSWORD: ${notCopied('web-app-environment-DB_PASSWORD')}`,
      '8 other[1]: the secret web-app-other-API_TOKEN of the configuration: the source does not contain its value',
    ]);
    expect(wholeText(result)).not.toContain('canary');
  });

  test('a tag after the name of a secret in a text is a secret of the configuration, and its value is asked for', () => {
    const profiles = { name: 'config.ini', text: '[dev]\nx = canary\nhost = web\n' };
    const result = converted(component("opts: '-Dpassword={{x}} -Dhost={{host}}'"), { profiles });
    expect(result.yaml).toContain("'-Dpassword=${config.x} -Dhost=${config.host}'");
    expect(result.commands).toContain('pulumi config set --stack dev --secret x');
    expect(result.commands).toContain('pulumi config set --stack dev host web');
    expect(wholeText(result)).not.toContain('canary');
  });

  test('a text around the tag of a secret is reported where it can be a part of it, because no command can ask for it', () => {
    const result = converted(component("environment: { A_TOKEN: 'Bearer {{a}}', B_TOKEN: '{{a}}:{{b}}' }"));
    const found = result.findings.filter(({ code }) => code === 'secret-in-file');
    expect(found.map(({ at, secret }) => [at.start.line, at.start.column, secret])).toEqual([[8, 35, true]]);
    expect(configured(result)).toEqual([
      '8 environment.A_TOKEN: a secret of the configuration; the text around it is copied',
      '8 environment.B_TOKEN: a secret of the configuration',
    ]);
  });

  test('the result is a right stack, and reading it finds no secret in clear', () => {
    const { yaml = '' } = converted(
      component('environment: { DB_PASSWORD: canary }\nargs: [DB_PASSWORD, canary]\nopts: -Dpassword=canary'),
    );
    const { findings } = readText(yaml);
    expect(findings.map(({ code }) => code).filter((code) => code !== 'readable-secret')).toEqual(['unknown-template']);
  });
});
