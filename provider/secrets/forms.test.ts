// Which texts hold a secret.
import { assignedSecretIn, holdsNamedSecret, mayHaveForm, mayHoldSecret, secretInText } from './forms';
import { LIKELY_NAMES, SURE_NAMES } from './names';

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
