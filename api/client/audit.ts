// The audit: a line of JSON for each request, with method, path, status, user, time and duration.
import { closeSync, openSync, writeSync } from 'node:fs';
import { routes, type Send, type WireRequest, type WireResponse } from '../contract';
import { AuditFailed, type SettingWords } from '../errors';

/** One request, as a line shows it. Members are added, never renamed. */
export interface AuditLine {
  /** When it was sent: ISO 8601, UTC, with milliseconds. */
  readonly when: string;
  /** Name of the user the token belongs to; `token of URL` when the service does not show. */
  readonly who: string;
  readonly service: string;
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** 0: there was no answer. */
  readonly status: number;
  /** Milliseconds until the answer was complete, or it was clear that there is none. */
  readonly took: number;
  /** Why there was no answer: the name of an error. */
  readonly error?: string;
}

interface AuditOptions {
  /** Made with mode 0600; only appended to and never locked, so several processes may share it. */
  readonly file: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly hide: (text: string) => string;
  readonly words: SettingWords;
}

/**
 * Sends as `send` does, and writes a line into the file. The file is opened, and the user asked
 * for, before the first request; when it cannot be opened, nothing is sent. When a line cannot be
 * written after its request was carried out, the answer is handed on, and every later request is
 * refused. Rejects with AuditFailed.
 */
export function audited(send: Send, options: AuditOptions) {
  const { now, url } = options;
  const file = auditFile(options);
  let who: Promise<string> | undefined;

  /** One request and its line. Of the first one, `known` shows the user only after its answer. */
  const recorded = async (
    request: WireRequest,
    signal: AbortSignal | undefined,
    known: (response: WireResponse | undefined) => string,
  ): Promise<WireResponse> => {
    const start = now();
    const line = (response: WireResponse | undefined, error?: string): AuditLine =>
      lineOf(options, request, start, { who: known(response), status: response?.status ?? 0, error });
    try {
      const response = await send(request, signal);
      file.append(line(response));
      return response;
    } catch (error) {
      file.append(line(undefined, error instanceof Error ? error.name : 'Error'));
      throw error;
    }
  };

  const unknown = `token of ${url}`;
  const asked = async (headers: WireRequest['headers']): Promise<string> => {
    let name = unknown;
    const known = (response: WireResponse | undefined): string => (name = userOf(response) ?? unknown);
    await recorded({ method: 'GET', path: routes.profile.read.path, headers }, undefined, known).catch(() => undefined);
    return name;
  };

  return {
    send: async (request: WireRequest, signal?: AbortSignal): Promise<WireResponse> => {
      file.open();
      const { 'content-type': _, ...headers } = request.headers;
      const name = await (who ??= asked(headers));
      // The line about the user is the first: without room for it, nothing else is sent.
      file.open();
      return recorded(request, signal, () => name);
    },
    close: (): void => file.close(),
  };
}

/** The file of an audit. After a line that could not be written, `open` throws AuditFailed. */
function auditFile({ file, words }: AuditOptions) {
  let descriptor: number | undefined;
  let broken: AuditFailed | undefined;
  return {
    /** Opens the file unless it is open. */
    open(): void {
      if (broken !== undefined) throw broken;
      try {
        descriptor ??= openSync(file, 'a', 0o600);
      } catch (error) {
        throw failed(file, error, words);
      }
    },
    append(line: AuditLine): void {
      if (descriptor === undefined) return;
      try {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
        const written = writeSync(descriptor, bytes);
        // A line that is written in part would run into the next one.
        if (written !== bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
      } catch (error) {
        broken = failed(file, error, words);
      }
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

interface Ending extends Pick<AuditLine, 'who' | 'status'> {
  readonly error: string | undefined;
}

/** The line of a request that ends now; `start`: when it was sent, in ms since 1970. */
const lineOf = (
  { url, now, hide }: AuditOptions,
  request: WireRequest,
  start: number,
  { who, status, error }: Ending,
): AuditLine => ({
  when: new Date(start).toISOString(),
  who,
  service: url,
  method: request.method,
  path: hide(request.path.split('?')[0] ?? ''),
  status,
  took: now() - start,
  ...(error === undefined ? {} : { error }),
});

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

function failed(file: string, error: unknown, words: SettingWords): AuditFailed {
  const { code, message } = error as NodeJS.ErrnoException;
  return new AuditFailed(
    `the audit file ${file} cannot be written: ${REASONS[code ?? ''] ?? message}`,
    `make it writable, or name another one: ${words.given('audit')}`,
  );
}

/** The user's name in an answer on the profile. */
function userOf(response: WireResponse | undefined): string | undefined {
  if (response?.status !== 200) return undefined;
  try {
    const name = (JSON.parse(response.body) as { readonly username?: unknown } | null)?.username;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    // A page of something before the service: it names nobody.
    return undefined;
  }
}
