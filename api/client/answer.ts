// What an answer means: the value the contract promises, or the error that it is.
import type * as z from 'zod';
import {
  type Dialect,
  dialectRules,
  INSTANCE_STATE_ROUTES,
  JSON_MEDIA,
  parametersOf,
  type Route,
  type WireResponse,
} from '../contract';
import { apiError, ContractError, type SettingWords, Unauthenticated } from '../errors';
import { decodeFromDialect } from './dialect';

interface Reading<R extends Route = Route> {
  readonly route: R;
  readonly dialect: Dialect;
  /** Path without its query, as errors show it. */
  readonly path: string;
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  readonly now: number;
  /** Hides the token in the service's own words. */
  readonly hide: (text: string) => string;
  readonly words: SettingWords;
  /** Address and organization of the client, for hints that say which of them is wrong. */
  readonly url: string;
  readonly organization: string;
}

interface Refused {
  readonly error?: unknown;
  readonly errors?: unknown;
  readonly exception?: unknown;
}

/** The longest message of a service that is passed on. */
const LONGEST_MESSAGE = 1000;

/** The value of an answer. Throws ApiError by status, and ContractError for another shape. */
export function answerOf<R extends Route>(reading: Reading<R>, response: WireResponse): z.output<R['answer']> {
  const { route, dialect, path } = reading;
  const { status } = response;
  if (status >= 300 && status < 400) throw redirected(reading, response);
  const body = parsedBody(reading, response);
  if (isInvertedSuccess(route, dialect, status, body)) return body as z.output<R['answer']>;
  if (status >= 400) throw refusalOf(reading, response, body);
  const errors = messagesIn((body as { readonly errors?: unknown } | null | undefined)?.errors);
  if (errors.length > 0)
    throw apiError({ method: route.method, path, status: 422, messages: said(reading, errors) }, { errors });
  const answer = route.answer.safeParse(decodeFromDialect(route, dialect, body));
  if (answer.success) return answer.data as z.output<R['answer']>;
  const issue = answer.error.issues[0];
  throw new ContractError(
    `the answer of ${route.name} is not what the API promises: ${issue?.path.join('.') || 'the complete answer'}: ${issue?.code ?? 'unreadable'}`,
    `check ${reading.words.named('url')} and ${reading.words.named('dialect')}`,
    { method: route.method, path, status },
  );
}

/** Whether an answer says that its body is JSON, or says nothing of it. */
export const isJson = (response: WireResponse): boolean =>
  /^application\/json\b/i.test(response.headers['content-type'] ?? 'application/json');

/** Not followed: the token must not reach another place (service-facts §5.1, §5.2). */
function redirected(reading: Reading, response: WireResponse): Error {
  const { method } = reading.route;
  const { status } = response;
  const location = response.headers['location'] ?? '';
  if (location.includes('sign_in'))
    return new Unauthenticated(
      { method, path: reading.path, status, messages: [] },
      `the token is not known to ${reading.url}: set ${reading.words.given('token')}`,
    );
  const [what, hint] = location.includes('not_found_error')
    ? ['a redirect to its page for what is not there', `check ${reading.words.named('organization')}`]
    : ['a redirect', `check ${reading.words.named('url')}: it must be the service itself, not a page before it`];
  return new ContractError(`the service answered ${status}, ${what}`, hint, {
    method,
    path: reading.path,
    status,
    elsewhere: true,
  });
}

function parsedBody(reading: Reading, response: WireResponse): unknown {
  const { status, body } = response;
  if (status < 400 && isTextOf(reading.route, response)) return body;
  if (body.trim() === '') return undefined;
  try {
    if (isJson(response)) return JSON.parse(body) as unknown;
  } catch {
    // Reported below, with everything else that is not JSON.
  }
  const title = titleOf(reading, body);
  if (status >= 400 && status !== 404) return title === undefined ? undefined : { errors: undefined, error: title };
  throw new ContractError(
    `the service answered ${status} with something that is not JSON${title === undefined ? '' : `: ${title}`}`,
    `check ${reading.words.named('url')}: something before the service may have answered`,
    {
      ...{ method: reading.route.method, path: reading.path, status },
      ...{ messages: title === undefined ? [] : [title], elsewhere: !isJson(response) },
    },
  );
}

/** Whether an answer is the text that its route promises. */
const isTextOf = ({ media }: Route, { headers }: WireResponse): boolean =>
  media !== JSON_MEDIA && headers['content-type']?.startsWith(media) === true;

/** The title of a page: all that is worth reporting of it. */
function titleOf(reading: Reading, body: string): string | undefined {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(body)?.[1]?.replace(/\s+/g, ' ').trim();
  return title === undefined || title === '' ? undefined : reading.hide(title);
}

/** Row 13: the live service answers 422 with no errors when it changed an instance's state. */
const isInvertedSuccess = (route: Route, dialect: Dialect, status: number, body: unknown): boolean =>
  INSTANCE_STATE_ROUTES.includes(route.name) &&
  dialectRules[dialect].instanceStateInverted &&
  status === 422 &&
  (body as { readonly errors?: readonly unknown[] } | undefined)?.errors?.length === 0;

function refusalOf(reading: Reading, response: WireResponse, body: unknown): Error {
  const { route, path, now } = reading;
  const words = (typeof body === 'object' && body !== null ? body : {}) as Refused;
  const messages = said(reading, messagesOf(words));
  const retryAfter = retryAfterOf(response.headers['retry-after'], now);
  return apiError(
    {
      method: route.method,
      path,
      status: response.status,
      messages,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
    words,
    reading.words,
    settingAtFault(reading, response.status),
  );
}

const DEEPEST_ERRORS = 16;

/** The messages of `errors`: a list, or an object by path (`platforms.web: must be a map`). */
function messagesIn(errors: unknown, path: readonly string[] = []): readonly unknown[] {
  if (Array.isArray(errors))
    return path.length === 0 ? errors : errors.map((each) => `${path.join('.')}: ${String(each)}`);
  if (typeof errors !== 'object' || errors === null || path.length === DEEPEST_ERRORS) return [];
  return Object.entries(errors).flatMap(([name, each]) => messagesIn(each, [...path, name]));
}

function messagesOf({ error, errors, exception }: Refused): readonly unknown[] {
  const messages = messagesIn(errors);
  return Array.isArray(errors) || messages.length > 0 ? messages : [error ?? exception];
}

/** The setting that is the likely reason for a 401 or 404; undefined for any other reason. */
function settingAtFault({ route, url, organization, words }: Reading, status: number): string | undefined {
  if (status === 401) return `give the token of a user of ${url}: ${words.giveToken}`;
  if (status !== 404) return undefined;
  const path = new URL(url).pathname.replace(/\/+$/, '');
  if (path.endsWith(`/${organization}`))
    return `${words.named('url')} ends in "/${organization}", which is the organization: give the address of the service alone`;
  const names = parametersOf(route.path).filter((name) => name !== 'organization');
  return names.length > 0
    ? undefined
    : `check ${words.named('organization')}, which is "${organization}", that the token's user belongs to it, and ${words.named('url')}`;
}

function said(reading: Reading, messages: readonly unknown[]): readonly string[] {
  return messages
    .filter((message) => message !== undefined && message !== null)
    .map((message) => (typeof message === 'string' ? message : JSON.stringify(message)))
    .map((message) =>
      reading.hide(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)} …` : message),
    );
}

/** Seconds to wait by a Retry-After header, which holds seconds or a date; otherwise undefined. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Date.parse takes much that is no date of HTTP: those begin with the name of a day.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
