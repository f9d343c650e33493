// The place that a command for operators is about: an environment of the stack in this folder, or
// an address, and what is in it.
import { existsSync } from 'node:fs';
import type { Api } from '../../../api/client';
import { graphOf, STANDARD_FILE } from '../../../stack';
import { readStackHere } from '../../here/read-stack';
import { projectHere } from '../../here/project';
import { commandSettings, hiding, usable, withService, type SettingsOptions } from '../../here/settings';
import { UsageError } from '../../exit';
import type { Outputs } from './outputs';
import { expectPlace } from './open-release';
import { fitLines } from './text';
import type { Settings } from '../../../provider/session/settings';

/** Names, outermost first. What is not named is undefined. */
interface Place {
  readonly assembly: string;
  readonly environment?: string | undefined;
  readonly platform?: string | undefined;
  readonly component?: string | undefined;
}

export type InEnvironment = Place & { readonly environment: string };

/** What a command for operators works with. */
export interface Operation<P extends Place = Place> {
  readonly api: Api;
  readonly settings: Settings;
  readonly place: P;
  /** Prints a result as JSON or as text, without secrets. */
  readonly print: <V extends Outputs[keyof Outputs]>(result: V, textOf: (shown: V) => string) => void;
  /** Prints a line while something goes on, unless the result is JSON. */
  readonly say: (line: string) => void;
  /** A value without the token and the secrets of the stack's configuration. */
  readonly hidden: <V>(value: V) => V;
}

/**
 * Runs work on a place: `prod/web` of the assembly that the stack file in this folder declares, or
 * `acme/shop/prod/web`. Without a word, the assembly. Throws UsageError for a word that names no
 * such place, WrongInput for wrong settings, and Error with the nearest name if the assembly or the
 * environment does not exist.
 */
export async function operate<T>(
  word: string | undefined,
  options: SettingsOptions & { readonly json: boolean },
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const found = await commandSettings(options);
  const settings = usable(found);
  const place = placeOf(word, settings.organization, options.stack);
  const hide = hiding(settings, found);
  const hidden = <V>(value: V): V =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === 'string' ? hide(each) : each)) as V;
  const print: Operation['print'] = (result, textOf) => {
    const shown = hidden(result);
    process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : fitLines(textOf(shown)));
  };
  const say = (line: string): void => void (options.json || process.stdout.write(`${fitLines(hidden(line))}\n`));
  return withService(settings, async (api) => {
    const { assembly, environment } = place;
    await expectPlace(api, environment === undefined ? { assembly } : { assembly, environment });
    return work({ api, settings, place, print, say, hidden });
  });
}

/** The same for work that needs an environment. */
export const operateIn = <T>(
  word: string | undefined,
  options: SettingsOptions & { readonly json: boolean },
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

/** The assembly of the stack file here. Throws UsageError without a usable file. */
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
