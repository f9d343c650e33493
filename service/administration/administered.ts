// The administrative prefix before the API: who may use it, and its requests in the journal.
import { type Dialect, type WireRequest } from '../../api/contract';
import { FaultsError } from '../faults';
import { RefusedRequest } from '../handler';
import { type Answered, refusalAnswer, toWire, unauthenticated } from '../http/respond';
import { tokenOf } from '../http/authenticate';
import { type Handle } from '../http/respond';
import { readBody, readQuery } from '../http/body';
import type { Store, StoredUser } from '../store';
import { type Administration, pathAt } from './paths';

/** What the prefix is opened with. */
interface AdministrationParts extends Administration {
  readonly store: Store;
  readonly dialect: Dialect;
}

/** Whether a path, with or without a query, is below the administrative prefix. */
export const isAdministrative = (path: string): boolean => path === '/_admin' || /^\/_admin[/?]/.test(path);

/** Throws a RefusedRequest (403) for a user who may only read, only in some organizations, or what teams allow: faults and journal concern everybody. */
function checkAdministrator(user: StoredUser): void {
  if (user.rights === 'full' && user.organizations === null && user.teams === null) return;
  throw new RefusedRequest(403, [
    `${user.name} may not administer the service: that takes all rights in all organizations`,
  ]);
}

/** The same handling, with `/_admin` before it. Its answers are JSON in both dialects. */
export function administered(handle: Handle, parts: AdministrationParts): Handle {
  const { store, dialect, clock, journal } = parts;
  const answer = (request: WireRequest, note: { user?: string; route?: string }): Answered => {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s);
    const token = tokenOf(request.headers['authorization']);
    const user = token === undefined ? undefined : store.users.byToken(token);
    if (user === undefined)
      return unauthenticated(token === undefined ? 'an API token is needed' : 'the API token is not valid');
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
        return refusalAnswer(new RefusedRequest(400, error.findings), request.method, 'documented');
      throw error;
    }
  };
  return async (request, signal) => {
    if (!isAdministrative(request.path)) return handle(request, signal);
    const start = performance.now();
    const note: { user?: string; route?: string } = {};
    const answered = answer(request, note);
    journal.add({
      at: clock.now(),
      user: note.user ?? null,
      method: request.method,
      path: request.path,
      route: note.route ?? null,
      status: answered.status,
      ms: Math.round((performance.now() - start) * 1000) / 1000,
    });
    if (typeof answered.body !== 'string') return toWire(answered, dialect, true);
    const { headers } = toWire(answered, dialect, true);
    return { status: answered.status, headers, body: answered.body };
  };
}
