// The route of a request. find-my-way searches; what a path may hold is decided here.
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { DIALECTS, methodIn, pathIn, type Dialect, type Route, dialectRules } from '../../api/contract';
import { unreadable } from '../runtime/handler';

/** A route and the parameters of the path that led to it. */
export interface Match {
  readonly route: Route;
  readonly address: { readonly [parameter: string]: string };
}

/** Segments of a path or pattern, without `.json` and final slashes (service-facts §0.2). */
function segmentsOf(path: string): string[] {
  let end = path.length;
  // Not by a pattern: one that looks for the end from every slash on takes for ever with many of
  // them.
  while (path[end - 1] === '/') end -= 1;
  const segments = path.slice(0, end).split('/').slice(1);
  const last = segments.at(-1);
  if (last?.endsWith('.json') === true) segments[segments.length - 1] = last.slice(0, -'.json'.length);
  return segments;
}

/**
 * Paths of a route in a dialect. `documented` also offers the further routes of service-facts,
 * which is what the classic form of a differing path is; `classic` has its own form only: the other
 * is not routed there (service-facts §13 rows 2–6).
 */
function pathsOf(dialect: Dialect, route: Route): string[] {
  const own = pathIn(dialect, route);
  return own === route.path
    ? [own, ...DIALECTS.map((other) => pathIn(other, route)).filter((path) => path !== own)]
    : [own];
}

/** Segments that are themselves when decoded, and safe to be names: nearly all. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/** A segment as text. Throws a RefusedRequest (400) for text that can be no name. */
function decode(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) throw unreadable('the path is not properly percent-encoded');
    throw error;
  }
  const unsafe =
    text === '' ||
    // Half of a character: no name, and it cannot be encoded again.
    /\p{Surrogate}/u.test(text) ||
    text === '.' ||
    text === '..' ||
    [...text].some((character) => character < ' ' || '/\\\u007f'.includes(character));
  if (unsafe)
    throw unreadable('the path has an empty segment, a dot segment, or one with a slash or control character');
  return text;
}

/** Finds a route by method and path; undefined: none. Throws a RefusedRequest (400). */
export type Router = (method: string, path: string) => Match | undefined;

/** The path for find-my-way: `/{organization}/clouds/{cloud}` → `/:organization/clouds/:cloud`. */
const patternOf = (path: string): string => `/${segmentsOf(path).join('/')}`.replace(/\{(\w+)\}/g, ':$1');

/** Segments as one path whose encoding find-my-way takes back. */
const encoded = (segments: readonly string[]): string =>
  `/${segments.map((segment) => (PLAIN.test(segment) ? segment : encodeURIComponent(segment))).join('/')}`;

/** A router over these routes in the paths of a dialect. Literal segments win over parameters. */
export function createRouter(routes: readonly Route[], dialect: Dialect): Router {
  const known = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  const taken = new Set<string>();
  const methods = new Set<string>();
  const add = (route: Route, path: string): void => {
    const method = methodIn(dialectRules[dialect], route);
    const pattern = patternOf(path);
    // Of two paths that fit the same requests the first counts: a dialect's own precede those it
    // also offers.
    const shape = `${method} ${pattern.replace(/:\w+/g, ':')}`;
    if (taken.has(shape)) return;
    taken.add(shape);
    methods.add(method);
    known.on(method, pattern, () => undefined, route);
  };
  const paths = routes.map((route) => ({ route, paths: pathsOf(dialect, route) }));
  for (const each of paths) add(each.route, each.paths[0] ?? each.route.path);
  for (const each of paths) each.paths.slice(1).forEach((path) => add(each.route, path));
  return (method, path) => {
    const segments = segmentsOf(path).map(decode);
    const found = methods.has(method) ? known.find(method as HTTPMethod, encoded(segments)) : null;
    return found === null
      ? undefined
      : { route: found.store as Route, address: { ...found.params } as Match['address'] };
  };
}
