// What a canceled run sent, in plain words: what a person has to know who decides how to go on. Other requests are named by method and path.
// It knows no kind.
import { fillPath, routes, type CallInput, type Route } from '../../../api/contract';

/** Requests that begin or end something, and what they did, given what they are about and their answer. */
const WORDS: ReadonlyMap<Route, (of: CallInput['address'] & object, answer: unknown) => string> = new Map<
  Route,
  (of: CallInput['address'] & object, answer: unknown) => string
>([
  [routes.designReleases.commit, ({ assembly }) => `committed the design of ${assembly}`],
  [routes.environments.pull, ({ environment }) => `pulled the design into the environment ${environment}`],
  [routes.environments.disable, ({ environment }) => `disabled platforms of the environment ${environment}`],
  [routes.environments.enable, ({ environment }) => `enabled platforms of the environment ${environment}`],
  [routes.environments.commit, ({ environment }) => `committed the environment ${environment}`],
  [
    routes.deployments.create,
    ({ environment }, answer) =>
      `started deployment${numberIn(answer, 'deploymentId')} of the environment ${environment}, which goes on`,
  ],
  [routes.procedures.create, (_, answer) => `started procedure${numberIn(answer, 'procedureId')}, which goes on`],
]);

/** A request that was answered. */
export function sentWords(route: Route, input: CallInput, organization: string, answer: unknown): string {
  const words = WORDS.get(route);
  return words === undefined ? requestOf(route, input, organization) : words({ ...input.address }, answer);
}

/** The method and path of a request. */
export const requestOf = ({ method, path }: Route, { address }: CallInput, organization: string): string =>
  `${method} ${fillPath(path, { organization, ...address })}`;

function numberIn(answer: unknown, name: string): string {
  const number = (answer as { readonly [key: string]: unknown } | undefined)?.[name];
  return typeof number === 'number' ? ` ${number}` : '';
}
