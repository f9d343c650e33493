// Secret values and passwords as salted digests: none is in the database, a repeated one is known.
import { createHash, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { ENCRYPTED } from '../../api/contract';

/** What a stored secret begins with; such a value is stored as given (service-facts §2.1.4). */
const SEALED = '::ENCRYPTED::';

const digest = (salt: string, value: string): string =>
  createHash('sha256').update(`${salt}:${value}`, 'utf8').digest('hex');

/** A secret as it is stored. Blank and sealed texts stay as they are. No answer shows it. */
export function seal(value: string): string {
  if (value === '' || value.startsWith(SEALED)) return value;
  const salt = randomBytes(8).toString('hex');
  return `${SEALED}${salt}:${digest(salt, value)}`;
}

/** Whether a sent value leaves a secret as it is (service-facts §2.1.4). */
export function isSameSecret(stored: string, sent: string): boolean {
  if (sent === ENCRYPTED || sent === stored) return true;
  if (!stored.startsWith(SEALED)) return false;
  return isSecret(stored, sent);
}

/** Whether a text is the secret that was sealed: its mask and its stored form are not. */
export function isSecret(stored: string, sent: string): boolean {
  const [salt = '', kept = ''] = stored.slice(SEALED.length).split(':');
  const asked = digest(salt, sent);
  return kept.length === asked.length && timingSafeEqual(Buffer.from(kept), Buffer.from(asked));
}

const KEY_LENGTH = 32;

const passwordKey = (password: string, salt: string): Buffer => scryptSync(password.normalize('NFC'), salt, KEY_LENGTH);

/** The same, off the thread that serves requests. */
const passwordKeyLater = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_LENGTH, (error, derived) => (error ? reject(error) : resolve(derived)));
  });

const newSalt = (): string => randomBytes(16).toString('hex');

/** A sealed password: its salt, its scrypt key, and the salt of the token. */
export function sealPassword(password: string): string {
  const salt = newSalt();
  return `${salt}:${passwordKey(password, salt).toString('hex')}:${newSalt()}`;
}

/** A sealed password none knows: checking against it takes as long as against a real one. */
const NOBODY = `${'0'.repeat(32)}:${'0'.repeat(2 * KEY_LENGTH)}:${'0'.repeat(32)}`;

export function isPassword(sealed: string, password: string): boolean {
  const [salt = '', kept = ''] = sealed.split(':');
  return timingSafeEqual(Buffer.from(kept, 'hex'), passwordKey(password, salt));
}

/**
 * The API token of a user with this password: the same on every demand, another one after the
 * password or the seal's token salt changed. Undefined for another password, or where none is
 * sealed; that takes as long to find out.
 */
export async function tokenOfPassword(sealed: string | undefined, password: string): Promise<string | undefined> {
  const [salt = '', kept = '', tokenSalt = ''] = (sealed ?? NOBODY).split(':');
  const matches = timingSafeEqual(Buffer.from(kept, 'hex'), await passwordKeyLater(password, salt));
  const token = await passwordKeyLater(password, tokenSalt);
  return matches && sealed !== undefined ? token.toString('base64url') : undefined;
}

/** The same password, with another token. */
export function withNewToken(sealed: string): string {
  const [salt = '', kept = ''] = sealed.split(':');
  return `${salt}:${kept}:${newSalt()}`;
}
