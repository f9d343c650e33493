// The address of an assembly or an environment on a command line, and whether it exists.
import type { Api } from '../api/client';
import { routes } from '../api/contract';
import { NotFound } from '../api/errors';
import { nearest } from '../provider';
import { UsageError } from './command';

/** An assembly, or one of its environments. */
export interface NamedPlace {
  readonly assembly: string;
  readonly environment?: string;
}

/** `acme/shop/prod` as a place in this organization. Throws a UsageError for anything else, and for another organization. */
export function placeIn(word: string, organization: string): NamedPlace {
  const [first = '', assembly = '', environment, ...more] = word.split('/');
  if (assembly === '' || environment === '' || more.length > 0)
    throw new UsageError(
      `"${word}" is not the address of an assembly or an environment: write it like ${organization}/shop or ${organization}/shop/prod`,
    );
  if (first !== organization)
    throw new UsageError(`"${word}" is in organization "${first}", but the settings say "${organization}"`);
  return environment === undefined ? { assembly } : { assembly, environment };
}

/** `acme/shop/prod`. */
export const addressText = (organization: string, { assembly, environment }: NamedPlace): string =>
  [organization, assembly, environment].filter((part) => part !== undefined).join('/');

/** Throws an Error with the nearest name if the assembly or the environment does not exist. */
export async function expectPlace(api: Api, { assembly, environment }: NamedPlace): Promise<void> {
  try {
    if (environment === undefined) await api.call(routes.assemblies.read, { address: { assembly } });
    else await api.call(routes.environments.read, { address: { assembly, environment } });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const assemblies = (await api.call(routes.assemblies.list, {})).map(({ ciName }) => ciName);
    if (environment === undefined || !assemblies.includes(assembly))
      throw missing('assembly', assembly, assemblies, error);
    const all = await api.call(routes.environments.list, { address: { assembly } });
    const environments = all.map(({ ciName }) => ciName);
    throw missing(`environment of assembly "${assembly}"`, environment, environments, error);
  }
}

function missing(noun: string, name: string, known: readonly string[], cause: Error): Error {
  const near = nearest(name, known);
  const hint =
    near === undefined
      ? known.length === 0
        ? 'there is none'
        : `known are ${known.join(', ')}`
      : `did you mean "${near}"?`;
  return new Error(`there is no ${noun} called "${name}": ${hint}`, { cause });
}
