// Another user who writes at random: choices drawn from a number, and the way from a write to what
// runs. What the service refuses changes nothing.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { NotFound, OneOpsError } from '../../api/errors';
import { handOf, NothingThere } from './hand';

/** Another user at a service, whose work takes time: `tick` lets some pass. */
export interface Person {
  readonly api: Api;
  tick(): void | Promise<void>;
}

/** Draws one after the other from a number. */
export interface Draw {
  /** Throws NothingThere where there is nothing to draw from. */
  of<T>(values: readonly T[]): T;
  /** Undefined of nothing. */
  maybe<T>(values: readonly T[]): T | undefined;
}

export function drawFrom(number: number): Draw {
  let left = number;
  const of = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new NothingThere('nothing to draw from');
    const value = values[left % values.length] as T;
    left = Math.floor(left / values.length) + 7 * (left % 13);
    return value;
  };
  return { of, maybe: (values) => (values.length === 0 ? undefined : of(values)) };
}

/** Whether the service took a write: it refuses some, and some are of what was deleted. */
export async function attempted(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof OneOpsError) && !(error instanceof NothingThere)) throw error;
    return false;
  }
}

/** Nothing for what does not exist. */
export const unlessGone = (error: unknown): undefined => {
  if (!(error instanceof NotFound)) throw error;
};

type At = Readonly<Record<'assembly' | 'environment', string>>;

/** Waits until no job and no deployment of an environment is under way. */
export async function settled({ api, tick }: Person, address: At): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    await tick();
    const environment = await api.call(routes.environments.read, { address }).catch(unlessGone);
    if (environment === undefined) return;
    const newest = await api.call(routes.deployments.latest, { address }).catch(unlessGone);
    if (!String(environment.ciState).includes('locked') && newest?.deploymentState !== 'active') return;
  }
}

/** Commits what is open in an environment, and deploys what there is to deploy if it is wanted. */
export async function committed(person: Person, address: At, then: 'commit' | 'deploy'): Promise<void> {
  const { api } = person;
  await settled(person, address);
  await attempted(() => api.call(routes.environments.commit, { address, body: {} }));
  await settled(person, address);
  if (then === 'commit') return;
  await attempted(() => handOf(api).at(address).begin());
  await settled(person, address);
}
