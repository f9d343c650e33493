// Requests to the API of a platform: JSON, page by page, with its limits; each refusal is one message.
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, optionWords } from '../../api/errors';
import { httpTransport, isLoopback } from '../../api/transport';
import { UsageError } from '../command';
import { TrackerError } from './tracker';

/** Where a platform is, and as whom it is asked. */
interface PlatformSettings {
  /** As messages name it: `GitHub`. */
  readonly name: string;
  /** Base address of its API. */
  readonly url: string;
  readonly token: string | undefined;
  /** The variable that the token comes from. */
  readonly variable: string;
  /** The rights that the token needs, in the platform's words. */
  readonly rights: string;
  readonly headers: (token: string) => { readonly [name: string]: string };
  /** The repository or project, for messages. */
  readonly about: string;
}

/** An answer in JSON, read with care: every member may be missing. */
export interface Members {
  readonly [member: string]: unknown;
}

/** The API of a platform. Everything throws TrackerError. */
export interface Platform {
  get(path: string): Promise<Members>;
  /** All items of a list, page by page. */
  list(path: string): Promise<readonly Members[]>;
  send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: Members): Promise<Members>;
  close(): void;
}

type Answer = Awaited<ReturnType<ReturnType<typeof httpTransport>['send']>>;

/** Longest wait that a platform may request, in seconds. */
const LONGEST_WAIT = 60;
const ATTEMPTS = 3;
const MOST_PAGES = 1000;

/** Opens the API. Throws TrackerError without a token; UsageError for an address that would show it to everybody on the way. */
export function openPlatform(settings: PlatformSettings): Platform {
  const { name, token, variable, rights } = settings;
  if (token === undefined || token === '')
    throw new TrackerError(`there is no token of ${name}: set ${variable} to one that ${rights}`, true);
  if (!URL.canParse(settings.url))
    throw new UsageError('--api takes the address of an API: https://github.acme.io/api/v3');
  const base = new URL(settings.url);
  if (base.protocol !== 'https:' && !isLoopback(base.hostname))
    throw new UsageError(`--api ${base.origin} is not https: the token would be readable on the way`);
  const words = {
    ...optionWords,
    named: () => '--api',
    largeAnswer: `check that --api is the API of ${name}: no page of it is so large, and no option allows more`,
    largeRequest: `shorten the text of the issue on ${name}: an issue takes no more`,
  };
  const transport = httpTransport({ url: settings.url, answerTimeout: 60_000, connections: 4, words });
  const headers = { 'user-agent': 'pulumi-oneops', ...settings.headers(token) };

  const exchange = async (method: string, path: string, body?: Members): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await transport
        .send({
          method,
          path,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        .catch((error: unknown) => {
          throw new TrackerError(`the request ${method} ${bare(path)} to ${name} failed: ${messageOf(error)}`);
        });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const seconds = waitOf(method, answer);
      if (seconds === undefined || seconds > LONGEST_WAIT || attempt === ATTEMPTS)
        throw refusal(settings, method, path, answer);
      await wait(seconds * 1000);
    }
  };

  return {
    get: async (path) => objectIn(settings, await exchange('GET', path)),
    async list(path) {
      const items: Members[] = [];
      let next: string | undefined = path;
      for (let page = 1; next !== undefined; page++) {
        if (page > MOST_PAGES) throw new TrackerError(`${name} has too many pages of ${path}`);
        const answer: Answer = await exchange('GET', next);
        const list = parsed(answer.body);
        if (!Array.isArray(list))
          throw new TrackerError(`${name} answered GET ${bare(path)} with something else than a list`);
        items.push(...(list as Members[]));
        next = nextPage(next, answer, base);
      }
      return items;
    },
    send: async (method, path, body) => objectIn(settings, await exchange(method, path, body)),
    close: () => transport.close(),
  };
}

const bare = (path: string): string => path.split('?')[0] ?? '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn({ name, url }: PlatformSettings, { body }: Answer): Members {
  const value = parsed(body);
  if (!isObject(value)) throw new TrackerError(`${name} at ${url} answered with something else than JSON: check --api`);
  return value;
}

/** GitLab counts pages in a header; GitHub names the next one, which has to be of the same service: the token goes with it. */
function nextPage(path: string, { headers }: Answer, base: URL): string | undefined {
  const number = headers['x-next-page'];
  if (number !== undefined)
    return number === ''
      ? undefined
      : `${path.replace(/[?&]page=\d+/, '')}${path.includes('?') ? '&' : '?'}page=${number}`;
  const link = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers['link'] ?? '')?.[1];
  if (link === undefined) return undefined;
  if (!URL.canParse(link, base.href)) throw new TrackerError(`the link to the next page of ${bare(path)} is no URL`);
  const next = new URL(link, base);
  if (next.origin !== base.origin) throw new TrackerError(`the next page is at ${next.origin}, not at ${base.origin}`);
  return `${next.pathname.slice(base.pathname.replace(/\/$/, '').length)}${next.search}`;
}

const isLimit = ({ status, headers }: Answer): boolean =>
  status === 429 ||
  (status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'));

/** Seconds to wait before the same request is sent again; undefined when that is of no use, or could do something twice. */
function waitOf(method: string, answer: Answer): number | undefined {
  const asked = Number(answer.headers['retry-after'] ?? NaN);
  if (isLimit(answer)) return Number.isNaN(asked) ? undefined : asked;
  if (method !== 'GET' || answer.status < 500) return undefined;
  return Number.isNaN(asked) ? 1 : asked;
}

function refusal(settings: PlatformSettings, method: string, path: string, answer: Answer): TrackerError {
  const { name, variable, rights, about } = settings;
  const { status, headers } = answer;
  const what = `${method} ${bare(path)}`;
  const said = wordsOf(answer.body, settings.token);
  if (isLimit(answer)) {
    const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? NaN);
    const until = Number.isNaN(reset)
      ? ''
      : ` until ${new Date(reset * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return new TrackerError(`${name} accepts no more requests${until} (rate limit): run again then`);
  }
  if (status === 401)
    return new TrackerError(`${name} refuses the token of ${variable}${said}: it may have expired`, true);
  if (status === 403)
    return new TrackerError(
      `${name}: the token of ${variable} may not ${what}${said}; it has to be one that ${rights}`,
    );
  if (status === 404)
    return new TrackerError(
      `${name} does not show ${about} to the token of ${variable} (${what} answers 404): check the name and the rights of the token`,
    );
  if (status >= 500)
    return new TrackerError(`${name} failed at ${what} (${status})${said}: run again; what was written before stays`);
  if (status >= 300 && status < 400)
    return new TrackerError(`${name} has moved ${about} (${what} answers ${status}): use its new name`);
  return new TrackerError(`${name} does not take ${what} (${status})${said}`);
}

/** The platform's own words, on one line; never with the token. */
function wordsOf(body: string, token: string | undefined): string {
  const value = parsed(body);
  if (!isObject(value)) return '';
  const message = value['message'] ?? value['error'] ?? '';
  const errors = Array.isArray(value['errors'])
    ? value['errors'].filter(isObject).map((each) => each['message'] ?? each['code'])
    : [];
  const text = [message, ...errors]
    .filter((each) => each !== '' && each !== undefined)
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join('; ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, 200);
  return text === '' ? '' : `: ${text.replaceAll(token ?? '\u0000', '***')}`;
}

/** A member as text. */
export const memberText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A member as an object. */
export const memberPart = (value: unknown): Members => (isObject(value) ? value : {});

/** Makes something that the platform makes only once. If it refuses, because another run was faster, what that run made counts. */
export async function unlessMeanwhile<T>(make: () => Promise<T>, made: () => Promise<T | undefined>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof TrackerError) || error.isToken) throw error;
    const found = await made();
    if (found === undefined) throw error;
    return found;
  }
}
