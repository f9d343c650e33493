// Which parts of a text are secrets that it gives by their names.
import { LIKELY_NAMES, SURE_NAMES, type SecretNames } from './names';
import { assignedSecretIn, namedParts } from './assignments';

const parts = (text: string, names: SecretNames = LIKELY_NAMES): readonly string[] =>
  namedParts(text, names).map(({ name, start, end }) => `${name}: ${text.slice(start, end)}`);

test.each([
  ['DB_PASSWORD=canary', ['DB_PASSWORD: canary']],
  ['<password>canary</password>', ['password: canary']],
  ['run -Dpassword=c$OO_LOCAL{x} -Dx=1', ['-Dpassword: c$OO_LOCAL{x}']],
  ['(run -Dpassword=canary)', ['-Dpassword: canary']],
  ['DB_PASSWORD=correct horse', ['DB_PASSWORD: correct horse']],
  ['DB_PASSWORD=canary LEVEL=info', ['DB_PASSWORD: canary']],
  ['-Dpassword=canary -Xmx1g -Dx=1', ['-Dpassword: canary']],
  ['--password canary run', ['--password: canary']],
  ['usage: run [--password PASSWORD]', []],
  ['TOKEN="can\\"ary"; run', ['TOKEN: can\\"ary']],
  ["password: 'it''s'", ["password: it''s"]],
  ['PASSWORD=%canary', ['PASSWORD: %canary']],
  ['PASSWORD=%(x)s', []],
  ['DB_PASSWORD = canary', ['DB_PASSWORD: canary']],
  ['export DB_PASSWORD="a b" && run', ['DB_PASSWORD: a b']],
  ["-Xmx1g -Ddb.password.main='canary' -Dx=1", ['-Ddb.password.main: canary']],
  ['-Xmx1g -Dpassword=canary -Dx=1', ['-Dpassword: canary']],
  ["'-Dpassword=canary'", ['-Dpassword: canary']],
  ['run --token=canary; done', ['--token: canary']],
  ['a\n  password: can ary\nb: 1', ['password: can ary']],
  ['{\n  "password": "canary",\n  "b": 1\n}', ['password: canary']],
  [`{ 'password' => 'canary' }`, ['password: canary']],
  ['PASSWORD=a\nLEVEL=info\nAPI_TOKEN=b', ['PASSWORD: a', 'API_TOKEN: b']],
  ['DB_PASSWORD=4711', ['DB_PASSWORD: 4711']],
  ['TOKEN_LIFETIME=300', []],
  ['DB_PASS=canary', ['DB_PASS: canary']],
  ['ACCESS_KEY=canary', ['ACCESS_KEY: canary']],
  ['ACCESS_KEY_ID=AKIA', []],
  ['compass=canary', []],
  ['PRIVATE_IP=10.0.0.1', []],
  ['PASSWORD_FILE=/etc/shop/db TOKEN_URL=https://acme.io/token', []],
  ['AUTH_TOKEN=required', []],
  ['<property name="db.password" value="canary"/>', ['db.password: canary']],
  ["{ name: 'DB_PASSWORD', value: 'canary' }", ['DB_PASSWORD: canary']],
  ['{"name": "DB_PASSWORD",\n "value": "can ary", "b": 1}', ['DB_PASSWORD: can ary']],
  ['- name: DB_PASSWORD\n  value: can ary\n- name: LEVEL\n  value: info', ['DB_PASSWORD: can ary']],
  ['- name: DB_PASSWORD\n  value: |\n    can\n    ary\n- name: LEVEL', ['DB_PASSWORD: can\n    ary']],
  ['- name: DB_PASSWORD\n  value: |\n  b: 1', []],
  ['- name: DB_PASSWORD\n  valueFrom: x', []],
  ['- name: DB_PASSWORD\n  value: $PW', []],
  ['a:\n  password: |\n    can\n\n      ary\n\n  b: 1', ['password: can\n\n      ary']],
  ['- password: >-\r\n    can\r\n    ary\r\n  b: 1', ['password: can\r\n    ary']],
  ['password: |\nb: 1', []],
  ['password: |\n  $OO_LOCAL{pw}\n', []],
  ["PASSWORD='can'\\''ary' run", ["PASSWORD: can'\\''ary"]],
  [`PASSWORD='can'"'"'ary' run`, [`PASSWORD: can'"'"'ary`]],
  ['password=$OO_LOCAL{pw}', []],
  ['PASSWORD=$1', []],
  ['PASSWORD="$(cat /run/x)"', []],
  ['PASSWORD=`cat /run/x`', []],
  ['if [ "$TOKEN" = "x" ]; then', []],
  ['if password == "x"', []],
  ['if token =~ /x/', []],
  ['password: <%= @pw %>', []],
  ['PASSWORD=\nLEVEL=info', []],
  ['PASSWORD=""', []],
  ['the password is in the vault', []],
  ['LEVEL=info', []],
])('the secrets of %j', (text, expected) => {
  expect(parts(text)).toEqual(expected);
});

test('for a warning a name must be that of a secret', () => {
  expect(parts('PRIVATE_KEYS=x')).toEqual(['PRIVATE_KEYS: x']);
  expect(parts('PRIVATE_KEYS=x', SURE_NAMES)).toEqual([]);
  expect(parts('--db-password=x', SURE_NAMES)).toEqual(['--db-password: x']);
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

// Quadratic, each of them took 20 seconds and more.
test.each([
  ['lines of nothing', '\r'.repeat(200_000), 0],
  ['blank lines', '\r '.repeat(100_000), 0],
  ['closing brackets', `x password=${')'.repeat(200_000)}a`, 1],
  ['names', 'name: '.repeat(33_000), 0],
  ['a name before blanks', `name: DB_PASSWORD${' '.repeat(200_000)}`, 0],
  ['a block of blank lines', `password: |\n  a${'\n'.repeat(200_000)}`, 1],
  ['blocks of blank lines', 'password: |\n  \n'.repeat(13_000), 0],
])('a text of 200,000 characters: %s', (_, text, count) => {
  expect(namedParts(text, LIKELY_NAMES)).toHaveLength(count);
});
