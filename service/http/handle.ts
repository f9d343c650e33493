// The life of one request: route, sender, organization, body, jobs that are due, handler, commit, answer, journal.
// It must not know any route by name, nor where requests come from.
import { z } from 'zod';
import { type Dialect, JSON_MEDIA, type Route, voices, type WireRequest, type WireResponse } from '../../api/contract';
import { checkTeams, seenBy } from '../account';
import type { Catalogue } from '../catalogue';
import { type Clock } from '../clock';
import { type Faults, type Served, strike } from '../faults';
import { type Context, type HandlerTable, isAnswer, type Preparations, notFound, Refusal } from '../handler';
import { advance, type Runners, type Store, type StoredUser } from '../store';
import { type Answered, jsonAnswer, textAnswer } from './answered';
import { accountOf, checkMember, checkRight, organizationExists, turnedAway } from './authenticate';
import { callOf, quietly } from './call';
import { foreignPage } from './browsers';
import { checkBody } from './check-body';
import { createCommit, type Lost } from './commit';
import { type Journal, type JournalEntry } from './journal';
import { toWire, wantsJson } from './negotiate';
import { readBody, readForm, readQuery } from './read-body';
import { failureAnswer, refusalAnswer } from './refusals';
import { createRouter, type Match } from './router';

/** What requests are served with. */
export interface Serving {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
  readonly handlers: HandlerTable;
  /** What runs before some handlers, beside other requests. */
  readonly preparations: Preparations;
  readonly runners: Runners;
  readonly journal: Journal;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Waits for so many ms; rejects when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told of what should not happen: a throw that is no Refusal. */
  readonly bug: (error: unknown) => void;
}

/** What somebody is told who opens the address itself. */
const WELCOME = {
  service: 'the embedded Assembly and Operations Management API of pulumi-oneops',
  description: '/openapi.json',
  authentication: 'HTTP Basic: an API token as user name, an empty password',
  first: '/account/organizations',
};

/** What the journal tells of who asked for what. */
type Told = Pick<JournalEntry, 'user' | 'route'>;

/** A request with what its preparation resolved to. */
interface Asked {
  readonly request: WireRequest;
  readonly prepared: unknown;
}

/** What became known of a request on the way, for its journal entry. */
interface Trace {
  readonly answered: Answered;
  readonly match: Match | undefined;
  readonly account: StoredUser | undefined;
}

/** Body as the route reads it. Top-level query parameters stand in for members the body does not have (service-facts §0.2). */
function bodyFor(route: Route, request: WireRequest, search: string): unknown {
  // A route that takes no body ignores one, as the live service does.
  if (route.body instanceof z.ZodUndefined) return undefined;
  const sent = readBody(request.body, request.headers['content-type']);
  return checkBody(route, sent, readForm(search));
}

/** Throws a Refusal where a GET that writes was not meant to: HEAD (405), or a request of a page of another origin, though it may read (403). */
function checkWrite(request: WireRequest, route: Route): void {
  if (route.method !== 'GET' || route.repeat === 'read') return;
  if (request.method === 'HEAD') throw new Refusal(405, [`${route.name} writes: HEAD never does`]);
  const page = request.method === 'GET' ? foreignPage(request) : undefined;
  if (page !== undefined) throw new Refusal(403, [`${page} may not write by GET`]);
}

/** A plain function of a request. Rejects with AnswerDropped when a fault leaves no answer, and when the signal aborts a delay. */
export type Handle = (request: WireRequest, signal?: AbortSignal) => Promise<Served>;

/** The request handling over these parts. */
export function createHandle(serving: Serving): Handle {
  const { store, clock, dialect, handlers, journal, faults } = serving;
  const voice = voices[dialect];
  const onDisk = createCommit(() => store.settle(), serving.bug);
  const router = createRouter(
    serving.routes.filter((route) => handlers[route.name] !== undefined),
    dialect,
  );

  const serve = (asked: Asked, match: Match, account: StoredUser | undefined, search: string): Answered => {
    const { request, prepared } = asked;
    const { route, address } = match;
    const organization = address['organization'] ?? '';
    const now = clock.now();
    advance(store, now, serving.runners, serving.bug);
    return store.join(() => {
      if (organization !== '') {
        if (!organizationExists(store, organization)) {
          if (voice.statuses.unknownOrganization === 404)
            throw notFound(`organization ${JSON.stringify(organization)} not found`);
          return { status: 302, body: undefined, headers: { location: '/not_found_error' } };
        }
        checkMember(account, organization, voice);
        // Stored per user: two clients with one token turn it to and fro, and neither minds (service-facts §5.2).
        if (account !== undefined && account.current !== organization && request.method !== 'HEAD')
          store.users.setCurrent(account.name, organization);
      }
      checkRight(account, route, voice);
      checkTeams({ store, account, organization, address, voice }, route);
      const context: Context = {
        store,
        catalogue: serving.catalogue,
        now,
        voice,
        user: account?.name ?? '',
        account,
        checkSeen: seenBy({ store, account, organization, voice }),
        organization,
        address,
        query: readQuery(search),
        body: bodyFor(route, request, search),
        prepared,
      };
      const result = handlers[route.name]?.(context);
      if (isAnswer(result)) return { status: result.status, body: result.body, headers: result.headers };
      if (route.media !== JSON_MEDIA) return textAnswer(route.media, String(result));
      return jsonAnswer(200, result);
    });
  };

  /** Nothing is served there; or what is served there writes, and this dialect has no GET that does. */
  const notServed = (method: string, path: string): Refusal => {
    const writing = method === 'GET' ? router('PUT', path)?.route : undefined;
    if (writing?.method !== 'GET') return notFound();
    return new Refusal(405, [`${writing.name} writes, and no GET writes in the dialect ${dialect}: send it as PUT`]);
  };

  /** The preparation of a request; undefined where there is none, as for one that will be refused for its path or body. */
  const prepare = (request: WireRequest, method: string, signal?: AbortSignal): Promise<unknown> | undefined => {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    const route = quietly(() => router(method, path))?.route;
    const preparation = route === undefined ? undefined : serving.preparations[route.name];
    if (route === undefined || preparation === undefined) return undefined;
    const body = quietly(() => bodyFor(route, request, search));
    return body === undefined ? undefined : preparation({ store, body, signal });
  };

  const trace = (asked: Asked, method: string): Trace => {
    const { request } = asked;
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    let match: Match | undefined;
    let account: StoredUser | undefined;
    const end = (answered: Answered): Trace => ({ answered, match, account });
    try {
      if (method === 'OPTIONS') return end(jsonAnswer(200, undefined));
      if (method === 'GET' && path === '/') return end(jsonAnswer(200, WELCOME));
      const sender = accountOf(store, request.headers['authorization']);
      match = router(method, path);
      if (match === undefined) throw notServed(method, path);
      checkWrite(request, match.route);
      const no = turnedAway(request.headers['authorization'], sender, match.route);
      if (no !== undefined) return end(no);
      account = sender;
      return { answered: serve(asked, match, account, search), match, account };
    } catch (error) {
      if (error instanceof Refusal) return end(refusalAnswer(error, method, dialect));
      serving.bug(error);
      return end(failureAnswer(error, method, dialect));
    }
  };

  const write = (answered: Answered, json: boolean): WireResponse => {
    try {
      return toWire(answered, dialect, json);
    } catch (error) {
      serving.bug(error);
      return toWire(failureAnswer(error, 'GET', dialect), dialect, json);
    }
  };

  return async (request, signal): Promise<Served> => {
    const start = performance.now();
    const at = clock.now();
    // Updates are routed for PATCH too; HEAD is a GET without its body (service-facts §0.2).
    const method = { PATCH: 'PUT', HEAD: 'GET' }[request.method] ?? request.method;
    const stroke = faults.meet(() => callOf(router, request, method));
    let told: Told = { user: null, route: stroke?.route ?? null };
    let prepared: unknown;
    const carryOut = (): WireResponse => {
      const { answered, match, account } = trace({ request, prepared }, method);
      told = { user: account?.name ?? null, route: match?.route.name ?? stroke?.route ?? null };
      const response = write(answered, wantsJson(request, match?.route.name, voice));
      return request.method === 'HEAD' ? { ...response, body: '' } : response;
    };
    const answer = async (): Promise<Served> => {
      let lost: Lost | undefined;
      let served: Served;
      try {
        served = stroke === undefined ? carryOut() : strike(stroke.fault, carryOut);
      } finally {
        // Nobody is told of a write before it is on the disk: not who sent it, nor who read it in the meantime.
        if (store.isPending()) lost = await onDisk();
      }
      if (lost === undefined) return served;
      const failure = failureAnswer(lost.error, method, dialect);
      return write(failure, wantsJson(request, told.route ?? undefined, voice));
    };
    const note = (status: number): void =>
      journal.add({
        at,
        user: told.user,
        method: request.method,
        path: request.path,
        route: told.route,
        status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
        ...(stroke === undefined ? {} : { fault: stroke.fault?.effect ?? 'delay' }),
      });
    try {
      if (stroke !== undefined && stroke.delay > 0) await serving.wait(stroke.delay, signal);
      const preparing = method === 'POST' ? prepare(request, method, signal) : undefined;
      // All others are carried out at once, in the order in which they came.
      if (preparing !== undefined) prepared = await preparing;
      const served = await answer();
      note(served.status);
      return served;
    } catch (error) {
      note(0);
      throw error;
    }
  };
}
