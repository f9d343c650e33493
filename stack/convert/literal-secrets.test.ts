// Secrets that an old file has in clear: none is in the result, each is asked for by a command, and the report names its line.
import { classMetadata, templateClass } from '../../api/contract';
import { readText } from '../../test/read-text';
import { convert, type Converted, type OldFile } from './convert';

const CLASSES = { classMetadata, templateClass };

const converted = (text: string, more: Partial<OldFile> = {}): Converted =>
  convert({ name: 'old.yaml', text, assembly: 'shop', ...more }, CLASSES);

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

const told = ({ yaml, commands, accounts, findings }: Converted): string =>
  JSON.stringify([yaml, commands, accounts, findings]);

const notCopied = (name: string): string => `the secret ${name} of the configuration: its value is not copied`;

test.each<[string, string, string, string, string]>([
  ['an attribute', 'DB_PASSWORD: canary', 'DB_PASSWORD: ${config.', 'DB_PASSWORD', 'DB_PASSWORD'],
  ['a number', 'DB_PASSWORD: 1234567', 'DB_PASSWORD: ${config.', 'DB_PASSWORD', 'DB_PASSWORD'],
  [
    'a value of a map',
    'environment: { DB_PASSWORD: canary, LEVEL: info }',
    'DB_PASSWORD: ${config.',
    'environment-DB_PASSWORD',
    'environment.DB_PASSWORD',
  ],
  [
    'values below a secret',
    'DB_CREDENTIALS: { user: canary }',
    'user: ${config.',
    'DB_CREDENTIALS-user',
    'DB_CREDENTIALS.user',
  ],
  ['a list of names and values', 'args: [DB_PASSWORD, canary]', '- ${config.', 'args-DB_PASSWORD', 'args[1]'],
  ['an option', 'args: [run, --password, canary]', '- ${config.', 'args-password', 'args[2]'],
  ['a pair', 'env: [{ name: DB_PASSWORD, value: canary }]', 'value: ${config.', 'env-DB_PASSWORD', 'env[0].value'],
])('%s in clear is a secret of the configuration', (_, attribute, written, name, setting) => {
  const result = converted(component(attribute));
  const secret = `web-app-${name}`;
  expect(result.yaml).toContain(`${written}${secret}}`);
  expect(result.yaml).toMatch(new RegExp(`  ${secret}: \\{ type: (string|integer), secret: true \\}\n`));
  expect(result.commands).toContain(`pulumi config set --secret ${secret}`);
  expect(configured(result)).toEqual([`8 ${setting}: ${notCopied(secret)}`]);
  expect(told(result)).not.toMatch(/canary|1234567/);
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
  ['a list item', 'args: ["DB_PASSWORD=canary"]', '- ${config.web-app-args}'],
  ['an option in a text', 'opts: -Xmx1g -Dpassword=canary -Dlevel=info', 'opts: ${config.web-app-opts}'],
  ['a map in JSON', `opts: '{"DB_PASSWORD":"canary"}'`, 'opts: ${config.web-app-opts}'],
  ['a number in JSON', `opts: '{"DB_PASSWORD":1234567}'`, 'opts: ${config.web-app-opts}'],
  ['JSON after a blank', `opts: ' [{"name":"DB_PASSWORD","value":"canary"}]'`, 'opts: ${config.web-app-opts}'],
  ['an address', 'url: https://ada:canary@files.acme.io/x', 'url: ${config.web-app-url}'],
  ['JSON with a tag', `opts: '{"list":[1],"password":1234567,"host":"{{host}}"}'`, 'opts: ${config.web-app-opts}'],
  ['what is around a tag', 'opts: -Dpassword=can{{x}}ary -Da=b', 'opts: ${config.web-app-opts}'],
  ['a script', 'opts: "#!/bin/sh\\nexport DB_PASSWORD=canary\\nPASSWORD=$1"', 'opts: ${config.web-app-opts}'],
])('a text with a secret is one as a whole: %s', (_, attribute, written) => {
  const result = converted(component(attribute));
  expect(result.yaml).toContain(written);
  const [line = ''] = configured(result).filter((each) => each.includes('secret'));
  expect(line).toContain(notCopied(/web-app-\w+/.exec(written)?.[0] ?? ''));
  expect(told(result)).not.toMatch(/canary|1234567/);
});

test('a private key is asked for as a file, because it has several lines', () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\\ncanary\\n-----END RSA PRIVATE KEY-----';
  const result = converted(component(`content: "${key}\\n"\nKEY_SECRET: "canary\\nmore"`));
  expect(result.commands).toContain('pulumi config set --secret web-app-content < web-app-content.secret');
  expect(configured(result)).toEqual([
    `8 content: ${notCopied('web-app-content')}, write its lines to web-app-content.secret`,
    `9 KEY_SECRET: ${notCopied('web-app-KEY_SECRET')}, write its lines to web-app-KEY_SECRET.secret`,
  ]);
  expect(told(result)).not.toContain('canary');
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
  expect(told(result)).not.toContain('canary');
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
  const told = accounts.find(({ setting }) => setting === 'variables.A_PASSWORD')?.note;
  expect(told).toEqual(note === undefined ? undefined : expect.stringMatching(note));
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
  expect(told(result)).not.toContain('canary');
});

test('a tag next to the name of a secret is a secret of the configuration', () => {
  const result = converted(component(`args: [DB_PASSWORD, '{{pw}}']\nenvironment: { MY_TOKEN: '{{key}}' }`));
  expect(result.yaml).toContain('pw: { type: string, secret: true }');
  expect(result.yaml).toContain('key: { type: string, secret: true }');
});

test('a tag after the name of a secret in a text is a secret of the configuration, and its value is asked for', () => {
  const profiles = { name: 'config.ini', text: '[dev]\nx = canary\nhost = web\n' };
  const result = converted(component("opts: '-Dpassword={{x}} -Dhost={{host}}'"), { profiles });
  expect(result.yaml).toContain("'-Dpassword=${config.x} -Dhost=${config.host}'");
  expect(result.commands).toContain('pulumi config set --stack dev --secret x');
  expect(result.commands).toContain('pulumi config set --stack dev host web');
  expect(told(result)).not.toContain('canary');
});

test('a reference of the service is no secret, and a text with one is, if it has more', () => {
  const text = "environment: { A_TOKEN: '$OO_LOCAL{a}:$OO_LOCAL{b}', B_TOKEN: 'canary$OO_LOCAL{a}' }";
  const result = converted(component(text));
  expect(configured(result)).toEqual([`8 environment.B_TOKEN: ${notCopied('web-app-environment-B_TOKEN')}`]);
  expect(told(result)).not.toContain('canary');
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

test('what is no secret is carried as it is', () => {
  const attributes = `packages: [passwdqc, mosh]
environment: { LEVEL: info, TOKEN_LIFETIME: 300, USE_TOKEN: true, DB_PASSWORD: '', DB_PASSWORD_REF: '$OO_LOCAL{pw}' }
script: "PASSWORD=$1\\nif [ \\"$TOKEN\\" = x ]; then run; fi\\n"
names: [db-password, api-token]
java_opts: -Dpassword=$OO_LOCAL{pw} -Dtoken=%(token)s -Dsecret=%SECRET% -Dpwd=<password> -Dpassword=***
usage: run --password PASSWORD --token-file /run/token --secret <secret>
ecv: '{"8080":"GET /token","8081":"GET /"}'`;
  const result = converted(component(attributes));
  expect(configured(result)).toEqual([]);
  expect(result.yaml).not.toContain('config');
});

test('the result is a right stack, and reading it finds no secret in clear', () => {
  const { yaml = '' } = converted(
    component('environment: { DB_PASSWORD: canary }\nargs: [DB_PASSWORD, canary]\nopts: -Dpassword=canary'),
  );
  const { findings } = readText(yaml);
  expect(findings.map(({ code }) => code).filter((code) => code !== 'readable-secret')).toEqual(['unknown-template']);
});
