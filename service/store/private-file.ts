// The database file: its one path, its mode, and the key of its secrets next to it.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Why a database cannot be used, or what cannot be kept in it. */
export abstract class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The file has several names: SQLite would keep a log beside each, as for two databases. */
export class HardLinked extends StoreError {
  constructor(names: number) {
    super(
      `the file has ${names} names (hard links), and a service on another one would damage it: remove the others, or copy the file`,
    );
  }
}

/** The path of a file without symbolic links, whether it exists or not. Throws HardLinked. */
export function onePathOf(file: string): string {
  if (file === ':memory:') return file;
  if (!existsSync(file)) return join(realpathSync(dirname(file)), basename(file));
  const { nlink } = statSync(file);
  if (nlink > 1) throw new HardLinked(nlink);
  return realpathSync(file);
}

/** Makes an empty file for its owner alone. Opening one that exists would end SQLite's locks. */
export function createPrivate(file: string): void {
  if (existsSync(file)) return;
  closeSync(openSync(file, 'a', 0o600));
}

/** Takes a file, and SQLite's files beside it, away from all but its owner. */
export function makePrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-key`]) {
    if (!existsSync(each) || (statSync(each).mode & 0o077) === 0) continue;
    try {
      chmodSync(each, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
}

/** How texts are written into the database and read from it. */
export interface TextSeal {
  /** A text as the file contains it: secrets and their digests are encrypted. */
  readonly close: (text: string) => string;
  /** The other way; what another key closed stays as it is. */
  readonly open: (text: string) => string;
  /** A digest that nobody without the key can compare a guess with; hex. */
  readonly digest: (text: string) => string;
}

const KEY_BYTES = 32;
const IV_BYTES = 16;

/** Opened texts that are kept in memory, and digests of tokens, which every request asks for. */
const AT_HAND = 1000;

/** What a closed text begins with. */
const CLOSED = '::ENCRYPTED::k:';

/** Digests of secrets, and the one secret that is read again: the key of a cloud's agents. */
const SECRETS = /::ENCRYPTED::[0-9a-f]{16}:[0-9a-f]{64}|(?<="auth":")(?!::ENCRYPTED::k:)(?:[^"\\]|\\.)+(?=")/g;
const CLOSED_TEXTS = /::ENCRYPTED::k:[\w-]+/g;

/** A function that remembers what it answered to each key. `most`: answers that it keeps, where keys are many. */
export function onceOf<K, T>(make: (key: K) => T, most = Infinity): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    if (known.size >= most && !known.has(key)) known.clear();
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as T;
  };
}

/** Seals texts with a key of 32 bytes. Equal texts are equal when closed, so equal rows stay so. */
export function textSealOf(key: Buffer): TextSeal {
  // Node makes an object of a key of bytes for each digest, which takes longer than the digest.
  const subkey = (purpose: string): KeyObject => createSecretKey(createHmac('sha256', key).update(purpose).digest());
  const [cipherKey, ivKey, digestKey] = [subkey('cipher'), subkey('iv'), subkey('digest')];
  const ivOf = (text: string): Buffer => createHmac('sha256', ivKey).update(text).digest().subarray(0, IV_BYTES);
  const closeOne = (text: string): string => {
    const iv = ivOf(text);
    const cipher = createCipheriv('aes-256-ctr', cipherKey, iv);
    return `${CLOSED}${Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url')}`;
  };
  // Large lists contain few secrets, each of them many times.
  const openOne = onceOf((closed: string): string => {
    const bytes = Buffer.from(closed.slice(CLOSED.length), 'base64url');
    if (bytes.length <= IV_BYTES) return closed;
    const iv = bytes.subarray(0, IV_BYTES);
    const cipher = createDecipheriv('aes-256-ctr', cipherKey, iv);
    const text = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES)), cipher.final()]).toString('utf8');
    // The initial vector is a digest of the text: another key, or a text that only looks like a
    // closed one, does not fit.
    return timingSafeEqual(ivOf(text), iv) ? text : closed;
  }, AT_HAND);
  return {
    close: (text) =>
      text.includes('::ENCRYPTED::') || text.includes('"auth":"') ? text.replace(SECRETS, closeOne) : text,
    open: (text) => (text.includes(CLOSED) ? text.replace(CLOSED_TEXTS, openOne) : text),
    digest: onceOf((text: string) => createHmac('sha256', digestKey).update(text, 'utf8').digest('hex'), AT_HAND),
  };
}

/** Leaves texts as they are: for a look into a file from outside. */
export const NO_SEAL: TextSeal = { close: (text) => text, open: (text) => text, digest: (text) => text };

export const keyFileOf = (file: string): string => `${file}-key`;

/** The key file contains something else. */
export class BadKeyFile extends StoreError {
  constructor(file: string) {
    super(`${file} contains no key of a database: put the file back that was next to the database`);
  }
}

function writeKey(file: string, key: Buffer): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${key.toString('hex')}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}

/** The key beside a database file, made when missing; `:memory:` has its own. Throws BadKeyFile. */
export function keyBeside(file: string): Buffer {
  if (file === ':memory:') return randomBytes(KEY_BYTES);
  const keyFile = keyFileOf(file);
  if (!existsSync(keyFile)) writeKey(keyFile, randomBytes(KEY_BYTES));
  const key = Buffer.from(readFileSync(keyFile, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new BadKeyFile(keyFile);
  return key;
}

// The disk or the database file failed in the middle of a request.

/** The disk or the file failed during a request: no mistake of the service or its client. */
export abstract class StorageFailure extends StoreError {}

/** The disk has no room for what was written; nothing of it is kept. */
export class StorageFull extends StorageFailure {
  constructor(cause?: unknown) {
    super(
      'the disk with the database of the service is full: nothing of this request was kept. Free space on that disk, then send the request again',
      { cause },
    );
  }
}

/** Pages of the file are damaged. */
export class DamagedDatabase extends StorageFailure {
  /** `finding`: what SQLite found first. */
  constructor(finding: string, cause?: unknown) {
    super(`the database is damaged (${finding}): put a copy in its place, or give --db a new file`, { cause });
  }
}

/** The file is an SQLite database of another program. */
export class ForeignDatabase extends StoreError {
  constructor(tables: readonly string[]) {
    super(
      `this is a database of another program (tables ${tables.slice(0, 3).join(', ')}), left as it was: give --db another file`,
    );
  }
}

/** Another version of the service wrote the database: opening it could lose what it added. */
export class OtherVersion extends StoreError {
  constructor(found: number, known: number) {
    super(
      found > known
        ? `the database has version ${found}, this service knows versions up to ${known}: use the service that wrote it, or a newer one`
        : `the database has version ${found}, this service knows version ${known} only: use the service that wrote it, or give --db a new file`,
    );
  }
}

/** The key next to the file is not the one its secrets and tokens were written with. */
export class WrongKey extends StoreError {
  constructor(keyFile: string) {
    super(
      `${keyFile} is not the key of this database: put back the key file that was next to it. Without it, secrets and tokens are lost: give --db a new file`,
    );
  }
}
