// Which texts hold a secret.
import fc from 'fast-check';
import { assignedSecretIn, holdsNamedSecret, mayHaveForm, mayHoldSecret, secretInText } from './forms';
import { ANY_NAMES, isSecretUnder, LIKELY_NAMES, mayBeSecret, type SecretNames, SURE_NAMES } from './names';
import { kinds } from '../kinds';
import { secretAttributes } from './attributes';
import { asList, masked, mustBe, textsIn } from './mask';
import { UNKNOWN } from '../values/plain';

test.each([
  '-----BEGIN RSA PRIVATE KEY-----\na\n-----END RSA PRIVATE KEY-----',
  'https://bob:canary@acme.io/x',
  'https://acme.io/x?a=b&token=canary&c=d',
  "curl -sH 'Authorization: Bearer canary-1' https://acme.io",
  'headers = { "Authorization": "Basic Y2FuYXJ5" }',
  'curl -s -u bob:canary https://acme.io',
  "curl --user 'bob:canary' https://acme.io",
  'curl -u bob:$PW --proxy-user bob:canary x',
  'mysql -u root -pcanary shop',
  "mysql -u root -p'can ary' shop",
  'sshpass -v -p canary ssh -p 2222 bob@acme.io',
  "redis-cli -h cache -a 'can ary' ping",
  "GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY 'can''ary';",
  'machine acme.io login bob password canary',
])('%j surely holds a secret by its form', (text) => {
  expect([mayHaveForm(text), secretInText(text) !== undefined]).toEqual([true, true]);
});

// What only may be a secret is not copied, and no warning is about it.
test.each([
  'the login form asks: login and password policy',
  "a node is identified by 'canary'",
  'Authorization: basic auth is needed',
  'ssh -l mysql -p2222 acme.io',
  'http://host:80?mail=bob@acme.io',
  'curl -u user:password https://acme.io',
  'https://user:password@acme.io',
])('%j may hold a secret by its form', (text) => {
  expect([mayHaveForm(text), secretInText(text)]).toEqual([true, undefined]);
});

test.each([
  'DB_PASSWORD=canary',
  '<password>canary</password>',
  'run -Dpassword=c$OO_LOCAL{x} -Dx=1',
  '(run -Dpassword=canary)',
  'LEVEL=info DB_PASSWORD=correct horse',
  '--password canary run',
  'TOKEN="can\\"ary"; run',
  "password: 'it''s'",
  'PASSWORD=%canary',
  'DB_PASSWORD = canary',
  "-Xmx1g -Ddb.password.main='canary' -Dx=1",
  'a\n  password: no way\nb: 1',
  '{\n  "password": "canary",\n  "b": 1\n}',
  `{ 'password' => 'canary' }`,
  'DB_PASSWORD=4711',
  'ACCESS_KEY=canary',
  'Authorization: Token token="canary-1"',
  '<property name="db.password" value="canary"/>',
  "{ name: 'DB_PASSWORD', value: 'canary' }",
  '- name: DB_PASSWORD\n  value: can ary\n- name: LEVEL\n  value: info',
  '- name: DB_PASSWORD\n  value: |\n    can\n    ary\n- name: LEVEL',
  'a:\n  password: |\n\n    can\n\n      ary\n\n  b: 1',
  '- password: >-\r\n    can\r\n    ary\r\n  b: 1',
  `PASSWORD='can'"'"'ary' run`,
  '{"password": 1234567, "pins": 12}',
  '{"users": {"list": [{"passwords": ["canary"]}]}}',
])('%j may hold a secret by a name', (text) => {
  expect(mayHoldSecret(text)).toBe(true);
});

test.each([
  'usage: run [--password PASSWORD]',
  'PASSWORD=%(x)s',
  'TOKEN_LIFETIME=300',
  'ACCESS_KEY_ID=AKIA',
  'compass=canary',
  'PRIVATE_IP=10.0.0.1',
  'PASSWORD_FILE=/etc/shop/db TOKEN_URL=https://acme.io/token',
  'AUTH_TOKEN=required LEVEL=info',
  '- name: DB_PASSWORD\n  valueFrom: x',
  '- name: DB_PASSWORD\n  value: $PW',
  'password: |\nb: 1',
  'password: |\n  $OO_LOCAL{pw}\n',
  'password=$OO_LOCAL{pw}',
  'PASSWORD="$(cat /run/x)"',
  'PASSWORD=`cat /run/x`',
  'if [ "$TOKEN" = "x" ]; then',
  'if password == "x"',
  'if token =~ /x/',
  'password: <%= @pw %>',
  'PASSWORD=\nLEVEL=info',
  'PASSWORD=""',
  'the password is in the vault',
  '{"token_lifetime": 300, "token": true}',
  'sshpass -p "$PASSWORD" ssh -p 2222 bob@acme.io',
  'sshpass -e scp -p file bob@acme.io:',
  'docker run --name some-mysql -p3306:3306 mysql',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer your-token',
  'curl -u bob https://acme.io:8443/x',
  'curl -o x http://a.io; run -u a:b',
  'mysql -P 3306 --port=3306 shop',
  "IDENTIFIED BY '#{password}'",
])('%j holds no secret', (text) => {
  expect([mayHoldSecret(text), secretInText(text)]).toEqual([false, undefined]);
});

test('for a warning a name must be that of a secret', () => {
  const isNamed = (text: string) => [LIKELY_NAMES, SURE_NAMES].map((names) => holdsNamedSecret(text, names));
  expect(isNamed('PRIVATE_KEYS=x')).toEqual([true, false]);
  expect(isNamed('--db-password=x')).toEqual([true, true]);
});

test.each([
  ['pass=0', undefined],
  ['TOKEN=1.2', undefined],
  ['token=canary', 'token'],
  ['password=hunter.secret', 'password'],
  ['connect(password=self.password, access_token=access_token)', undefined],
  ['usage: run --db-password=PASSWORD', undefined],
  ['token=xxxxxxxx; password=,', undefined],
  ['[mysqld]\nvalidate_password=FORCE_PLUS_PERMANENT', undefined],
  ['run -DB_PASSWORD=canary', 'B_PASSWORD'],
  ['run --DB_PASSWORD=canary', 'DB_PASSWORD'],
])('a text that surely gives a secret: %j', (text, name) => {
  expect(assignedSecretIn(text)).toBe(name);
});

// A form that is quadratic takes 20 seconds and more.
test.each([
  ['curls', 'curl '.repeat(40_000)],
  ['curls with blanks', `curl${' '.repeat(200_000)}`],
  ['logins', 'login '.repeat(33_000)],
  ['headers', 'authorization: '.repeat(13_000)],
  ['addresses', '://'.repeat(66_000)],
  ['statements', `@a identified by ''`.repeat(11_000)],
  ['options', `sshpass${' -P x'.repeat(40_000)}`],
  ['dots', '.'.repeat(200_000)],
  ['ports', `mysql ${'-p1:1 '.repeat(33_000)}`],
  ['lines of nothing', '\r'.repeat(200_000)],
  ['blank lines', '\r '.repeat(100_000)],
  ['names', 'name: '.repeat(33_000)],
  ['a name before blanks', `name: DB_PASSWORD${' '.repeat(200_000)}`],
  ['blocks of blank lines', 'password: |\n  \n'.repeat(13_000)],
])('a text of 200,000 characters: %s', (_, text) => {
  expect([mayHoldSecret(text), secretInText(text)]).toEqual([false, undefined]);
});

// Which values are secrets by a name.

const secrets = (value: object, names: SecretNames): readonly string[] =>
  Object.keys(value).filter((key) => isSecretUnder(value, key, names));

test.each<[object, readonly string[], readonly string[]]>([
  [{ DB_PASSWORD: 'x', LEVEL: 'info' }, ['DB_PASSWORD'], ['DB_PASSWORD']],
  // The value of a secret names nothing, whatever it sounds like.
  [{ DB_PASSWORD: 'topsecret', HOST: 'db1', LEVEL: 'info' }, ['DB_PASSWORD'], ['DB_PASSWORD']],
  [{ AUTH_METHOD: 'token', USER: 'bob', HOST: 'db1' }, [], []],
  [{ GRANT_TYPE: 'password', APP_NAME: 'token', USER: 'bob' }, [], []],
  [{ property: 'DB_PASSWORD', val: 'x' }, ['val'], ['val']],
  [{ PRIVATE_IP: 'x', PRIVATE_KEYS: 'x' }, ['PRIVATE_KEYS'], []],
  [
    { PRIVATE_DNS_KEY: 'x', PRIVATE_IPSEC_PSK: 'x', PRIVATE_SUBNETS: 'x' },
    ['PRIVATE_DNS_KEY', 'PRIVATE_IPSEC_PSK'],
    [],
  ],
  [{ fastcgi_pass: 'unix:x', first_pass: 'x', DB_PASS: 'x' }, ['DB_PASS'], ['DB_PASS']],
  [{ name: 'DB_PASSWORD', value: 'x' }, ['value'], ['value']],
  [{ key: 'DB_PASSWORD', name: 'secret-canary' }, ['name'], ['name']],
  [{ key: 'DB_PASSWORD', value: 'my-token', type: 'secret' }, ['value'], ['value']],
  [{ name: 'db.password.main', value: 'x' }, ['value'], []],
  [{ name: 'LEVEL', value: 'info' }, [], []],
  [{ num_tokens: '1', max_tokens: 1, maxTokens: 1, min_tokens: 1, MAX_TOKENS: 'x', 'total-tokens': 'x' }, [], []],
  [
    { api_tokens: 'x', tokens: 'x', admin_tokens: 'x', token: 'x' },
    ['api_tokens', 'tokens', 'admin_tokens', 'token'],
    ['token'],
  ],
  [{ '8080': 'GET /token', '8081': 'GET /' }, [], []],
  [{ team: 'private-cloud', owner: 'ada' }, [], []],
  [['DB_PASSWORD', 'x', 'LEVEL', 'info'], ['1'], ['1']],
  [['run', '--password', 'x', '--level', 'info'], ['2'], ['2']],
  [['--password', '--level', 'info'], [], []],
  [['API_TOKEN', 'secret-canary'], ['1'], ['1']],
  [['db-password', 'api-token'], [], []],
  [['API_TOKEN', 'HOME', 'LANG'], ['1'], []],
  [['authorization_code', 'password', 'refresh_token'], ['2'], []],
  [['secret', 'git'], ['1'], []],
  [['libsecret', 'mosh'], ['1'], []],
  [['web', 'db'], [], []],
])('the secrets of %j', (value, likely, sure) => {
  expect([secrets(value, LIKELY_NAMES), secrets(value, SURE_NAMES)]).toEqual([likely, sure]);
});

test('of what nobody has seen, everything next to a word for a secret is one', () => {
  expect(secrets({ title: 'a token of trust', text: 'x' }, ANY_NAMES)).toEqual(['text']);
});

test.each([
  ['x', 'DB_PASSWORD', true],
  ['4711', 'DB_PASSWORD', true],
  ['1.5', undefined, false],
  ['300', 'TOKEN_LIFETIME', false],
  ['enabled', 'FORGOT_PASSWORD', false],
  ['/etc/shop/db', 'PASSWORD_FILE', false],
  ['/x+y==', 'PASSWORD', true],
  ['https://acme.io', 'TOKEN_URL', false],
  ['canary', 'TOKEN_URL', true],
  ['https://hooks.acme.io/services/T024/8f3kd93kfj20dk3lslq0', 'SECRET_WEBHOOK_URL', true],
  ['https://acme.io/x?sig=canary', 'SAS_TOKEN_URL', true],
])('%j under the name %s can be a secret: %s', (text, name, expected) => {
  expect(mayBeSecret(text, name)).toBe(expected);
});

// Which attributes of a component are secret.

const component = kinds.find(({ token }) => token === 'Component')!;

const UNKNOWN_CLASS = { api_token: 'x', size: 'M', db_password: 'y', key: 'z' };
const SOUND_SECRET = ['api_token', 'db_password'];

test.each<[string, unknown, unknown, readonly string[] | undefined]>([
  ['a known class says so', 'mysql', { password: 'x', version: '5.6', token_port: '1' }, ['password']],
  ['in a class nobody knows, words decide', 'of-a-private-pack', UNKNOWN_CLASS, SOUND_SECRET],
  ['without a type, what is secret in any class is, too', undefined, UNKNOWN_CLASS, [...SOUND_SECRET, 'key']],
  ['of a type that is not known yet', UNKNOWN, { key: 'x', cert: 'y' }, ['key']],
  ['of a promised type', Promise.resolve('certificate'), { key: 'x', cert: 'y' }, ['key']],
  ['of a type in a map', { promised: true }, { api_token: 'x' }, ['api_token']],
  ['nothing secret', 'mysql', { version: '5.6' }, undefined],
  ['nothing given', 'mysql', undefined, undefined],
  ['attributes that are not known yet', 'mysql', 'unknown yet', undefined],
])('%s', (_, type, attributes, expected) => {
  expect(secretAttributes(component, { type, attributes })?.names).toEqual(expected);
});

test('a kind without an open map has nothing to mark', () => {
  for (const of of kinds.filter((kind) => kind.fields['attributes'] === undefined))
    expect(secretAttributes(of, { attributes: { password: 'x' } })).toBeUndefined();
});

// Laws of masking: no form of a secret survives, and nothing else is touched.
describe('mask', () => {
  const secrets = fc
    .string({ minLength: 4, maxLength: 40 })
    .filter((text) => text.trim().length >= 4 && !'[secret]'.includes(text));

  test('no form of a secret is left in any text', () => {
    fc.assert(
      fc.property(secrets, fc.lorem(), (secret, around) => {
        const forms = [
          secret,
          JSON.stringify(secret),
          encodeURIComponent(secret),
          Buffer.from(`${secret}:`).toString('base64'),
        ];
        for (const form of forms) {
          const shown = masked(`${around} ${form} ${around}`, [secret]).replaceAll('[secret]', '');
          expect(shown.includes(secret)).toBe(around.includes(secret));
          if (form !== secret && !around.includes(form)) expect(shown.includes(form)).toBe(false);
        }
      }),
    );
  });

  test('the longer of two secrets that overlap is masked completely', () => {
    expect(masked('token-abc-def', ['token', 'token-abc'])).toBe('[secret]-def');
  });

  test('short secrets would mask words by chance and are left', () => {
    expect(masked('an easy answer', ['an', 'e', ''])).toBe('an easy answer');
  });

  test('texts are found at any depth', () => {
    expect(textsIn({ a: ['x', { b: 'y' }], c: 7, d: null, e: true })).toEqual(['x', 'y', '7']);
  });
});

// Which values a finding shows.

test.each([
  'https://bob:password@acme.io',
  'curl -u "bob:canary" https://acme.io',
  ['curl -H "Authorization: Basic secret"'],
  { '"Authorization': { a: '"authorization": "Basic canary"' } },
  ['-----BEGIN PRIVATE KEY-----'],
  { 'https://bob:canary@acme.io': 1 },
])('what may contain a secret in clear is not shown: %j', (value) => {
  expect([mustBe('a flag', value, false), asList(value, false)]).toEqual(['must be a flag', undefined]);
});

test('other values are shown', () => {
  expect(mustBe('text', [UNKNOWN], false)).toBe('must be text');
  expect([mustBe('a flag', { a: ['b'] }, false), asList('a, b', false)]).toEqual([
    'must be a flag, not {"a":["b"]}',
    'write a list: ["a","b"]',
  ]);
});
