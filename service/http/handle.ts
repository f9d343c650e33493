// The life of one request: route, sender, organization, body, jobs that are due, handler in one transaction, answer, journal.
// It must not know any route by name, nor where requests come from.
import { z } from 'zod';
import { type Dialect, type Route, voices, type WireRequest, type WireResponse } from '../../api/contract';
import { checkTeams } from '../account';
import type { Catalogue } from '../catalogue';
import { type Clock } from '../clock';
import { type Faults, type Served, strike } from '../faults';
import { type Context, type HandlerTable, isAnswer, notFound, Refusal } from '../handler';
import { advance, type Runners, type Store, type StoredUser } from '../store';
import { type Answered, jsonAnswer } from './answered';
import { authenticate, checkMember, checkRight, organizationExists } from './authenticate';
import { callOf } from './call';
import { checkBody } from './check-body';
import { type Journal } from './journal';
import { toWire, wantsJson } from './negotiate';
import { readBody, readForm, readQuery } from './read-body';
import { mistake, refusalAnswer } from './refusals';
import { createRouter, type Match } from './router';

/** What requests are served with. */
export interface Serving {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
  readonly handlers: HandlerTable;
  readonly runners: Runners;
  readonly journal: Journal;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Waits for so many ms; rejects when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told of what should not happen: a throw that is no Refusal. */
  readonly bug: (error: unknown) => void;
}

/** What became known of a request on the way, for its journal entry. */
interface Trace {
  readonly answered: Answered;
  readonly match: Match | undefined;
  readonly account: StoredUser | undefined;
}

/** Body as the route reads it. Top-level query parameters stand in for members the body does not have (wire-facts §0.2). */
function bodyFor(route: Route, request: WireRequest, search: string): unknown {
  // A route that takes no body ignores one, as the live service does.
  if (route.body instanceof z.ZodUndefined) return undefined;
  const sent = readBody(request.body, request.headers['content-type']);
  return checkBody(route, sent, readForm(search));
}

/** A plain function of a request. Rejects with AnswerDropped when a fault leaves no answer, and when the signal aborts a delay. */
export type Handle = (request: WireRequest, signal?: AbortSignal) => Promise<Served>;

/** The request handling over these parts. */
export function createHandle(serving: Serving): Handle {
  const { store, clock, dialect, handlers, journal, faults } = serving;
  const voice = voices[dialect];
  const router = createRouter(
    serving.routes.filter((route) => handlers[route.name] !== undefined),
    dialect,
  );

  const serve = (request: WireRequest, match: Match, account: StoredUser | undefined, search: string): Answered => {
    const { route, address } = match;
    const organization = address['organization'] ?? '';
    const now = clock.now();
    advance(store, now, serving.runners, serving.bug);
    return store.transaction(() => {
      if (organization !== '') {
        if (!organizationExists(store, organization)) {
          if (voice.statuses.unknownOrganization === 404)
            throw notFound(`organization ${JSON.stringify(organization)} not found`);
          return { status: 302, body: undefined, headers: { location: '/not_found_error' } };
        }
        checkMember(account, organization, voice);
        // Stored per user: two clients with one token turn it to and fro, and neither minds (wire-facts §5.2).
        if (account !== undefined && account.current !== organization)
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
        organization,
        address,
        query: readQuery(search),
        body: bodyFor(route, request, search),
      };
      const result = handlers[route.name]?.(context);
      return isAnswer(result) ? jsonAnswer(result.status, result.body) : jsonAnswer(200, result);
    });
  };

  const trace = (request: WireRequest, method: string): Trace => {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    let match: Match | undefined;
    let account: StoredUser | undefined;
    const end = (answered: Answered): Trace => ({ answered, match, account });
    try {
      if (method === 'OPTIONS') return end(jsonAnswer(200, undefined));
      match = router(method, path);
      if (match === undefined) throw notFound();
      const sender = authenticate(store, match.route, request.headers['authorization']);
      if ('answer' in sender) return end(sender.answer);
      account = sender.account;
      return end(serve(request, match, account, search));
    } catch (error) {
      if (error instanceof Refusal) return end(refusalAnswer(error, method, dialect));
      serving.bug(error);
      return end(mistake());
    }
  };

  const write = (answered: Answered, json: boolean): WireResponse => {
    try {
      return toWire(answered, dialect, json);
    } catch (error) {
      serving.bug(error);
      return toWire(mistake(), dialect, json);
    }
  };

  return async (request, signal): Promise<Served> => {
    const start = performance.now();
    const at = clock.now();
    // Updates are routed for PATCH too; HEAD is a GET without its body (wire-facts §0.2).
    const method = { PATCH: 'PUT', HEAD: 'GET' }[request.method] ?? request.method;
    const stroke = faults.meet(() => callOf(router, request, method));
    let traced: Trace | undefined;
    const carryOut = (): WireResponse => {
      traced = trace(request, method);
      const response = write(traced.answered, wantsJson(request, traced.match?.route.name, voice));
      return request.method === 'HEAD' ? { ...response, body: '' } : response;
    };
    const note = (status: number): void =>
      journal.add({
        at,
        user: traced?.account?.name ?? null,
        method: request.method,
        path: request.path,
        route: traced?.match?.route.name ?? stroke?.route ?? null,
        status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
        ...(stroke === undefined ? {} : { fault: stroke.fault?.effect ?? 'delay' }),
      });
    try {
      if (stroke !== undefined && stroke.delay > 0) await serving.wait(stroke.delay, signal);
      const served = stroke === undefined ? carryOut() : strike(stroke.fault, carryOut);
      note(served.status);
      return served;
    } catch (error) {
      note(0);
      throw error;
    }
  };
}
