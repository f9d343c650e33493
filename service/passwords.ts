// Passwords: kept salted and slow to guess, and the API token that follows from each, so that the token itself need not be kept.
// It must not know users or routes.
import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

const KEY_LENGTH = 32;

const key = (password: string, salt: string): Buffer => scryptSync(password.normalize('NFC'), salt, KEY_LENGTH);

/** The same, off the thread that serves requests. */
const keyLater = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_LENGTH, (error, derived) => (error ? reject(error) : resolve(derived)));
  });

const newSalt = (): string => randomBytes(16).toString('hex');

/** What is kept of a password: salt and scrypt key, and the salt of the token. Nothing leads back from it to the password or the token. */
export function sealPassword(password: string): string {
  const salt = newSalt();
  return `${salt}:${key(password, salt).toString('hex')}:${newSalt()}`;
}

/** A sealed password none knows: checking against it takes as long as against a real one. */
const NOBODY = `${'0'.repeat(32)}:${'0'.repeat(2 * KEY_LENGTH)}:${'0'.repeat(32)}`;

/** Whether a password is the sealed one; without a sealed one it never is, and that takes as long to find out. */
export function isPassword(sealed: string | undefined, password: string): boolean {
  const [salt = '', kept = ''] = (sealed ?? NOBODY).split(':');
  const matches = timingSafeEqual(Buffer.from(kept, 'hex'), key(password, salt));
  return matches && sealed !== undefined;
}

/**
 * The API token of a user with this password: the same on every demand, another one after the password or the seal's token salt changed. Undefined
 * for another password, or where none is sealed; that takes as long to find out.
 */
export async function tokenOfPassword(sealed: string | undefined, password: string): Promise<string | undefined> {
  const [salt = '', kept = '', tokenSalt = ''] = (sealed ?? NOBODY).split(':');
  const matches = timingSafeEqual(Buffer.from(kept, 'hex'), await keyLater(password, salt));
  const token = await keyLater(password, tokenSalt);
  return matches && sealed !== undefined ? token.toString('base64url') : undefined;
}

/** The same password, with another token. */
export function withNewToken(sealed: string): string {
  const [salt = '', kept = ''] = sealed.split(':');
  return `${salt}:${kept}:${newSalt()}`;
}
