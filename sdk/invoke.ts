// Calls a function for a program; the API client is loaded with the first call.
import { RunError } from '@pulumi/pulumi/errors';
import { all, getAllResources, isSecret, output, Output, secret, unsecret, type Input } from '@pulumi/pulumi/output';
import { CustomResource, type Resource } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getMonitor, getProject, rpcKeepAlive } from '@pulumi/pulumi/runtime/settings';
import {
  FunctionFailed,
  functions,
  newCaller,
  wrapSecrets,
  type ApiFunction,
  type Caller,
} from '../provider/functions';
import { resolveSettings } from '../provider/session/settings';
import type { Values } from '../provider/values';
import { settingsOf, type Provider } from './provider';
import { valueOf } from './tree';

export interface FunctionOptions {
  /** The service to ask, when it is not the stack's own. */
  provider?: Provider;
}

export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must be there first; those its arguments come from need not be named. */
  dependsOn?: Input<Resource> | Input<Input<Resource>[]>;
}

/** The same, with where a file wrote the call: messages begin with it. */
interface PlacedFunctionOptions extends FunctionOutputOptions {
  place?: string;
}

/** The result of a function. Secret values are secret outputs. Rejects with RunError. */
export async function invoke<T>(token: string, args: object = {}, options: FunctionOptions = {}): Promise<T> {
  const of = functionOf(token);
  const waiting = Object.keys(args).find((name) => Output.isInstance((args as Values)[name]));
  if (waiting !== undefined)
    throw new RunError(`${token}: ${waiting} is an output, whose value is known only later: use ${token}Output`);
  const configuration = await configurationOf(options.provider);
  if (configuration === undefined)
    throw new RunError(`${token}: the settings of its provider are not known in a preview: use ${token}Output`);
  return (await called(of, args as Values, configuration, { secrets: {} })) as T;
}

/** The same as an output: requested once its arguments are known. Secret when one of them is. */
export function invokeOutput<T>(token: string, args: object = {}, options: PlacedFunctionOptions = {}): Output<T> {
  const of = functionOf(token);
  const { provider, dependsOn, place } = options;
  const given = output(args) as unknown as Output<Values>;
  const settled = given.apply(async (plain) => {
    // What is only planned cannot be asked about, however well its name is known.
    const before = [...(await getAllResources(given)), ...(await resourcesIn(dependsOn))];
    const ids = before.flatMap((resource) => (CustomResource.isInstance(resource) ? [resource.id] : []));
    const configuration = provider === undefined ? undefined : unsecret(settingsOf(provider));
    return all([all(ids), output(configuration)]).apply(async ([, explicit]) =>
      called(of, plain, explicit === undefined ? allConfig() : (explicit as Values), {
        secrets: (await isSecret(given)) ? plain : {},
        place,
      }),
    );
  });
  return settled as unknown as Output<T>;
}

async function called(
  of: ApiFunction,
  args: Values,
  configuration: Values,
  { secrets, place }: { readonly secrets: Values; readonly place?: string | undefined },
): Promise<Values> {
  const done = rpcKeepAlive();
  try {
    const result = await callerFor(configuration).call(of, args, secrets);
    return wrapSecrets(of.result, result, (value) => secret(value));
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    throw new RunError(place === undefined ? error.message : `${place}: ${error.message}`);
  } finally {
    done();
  }
}

function functionOf(token: string): ApiFunction {
  const of = functions.find((each) => each.token === token);
  if (of === undefined) throw new TypeError(`there is no function ${token}`);
  return of;
}

/** Settings by full key; undefined while those of an explicit provider are unknown. */
async function configurationOf(provider: Provider | undefined): Promise<Values | undefined> {
  if (provider === undefined) return allConfig();
  return valueOf(unsecret(settingsOf(provider)));
}

async function resourcesIn(dependsOn: FunctionOutputOptions['dependsOn']): Promise<readonly Resource[]> {
  const given: readonly Input<Resource>[] = await valueOf(
    dependsOn as Input<Resource | Input<Resource>[] | undefined>,
  ).then((value) => (value === undefined ? [] : [value].flat()));
  const resources = await Promise.all(given.map((each) => valueOf(each)));
  return resources.filter((resource) => resource !== undefined);
}

const CALLERS = Symbol('pulumi-oneops: who asks which service');

/** One caller, and so one client, for each service of the run. */
function callerFor(configuration: Values): Caller {
  const keys = Object.keys(configuration);
  const resolved = resolveSettings((key) => configuration[key], process.env, { keys, project: getProject() });
  const run = (getMonitor() ?? globalThis) as { [CALLERS]?: Map<string, Caller> };
  const callers = (run[CALLERS] ??= new Map<string, Caller>());
  const key = JSON.stringify(resolved);
  const caller = callers.get(key) ?? newCaller(resolved);
  callers.set(key, caller);
  return caller;
}
