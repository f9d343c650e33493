// What a broken exchange is called: by its code, and by whether the request can have arrived.
// It must not know which library carried it.
import type { WireRequest } from '../contract';
import { ConnectionFailed, type SettingWords, StaleConnection, TimedOut, Untrusted } from '../errors';
import { seconds } from './timed';

/** What is known of a broken exchange. Only texts are kept of a library's own error: it may hold headers. */
export interface Breakage {
  /** `ECONNRESET`, `CERT_HAS_EXPIRED`, …; empty when there is none. */
  readonly code: string;
  readonly message: string;
  /** Whether it broke before a connection stood: nothing was sent. */
  readonly unsent: boolean;
  /** Whether it broke on a connection kept from an earlier request, before an answer began. */
  readonly stale: boolean;
}

/** Code of our own: no connection in time. */
export const CONNECT_TIMED_OUT = 'CONNECT_TIMED_OUT';

const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** The error for a broken exchange. */
export function failureOf(
  { code, message, unsent, stale }: Breakage,
  request: WireRequest,
  origin: string,
  connectTimeout: number,
  words: SettingWords,
): TimedOut | ConnectionFailed {
  const path = request.path.split('?')[0] ?? '';
  const sent = unsent ? false : 'unknown';
  const { method } = request;
  if (code === CONNECT_TIMED_OUT)
    return new TimedOut(
      `${origin} took no connection within ${seconds(connectTimeout)}`,
      `check ${words.named('url')}, and that nothing between here and there drops connections`,
      method,
      path,
      sent,
    );
  if (UNTRUSTED.test(code))
    return new Untrusted(
      `the certificate of ${origin} is not trusted (${code})`,
      'name the file of its certificate authority in NODE_EXTRA_CA_CERTS',
      method,
      path,
      sent,
    );
  const why = code === '' ? message : code;
  if (origin.startsWith('https:') && /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(code))
    return new ConnectionFailed(
      `${origin} does not speak TLS (${code})`,
      `check the protocol and the port in ${words.named('url')}: an address that begins with http:// may be meant${words.seeUrl}`,
      method,
      path,
      sent,
    );
  if (stale)
    return new StaleConnection(
      `${origin} closed a kept connection (${why})`,
      'try again: what was sent may have arrived',
      method,
      path,
      sent,
    );
  return unsent
    ? new ConnectionFailed(
        `${origin} cannot be reached (${why})`,
        `check ${words.named('url')} and that the service runs${words.seeUrl}`,
        method,
        path,
        sent,
      )
    : new ConnectionFailed(
        `the connection to ${origin} broke (${why})`,
        'try again: what was sent may have arrived',
        method,
        path,
        sent,
      );
}
