// The administrative prefix `/_admin` before the API: faults, journal, clock and outages of one
// service, and who may use it.
import * as z from 'zod';
import type { ManualClock, ServiceClock } from '../runtime/clock';
import { checkFaults, type Faults, FaultsError } from '../faults';
import { notFound, refused, RefusedRequest, unreadable } from '../runtime/handler';
import { type Answered, type Handle, jsonAnswer, refusalAnswer, toWire } from './respond';
import type { Journal, JournalEntry } from './journal';
import type { Outage } from '../transition/outages';
import type { WireRequest } from '../../api/contract';
import { accountOf, noAccount, type Note, type Serving } from './handle';
import { readBody, readQuery } from './body';
import type { StoredUser } from '../store';

interface Administration extends Pick<Serving, 'store' | 'dialect' | 'clock' | 'faults' | 'journal'> {
  readonly outages: () => readonly Outage[];
}

interface Asked {
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
}

interface Path {
  /** Under this name it is in the journal. */
  readonly name: string;
  readonly answer: (administration: Administration, asked: Asked) => Answered;
}

const isManual = (clock: ServiceClock): clock is ManualClock => 'advance' in clock;

const advanceBody = z.strictObject({ ms: z.int().min(0) });

/** Entries after the number in `since`; without it all. Throws a RefusedRequest (400). */
function entriesAsked(journal: Journal, { query }: Asked): readonly JournalEntry[] {
  const since = query['since'] ?? '0';
  if (!/^\d+$/.test(since)) throw unreadable(`since takes the number of a journal entry, not ${since}`);
  return journal.entries().filter(({ n }) => n > Number(since));
}

const clockAnswer = (clock: ServiceClock): Answered => jsonAnswer(200, { now: clock.now(), stands: isManual(clock) });
const faultsAnswer = (faults: Faults): Answered => jsonAnswer(200, { faults: faults.list() });

const PATHS: { readonly [line: string]: Path } = {
  'GET /_admin/faults': { name: 'administration.faults', answer: ({ faults }) => faultsAnswer(faults) },
  'PUT /_admin/faults': {
    name: 'administration.setFaults',
    answer: ({ faults }, { body }) => {
      faults.set(checkFaults(body, 'the body'));
      return faultsAnswer(faults);
    },
  },
  'DELETE /_admin/faults': {
    name: 'administration.clearFaults',
    answer: ({ faults }) => {
      faults.set([]);
      return faultsAnswer(faults);
    },
  },
  'GET /_admin/journal': {
    name: 'administration.journal',
    answer: ({ journal }, asked) => jsonAnswer(200, entriesAsked(journal, asked)),
  },
  'GET /_admin/journal.jsonl': {
    name: 'administration.journal',
    answer: ({ journal }, asked) => ({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
      body: entriesAsked(journal, asked)
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
    }),
  },
  'GET /_admin/clock': { name: 'administration.clock', answer: ({ clock }) => clockAnswer(clock) },
  'POST /_admin/clock/advance': {
    name: 'administration.advanceClock',
    answer: ({ clock }, { body }) => {
      if (!isManual(clock)) throw refused('the clock runs by itself: only a stopped one can be advanced');
      const read = advanceBody.safeParse(body);
      if (!read.success) throw unreadable('send {"ms": N}: a whole number of milliseconds, 0 or more');
      clock.advance(read.data.ms);
      return clockAnswer(clock);
    },
  },
  'GET /_admin/outages': {
    name: 'administration.outages',
    answer: ({ outages }) => jsonAnswer(200, outages()),
  },
};

/** What is served at a method and path. Throws a RefusedRequest (404) that lists all there is. */
function pathAt(method: string, path: string): Path {
  const line = `${method} ${path}`;
  if (Object.hasOwn(PATHS, line)) return PATHS[line] as Path;
  throw notFound(`nothing is served at ${path}; there are ${Object.keys(PATHS).join(', ')}`);
}

/** Whether a path, with or without a query, is below the administrative prefix. */
export const isAdministrative = (path: string): boolean => path === '/_admin' || /^\/_admin[/?]/.test(path);

/** Faults and the journal concern everybody. Throws a RefusedRequest (403) for limited users. */
function checkAdministrator(user: StoredUser): void {
  if (user.rights === 'full' && user.organizations === null && user.teams === null) return;
  throw new RefusedRequest(403, [
    `${user.name} may not administer the service: that takes all rights in all organizations`,
  ]);
}

/** The same handling, with `/_admin` before it. Its answers are JSON in both dialects. */
export function administered(handle: Handle, parts: Administration): Handle {
  const { store, dialect, clock, journal } = parts;
  const answer = (request: WireRequest, note: Note): Answered => {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    const { authorization } = request.headers;
    const user = accountOf(store, authorization);
    if (user === undefined) return noAccount(authorization);
    note.user = user.name;
    try {
      checkAdministrator(user);
      const { name, answer: served } = pathAt(request.method, path);
      note.route = name;
      return served(parts, {
        query: readQuery(search),
        body: readBody(request.body, request.headers['content-type']),
      });
    } catch (error) {
      if (error instanceof RefusedRequest) return refusalAnswer(error, request.method, 'documented');
      if (error instanceof FaultsError)
        return refusalAnswer(unreadable(...error.findings), request.method, 'documented');
      throw error;
    }
  };
  return async (request, signal) => {
    if (!isAdministrative(request.path)) return handle(request, signal);
    const start = performance.now();
    const note: Note = { user: null, route: null };
    const answered = answer(request, note);
    journal.add({
      at: clock.now(),
      user: note.user,
      method: request.method,
      path: request.path,
      route: note.route,
      status: answered.status,
      ms: Math.round((performance.now() - start) * 1000) / 1000,
    });
    return toWire(answered, dialect, true);
  };
}
