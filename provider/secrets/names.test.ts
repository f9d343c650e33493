// Which values are secrets by a name.
import { ANY_NAMES, isSecretUnder, LIKELY_NAMES, mayBeSecret, SURE_NAMES, type SecretNames } from './names';

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
