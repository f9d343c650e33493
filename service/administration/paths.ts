// What is served below `/_admin`: faults, journal, clock, outages of one service.
import { z } from 'zod';
import { type ServiceClock, type ManualClock } from '../clock';
import { checkFaults, type Faults } from '../faults';
import { notFound, RefusedRequest } from '../handler';
import { type Answered, jsonAnswer } from '../http/respond';
import { type Journal, type JournalEntry } from '../http/journal';
import type { Outage } from '../transition';

/** What is administered. */
export interface Administration {
  readonly clock: ServiceClock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly outages: () => readonly Outage[];
}

/** A request below `/_admin`, read. */
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

/** Entries after the number in `since`; all that are kept without it. Throws a RefusedRequest (400). */
function entriesAsked(journal: Journal, { query }: Asked): readonly JournalEntry[] {
  const since = query['since'] ?? '0';
  if (!/^\d+$/.test(since)) throw new RefusedRequest(400, [`since takes the number of a journal entry, not ${since}`]);
  return journal.entries().filter(({ n }) => n > Number(since));
}

const clockAnswer = (clock: ServiceClock): Answered => jsonAnswer(200, { now: clock.now(), stands: isManual(clock) });
const faultsAnswer = (faults: Faults): Answered => jsonAnswer(200, { faults: faults.list() });

/** By method and path. */
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
      if (!isManual(clock))
        throw new RefusedRequest(422, ['the clock runs by itself: only a stopped one can be advanced']);
      const read = advanceBody.safeParse(body);
      if (!read.success) throw new RefusedRequest(400, ['send {"ms": N}: a whole number of milliseconds, 0 or more']);
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
export function pathAt(method: string, path: string): Path {
  const line = `${method} ${path}`;
  if (Object.hasOwn(PATHS, line)) return PATHS[line] as Path;
  throw notFound(`nothing is served at ${path}; there are ${Object.keys(PATHS).join(', ')}`);
}
