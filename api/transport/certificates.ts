// Which certificate authorities are trusted when some are given next to the usual ones.
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { BadSettings, messageOf } from '../errors';
import type { ProcessVariables } from './proxy';

/**
 * Authorities in PEM: the given ones, those of NODE_EXTRA_CA_CERTS, and the ones Node brings. Undefined when none are given: Node then uses the
 * same without us. Throws BadSettings for what is not PEM, or a file that cannot be read.
 */
export function authorities(
  given: string | readonly string[] | undefined,
  environment: ProcessVariables,
): string[] | undefined {
  if (given === undefined) return undefined;
  const own = typeof given === 'string' ? [given] : given;
  if (own.length === 0 || !own.every((text) => text.includes('-----BEGIN CERTIFICATE-----')))
    throw new BadSettings('ca contains no certificate', 'give the text of the PEM file, not its path');
  const file = environment['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [...rootCertificates, ...own];
  try {
    return [...rootCertificates, readFileSync(file, 'utf8'), ...own];
  } catch (error) {
    throw new BadSettings(`NODE_EXTRA_CA_CERTS cannot be read: ${messageOf(error)}`, 'correct it, or unset it');
  }
}
