// What is on the disk: its owner's alone, without secrets; a file that is not ours stays as it was.
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { callerOf } from '../../test/service-caller';
import { seal } from '../runtime/secrets';
import { openDatabase } from './database';
import {
  DamagedDatabase,
  DatabaseInUse,
  ForeignDatabase,
  openStore,
  OtherVersion,
  StorageFull,
  TokenTaken,
  WrongKey,
} from './index';
import { BadKeyFile, HardLinked, textSealOf } from './private-file';
import { eachFolder } from '../../test/folder';
import { record } from '../../test/shop';

const author = { user: 'maria', now: 1000 };
const CLOUD = { namespace: '/acme/_clouds', className: 'account.Cloud', name: 'east' };

const folder = eachFolder();
let file: string;
beforeEach(() => {
  file = join(folder.path, 'oneops.db');
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const contents = (): string =>
  readdirSync(folder.path)
    .map((name) => readFileSync(join(folder.path, name), 'latin1'))
    .join('\n');

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  test('no secret and no token is in any file, every file is its owner’s, and all of it is known again', async () => {
    const users = [{ name: 'eve', token: 'canary-token', password: 'canary-password' }];
    const body = (auth: string): object => record('south', { location: '/public/oneops/clouds/ec2-us-east-1', auth });
    const before = callerOf(dialect, { database: file, users });
    const send = async (method: string, path: string, sent?: unknown, from = before): Promise<WireRecord> => {
      const reply = await from.send(method, path, sent);
      expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text]);
      return reply.body as WireRecord;
    };
    await send('POST', '/acme/clouds', body('canary-"auth"\\☃'));
    const secret = (value: string) => record('key', { secure: 'true', encrypted_value: value });
    await send('POST', '/acme/clouds/south/variables', secret('canary-secret'));
    const open = readdirSync(folder.path);
    expect(open.sort()).toEqual(['-key', '-lock', '-shm', '-wal', ''].map((end) => `oneops.db${end}`).sort());
    for (const name of open) expect([name, modeOf(join(folder.path, name))]).toEqual([name, '600']);
    expect(contents()).not.toContain('canary');
    expect(contents()).not.toMatch(/::ENCRYPTED::[0-9a-f]{16}:/);
    before.close();
    expect(contents()).not.toContain('canary');
    const after = callerOf(dialect, { database: file, users });
    expect((await send('GET', '/acme/clouds/south', undefined, after)).ciAttributes).toMatchObject({
      auth: 'canary-"auth"\\☃',
    });
    const key = await send('GET', '/acme/clouds/south/variables/key', undefined, after);
    await send('PUT', '/acme/clouds/south/variables/key', secret('canary-secret'), after);
    const again = await send('GET', '/acme/clouds/south/variables/key', undefined, after);
    expect(again.updated).toEqual(key.updated);
    await send('PUT', '/acme/clouds/south/variables/key', secret('another'), after);
    expect((await send('GET', '/acme/clouds/south/variables/key', undefined, after)).updated).not.toEqual(key.updated);
    expect(after.bugs).toEqual([]);
    after.close();
  });
});

const execMode = (mode: number): void => {
  const text = readFileSync(file);
  rmSync(file);
  writeFileSync(file, text, { mode });
};

test('a file that others can read is closed to them, and one of another version is refused', () => {
  openStore(file).close();
  execMode(0o644);
  openStore(file).close();
  expect(modeOf(file)).toBe('600');
  const raw = openDatabase(file);
  for (const [version, says] of [
    [7, 'knows version 9 only'],
    [999, 'versions up to 9'],
  ]) {
    raw.script(`PRAGMA user_version = ${version}`);
    expect(() => openStore(file)).toThrow(OtherVersion);
    expect(() => openStore(file)).toThrow(says as string);
  }
  raw.close();
});

test('a copy without its key, or with another one, is refused and keeps what it has', () => {
  openStore(file).close();
  const copy = join(folder.path, 'copy.db');
  copyFileSync(file, copy);
  expect(() => openStore(copy)).toThrow(WrongKey);
  expect(() => openStore(copy)).toThrow(/copy\.db-key is not the key of this database/);
  writeFileSync(`${copy}-key`, 'no key');
  expect(() => openStore(copy)).toThrow(BadKeyFile);
  copyFileSync(`${file}-key`, `${copy}-key`);
  openStore(copy).close();
});

test('whatever is closed is opened with the same key, and only with it; other text stays as it is', () => {
  const key = Buffer.alloc(32, 1);
  const [mine, other] = [textSealOf(key), textSealOf(Buffer.alloc(32, 2))];
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('::ENCRYPTED::k:', '::ENCRYPTED::k:abc', '::ENCRYPTED::', seal('x'), '"auth":"x"', ''),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('auth', 'b', 'c'), text), (values) => {
      const json = JSON.stringify(values);
      expect(mine.open(mine.close(json))).toBe(json);
      expect(mine.close(json)).toBe(mine.close(json));
      expect(() => JSON.parse(mine.close(json)) as unknown).not.toThrow();
      expect(other.open(mine.close(json))).toBe(mine.close(json));
      expect(mine.close(json)).not.toContain(seal('x').slice(0, 20));
    }),
  );
  expect(mine.digest('a')).not.toBe(other.digest('a'));
});

test('one service for one file, by whatever name it is called', () => {
  const store = openStore(file);
  const link = join(folder.path, 'link.db');
  symlinkSync(file, link);
  const upstairs = join(folder.path, 'folder');
  symlinkSync(folder.path, upstairs);
  for (const name of [file, link, join(upstairs, 'oneops.db'), join(upstairs, 'link.db')])
    expect(() => openStore(name)).toThrow(DatabaseInUse);
  const hard = join(folder.path, 'hard.db');
  linkSync(file, hard);
  expect(() => openStore(hard)).toThrow(HardLinked);
  store.close();
  // Also when nobody serves it: the log would be next to one name only.
  expect(() => openStore(file)).toThrow(/2 names \(hard links\)/);
  rmSync(hard);
  openStore(link).close();
  expect(existsSync(`${link}-wal`)).toBe(false);
});

describe('a file that is not to be used is left as it was', () => {
  test('a database of another program', () => {
    const other = openDatabase(file);
    other.script('PRAGMA journal_mode = DELETE; CREATE TABLE photos (id INTEGER); CREATE TABLE users (name TEXT)');
    other.close();
    execMode(0o644);
    const before = readFileSync(file);
    expect(() => openStore(file)).toThrow(ForeignDatabase);
    expect(() => openStore(file)).toThrow(/another program \(tables photos, users\)/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect([modeOf(file), readdirSync(folder.path)]).toEqual(['644', ['oneops.db']]);
  });

  test('one with damaged pages', () => {
    const store = openStore(file);
    store.transaction(() => {
      for (let index = 0; index < 500; index += 1)
        store.records.insert({ ...CLOUD, name: `cloud${index}`, values: { description: 'x'.repeat(100) } }, author);
    });
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096 * 20, 4096 * 26);
    writeFileSync(file, bytes);
    expect(() => openStore(file)).toThrow(DamagedDatabase);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

test('a full disk is reported as one, and what was written before stays', () => {
  openStore(file).close();
  const database = openDatabase(file);
  const pages = database.get<{ readonly page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  database.script(`PRAGMA max_page_count = ${pages + 3}`);
  const write = (): void =>
    database.join(() => {
      for (let index = 0; index < 100; index += 1)
        database.run('INSERT INTO passwords (user, sealed) VALUES (?, ?)', index, `/${'x'.repeat(1000)}${index}`);
    });
  expect(write).toThrow(StorageFull);
  expect(database.isPending()).toBe(false);
  // All works that joined the transaction are lost with it.
  database.join(() => database.run('INSERT INTO passwords (user, sealed) VALUES (1000, ?)', '/acme'));
  expect(write).toThrow(StorageFull);
  expect(() => database.settle()).toThrow(StorageFull);
  database.close();
  openStore(file).close();
});

test('a token has one user; two users may exchange theirs', () => {
  const store = openStore(file);
  const give = (...users: readonly (readonly [string, string])[]): void =>
    store.transaction(() => {
      users.forEach(([name]) => store.users.put({ name }));
      store.users.setTokens(users.map(([name, token]) => ({ name, token })));
    });
  give(['ann', 'first'], ['eve', 'second']);
  expect(() => give(['tom', 'first'])).toThrow(TokenTaken);
  expect(() => give(['tom', 'third'], ['kim', 'third'])).toThrow(/users tom and kim have the same token/);
  expect([store.users.byName('tom'), store.users.byToken('first')?.name]).toEqual([undefined, 'ann']);
  give(['ann', 'second'], ['eve', 'first']);
  expect([store.users.byToken('first')?.name, store.users.byToken('second')?.name]).toEqual(['eve', 'ann']);
  store.close();
});
