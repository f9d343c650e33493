// Pulumi's `customTimeouts` as the argument our own waits go by: the engine does not pass them to dynamic providers (engine-facts A §8).
// It must not know which kinds wait, nor for what.
import type { Kind } from '../kind';

/** Milliseconds of each unit of the engine's durations. */
const UNITS: { readonly [unit: string]: number } = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/**
 * The argument `timeout` in minutes, rounded up, from the longest of the custom time-outs (`1h30m`): for kinds that have it, when the program does
 * not give it itself. What is no duration is left to the engine, which refuses it.
 */
export function timeoutArgument(
  of: Kind,
  given: { readonly [name: string]: unknown },
  { customTimeouts }: { readonly customTimeouts?: object | undefined },
): { readonly timeout?: number } {
  if (!('timeout' in of.fields) || given['timeout'] !== undefined || customTimeouts === undefined) return {};
  const longest = Math.max(...Object.values(customTimeouts).map((duration) => millisecondsOf(String(duration))));
  return longest > 0 ? { timeout: Math.ceil(longest / 60_000) } : {};
}

/** 0 for what is no duration. */
function millisecondsOf(duration: string): number {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(duration)) return 0;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
  return parts.reduce((sum, [, amount = '0', unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
