// How secret attribute values are kept: as salted digests, so that the database holds none of them, yet a repeated one is recognized.
// It must not know which attributes are secret.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ENCRYPTED } from '../api/contract';

/** What a stored secret begins with; a value that begins with it is stored as given (service-facts §2.1.4). */
const SEALED = '::ENCRYPTED::';

const digest = (salt: string, value: string): string =>
  createHash('sha256').update(`${salt}:${value}`, 'utf8').digest('hex');

/** A secret as it is stored. Blank stays blank; what is sealed stays as it is. Nothing ever unseals it: no answer shows a secret. */
export function seal(value: string): string {
  if (value === '' || value.startsWith(SEALED)) return value;
  const salt = randomBytes(8).toString('hex');
  return `${SEALED}${salt}:${digest(salt, value)}`;
}

/** Whether a sent value leaves a stored secret as it is: the mask that reads answer, or the same secret again (service-facts §2.1.4). */
export function isSameSecret(stored: string, sent: string): boolean {
  if (sent === ENCRYPTED || sent === stored) return true;
  if (!stored.startsWith(SEALED)) return false;
  return isSecret(stored, sent);
}

/** Whether a text is the secret that was sealed: neither its mask nor what is stored of it counts. */
export function isSecret(stored: string, sent: string): boolean {
  const [salt = '', kept = ''] = stored.slice(SEALED.length).split(':');
  const asked = digest(salt, sent);
  return kept.length === asked.length && timingSafeEqual(Buffer.from(kept), Buffer.from(asked));
}
