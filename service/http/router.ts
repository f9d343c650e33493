// Which route a request asks for: the contract's routes in the paths of a dialect, found segment by segment.
// It must not know what a route does.
import { DIALECTS, methodIn, pathIn, type Dialect, type Route, voices } from '../../api/contract';
import { Refusal } from '../handler';

/** A route and the parameters of the path that led to it. */
export interface Match {
  readonly route: Route;
  readonly address: { readonly [parameter: string]: string };
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  /** By method. Each with the parameter names of the path it was added under. */
  readonly routes: Map<string, { readonly route: Route; readonly names: readonly string[] }>;
}

const node = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });

/** Segments of a path pattern or path, `.json` and trailing slashes dropped (service-facts §0.2). */
function segmentsOf(path: string): string[] {
  let end = path.length;
  // Not by a pattern: one that looks for the end from every slash on takes for ever with many of them.
  while (path[end - 1] === '/') end -= 1;
  const segments = path.slice(0, end).split('/').slice(1);
  const last = segments.at(-1);
  if (last?.endsWith('.json') === true) segments[segments.length - 1] = last.slice(0, -'.json'.length);
  return segments;
}

function insert(root: Node, route: Route, method: string, path: string): void {
  const names: string[] = [];
  let at = root;
  for (const segment of segmentsOf(path)) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = at.literals.get(segment) ?? node();
      at.literals.set(segment, next);
      at = next;
    } else {
      names.push(name);
      at.parameter ??= node();
      at = at.parameter;
    }
  }
  // Of two paths that fit the same requests the first counts: a dialect's own stand before those it also offers.
  if (!at.routes.has(method)) at.routes.set(method, { route, names });
}

/**
 * Paths of a route in a dialect. `documented` also offers the further routes of service-facts, which is what the classic form of a differing
 * path is; `classic` has its own form only: the other is not routed there (service-facts §13 rows 2–6).
 */
function pathsOf(dialect: Dialect, route: Route): string[] {
  const own = pathIn(dialect, route);
  return own === route.path
    ? [own, ...DIALECTS.map((other) => pathIn(other, route)).filter((path) => path !== own)]
    : [own];
}

/** Segments that are themselves when decoded, and safe to be names: nearly all. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/** A segment as text; throws a Refusal (400) for what can be no name: broken encoding, slashes, control characters, dot segments. */
function decode(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) throw new Refusal(400, ['the path is not properly percent-encoded']);
    throw error;
  }
  const unsafe =
    text === '' ||
    text === '.' ||
    text === '..' ||
    [...text].some((character) => character < ' ' || '/\\\u007f'.includes(character));
  if (unsafe)
    throw new Refusal(400, ['the path has an empty segment, a dot segment, or one with a slash or control character']);
  return text;
}

/** Finds a route by method and path (without query). Undefined: nothing is served there. Throws a Refusal (400) for an unsafe path. */
export type Router = (method: string, path: string) => Match | undefined;

function addressOf(names: readonly string[], values: readonly string[]): Match['address'] {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** A router over these routes in the paths of a dialect. Literal segments win over parameters. */
export function createRouter(routes: readonly Route[], dialect: Dialect): Router {
  const root = node();
  const paths = routes.map((route) => ({ route, paths: pathsOf(dialect, route) }));
  const add = (route: Route, path: string): void => insert(root, route, methodIn(voices[dialect], route), path);
  for (const each of paths) add(each.route, each.paths[0] ?? each.route.path);
  for (const each of paths) each.paths.slice(1).forEach((path) => add(each.route, path));

  /** Follows the segments from `index` on; `values` holds those before it that stand for parameters. */
  const search = (
    at: Node,
    segments: readonly string[],
    index: number,
    values: string[],
    method: string,
  ): Match | undefined => {
    const segment = segments[index];
    if (segment === undefined) {
      const found = at.routes.get(method);
      return found === undefined ? undefined : { route: found.route, address: addressOf(found.names, values) };
    }
    const literal = at.literals.get(segment);
    const match = literal === undefined ? undefined : search(literal, segments, index + 1, values, method);
    if (match !== undefined || at.parameter === undefined) return match;
    values.push(segment);
    const found = search(at.parameter, segments, index + 1, values, method);
    values.pop();
    return found;
  };
  return (method, path) => search(root, segmentsOf(path).map(decode), 0, [], method);
}
