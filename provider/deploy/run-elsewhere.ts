// Undeclared environments that run a record of the design: they keep its adopted records.
import { LifecycleError } from '../errors';
import type { Kind, Work } from '../kind';
import { isAnother } from '../address/place';
import { declaredIn, isDeclared, memoryOfStage } from '../session';
import { subjectOf } from '../lifecycle/managed';
import { routes } from '../../api/contract';
import { orNone, plural } from '../../api/errors';
import { platformOf } from '../address/ids';
import { instancesAt } from '../verbs/named-component';

/** Environments that run a record, undeclared here and not retained. `own`: more own names. */
export async function runElsewhere(
  { api, at, session }: Pick<Work, 'api' | 'at' | 'session'>,
  own: unknown = [],
): Promise<readonly RunBy[]> {
  const all = await environmentNames({ api, at });
  const isOwn = (environment: string): boolean => {
    const memory = memoryOfStage({ session, at: { ...at, environment } }, 'environment');
    const isKnown = isDeclared(memory) || memory.isOwned === true || memory.isRetained === true;
    return isKnown || (Array.isArray(own) && own.includes(environment));
  };
  const others = all.filter((environment) => !isOwn(environment));
  const { environment: _, ...around } = at;
  return others.length === 0 ? [] : runBy({ api, at: around }, others);
}

/** Whether an assembly stays with environments that do. Throws where others would be deleted with it. */
export async function keepsAssembly(work: Work, assembly: 'it' | 'its assembly'): Promise<boolean> {
  if ((await environmentNames(work)).length === 0) return false;
  const left = await runElsewhere(work);
  if (left.length === 0) return true;
  throw new LifecycleError(
    `${assembly} still has ${left.length === 1 ? 'the ' : ''}${runByText(left)}, which would be deleted with it`,
    'take them down first, or declare them in this stack, without retainOnDelete, so that they are taken down in order',
  );
}

/**
 * Throws when the delete of a record of the design would take it from environments that this run
 * does not declare: of one that was taken over, or in a destroy. What this stack created goes:
 * returns what the row says of these environments.
 */
export async function refuseDeleteElsewhere(of: Kind, work: Work): Promise<string | undefined> {
  const { origin } = work.known ?? {};
  if (of.stage !== 'design' || origin === 'pack') return undefined;
  const around = await runElsewhere(work);
  if (around.length === 0) return undefined;
  // What no longer exists, or is another record by now, is not deleted.
  const there = await of.verbs.read(work);
  if (there === undefined || isAnother(of, work.known, there)) return undefined;
  const has = await Promise.all(around.map(({ environment }) => hasIn(environment, of, work)));
  const running = around.filter((_, index) => has[index]);
  if (running.length === 0) return undefined;
  const text = runByText(running);
  const verb = running.length === 1 ? 'runs' : 'run';
  const { session } = work;
  // A destroy runs no program, so nothing is declared.
  const isDestroy = session.isDestroy() || (session.isLimited() && declaredIn(session).length === 0);
  if (origin !== 'adopted' && !isDestroy) {
    return `${subjectOf(of, work.id)} is deleted from the design, and ${text} still ${verb} it: there it goes with the next deployment`;
  }
  throw new LifecycleError(
    `${text} ${verb} it, and this run does not declare ${running.length === 1 ? 'that environment' : 'these environments'}`,
    `${session.isLimited() ? "where an environment is this stack's, pulumi up without --target and --exclude takes it down; else " : ''}take it down there first, or leave it: a stack that has it in its state forgets it with pulumi state delete`,
  );
}

/** Whether an environment pulled a variable or component, or what is in it, by one list. */
async function hasIn(environment: string, of: Kind, { api, at, address: { name = '' } }: Work): Promise<boolean> {
  const { component } = at;
  const address = { ...at, environment };
  const variables =
    at['platform'] === undefined ? routes.environmentVariables.list : routes.environmentPlatformVariables.list;
  if (of.token === 'Variable')
    return ((await orNone(api.call(variables, { address }))) ?? []).some(({ ciName }) => ciName === name);
  // A number of the design is another one in an environment.
  if (component === undefined || /^\d+$/.test(component)) return true;
  const components = await orNone(api.call(routes.environmentPlatforms.components, { address }));
  return (components ?? []).some(({ ciName }) => ciName === component);
}

/** An environment, and the instances in it of what was asked for. */
interface RunBy {
  readonly environment: string;
  readonly instances: number;
}

type Asking = Pick<Work, 'api' | 'at'>;

/** Names of the environments of an assembly. None where it no longer exists. */
async function environmentNames({ api, at }: Asking): Promise<readonly string[]> {
  const all = (await orNone(api.call(routes.environments.list, { address: at }))) ?? [];
  return all.map(({ ciName }) => ciName);
}

/** The environments, default all, with a record's platform; all for what is in no platform. */
export async function environmentsWith({ api, at }: Asking, among?: readonly string[]): Promise<readonly string[]> {
  const names = among ?? (await environmentNames({ api, at }));
  if (at['platform'] === undefined) return names;
  const found = await Promise.all(
    names.map(async (environment) => {
      const platforms = await api.call(routes.environmentPlatforms.list, { address: { ...at, environment } });
      return platforms.some(({ ciName }) => ciName === at['platform']) ? [environment] : [];
    }),
  );
  return found.flat();
}

/**
 * Environments with the platform that a record is or is in, and its instances there; of an assembly
 * or an environment, with all. Empty for what is in no assembly. `among`: default all.
 */
export async function runBy({ api, at }: Asking, among?: readonly string[]): Promise<readonly RunBy[]> {
  if (at['assembly'] === undefined) return [];
  const names = at['environment'] === undefined ? await environmentsWith({ api, at }, among) : [at['environment']];
  return Promise.all(
    names.map(async (environment) => {
      const all = await instancesAt({ api, at: { assembly: at['assembly'] ?? '', environment } });
      const own = at['platform'] === undefined ? all : all.filter((each) => platformOf(each) === at['platform']);
      return { environment, instances: own.length };
    }),
  );
}

/** How many instances there are of it, in all environments. */
export const instancesOf = async (asking: Asking): Promise<number> =>
  (await runBy(asking)).reduce((sum, { instances }) => sum + instances, 0);

/** `environment prod (7 instances), environment qa (1 instance)`. */
export const runByText = (all: readonly RunBy[]): string =>
  all.map(({ environment, instances }) => `environment ${environment} (${plural(instances, 'instance')})`).join(', ');
