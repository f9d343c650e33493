// Which values are secrets by a name, and which parts of a text.
import { ANY_NAMES, isSecretUnder, LIKELY_NAMES, namedParts, SURE_NAMES, type SecretNames } from './named-secrets';

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
  expect(parts('PRIVATE_IP=10.0.0.1')).toEqual(['PRIVATE_IP: 10.0.0.1']);
  expect(parts('PRIVATE_IP=10.0.0.1', SURE_NAMES)).toEqual([]);
  expect(parts('--db-password=x', SURE_NAMES)).toEqual(['--db-password: x']);
});

const secrets = (value: object, names: SecretNames): readonly string[] =>
  Object.keys(value).filter((key) => isSecretUnder(value, key, names));

test.each<[object, readonly string[], readonly string[]]>([
  [{ DB_PASSWORD: 'x', LEVEL: 'info' }, ['DB_PASSWORD'], ['DB_PASSWORD']],
  // The value of a secret names nothing, whatever it sounds like.
  [{ DB_PASSWORD: 'topsecret', HOST: 'db1', LEVEL: 'info' }, ['DB_PASSWORD'], ['DB_PASSWORD']],
  [['DB_PASSWORD', 'topsecret', 'LEVEL', 'info'], ['1'], ['1']],
  [{ AUTH_METHOD: 'token', USER: 'bob', HOST: 'db1' }, [], []],
  [{ GRANT_TYPE: 'password', APP_NAME: 'token', USER: 'bob' }, [], []],
  [{ property: 'DB_PASSWORD', val: 'x' }, ['val'], ['val']],
  [{ PRIVATE_IP: 'x' }, ['PRIVATE_IP'], []],
  [{ name: 'DB_PASSWORD', value: 'x' }, ['value'], ['value']],
  [{ key: 'DB_PASSWORD', name: 'secret-canary' }, ['name'], ['name']],
  [{ key: 'DB_PASSWORD', value: 'my-token', type: 'secret' }, ['value'], ['value']],
  [{ name: 'db.password.main', value: 'x' }, ['value'], []],
  [{ name: 'LEVEL', value: 'info' }, [], []],
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

// Quadratic, each of them took 20 seconds and more.
test.each([
  ['lines of nothing', '\r'.repeat(200_000), 0],
  ['blank lines', '\r '.repeat(100_000), 0],
  ['closing brackets', `x password=${')'.repeat(200_000)}a`, 1],
])('a text of 200,000 characters: %s', (_, text, count) => {
  expect(namedParts(text, LIKELY_NAMES)).toHaveLength(count);
});
