// A function as one typed literal (architecture §4 "Functions").
import type * as z from 'zod';
import { type Diagnostic, type Route, problem } from '../../api/contract';
import { LifecycleError } from '../errors';
import { checkField, concernsUnknown } from '../lifecycle/check';
import { type Args, type Fields, int, textLike, type Field } from '../values/field';
import { presentIn, type Texts, type Values } from '../values/plain';
import { unknownKey } from '../values/shape';
import { didYouMean } from '../values/text';
import type { Results, ResultValues } from './result';

interface Question {
  readonly address?: Texts;
  readonly query?: Texts;
}

/** An address in a design, or in an environment, with more names than a route may need. */
export interface Place {
  readonly environment?: string | undefined;
  readonly [name: string]: string | undefined;
}

/** Asks a route that reads: nothing else is sent. */
export type Ask = <R extends Route>(route: R, question?: Question) => Promise<z.output<R['answer']>>;

/** A data source: arguments, and what it makes of answers of the service. */
export interface ApiFunction<A extends Fields = Fields, O extends Results = Results> {
  /** `getCloud`. */
  readonly token: string;
  readonly description: string;
  readonly arguments: A;
  readonly result: O;
  /** What one argument alone cannot say. Values may contain unknowns. */
  rule?(args: Partial<Args<A>>): Diagnostic[];
  /** Reads, and projects the answers. */
  read(ask: Ask, args: Args<A>, organization: string): Promise<ResultValues<O>>;
}

/** Declares a function; exists for inference. */
export const apiFunction = <A extends Fields, O extends Results>(literal: ApiFunction<A, O>): ApiFunction<A, O> =>
  literal;

/** Asks the first of two routes about a design, and the second about a named environment. */
export const inEither = <D extends Route, E extends Route>(
  ask: Ask,
  [designed, pulled]: readonly [D, E],
  place: Place,
  query: Texts = {},
): Promise<z.output<D['answer']> | z.output<E['answer']>> =>
  ask(place.environment === undefined ? designed : pulled, { address: place as Texts, query });

// Arguments of functions: names, and their checks before the first request.

/** A record's name, which becomes part of a path. */
export const name = (): Field<string, true> =>
  textLike(/^(?!\.{1,2}$)[^/\\\s]+$/, 'a name, without slashes and spaces');

export const inAssembly = {
  assembly: name().describe('Name of the assembly.'),
};

export const inDesign = {
  ...inAssembly,
  environment: name().optional().describe('Name of an environment, to read what is there, instead of the design.'),
};

export const inEnvironment = {
  ...inAssembly,
  environment: name().describe('Name of the environment.'),
};

export const inPlatform = {
  ...inEnvironment,
  platform: name().describe('Name of the platform.'),
};

/** A number the service gave to a release, deployment or procedure. */
export const serial = (): Field<number, true> => int(1);

/** Everything wrong with a function's arguments. Pure; unknown values pass. */
export function checkArguments({ arguments: fields, rule }: Pick<ApiFunction, 'arguments' | 'rule'>, args: Values) {
  const known = Object.keys(fields);
  const strangers = Object.keys(presentIn(args))
    .filter((key) => !known.includes(key))
    .map((key) => (known.length > 0 ? unknownKey(key, known, []) : noArguments(key)));
  const findings = [...strangers, ...known.flatMap((name) => checkField(fields[name] as Field, name, args[name]))];
  if (findings.length > 0 || rule === undefined) return findings;
  return rule(presentIn(args)).filter((finding) => !concernsUnknown(finding, args));
}

const noArguments = (key: string): Diagnostic =>
  problem('unknown-key', [key], `unknown key "${key}"`, 'the function takes no arguments');

/** An error for a missing name, with the name that was probably meant, or all names. */
export function noneNamed(message: string, wanted: string, known: readonly string[]): LifecycleError {
  const names = [...new Set(known)].sort();
  const all = names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
  return new LifecycleError(message, didYouMean(wanted, known, all));
}
