// A certificate that signs itself, created again for each test run, so that no private key is in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and its certificate, both PEM. */
interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** One value of DER: tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length =
    body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const time = (text: string): Buffer => der(0x17, Buffer.from(text));

/** Object identifiers, encoded: ECDSA with SHA-256, common name, subject alternative name, basic constraints. */
const ECDSA_SHA256 = sequence(der(0x06, bytes('2a8648ce3d040302')));
const COMMON_NAME = der(0x06, bytes('550403'));
const ALTERNATIVE_NAME = der(0x06, bytes('551d11'));
const BASIC_CONSTRAINTS = der(0x06, bytes('551d13'));

/** A certificate for a host's name, its own authority, valid from 2020 to 2049. */
export function certificateFor(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const extensions = sequence(
    sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(host))))),
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, bytes('ff'))))),
  );
  const signed = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, bytes('01')),
    ECDSA_SHA256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', signed, privateKey);
  const whole = sequence(signed, ECDSA_SHA256, der(0x03, bytes('00'), signature));
  const lines = (whole.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
