// The place that a command for operators is about: of the stack in this folder, or an address.
import { existsSync } from 'node:fs';
import type { Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import { orNone, WrongInput } from '../../../api/errors';
import { defined, didYouMean } from '../../../provider/values';
import { kindInFile } from '../../../provider/kinds';
import { readStackHere } from '../../here/read-stack';
import { filesOr } from '../../here/project';
import { commandSettings, hiding, selectedStack, usable, withService, type SettingsOptions } from '../../here/settings';
import { UsageError } from '../../exit';
import type { Outputs } from './outputs';
import { fitLines } from '../../here/terminal';
import type { Settings } from '../../../provider/session/settings';

/** Names, outermost first. What is not named is undefined. */
interface Place {
  readonly assembly: string;
  readonly environment?: string | undefined;
  readonly platform?: string | undefined;
  readonly component?: string | undefined;
}

export type InEnvironment = Place & { readonly environment: string };

export type Component = { readonly [name in keyof Place]-?: string };

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
 * Runs work on the place that a word names: `prod/web` of the assembly that the stack file in this
 * folder declares, or `acme/shop/prod/web`. Throws UsageError for a word that names no such place,
 * and WrongInput for wrong settings.
 */
export async function operate<P extends Place>(
  word: string | undefined,
  options: SettingsOptions & { readonly json: boolean },
  placeOf: (names: Names) => P,
  work: (operation: Operation<P>) => Promise<number | void>,
): Promise<number | void> {
  const found = await commandSettings(options);
  const settings = usable(found);
  const place = placeOf(await namesIn(word, settings.organization, options.stack));
  const hide = hiding(settings, found);
  const hidden = <V>(value: V): V =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === 'string' ? hide(each) : each)) as V;
  const print: Operation['print'] = (result, textOf) => {
    const shown = hidden(result);
    process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : fitLines(textOf(shown)));
  };
  const say = (line: string): void => void (options.json || process.stdout.write(`${fitLines(hidden(line))}\n`));
  return withService(settings, async (api) => {
    await expectPlace(api, place);
    return work({ api, settings, place, print, say, hidden });
  });
}

type Names = Awaited<ReturnType<typeof namesIn>>;

/**
 * What a word names: an assembly, and `inside` it an environment and what is in that. `declared`:
 * the environments of the stack in this folder; none where the word is an address.
 */
async function namesIn(word: string | undefined, organization: string, stack: string | undefined) {
  const names = word === undefined ? [] : word.split('/');
  if (names.some((name) => name === '')) throw new UsageError(`"${word ?? ''}" has an empty name between two slashes`);
  const [first, assembly, ...inside] = names;
  if (assembly !== undefined && first === organization) return { assembly, inside, declared: [], organization };
  return { ...declaredHere(organization, stack ?? (await selectedStack())), inside: names, organization };
}

const EXAMPLE = ['prod', 'web', 'tomcat'];

/** An assembly, or what is in it, at most so many names. */
const within =
  (most: number) =>
  ({ assembly, inside, organization }: Names): Place => {
    const like = EXAMPLE.slice(0, most).join('/');
    if (inside.length > most)
      throw new UsageError(
        `"${inside.join('/')}" has too many names: write it like ${like}, or with organization and assembly: ${organization}/shop/${like}`,
      );
    const [environment, platform, component] = inside;
    return { assembly, environment, platform, component };
  };

export const assemblyOrEnvironment = within(1);

export const anyPlace = within(3);

export function environmentIn(names: Names): InEnvironment {
  const place = assemblyOrEnvironment(names);
  const [only, ...others] = names.declared;
  const environment = place.environment ?? (others.length === 0 ? only : undefined);
  if (environment !== undefined) return { ...place, environment };
  throw new UsageError(
    only === undefined
      ? `name an environment of assembly "${place.assembly}": ${names.organization}/${place.assembly}/prod`
      : `name an environment: the stack has ${names.declared.join(', ')}`,
  );
}

/** A component: without an environment in the only one of the stack. */
export function componentIn(names: Names): Component {
  const { assembly, inside, declared } = names;
  const isShort = inside.length === 2 && declared.length > 0 && !declared.includes(inside[0] ?? '');
  const outer = isShort ? [environmentIn({ ...names, inside: [] }).environment] : [];
  const { environment, platform, component } = anyPlace({ ...names, inside: [...outer, ...inside] });
  if (environment !== undefined && platform !== undefined && component !== undefined)
    return { assembly, environment, platform, component };
  throw new UsageError('name a component: prod/web/tomcat, or acme/shop/prod/web/tomcat');
}

/** The assembly and the environments that the stack files here declare. */
function declaredHere(organization: string, stack: string | undefined) {
  const names = filesOr([]);
  const otherwise = `write an address, as in ${organization}/shop/prod`;
  if (!names.every((name) => existsSync(name)))
    throw new UsageError(`no stack file here names an assembly: ${otherwise}`);
  const { plan } = readStackHere(names, { stack, catalogue: 'off' });
  if (plan === undefined)
    throw new UsageError(
      `the assembly is not known, because ${names.join(' and ')} has mistakes: see pulumi-oneops check, or ${otherwise}`,
    );
  const namesOf = (path: string): readonly string[] =>
    plan.resources.flatMap(({ kind, logicalName }) => (kind === kindInFile(path) ? [logicalName] : []));
  return { assembly: namesOf('assembly')[0] ?? '', declared: namesOf('environments.*') };
}

/** What a place can be, outermost first. */
const LEVELS = [
  { level: 'assembly', read: routes.assemblies.read, list: routes.assemblies.list },
  { level: 'environment', read: routes.environments.read, list: routes.environments.list },
  { level: 'platform', read: routes.environmentPlatforms.read, list: routes.environmentPlatforms.list },
  { level: 'component', read: routes.environmentPlatforms.component, list: routes.environmentPlatforms.components },
] as const;

/** Throws UsageError with the nearest name if a part of a place does not exist. */
async function expectPlace(api: Api, place: Place): Promise<void> {
  const address = addressOf(place);
  const named = LEVELS.map((each) => ({ ...each, name: place[each.level] ?? '' })).filter(({ name }) => name !== '');
  const found = await orNone<unknown>(api.call((named.at(-1) ?? LEVELS[0]).read, { address }));
  if (found !== undefined) return;
  for (const [index, { level, name, list }] of named.entries()) {
    const known = (await api.call(list, { address })).map(({ ciName }) => ciName);
    if (known.includes(name)) continue;
    const outer = named[index - 1];
    const within = outer === undefined ? '' : ` of ${outer.level} "${outer.name}"`;
    const hint =
      known.length === 0 ? 'there is none yet, and pulumi up makes what is declared' : didYouMean(name, known);
    throw new WrongInput(`there is no ${level}${within} called "${name}": ${hint}`);
  }
}

export const addressOf = (place: Place): { readonly [name: string]: string } => defined(place);
