// Arguments of functions: names, and everything that can be said of arguments before the first request.
import { problem, type Diagnostic } from '../../api/contract';
import { LifecycleError } from '../errors';
import { int, textLike, type Field } from '../field';
import { nearest } from '../values/nearest';
import { checkShape, unknownKey } from '../values/shape';
import { holdsUnknown } from '../values/plain';
import type { ApiFunction } from './api-function';

/** A record's name, which becomes part of a path. */
export const name = (): Field<string, true> =>
  textLike(/^(?!\.{1,2}$)[^/\\\s]+$/, 'a name, without slashes and spaces');

/** What is in an assembly. */
export const inAssembly = {
  /** Name of the assembly. */
  assembly: name(),
};

/** What is in an environment. */
export const inEnvironment = {
  ...inAssembly,
  /** Name of the environment. */
  environment: name(),
};

/** What is in a platform of an environment. */
export const inPlatform = {
  ...inEnvironment,
  /** Name of the platform. */
  platform: name(),
};

/** A number the service gave to a release, deployment or procedure. */
export const serial = (): Field<number, true> => int(1);

/** Names of health states, or `all`. */
export const healthStates = (): Field<string, true> =>
  textLike(/^[a-z]+(,[a-z]+)*$/, '"all", or names of health states with commas between them, such as "good,unhealthy"');

/** Everything wrong with a function's arguments. Pure; unknown values pass, as in a kind's check. */
export function checkArguments(
  of: Pick<ApiFunction, 'arguments' | 'rule'>,
  args: { readonly [name: string]: unknown },
): Diagnostic[] {
  const known = Object.keys(of.arguments);
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  const strangers = given
    .filter(([key]) => !known.includes(key))
    .map(([key]) => (known.length > 0 ? unknownKey(key, known, []) : noArguments(key)));
  const faults = Object.entries(of.arguments).flatMap(([key, field]) => {
    const value = args[key];
    if (value !== undefined && value !== null) return checkShape(field.shape, value, [key], field.secret);
    return field.required ? [problem('required', [key], `"${key}" is required`)] : [];
  });
  const findings = [...strangers, ...faults];
  if (findings.length > 0 || of.rule === undefined) return findings;
  return of
    .rule(Object.fromEntries(given))
    .filter(({ path: [first] }) => typeof first !== 'string' || !holdsUnknown(args[first]));
}

const noArguments = (key: string): Diagnostic =>
  problem('unknown-key', [key], `unknown key "${key}"`, 'the function takes no arguments');

/** A finding for each argument that is given without those it needs, outermost first. */
export function needsOuter(
  args: { readonly [name: string]: unknown },
  outermostFirst: readonly string[],
): Diagnostic[] {
  const isGiven = (key: string): boolean => args[key] !== undefined && args[key] !== null;
  return outermostFirst.flatMap((key, index) => {
    const missing = outermostFirst.slice(0, index).filter((outer) => !isGiven(outer));
    if (!isGiven(key) || missing.length === 0) return [];
    return [
      problem('incomplete-address', [key], `"${key}" needs ${missing.map((outer) => `"${outer}"`).join(' and ')}`),
    ];
  });
}

/** An error that says what does not exist, and the name that was probably meant, or all names when none is near. */
export function noneNamed(message: string, wanted: string, known: readonly string[]): LifecycleError {
  const near = nearest(wanted, known);
  const names = [...new Set(known)].sort();
  if (near !== undefined) return new LifecycleError(message, `did you mean "${near}"?`);
  return new LifecycleError(message, names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`);
}
