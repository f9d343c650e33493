// Which parts of a text are secrets as it shows in them.
import { secretInText, secretPartsIn } from './clear-secrets';

const parts = (text: string): readonly string[] =>
  secretPartsIn(text).map(({ name, start, end }) => `${name}: ${text.slice(start, end)}`);

test.each([
  ['-----BEGIN RSA PRIVATE KEY-----\na\n-----END RSA PRIVATE KEY-----', 1],
  ['https://bob:canary@acme.io/x', ['password: canary']],
  ['https://acme.io/x?a=b&token=canary&c=d', ['secret: canary']],
  ["curl -sH 'Authorization: Bearer canary-1' https://acme.io", ['authorization: canary-1']],
  ['headers = { "Authorization": "Basic Y2FuYXJ5" }', ['authorization: Y2FuYXJ5']],
  ['curl -s -u bob:canary https://acme.io', ['password: canary']],
  ["curl --user 'bob:canary' https://acme.io", ['password: canary']],
  ['mysql -u root -pcanary shop', ['password: canary']],
  ['sshpass -p canary ssh bob@acme.io', ['password: canary']],
  ['redis-cli -h cache -a canary ping', ['password: canary']],
  ["GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY 'canary';", ['password: canary']],
  ['machine acme.io login bob password canary', ['password: canary']],
  ["mysql -u root -p'can ary' shop", ['password: can ary']],
  ['curl -u "bob:can ary" https://acme.io', ['password: can ary']],
  [
    'curl -u bob:$PW --proxy-user bob:canary x; curl -u bob:canary -U a:canary x',
    ['password: canary', 'password: canary', 'password: canary'],
  ],
  ["redis-cli -a 'can ary' ping", ['password: can ary']],
  ["IDENTIFIED BY 'it''can\\'ary'", ["password: it''can\\'ary"]],
  ['sshpass -v -p canary ssh -p 2222 bob@acme.io', ['password: canary']],
  ['Authorization: Token token="canary-1"', []],
  ['sshpass -p "$PASSWORD" ssh -p 2222 bob@acme.io', []],
  ['sshpass -e scp -p file bob@acme.io:', []],
  ['docker run --name some-mysql -p3306:3306 mysql', []],
  ['Authorization: Bearer $TOKEN', []],
  ['Authorization: Bearer your-token', []],
  ['Authorization: Bearer {{token}}', []],
  ['curl -u bob:$PASSWORD https://acme.io', []],
  ['curl -u bob https://acme.io:8443/x', []],
  ['curl -o x http://a.io; run -u a:b', []],
  ['mysql -P 3306 --port=3306 shop', []],
  ['mysql -p shop', []],
  ["IDENTIFIED BY '#{password}'", []],
  ['the login form asks for a password', []],
])('the secrets of %j', (text, expected) => {
  if (typeof expected === 'number') expect(parts(text)).toHaveLength(expected);
  else expect(parts(text)).toEqual(expected);
  expect(secretInText(text) !== undefined).toBe(parts(text).length > 0);
});

// What only may be a secret is not copied, and no warning is about it.
test.each([
  ['the login form asks: login and password policy', ['password: policy']],
  ["a node is identified by 'canary'", ['password: canary']],
  ['Authorization: basic auth is needed', ['authorization: auth']],
  ['ssh -l mysql -p2222 acme.io', ['password: 2222']],
  ['http://host:80?mail=bob@acme.io', ['password: 80?mail=bob']],
  ['curl -u user:password https://acme.io', ['password: password']],
  ['https://user:password@acme.io', ['password: password']],
])('what may be a secret of %j', (text, expected) => {
  expect([parts(text), secretInText(text)]).toEqual([expected, undefined]);
});

// A form that is quadratic takes seconds and more.
test.each([
  ['curls', 'curl '.repeat(40_000)],
  ['curls with blanks', `curl${' '.repeat(200_000)}`],
  ['logins', 'login '.repeat(33_000)],
  ['headers', 'authorization: '.repeat(13_000)],
  ['addresses', '://'.repeat(66_000)],
  ['commands in quotes', `mysql -p'`.repeat(20_000)],
  ['users in quotes', `curl -u "a:`.repeat(18_000)],
  ['statements', `@a identified by ''`.repeat(11_000)],
  ['options', `sshpass${' -P x'.repeat(40_000)}`],
  ['dots', '.'.repeat(200_000)],
  ['ports', `mysql ${'-p1.1 '.repeat(33_000)}`],
  ['begins of keys', '-----BEGIN PRIVATE KEY-----'.repeat(7_000)],
])('a text of 200,000 characters: %s', (_, text) => {
  expect(secretPartsIn(text).length).toBeLessThanOrEqual(20_000);
});
