// A request as faults look at it: its route, and the record it names.
import { type WireRequest } from '../../api/contract';
import { type ObservedRequest } from '../faults';
import { RefusedRequest } from '../handler';
import { readBody } from './body';
import { type Match, type Router } from './router';

/** What `read` returns; undefined where it refuses. */
export function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // A request that is refused later for its path or body still meets the faults that request neither.
    if (error instanceof RefusedRequest) return undefined;
    throw error;
  }
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

/** The call a request is; `method` as the router takes it. */
export function callOf(router: Router, request: WireRequest, method: string): ObservedRequest {
  const match = quietly(() => router(method, request.path.split('?')[0] ?? ''));
  return { route: match?.route.name, method, record: match === undefined ? '' : recordOf(match, request) };
}
