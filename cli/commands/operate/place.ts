// The place that a command for operators is about: an environment of the stack in this folder, or an address, and what is in it.
import { existsSync } from 'node:fs';
import type { Api } from '../../../api/client';
import { graphOf, STANDARD_FILE } from '../../../stack';
import { readStackHere } from '../../here/read-stack';
import { projectHere } from '../../here/project';
import { commandSettings, usable, withService, type SettingsOptions } from '../../here/settings';
import { UsageError } from '../../exit';
import { expectPlace } from './open-release';
import { masked } from '../../../provider/secrets';
import type { Settings } from '../../../provider/settings';

/** Names, outermost first. What is not named is undefined. */
interface Place {
  readonly assembly: string;
  readonly environment?: string | undefined;
  readonly platform?: string | undefined;
  readonly component?: string | undefined;
}

/** A place that has an environment. */
export type InEnvironment = Place & { readonly environment: string };

/** What a command for operators works with. */
export interface Operation<P extends Place = Place> {
  readonly api: Api;
  readonly settings: Settings;
  readonly place: P;
  /** A text without the secrets of the stack's configuration, and without the token. */
  readonly hidden: (text: string) => string;
}

/**
 * Runs work on a place: `prod/web` of the assembly that the stack file in this folder declares, or `acme/shop/prod/web`.
 * Without a word, the assembly. Throws UsageError for a word that names no such place, WrongInput for wrong settings, and
 * Error with the nearest name if the assembly or the environment does not exist.
 */
export async function operate<T>(
  word: string | undefined,
  options: SettingsOptions,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const found = await commandSettings(options);
  const settings = usable(found);
  const place = placeOf(word, settings.organization, options.stack);
  const secrets = [...found.secrets].flatMap((key) => found.configuration[key] ?? []).map(String);
  const hidden = (text: string): string => masked(text, [settings.token, ...secrets]);
  return withService(settings, async (api) => {
    const { assembly, environment } = place;
    await expectPlace(api, environment === undefined ? { assembly } : { assembly, environment });
    return work({ api, settings, place, hidden });
  });
}

/** The same for work that needs an environment. */
export const operateIn = <T>(
  word: string | undefined,
  options: SettingsOptions,
  work: (operation: Operation<InEnvironment>) => Promise<T>,
): Promise<T> => {
  if (word === undefined) throw new UsageError('name an environment: prod, or acme/shop/prod');
  return operate(word, options, (operation) => {
    const { environment } = operation.place;
    if (environment === undefined) throw new UsageError(`"${word}" names no environment: write it like ${word}/prod`);
    return work({ ...operation, place: { ...operation.place, environment } });
  });
};

function placeOf(word: string | undefined, organization: string, stack: string | undefined): Place {
  const names = word === undefined ? [] : word.split('/');
  if (names.some((name) => name === '')) throw new UsageError(`"${word ?? ''}" has an empty name between two slashes`);
  const isAddress = names.length > 1 && names[0] === organization;
  const [assembly, ...inside] = isAddress ? names.slice(1) : [assemblyHere(organization, stack), ...names];
  const [environment, platform, component, ...more] = inside;
  if (more.length > 0)
    throw new UsageError(
      `"${word ?? ''}" has too many names: write it like prod/web/tomcat, or acme/shop/prod/web/tomcat`,
    );
  return { assembly: assembly ?? '', environment, platform, component };
}

/** The assembly that the stack file in this folder declares. Throws UsageError without a file, and for one with mistakes. */
function assemblyHere(organization: string, stack: string | undefined): string {
  const names = projectHere()?.files ?? [STANDARD_FILE];
  const otherwise = `write an address, as in ${organization}/shop/prod`;
  if (!names.every((name) => existsSync(name)))
    throw new UsageError(`no stack file here names an assembly: ${otherwise}`);
  const { plan } = readStackHere(names, { stack, catalogue: 'off' });
  if (plan !== undefined) return graphOf(plan).assembly;
  throw new UsageError(
    `the assembly is not known, because ${names.join(' and ')} has mistakes: see pulumi-oneops check, or ${otherwise}`,
  );
}

/** The address of a place in the form that a route takes. */
export const addressOf = (place: Place): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(place).flatMap(([name, word]) => (word === undefined ? [] : [[name, String(word)]])),
  );
