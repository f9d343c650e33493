// The methods of the client, by area and verb, and by the record they belong to: all of them derived from the contract's routes.
import { z } from 'zod';
import { parametersOf, pathIn, routes, type AddressIn, type Call, type Parameters, type Route } from '../contract';
import { BadSettings } from '../errors';

type Routes = typeof routes;
type AreaName = keyof Routes;

/** What a path parameter is given as: a name, or a record's number. */
export type PathValue<Parameter extends string> = Parameter extends string ? string | number : never;

/** What every method takes after its path parameters and body. */
export interface CallOptions {
  /** Parameters of the query; one that the route does not know is refused. */
  readonly query?: { readonly [name: string]: string | number | boolean } | undefined;
  /** Ends the call, and its pauses, with Aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Names in a path, in order, without the organization, which the client knows. */
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends 'organization'
    ? NamesIn<Rest>
    : [Name, ...NamesIn<Rest>]
  : [];

/** A name that only the live service's path has (service-facts §13 row 3); it comes last. */
type FurtherName<P extends string, N extends string> = [Exclude<keyof AddressIn<P, N>, Parameters<P>>] extends [never]
  ? []
  : [Exclude<keyof AddressIn<P, N>, Parameters<P>> & string];

// Asks for path and name alone: compared with Route, each schema would be compared with all of zod, ten seconds for a program's compiler.
type ParametersOf<R> = R extends { readonly path: infer P extends string; readonly name: infer N extends string }
  ? [...NamesIn<P>, ...FurtherName<P, N>]
  : never;

/** Parameters that are left when the first ones are bound; never when the route does not begin with those. */
type Left<R, Bound extends readonly string[]> =
  ParametersOf<R> extends [...Bound, ...infer Rest extends string[]] ? Rest : never;

type Values<Names extends readonly string[]> = { readonly [I in keyof Names]: PathValue<Names[I]> };

type BodyInput<B> = [B] extends [undefined] ? [] : undefined extends B ? [body?: B] : [body: B];

/** Sends one request of a route: path parameters in order, the body when the route takes one, options. */
export type Method<R, Names extends readonly string[]> = R extends { readonly body: infer B; readonly answer: infer A }
  ? (...input: [...Values<Names>, ...BodyInput<z.input<B>>, options?: CallOptions]) => Promise<z.output<A>>
  : never;

/** Verbs of an area whose routes begin with the bound parameters. */
type Verbs<Area, Bound extends readonly string[]> = {
  [V in keyof Area]: [Left<Area[V], Bound>] extends [never] ? never : V;
}[keyof Area];

/** Picks before it maps: an `as` clause would lose what the contract says over each route, and editors show it. */
type Methods<Area, Bound extends readonly string[]> = {
  readonly [V in keyof Pick<Area, Verbs<Area, Bound>>]: Method<Area[V], Left<Area[V], Bound>>;
};

/** Binds the parameters of a record, and answers what can be done with it. */
type Binding<A extends AreaName, Bound extends readonly string[]> = Routes[A] extends { readonly read: infer R }
  ? Left<R, Bound> extends [string, ...string[]]
    ? (...values: Values<Left<R, Bound>>) => RecordMethods<A, [...Bound, ...Left<R, Bound>]>
    : unknown
  : unknown;

/** An area below a prefix `environment`, `platform`, …, without the words that are bound already: `environmentPlatforms` → `platforms`. */
type Short<A extends string, Bound extends readonly string[]> = [Stripped<A, Bound[number]>] extends [never]
  ? A
  : Short<Stripped<A, Bound[number]>, Bound>;
type Stripped<A extends string, Word extends string> = Word extends Word
  ? A extends `${Word}${infer Rest}`
    ? Rest extends ''
      ? never
      : Rest extends Capitalize<Rest>
        ? Uncapitalize<Rest>
        : never
    : never
  : never;

/** Every area with the routes that begin with the bound parameters. */
export type Areas<Bound extends readonly string[] = [], Own extends AreaName = never> = {
  readonly [
    A in Exclude<AreaName, Own> as [Verbs<Routes[A], Bound>] extends [never] ? never : Short<A, Bound>
  ]: Methods<Routes[A], Bound> & Binding<A, Bound>;
};

/** What can be done with one record: its own area's routes, and the areas below it. */
export type RecordMethods<A extends AreaName, Bound extends readonly string[]> = Methods<Routes[A], Bound> &
  Areas<Bound, A>;

type Bindings = readonly (readonly [parameter: string, value: string])[];

/** The methods of all areas. */
export function areasOf(call: Call): Areas {
  return areas(call, [], undefined) as Areas;
}

function areas(call: Call, bound: Bindings, own: string | undefined): object {
  const found = Object.entries(routes)
    .filter(([area]) => area !== own)
    .map(([area, verbs]) => [shortened(area, bound), areaOf(call, area, verbs, bound)] as const)
    .filter(([, area]) => area !== undefined);
  return Object.fromEntries(found);
}

/** One area: its methods, on a function that binds a record where the area has one. */
function areaOf(
  call: Call,
  area: string,
  verbs: { readonly [verb: string]: Route },
  bound: Bindings,
): object | undefined {
  const methods = methodsOf(call, verbs, bound);
  if (Object.keys(methods).length === 0) return undefined;
  const names = verbs['read'] === undefined ? undefined : leftOf(verbs['read'], bound);
  if (names === undefined || names.length === 0) return methods;
  const bind = (...values: readonly (string | number)[]): object => {
    const all = [...bound, ...names.map((name, index) => [name, String(values[index] ?? '')] as const)];
    return { ...areas(call, all, area), ...methodsOf(call, verbs, all) };
  };
  return Object.defineProperties(bind, Object.getOwnPropertyDescriptors(methods));
}

function methodsOf(call: Call, verbs: { readonly [verb: string]: Route }, bound: Bindings): object {
  const found = Object.entries(verbs).flatMap(([verb, route]) => {
    const names = leftOf(route, bound);
    return names === undefined ? [] : [[verb, methodOf(call, route, names, bound)] as const];
  });
  return Object.fromEntries(found);
}

function methodOf(call: Call, route: Route, names: readonly string[], bound: Bindings) {
  const takesBody = !(route.body instanceof z.ZodUndefined);
  return async (...input: readonly unknown[]): Promise<unknown> => {
    const given = names.map((name, index) => [name, textOf(input[index])] as const);
    const [body, options] = takesBody ? input.slice(names.length) : [undefined, input[names.length]];
    const { query, signal } = (options ?? {}) as CallOptions;
    return call(route, {
      address: Object.fromEntries([...bound, ...given]),
      ...(query === undefined ? {} : { query: queryOf(route, query) }),
      ...(takesBody ? { body } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

function queryOf(route: Route, query: NonNullable<CallOptions['query']>): { readonly [name: string]: string } {
  const unknown = Object.keys(query).find((name) => !route.query.includes(name));
  if (unknown !== undefined)
    throw new BadSettings(
      `${route.name} has no query parameter ${JSON.stringify(unknown)}`,
      route.query.length === 0 ? 'it has none' : `it has ${route.query.join(', ')}`,
    );
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** Parameter names of a route in the order its methods take them: those of its path, then those that only the live service's path has. */
function namesOf(route: Route): readonly string[] {
  const names = [...parametersOf(route.path), ...parametersOf(pathIn('classic', route))];
  return [...new Set(names)].filter((name) => name !== 'organization');
}

/** Names left when the first ones are bound; undefined when the route does not begin with those. */
function leftOf(route: Route, bound: Bindings): readonly string[] | undefined {
  const names = namesOf(route);
  return bound.every(([name], index) => names[index] === name) ? names.slice(bound.length) : undefined;
}

function shortened(area: string, bound: Bindings): string {
  for (const [word] of bound) {
    const rest = area.startsWith(word) ? area.slice(word.length) : '';
    if (/^[A-Z]/.test(rest)) return shortened(`${rest[0]?.toLowerCase()}${rest.slice(1)}`, bound);
  }
  return area;
}
