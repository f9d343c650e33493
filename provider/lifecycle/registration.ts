// Types, provider texts and secrets of kinds in the engine. Frozen: states hold these words.
import type { Kind } from '../kind';
import { isMarkedSecret, SECRET_MARK, type Values } from '../values/plain';

/** Type under which the dynamic face registers a kind (architecture §2). */
export const dynamicType = (token: string): string => `pulumi-nodejs:dynamic/oneops:${token}`;

/** Type under which the plugin registers a kind: the one in schema.json. */
export const pluginType = (token: string): string => `oneops:index:${token}`;

/** The constant `__provider` text, by which the engine's host loads the package. */
export const providerText = (token: string): string =>
  `exports.handler = () => require("pulumi-oneops/dynamic").${token};`;

/** Names of a kind's secret arguments: secret on the way in and in outputs. */
export function secretNames(of: Kind): readonly string[] {
  return Object.entries(of.fields)
    .filter(([, field]) => field.secret)
    .map(([name]) => name);
}

/** `Platform` of either type; undefined for another package's. */
export const kindToken = (type: string): string | undefined =>
  /^(?:pulumi-nodejs:dynamic\/oneops:|oneops:index:)(\w+)$/.exec(type)?.[1];

/** Names in `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; undefined for another text. */
export function parseUrn(
  urn: string,
): { readonly stack: string; readonly project: string; readonly type: string; readonly name: string } | undefined {
  const [, stack, project, types, name] = /^urn:pulumi:([^:]*)::([^:]*)::(.*?)::(.*)$/s.exec(urn) ?? [];
  if (stack === undefined || project === undefined || types === undefined || name === undefined) return undefined;
  return { stack, project, type: types.slice(types.lastIndexOf('$') + 1), name };
}

/** `web` of `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Platform::web`. */
export const logicalName = (urn: string): string => parseUrn(urn)?.name ?? '';

// Pulumi's `customTimeouts` as an argument: dynamic providers do not get them (engine-facts A §8).

/** Milliseconds of the units of the engine's durations; a smaller one counts as nothing. */
const UNITS: { readonly [unit: string]: number } = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/**
 * The argument `timeout` in minutes, rounded up, from the longest custom time-out (`1h30m`), for
 * kinds that have it.
 */
export function timeoutArgument(
  of: Kind,
  given: Values,
  { customTimeouts }: { readonly customTimeouts?: object | undefined },
): { readonly timeout?: number } {
  if (!('timeout' in of.fields) || given['timeout'] !== undefined || customTimeouts === undefined) return {};
  const longest = Math.max(...Object.values(customTimeouts).map((duration) => millisecondsOf(String(duration))));
  return longest > 0 ? { timeout: Math.ceil(longest / 60_000) } : {};
}

function millisecondsOf(duration: string): number {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(duration)) return 0;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
  return parts.reduce((sum, [, amount = '0', unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}

// A marked secret in a state file has its value in JSON (engine-facts A §3).

/** The value as a secret: the engine encrypts what carries the mark. */
export const markedSecret = (value: unknown): Values => ({
  ...SECRET_MARK,
  plaintext: JSON.stringify(value),
});

/** What a marked value holds, if it can be read. Undefined without the mark. */
export function secretIn(value: unknown): { readonly value: unknown } | 'encrypted' | undefined {
  if (!isMarkedSecret(value)) return undefined;
  const { plaintext } = value;
  return typeof plaintext === 'string' ? { value: JSON.parse(plaintext) as unknown } : 'encrypted';
}

/** Input with places in a file for objections of the service: `clouds.east: oneops.yaml:53:7`. */
export const PLACES = '__places';
