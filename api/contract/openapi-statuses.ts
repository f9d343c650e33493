// Which refusals an operation has, by its route and the dialect, and what each of them holds.
import { z } from 'zod';
import type { DialectRules } from './dialect';
import { parametersOf, type Route } from './route';

/** A response of the document that several operations share. */
interface SharedResponse {
  readonly description: string;
  readonly headers?: { readonly [name: string]: { readonly description: string; readonly schema: object } };
  readonly content?: { readonly 'application/json': { readonly schema: object } };
}

const body = (properties: object, required: readonly string[]): NonNullable<SharedResponse['content']> => ({
  'application/json': { schema: { type: 'object', properties, required } },
});

const messages = { type: 'array', items: { type: 'string' }, description: 'Every reason, one sentence each' };
const errors = body({ errors: messages }, ['errors']);

const LOCATION = {
  location: { description: 'The page that a browser would be shown', schema: { type: 'string' } },
} as const;

/** All shared responses by name. */
const RESPONSES = {
  Redirected: {
    description: 'The organization does not exist, or an API token is needed: a redirect to a page. Do not follow it',
    headers: LOCATION,
  },
  Malformed: {
    description: 'The path, the query or the body cannot be read, or the body lacks a member',
    content: errors,
  },
  Unauthenticated: {
    description: 'The API token is missing or not valid; or the user name and password are not',
    content: body({ error: { type: 'string' } }, ['error']),
  },
  UnauthenticatedOrForbidden: {
    description: 'The API token is missing or not valid: `error`. Or the user lacks the right: `errors`',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { error: { type: 'string' }, errors: messages },
          anyOf: [{ required: ['error'] }, { required: ['errors'] }],
        },
      },
    },
  },
  Forbidden: {
    description: 'The user lacks the right, or a web page of another origin sent the request',
    content: errors,
  },
  NotFromHere: {
    description:
      'The Host header names a host that is not of the service, or a web page of another origin sent the request',
    content: errors,
  },
  NotFound: { description: 'What the path or the body names does not exist', content: errors },
  TooLarge: { description: 'The body is too large', content: errors },
  UnsupportedMediaType: {
    description: 'The body is neither JSON in UTF-8 nor a form',
    content: errors,
  },
  Refused: { description: 'The request is understood and not possible: the reasons', content: errors },
  LoadRefused: {
    description: 'The document is refused and nothing of it is written: what was sent, and the reasons',
    content: body(
      {
        errors: {
          description:
            'A list of reasons, or an object in the shape of the document with a list of reasons at each fault',
          anyOf: [messages, { type: 'object', additionalProperties: true }],
        },
      },
      ['errors'],
    ),
  },
  TooManyRequests: {
    description: 'Too many requests at one time',
    headers: { 'retry-after': { description: 'Seconds to wait', schema: { type: 'string' } } },
    content: errors,
  },
  StorageFull: { description: 'The disk of the service is full: nothing of the request was kept', content: errors },
  Failed: {
    description: 'The service failed on the request',
    content: body({ code: { type: 'integer', enum: [500] }, exception: { type: 'string' } }, ['code', 'exception']),
  },
} as const satisfies { readonly [name: string]: SharedResponse };

type ResponseName = keyof typeof RESPONSES;

/** Reads that check rules beyond their path, and so can be refused with 422. */
const REFUSED_READS: readonly string[] = [
  'components.services',
  'deployments.preview',
  'environments.template',
  'procedures.list',
];

/** Reads without a parameter in their path that can find nothing. */
const MISSED_READS: readonly string[] = ['organizations.current'];

/** Names of the shared responses of an operation, by status. */
export function refusalsOf(route: Route, rules: DialectRules): { readonly [status: string]: ResponseName } {
  const hasBody = !(route.body instanceof z.ZodUndefined);
  const hasParameters = parametersOf(route.path).length > 0;
  const isWrite = route.repeat !== 'read';
  const rightIs401 = rules.forbiddenStatus === 401;
  return {
    ...(rules.statuses.unknownOrganization === 302 && !route.open ? { '302': 'Redirected' } : {}),
    '400': 'Malformed',
    ...(route.open && !isWrite ? {} : { '401': rightIs401 ? 'UnauthenticatedOrForbidden' : 'Unauthenticated' }),
    '403': route.open || rightIs401 ? 'NotFromHere' : 'Forbidden',
    ...(hasParameters || hasBody || MISSED_READS.includes(route.name) ? { '404': 'NotFound' } : {}),
    ...(hasBody ? { '413': 'TooLarge', '415': 'UnsupportedMediaType' } : {}),
    ...(isWrite || REFUSED_READS.includes(route.name)
      ? { '422': route.name.endsWith('.load') ? 'LoadRefused' : 'Refused' }
      : {}),
    '429': 'TooManyRequests',
    '500': 'Failed',
    ...(isWrite ? { '507': 'StorageFull' } : {}),
  };
}

/** The shared responses with these names. */
export function sharedResponses(names: ReadonlySet<string>): { readonly [name: string]: SharedResponse } {
  return Object.fromEntries(Object.entries(RESPONSES).filter(([name]) => names.has(name)));
}
