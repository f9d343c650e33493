// `stack('oneops.yaml')` in a program: declares the resources of a stack file next to those of the
// program, and returns them by their paths in the file.
import { RunError } from '@pulumi/pulumi/errors';
import { warn } from '@pulumi/pulumi/log';
import { output, Output } from '@pulumi/pulumi/output';
import * as runtimeConfig from '@pulumi/pulumi/runtime/config';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getProject, getStack } from '@pulumi/pulumi/runtime/settings';
import { didYouMean } from '../../provider/values';
import type { ResourceClasses, Stack, StackHandles, StackOptions } from '../../sdk';
import { collectionsAt } from '../layout';
import type { StackPlan } from '../plan';
import { formatSteps } from '../values/interpolation';
import { resourceKey } from '../values/value';
import { STANDARD_FILE } from '../yaml/text-file';
import { loadStack } from './load';
import { catalogueOfRun, ownConfig } from './project';
import { register } from './register';

/**
 * Declares everything in a stack file, or in several files that describe one assembly. Paths are
 * relative to the working directory; without one, `oneops.yaml` is read. Throws RunError with all
 * findings before it declares anything.
 */
export function declareStack(...words: readonly string[] | readonly [...string[], StackOptions]): Stack {
  const all: readonly (string | StackOptions)[] = words;
  const named = all.filter((word) => typeof word === 'string');
  const files = named.length > 0 ? named : [STANDARD_FILE];
  const options = all.find((word) => typeof word === 'object') ?? {};
  const directory = process.cwd();
  // Only newer versions of the SDK say which values are secrets.
  const { isConfigSecret } = runtimeConfig as { readonly isConfigSecret?: (key: string) => boolean };
  const own = ownConfig(allConfig(), getProject(), (key) => isConfigSecret?.(key) === true);
  const { plain, later } = splitConfig(options.config ?? {});
  const judging = catalogueOfRun(allConfig());
  if ('problem' in judging) throw new RunError(judging.problem);
  const overlay = options.overlay ?? allConfig()['oneops:overlay'];
  const loaded = loadStack({
    ...{ files, directory, config: { ...own.config, ...plain }, later, ...judging },
    secretConfig: new Set([...own.secretConfig, ...later.keys()]),
    ...(isConfigSecret ? { clearConfig: own.clearConfig } : {}),
    ...{ project: getProject(), stack: getStack(), overlay },
  });
  if ('problem' in loaded) throw new RunError(loaded.problem);
  const shown = files.join(', ');
  reportUnknown(loaded.plan, options.config ?? {}, shown);
  if (loaded.warnings !== '') void warn(loaded.warnings);
  const { resources, outputs } = register(loaded);
  const placed = loaded.plan.resources.flatMap(({ key, names }) => {
    const resource = resources.get(key);
    return resource === undefined ? [] : [{ path: names, resource }];
  });
  return {
    ...(Object.fromEntries(handlesBelow([], placed, shown)) as object as StackHandles),
    outputs,
    resource(kind, logicalName) {
      const found = resources.get(resourceKey(kind, logicalName));
      if (found === undefined) throw new RunError(`${shown} declares no ${kind} "${logicalName}"`);
      return found as ResourceClasses[typeof kind];
    },
  };
}

/** A program's configuration: values as Pulumi stores them, and outputs of the run. */
export function splitConfig(config: NonNullable<StackOptions['config']>): {
  readonly plain: { readonly [name: string]: string };
  readonly later: ReadonlyMap<string, Output<unknown>>;
} {
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const plain = given.filter(([, value]) => !holdsOutput(value));
  const later = given.filter(([, value]) => holdsOutput(value));
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    plain: Object.fromEntries(plain.map(([name, value]) => [name, text(value)])),
    later: new Map(later.map(([name, value]) => [name, output(value) as Output<unknown>] as const)),
  };
}

const holdsOutput = (value: unknown): boolean =>
  Output.isInstance(value) ||
  value instanceof Promise ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsOutput));

/** Throws RunError for configuration that a program gives and the file does not declare. */
function reportUnknown({ config }: StackPlan, given: object, files: string): void {
  const known = config.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known, known.length > 0 ? `known are ${known.join(', ')}` : 'it declares none');
  throw new RunError(`${files} declares no config "${unknown}": ${hint}`);
}

interface Placed {
  readonly path: readonly string[];
  readonly resource: object;
}

/**
 * The handles of what is declared below a path, by its next key. A handle is the resource itself,
 * which also has what is declared in it; `files` says in a message where a name was looked for. A
 * map of handles throws RunError for a name that it does not have.
 */
function handlesBelow(path: readonly string[], placed: readonly Placed[], files: string) {
  // Every second key is a name.
  const pattern = path.map((key, index) => (index % 2 === 1 ? '*' : key)).join('.');
  const byKey = new Map(collectionsAt(pattern).map((key): [string, Placed[]] => [key, []]));
  for (const each of placed) {
    const key = each.path[path.length];
    if (key === undefined) continue;
    const below = byKey.get(key);
    if (below) below.push(each);
    else byKey.set(key, [each]);
  }
  return [...byKey].map(([key, below]) => [key, handleAt([...path, key], below, files)] as const);
}

function handleAt(path: readonly string[], placed: readonly Placed[], files: string): object {
  const handles = handlesBelow(path, placed, files);
  const own = placed.find((each) => each.path.length === path.length);
  if (own === undefined) return namedHandles(path, handles, files);
  // Not enumerable: Pulumi looks for outputs in what it can enumerate.
  for (const [key, value] of handles) Object.defineProperty(own.resource, key, { value });
  return own.resource;
}

/** A map that throws for a missing name, so that a program learns what is missing. */
function namedHandles(
  path: readonly string[],
  handles: readonly (readonly [string, object])[],
  files: string,
): { readonly [name: string]: object } {
  const none = Object.create(null) as { [name: string]: object };
  const map = Object.assign(none, Object.fromEntries(handles));
  return new Proxy(Object.freeze(map), {
    get(target, name) {
      // The language and Pulumi's SDK look for these in every object.
      if (typeof name === 'symbol' || name in target || name.startsWith('__') || PROBED.includes(name))
        return Reflect.get(target, name) as object | undefined;
      const known = Object.keys(target);
      const whole = (last: string): string => formatSteps([...path, last]);
      const otherwise = known.length > 0 ? `known are ${known.join(', ')}` : 'it declares none';
      throw new RunError(`${files} declares no "${whole(name)}": ${didYouMean(name, known, otherwise, whole)}`);
    },
  });
}

const PROBED: readonly string[] = ['then', 'toJSON', 'constructor'];
