// Names the failure of an exchange: by its code, and by whether the request can have arrived.
import type { WireRequest } from '../contract';
import {
  ConnectionFailed,
  type SettingWords,
  StaleConnection,
  TooLarge,
  type TransportError,
  Untrusted,
} from '../errors';

/** What is known of a broken exchange. */
interface Breakage {
  /** A library's own error. It may hold headers, so only its code and message are kept. */
  readonly error: Error & { readonly code?: unknown };
  /** Whether it broke after the request was handed to a connection. */
  readonly isSent: boolean;
  /** Whether it broke on a connection kept from an earlier request, before an answer began. */
  readonly isStale: boolean;
}

/** Whom the exchange was with, and what messages need. */
export interface Reached {
  /** Base address of the service. */
  readonly base: URL;
  /** The proxy, when the service is reached through one. */
  readonly proxy: URL | undefined;
  /** Bytes an answer may have, unpacked. */
  readonly answerLimit: number;
  /** How messages name the settings. */
  readonly words: SettingWords;
}

/** Codes of undici and zlib for an answer beyond the limit. */
const OVERFLOWS: readonly string[] = ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ERR_BUFFER_TOO_LARGE'];

const UNTRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|UND_ERR_PRX_TLS)/;

/** The error for a broken exchange. */
export function failureOf(
  { error, isSent, isStale }: Breakage,
  request: WireRequest,
  { base, proxy, answerLimit, words }: Reached,
): TransportError {
  const code = typeof error.code === 'string' ? error.code : '';
  const path = request.path.split('?')[0] ?? '';
  const { origin } = base;
  const failed = (Failure: typeof ConnectionFailed, what: string, hint: string): ConnectionFailed =>
    new Failure(what, hint, { method: request.method, path }, isSent ? 'unknown' : false);

  if (OVERFLOWS.includes(code)) {
    const what = `the answer has more than ${answerLimit} bytes`;
    return new TooLarge(what, words.largeAnswer, { method: request.method, path }, true);
  }
  if (UNTRUSTED.test(code)) {
    // A service in plain http has no certificate.
    const isOfProxy = code === 'UND_ERR_PRX_TLS' || base.protocol === 'http:';
    return failed(
      Untrusted,
      `the certificate of ${isOfProxy ? `the proxy ${proxy?.host}` : origin} is not trusted (${code})`,
      'name the file of its certificate authority in NODE_EXTRA_CA_CERTS',
    );
  }
  const why = reasonOf(code, error.message, proxy);
  if (base.protocol === 'https:' && /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(code))
    return failed(
      ConnectionFailed,
      `${origin} does not speak TLS (${why})`,
      `check the protocol and the port in ${words.named('url')}: an address that begins with http:// may be meant${words.seeUrl}`,
    );
  if (!isSent)
    return failed(
      ConnectionFailed,
      `${origin} cannot be reached (${why})`,
      `check ${words.named('url')} and that the service runs${words.seeUrl}`,
    );
  const hint = 'try again: what was sent may have arrived';
  return isStale
    ? failed(StaleConnection, `${origin} closed a kept connection (${why})`, hint)
    : failed(ConnectionFailed, `the connection to ${origin} broke (${why})`, hint);
}

/** The code, or the words where the code is undici's own and says less. */
function reasonOf(code: string, message: string, proxy: URL | undefined): string {
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status !== undefined) return `the proxy ${proxy?.host} answered ${status}`;
  return code === '' || code.startsWith('UND_ERR_') ? message : code;
}
