// The life of one request, from route and sender to answer and journal (service-facts §5).
import * as z from 'zod';
import {
  type Dialect,
  type DialectRules,
  JSON_MEDIA,
  type Route,
  type WireRequest,
  type WireResponse,
} from '../../api/contract';
import {
  type Context,
  type HandlerTable,
  isAnswer,
  notFound,
  type Preparations,
  quietly,
  RefusedRequest,
} from '../runtime/handler';
import type { Store, StoredUser } from '../store';
import {
  type Answered,
  failureAnswer,
  type Handle,
  jsonAnswer,
  refusalAnswer,
  textAnswer,
  toWire,
  wantsJson,
} from './respond';
import { applyFault, type Faults, type MetFault, type ObservedRequest, type Served } from '../faults';
import { checkBody, readBody, readForm, readQuery } from './body';
import type { Match, Router } from './router';
import { checkTeams, seenBy } from '../account/rights';
import type { Catalogue } from '../catalogue';
import type { ServiceClock } from '../runtime/clock';
import type { Lost, OnDisk } from '../runtime/work';
import type { Journal } from './journal';
import { asksForTokenPage, foreignPage, tokenPage } from './browsers';

/** Token of a Basic header: all before the first colon, if any (service-facts §5.1). */
function tokenOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const token = Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '';
  return token === '' ? undefined : token;
}

/** The account of a header's token; undefined without a token, or where nobody has it. */
export function accountOf(store: Store, authorization: string | undefined): StoredUser | undefined {
  const token = tokenOf(authorization);
  return token === undefined ? undefined : store.users.byToken(token);
}

/** The answer to a sender whose header has no token, or one that nobody has (service-facts §5.1). */
export function noAccount(authorization: string | undefined): Answered {
  const error = tokenOf(authorization) === undefined ? 'an API token is needed' : 'the API token is not valid';
  return { status: 401, body: { error }, headers: { 'www-authenticate': 'Basic realm="oneops"' } };
}

function organizationExists(store: Store, organization: string): boolean {
  return store.records.exists({ namespace: '/', className: 'account.Organization', name: organization }, 'committed');
}

/** Name of the record in a body's wrapper. */
function nameInBody(request: WireRequest): string | undefined {
  const body = quietly(() => readBody(request.body, request.headers['content-type']));
  for (const wrapper of ['cms_ci', 'cms_dj_ci'] as const) {
    const record = (body as { readonly [name: string]: unknown } | undefined)?.[wrapper];
    if (typeof record === 'object' && record !== null && 'ciName' in record && typeof record.ciName === 'string')
      return record.ciName;
  }
  return undefined;
}

function recordOf(match: Match, request: WireRequest): string {
  const inPath = Object.values(match.address);
  const inBody = nameInBody(request);
  const names = inBody === undefined || inBody === inPath.at(-1) ? inPath : [...inPath, inBody];
  return `/${names.join('/')}`;
}

/**
 * The call a request is; `method` as the router takes it. One that is refused later for its path or
 * body still meets the faults that request neither.
 */
function callOf(router: Router, request: WireRequest, method: string): ObservedRequest {
  const match = quietly(() => router(method, request.path.split('?')[0] ?? ''));
  return { route: match?.route.name, method, record: match === undefined ? '' : recordOf(match, request) };
}

export interface Serving {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clock: ServiceClock;
  /** Puts on the disk what requests and timed work wrote. */
  readonly onDisk: OnDisk;
  readonly dialect: Dialect;
  readonly rules: DialectRules;
  /** Finds the route of a request; each route it finds has a handler. */
  readonly router: Router;
  readonly handlers: HandlerTable;
  /** What runs before some handlers, at the same time as other requests. */
  readonly preparations: Preparations;
  /** Carries out a part of the timed work that is due. */
  readonly work: () => void;
  readonly journal: Journal;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Waits for so many ms; rejects when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Receives what should not happen: a throw that is no RefusedRequest. */
  readonly bug: (error: unknown) => void;
}

/** What somebody reads who opens the address itself. */
const WELCOME = {
  service: 'the embedded Assembly and Operations Management API of pulumi-oneops',
  description: '/openapi.json',
  authentication: 'HTTP Basic: an API token as user name, an empty password',
  first: '/account/organizations',
};

interface Asked {
  readonly request: WireRequest;
  /** Updates are routed for PATCH too; HEAD is a GET without its body (service-facts §0.2). */
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly prepared: unknown;
}

/** What became known of a request on its way. */
export interface Note {
  route: string | null;
  user: string | null;
}

/** The route's body. Query parameters replace members that it lacks (service-facts §0.2). */
function bodyFor(route: Route, request: WireRequest, search: string): unknown {
  // A route that takes no body ignores one, as the live service does.
  if (route.body instanceof z.ZodUndefined) return undefined;
  const sent = readBody(request.body, request.headers['content-type']);
  return checkBody(route, sent, readForm(search));
}

/** Refuses a GET that writes for HEAD (405), and for a page of another origin (403). */
function checkWrite(request: WireRequest, route: Route): void {
  if (route.method !== 'GET' || route.repeat === 'read') return;
  if (request.method === 'HEAD') throw new RefusedRequest(405, [`${route.name} writes: HEAD never does`]);
  const page = request.method === 'GET' ? foreignPage(request) : undefined;
  if (page !== undefined) throw new RefusedRequest(403, [`${page} may not write by GET`]);
}

/** Throws a RefusedRequest (401 or 403, dialect row 23) for another organization, or no right. */
function enter(
  { store, rules }: Serving,
  account: StoredUser | undefined,
  organization: string,
  { method, route }: { readonly method: string; readonly route: Route },
): void {
  if (account === undefined) return;
  const { name, organizations, current, rights } = account;
  if (organization !== '') {
    if (organizations?.includes(organization) === false)
      throw new RefusedRequest(rules.forbiddenStatus, [`you are not part of organization ${organization}`]);
    // Stored per user: two clients with one token change it back and forth, and neither minds
    // (service-facts §5.2).
    if (current !== organization && method !== 'HEAD') store.users.setCurrent(name, organization);
  }
  if (route.repeat !== 'read' && rights !== 'full')
    throw new RefusedRequest(rules.forbiddenStatus, [`${name} has the right to read only`]);
}

/** Another route has taken the place of this one (RFC 9745). Nobody knows the day. */
const DEPRECATED = { deprecation: '@0' };

/** What a handler returned, as an answer. */
function answeredOf(route: Route, result: unknown): Answered {
  const own = route.media === JSON_MEDIA ? jsonAnswer(200, result) : textAnswer(route.media, String(result));
  const answered = isAnswer(result) ? result : own;
  return route.deprecated ? { ...answered, headers: { ...answered.headers, ...DEPRECATED } } : answered;
}

/** Runs the handler of a route in one transaction, after the jobs that are due. */
function serve(parts: Serving, asked: Asked, { route, address }: Match, account: StoredUser | undefined): Answered {
  const { store, rules } = parts;
  const organization = address['organization'] ?? '';
  const now = parts.clock.now();
  parts.work();
  return store.join(() => {
    if (organization !== '' && !organizationExists(store, organization)) {
      if (rules.statuses.unknownOrganization === 404)
        throw notFound(`organization ${JSON.stringify(organization)} not found`);
      return { status: 302, body: undefined, headers: { location: '/not_found_error' } };
    }
    enter(parts, account, organization, { method: asked.request.method, route });
    checkTeams({ store, account, organization, address, rules }, route);
    const context: Context = {
      store,
      catalogue: parts.catalogue,
      now,
      rules,
      user: account?.name ?? '',
      account,
      checkSeen: seenBy({ store, account, organization, rules }),
      organization,
      address,
      query: readQuery(asked.search),
      body: bodyFor(route, asked.request, asked.search),
      prepared: asked.prepared,
    };
    return answeredOf(route, parts.handlers[route.name]?.(context));
  });
}

/** Why nothing is served at a path: no route, or a GET that writes and the dialect lacks. */
function notServed({ router, dialect }: Serving, { method, path }: Asked): RefusedRequest {
  const writing = method === 'GET' ? router('PUT', path)?.route : undefined;
  if (writing?.method !== 'GET') return notFound();
  return new RefusedRequest(405, [
    `${writing.name} writes, and no GET writes in the dialect ${dialect}: send it as PUT`,
  ]);
}

/** The methods of a path, for the header `Allow`. HEAD is served where GET only reads. */
function allowedAt(router: Router, path: string): string {
  const served = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) => router(method, path) !== undefined);
  const reads = router('GET', path)?.route.repeat === 'read';
  return served
    .flatMap((method) => [
      method,
      ...(method === 'PUT' ? ['PATCH'] : []),
      ...(method === 'GET' && reads ? ['HEAD'] : []),
    ])
    .join(', ');
}

/** The preparation of a request; undefined for a request that will be refused without it. */
function prepare(parts: Serving, asked: Asked, signal?: AbortSignal): Promise<unknown> | undefined {
  const { request, method, path, search } = asked;
  if (method !== 'POST') return undefined;
  const route = quietly(() => parts.router(method, path))?.route;
  const preparation = route === undefined ? undefined : parts.preparations[route.name];
  if (route === undefined || preparation === undefined) return undefined;
  const body = quietly(() => bodyFor(route, request, search));
  return body === undefined ? undefined : preparation({ store: parts.store, body, signal });
}

/** Routes a request, authenticates its sender and serves it; failures become answers. */
function answeredTo(parts: Serving, asked: Asked, note: Note): Answered {
  const { method, path } = asked;
  const authorization = asked.request.headers['authorization'];
  try {
    if (method === 'OPTIONS') return jsonAnswer(200, undefined);
    if (method === 'GET' && path === '/') return jsonAnswer(200, WELCOME);
    if (asksForTokenPage(asked.request)) return tokenPage();
    const sender = accountOf(parts.store, authorization);
    const match = parts.router(method, path);
    if (match === undefined) throw notServed(parts, asked);
    note.route = match.route.name;
    checkWrite(asked.request, match.route);
    if (sender === undefined && !match.route.open) return noAccount(authorization);
    note.user = sender?.name ?? null;
    return serve(parts, asked, match, sender);
  } catch (error) {
    if (error instanceof RefusedRequest) {
      const refused = refusalAnswer(error, method, parts.dialect);
      return refused.status === 405 ? { ...refused, headers: { allow: allowedAt(parts.router, path) } } : refused;
    }
    parts.bug(error);
    return failureAnswer(error, method, parts.dialect);
  }
}

/** An answer as text; one that cannot be written becomes a failure. */
function write({ dialect, bug }: Serving, answered: Answered, json: boolean): WireResponse {
  try {
    return toWire(answered, dialect, json);
  } catch (error) {
    bug(error);
    return toWire(failureAnswer(error, 'GET', dialect), dialect, json);
  }
}

/** Carries a request out and writes its answer, once what it wrote is on the disk. */
async function answer(parts: Serving, asked: Asked, fault: MetFault | undefined, note: Note): Promise<Served> {
  const { request, method } = asked;
  const inForm = (answered: Answered): WireResponse =>
    write(parts, answered, wantsJson(request, note.route, parts.rules));
  const carryOut = (): WireResponse => {
    const response = inForm(answeredTo(parts, asked, note));
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  };
  let lost: Lost | undefined;
  let served: Served;
  try {
    served = fault === undefined ? carryOut() : applyFault(fault.fault, carryOut);
  } finally {
    // Nobody hears of a write before it is on the disk: not its sender, nor who read it in the
    // meantime.
    if (parts.store.isPending()) lost = await parts.onDisk();
  }
  if (lost === undefined) return served;
  return inForm(failureAnswer(lost.error, method, parts.dialect));
}

export function createHandle(serving: Serving): Handle {
  const { clock, journal, faults } = serving;
  return async (request, signal): Promise<Served> => {
    const start = performance.now();
    const at = clock.now();
    const method = { PATCH: 'PUT', HEAD: 'GET' }[request.method] ?? request.method;
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    const asked: Asked = { request, method, path, search, prepared: undefined };
    const fault = faults.meet(() => callOf(serving.router, request, method));
    const note: Note = { user: null, route: fault?.route ?? null };
    let status = 0;
    try {
      if (fault !== undefined && fault.delay > 0) await serving.wait(fault.delay, signal);
      const preparing = prepare(serving, asked, signal);
      // All others are carried out immediately, in the order in which they came.
      const prepared = preparing === undefined ? undefined : await preparing;
      const served = await answer(serving, { ...asked, prepared }, fault, note);
      status = served.status;
      return served;
    } finally {
      journal.add({
        at,
        ...note,
        method: request.method,
        path: request.path,
        status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
        ...(fault === undefined ? {} : { fault: fault.fault?.effect ?? 'delay' }),
      });
    }
  };
}
