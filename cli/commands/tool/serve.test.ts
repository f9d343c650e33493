// The serve command: what it takes, what keeps it from starting, and its life as a process.
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createService } from '../../../service';
import { openDatabase } from '../../../service/store/database';
import { type ListeningProcess, startListening } from '../../../test/listening-process';
import { eachFolder } from '../../../test/folder';
import { UsageError } from '../../exit';
import { command as serveCommand } from './serve';
import { hostWarning, readServeOptions as readOptions, type ServeOptions } from './serve';

const folder = eachFolder();

/** Options of these words, with texts of files and of the environment that hold users. */
const readServeOptions = (
  words: readonly string[],
  file = '',
  environment: string | undefined = undefined,
): ServeOptions => readOptions(words, { usersFile: () => file, environment });

describe('options', () => {
  test('have defaults, and are read as given', () => {
    expect(readServeOptions([])).toEqual({
      port: 9090,
      host: '127.0.0.1',
      hosts: ['127.0.0.1'],
      origins: [],
      database: 'oneops.db',
      users: [],
      dialect: 'documented',
      speed: 1,
      packs: [],
      faultsFile: undefined,
      journalFile: undefined,
      administration: false,
    });
    const words =
      '--user ann:t1 --user bob:t2:acme,other --reader eve:t3 --member tom:t4:ops,web --password eve:p:w --packs a --packs b --speed 0 --admin --allow-host OneOps.example --allow-host [::1] --allow-origin https://Shop.example:8443';
    expect(readServeOptions(words.split(' '))).toMatchObject({
      users: [
        { name: 'ann', token: 't1', rights: 'full' },
        { name: 'bob', token: 't2', rights: 'full', organizations: ['acme', 'other'] },
        { name: 'eve', token: 't3', rights: 'read', password: 'p:w' },
        { name: 'tom', token: 't4', rights: 'full', teams: ['ops', 'web'] },
      ],
      packs: ['a', 'b'],
      hosts: ['127.0.0.1', 'oneops.example', '::1'],
      origins: ['https://shop.example:8443'],
      speed: 0,
      administration: true,
    });
  });

  test.each([
    '--port x',
    '--port 65536',
    '--port -1',
    '--speed 1.5',
    '--speed 0',
    '--dialect french',
    '--host=',
    '--db=',
    '--allow-host http://oneops.example',
    '--allow-host oneops.example:443',
    '--allow-origin shop.example',
    '--allow-origin https://shop.example/page',
    '--allow-origin null',
    '--user ann',
    '--user ann:',
    '--user :t',
    '--user ann:t:',
    '--user ann:t:acme,',
    '--user ann:t:acme:more',
    '--user ann:t --reader ann:u',
    '--user ann:t --member ann:u:ops',
    '--user ann:t --password ann',
    '--user ann:t --password ann:',
    '--password ann:p',
    '--member ann:t',
    '--member ann:t:ops,',
    '--member :t:ops',
    '--member ann:t:ops:more',
    '--user ann:t --user eve:t',
    '--user ann:t --reader eve:t',
    '--member ann:t:ops --user eve:t',
    '--more',
    'more',
  ])('%s is refused', (words) => {
    expect(() => readServeOptions(words.split(' '))).toThrow(UsageError);
  });

  test('errors never repeat a token', () => {
    expect(() => readServeOptions(['--user', 'ann:canary:acme:x'])).toThrow(expect.not.stringContaining('canary'));
    expect(() => readServeOptions(['--member', 'ann:canary'])).toThrow(expect.not.stringContaining('canary'));
    expect(() => readServeOptions(['--password', 'ann:canary'])).toThrow(expect.not.stringContaining('canary'));
  });

  test('users come from a file and the environment too, with all they may have', () => {
    const lines = '# who may\n\nuser ann:t1\r\n  reader eve:t2\nmember tom:t3:ops,web\npassword ann:p w: ';
    const wanted = [
      { name: 'kim', token: 't0', rights: 'full', organizations: ['acme'] },
      { name: 'ann', token: 't1', rights: 'full', password: 'p w: ' },
      { name: 'eve', token: 't2', rights: 'read' },
      { name: 'tom', token: 't3', rights: 'full', teams: ['ops', 'web'] },
    ];
    expect(readServeOptions(['--user', 'kim:t0:acme', '--users', 'users.txt'], lines).users).toEqual(wanted);
    expect(readServeOptions(['--user', 'kim:t0:acme'], '', lines).users).toEqual(wanted);
    expect(readServeOptions(['--users', '-'], 'user a:1', 'user b:2').users.map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
  });

  test.each([
    ['canary:x', /line 1: a line begins with one of the words user, reader, member, password/],
    ['user ann:1\nuser canary', /users\.txt, line 2 takes NAME:TOKEN/],
    ['user ann:canary\nuser eve:canary', /users "ann" and "eve" have the same token/],
    ['user ann:1\npassword eve:canary', /line 2 names "eve", who is no user here/],
    ['user ann:1\nuser ann:canary', /user "ann" is given twice/],
  ])('a file of users is refused with its line, and no token is repeated: %j', (text, says) => {
    const read = (): ServeOptions => readServeOptions(['--users', 'users.txt'], text);
    expect(read).toThrow(says);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(expect.not.stringContaining('canary'));
  });

  test.each(['0.0.0.0', '::', '192.168.1.7', 'oneops.example', '128.0.0.1'])(
    '--host %s is served with a warning that says what may happen and what to do',
    (host) => {
      expect(hostWarning(host)).toBe(
        `--host ${host} lets other machines reach this service, and it speaks plain http: tokens can be read on the way. ` +
          'Use 127.0.0.1 behind a proxy with TLS, unless this network is trusted',
      );
    },
  );

  test.each(['127.0.0.1', '127.0.0.53', 'localhost', '::1'])('--host %s needs no warning', (host) => {
    expect(hostWarning(host)).toBeUndefined();
  });
});

describe('what keeps it from starting is one message', () => {
  const path = (name: string): string => join(folder.path, name);
  const file = (name: string, content = ''): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  const failing = (...words: readonly string[]): Promise<number> =>
    serveCommand.run(['--port', '0', ...(words.includes('--db') ? [] : ['--db', ':memory:']), ...words]);

  test.each<readonly [what: string, words: () => readonly string[], message: RegExp]>([
    ['a missing file of faults', () => ['--faults', path('no.json')], /--faults .*no\.json: there is no such file/],
    ['faults that are no JSON', () => ['--faults', file('text.json', 'x')], /text\.json: not JSON/],
    [
      'a wrong fault',
      () => ['--faults', file('f.json', '{"faults":[{"effect":"drop","nth":0}]}')],
      /f\.json: faults\[0\]\.nth: /,
    ],
    ['a journal that is a folder', () => ['--journal', folder.path], /--journal .*EISDIR/],
    ['a file that is no database', () => ['--db', file('none.db', 'no database'.repeat(1000))], /--db .*none\.db: /],
    ['a database in no folder', () => ['--db', path('no/where.db')], /--db .*where\.db: /],
    ['a missing file of users', () => ['--users', path('none.txt')], /--users .*none\.txt: there is no such file/],
  ])('%s', async (_what, words, message) => {
    await expect(failing(...words())).rejects.toThrow(message);
  });

  test('packs that cannot be used', async () => {
    mkdirSync(path('packs'));
    file('packs/mine.json', '{"name":"mine"}');
    await expect(failing('--packs', path('packs'))).rejects.toThrow(/mine\.json/);
  });

  test('a database that is newer', async () => {
    const database = openDatabase(path('newer.db'));
    database.script('PRAGMA user_version = 9999');
    database.close();
    await expect(failing('--db', path('newer.db'))).rejects.toThrow(/newer\.db: the database has version 9999/);
  });

  test('a file of users that others can read', async () => {
    const open = file('users.txt', 'user ann:canary');
    chmodSync(open, 0o640);
    await expect(failing('--users', open)).rejects.toThrow(/users\.txt: other users .* can read it; .*chmod 600/);
  });

  test('a token that another user of the database has', async () => {
    const database = file('tokens.db');
    const service = createService({ database, users: [{ name: 'ann', token: 'canary' }] });
    service.close();
    const starting = failing('--db', database, '--user', 'eve:canary');
    await expect(starting).rejects.toThrow(/--db .*tokens\.db: users ann and eve have the same token/);
    await expect(starting).rejects.toThrow(expect.not.stringContaining('canary'));
  });

  test('a port that is in use', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      await expect(failing('--port', String(port))).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
    } finally {
      taken.close();
    }
  });
});

describe('as a process', () => {
  const SERVE = ['--require', './test/run-source.cjs', 'cli/main.ts', 'serve'];
  const start = (...words: readonly string[]): Promise<ListeningProcess> => startListening([...SERVE, ...words]);

  const send = (url: string, path: string, token: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('serves, keeps a journal, finishes what is under way, and stops with 0', async () => {
    const faults = join(folder.path, 'faults.json');
    const journal = join(folder.path, 'journal.jsonl');
    writeFileSync(faults, JSON.stringify({ faults: [{ effect: 'delay', ms: 400, route: 'clouds.list' }] }));
    const users = join(folder.path, 'life-users.txt');
    writeFileSync(users, 'user ann:t-ann\nreader eve:t-eve\n', { mode: 0o600 });
    const options = ['--port', '0', '--db', join(folder.path, 'life.db'), '--dialect', 'classic', '--admin'];
    const run = await start(...options, '--faults', faults, '--journal', journal, '--users', users);
    const { url } = run;
    expect(run.output()).toContain('serving classic on http://127.0.0.1:');
    expect((await send(url, '/acme/assemblies', 't-eve')).status).toBe(200);
    expect((await send(url, '/acme/assemblies', 't-eve', 'POST', {})).status).toBe(401);
    expect((await send(url, '/_admin/faults', 't-ann')).status).toBe(200);
    const authorization = `Basic ${Buffer.from('t-ann:').toString('base64')}`;
    const slow = get(`${url}/acme/clouds`, { headers: { authorization, accept: 'application/json' } });
    const answered = once(slow, 'response').then(([answer]) => answer as IncomingMessage);
    await once(slow, 'finish');
    // Sent after it and answered before it: by now the slow one is under way.
    expect((await send(url, '/_admin/clock', 't-ann')).status).toBe(200);
    const ended = run.end('SIGTERM');
    const answer = await answered;
    expect([answer.statusCode, await json(answer)]).toEqual([200, expect.any(Array)]);
    expect(await ended).toBe(0);
    expect(run.output()).toMatch(/\nstopped\n$/);
    expect(run.errors()).not.toContain('Error');
    await expect(fetch(url)).rejects.toThrow();
    const lines = readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(-1)).toMatchObject({ user: 'ann', route: 'clouds.list', status: 200, fault: 'delay' });
    expect(lines).toHaveLength(5);
    expect(readFileSync(journal, 'utf8')).not.toContain('t-ann');
    expect((statSync(journal).mode & 0o777).toString(8)).toBe('600');
  });

  test('ends with the shell that npx started: a signal to npx does not reach the service', async () => {
    const line = [process.execPath, ...SERVE, '--port', '0', '--db', ':memory:'].map((word) => `'${word}'`).join(' ');
    // The shell waits for the command, as the shell of npx does, and does not become it.
    const environment = { npm_command: 'exec' };
    const { url, end } = await startListening(['-c', `${line}; exit $?`], { program: 'sh', environment });
    // Its output is closed when the service has ended, too.
    await end('SIGTERM');
    await expect(fetch(url)).rejects.toThrow();
  });

  test('makes a user when none is named, and stops with Ctrl-C; what keeps it from starting ends it with 1', async () => {
    const run = await start('--port', '0', '--db', ':memory:');
    const { url } = run;
    const token = /token ([0-9a-f]{40}) /.exec(run.output())?.[1] ?? '';
    expect((await send(url, '/acme/clouds', token)).status).toBe(200);
    const second = start('--port', new URL(url).port, '--db', ':memory:');
    await expect(second).rejects.toThrow(/^ended with 1: pulumi-oneops: port \d+ of 127\.0\.0\.1 is in use.*\n$/);
    expect(await run.end('SIGINT')).toBe(0);
  });

  test('a database that has users keeps them, and their tokens', async () => {
    const options = ['--port', '0', '--db', join(folder.path, 'again.db')];
    const first = await start(...options);
    const token = /token ([0-9a-f]{40}) /.exec(first.output())?.[1] ?? '';
    await first.end('SIGINT');
    const second = await start(...options);
    expect((await send(second.url, '/acme/clouds', token)).status).toBe(200);
    expect(second.output()).toContain('\nthe users of this database keep their tokens; ');
    expect(await second.end('SIGINT')).toBe(0);
  });
});
