// Which arguments of a resource differ, before and after, with secrets hidden: from the engine's detailed differences.
import { everyAddressName, holdsUnknown, isPlainObject, kindOf, secretAttributes, secretNames } from '../provider';
import type { Shown } from '../drift';
import type { EngineState, EngineStep } from './document';
import type { PlannedAttribute } from './plan';

type Values = { readonly [name: string]: unknown };

/** The engine's own word for a secret. */
const MASK = '[secret]';

/** Arguments that nobody writes: the release, deployment and provider make them. */
const FILLED = ['__provider', '__kept', 'stamps', 'leaving', 'down', 'scaled', 'designRelease', 'configured', 'state'];

/** Arguments of a step's resource that change; each argument it has when it is made or goes. */
export function changedAttributes(step: EngineStep, token: string): readonly PlannedAttribute[] {
  const { oldState, newState } = step;
  const before: Values = { ...oldState?.outputs, ...oldState?.inputs };
  const after: Values = newState?.inputs ?? {};
  const secrets = secretPaths(token, [oldState, newState]);
  const reasons = new Set(step.replaceReasons ?? []);
  const paths = pathsOf(step, token, { before: oldState?.inputs ?? {}, after });
  return paths
    .filter(({ segments }) => !FILLED.includes(String(segments[0])))
    .map(({ path, segments, replaces }) => ({
      path,
      before: oldState ? shown(before, segments, secrets) : { is: 'absent' },
      after: newState ? shown(after, segments, secrets) : { is: 'absent' },
      replaces: replaces || reasons.has(String(segments[0])),
    }));
}

interface Path {
  readonly path: string;
  readonly segments: readonly (string | number)[];
  readonly replaces: boolean;
}

function pathsOf(
  step: EngineStep,
  token: string,
  { before, after }: { readonly before: Values; readonly after: Values },
): readonly Path[] {
  const detailed = Object.entries(step.detailedDiff ?? {});
  if (detailed.length > 0)
    return detailed.map(([path, { kind = '' }]) => ({
      path,
      segments: segmentsOf(path),
      replaces: kind.endsWith('-replace'),
    }));
  const isWhole = step.oldState === undefined || step.newState === undefined;
  const told = isWhole ? addressArguments(token) : [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !told.includes(name));
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return differing.flatMap((name) => leavesOf(name, before[name], after[name]));
}

/** The address of a created or deleted resource shows them already. */
function addressArguments(token: string): readonly string[] {
  const of = kindOf(token);
  return of === undefined ? [] : everyAddressName(of);
}

/** An open map by its entries, so that a secret one hides itself only. */
function leavesOf(name: string, before: unknown, after: unknown): readonly Path[] {
  const maps = [before, after].filter(isPlainObject);
  if (maps.length === 0) return [{ path: name, segments: [name], replaces: false }];
  return [...new Set(maps.flatMap((map) => Object.keys(map)))]
    .filter(
      (key) =>
        JSON.stringify((before as Values | undefined)?.[key]) !== JSON.stringify((after as Values | undefined)?.[key]),
    )
    .map((key) => ({ path: pathText(name, key), segments: [name, key], replaces: false }));
}

const pathText = (name: string, key: string): string =>
  /^\w+$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`;

/** `members["web/motd"].x[0]` → `members`, `web/motd`, `x`, 0. */
export function segmentsOf(path: string): readonly (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g);
  return [...parts].map(([, index, quoted, plain]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1');
  });
}

/** Top-level arguments, and `argument.entry` of open maps, that are secret: by their kind, or because the program says so. */
function secretPaths(token: string, states: readonly (EngineState | null | undefined)[]): ReadonlySet<string> {
  const of = kindOf(token);
  const own = of === undefined ? [] : secretNames(of);
  const open = states.flatMap((state) => {
    const found = of === undefined ? undefined : secretAttributes(of, state?.inputs ?? {});
    return (found?.names ?? []).map((name) => `${found?.argument}.${name}`);
  });
  return new Set([...own, ...open, ...states.flatMap((state) => state?.additionalSecretOutputs ?? [])]);
}

function shown(values: Values, segments: readonly (string | number)[], secrets: ReadonlySet<string>): Shown {
  let value: unknown = values;
  for (const segment of segments)
    value =
      typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown })[segment] : undefined;
  if (value === undefined || value === null) return { is: 'absent' };
  if (value === MASK || secrets.has(String(segments[0])) || secrets.has(segments.slice(0, 2).join('.')))
    return { is: 'secret' };
  return holdsUnknown(value) ? { is: 'unknown' } : { is: 'value', value };
}
