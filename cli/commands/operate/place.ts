// The place that a command for operators is about: an environment of the stack in this folder, or an address, and what is in it.
import { existsSync } from 'node:fs';
import type { Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import { orNone, WrongInput } from '../../../api/errors';
import { didYouMean } from '../../../provider/values';
import { graphOf, STANDARD_FILE, type StackGraph } from '../../../stack';
import { readStackHere } from '../../here/read-stack';
import { projectHere } from '../../here/project';
import { commandSettings, hiding, selectedStack, usable, withService, type SettingsOptions } from '../../here/settings';
import { UsageError } from '../../exit';
import type { Outputs } from './outputs';
import { fitLines } from './text';
import type { Settings } from '../../../provider/session/settings';

/** Names, outermost first. What is not named is undefined. */
interface Place {
  readonly assembly: string;
  readonly environment?: string | undefined;
  readonly platform?: string | undefined;
  readonly component?: string | undefined;
}

/** A place that has an environment. */
export type InEnvironment = Place & { readonly environment: string };

/** A component of an environment. */
type Component = { readonly [name in keyof Place]-?: string };

/** What a command for operators works with. */
export interface Operation<P extends Place = Place> {
  readonly api: Api;
  readonly settings: Settings;
  readonly place: P;
  /** Prints a result: as JSON where that is asked for, or as text. The text is made of the result without secrets. */
  readonly print: <V extends Outputs[keyof Outputs]>(result: V, textOf: (shown: V) => string) => void;
  /** Prints a line while something goes on, unless the result is JSON. */
  readonly say: (line: string) => void;
  /** A value without the secrets of the stack's configuration, and without the token, in all its texts. */
  readonly hidden: <V>(value: V) => V;
}

/**
 * Runs work on the place that a word names: `prod/web` of the assembly that the stack file in this folder declares, or
 * `acme/shop/prod/web`. Throws UsageError for a word that names no such place, and WrongInput for wrong settings.
 */
export async function operate<P extends Place, T>(
  word: string | undefined,
  options: SettingsOptions & { readonly json: boolean },
  placeOf: (names: Names) => P,
  work: (operation: Operation<P>) => Promise<T>,
): Promise<T> {
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

/** The names of a word. */
interface Names {
  readonly assembly: string;
  /** Names of an environment and of what is in it. */
  readonly inside: readonly string[];
  /** The environments of the stack in this folder; none where the word is an address. */
  readonly declared: readonly string[];
}

async function namesIn(word: string | undefined, organization: string, stack: string | undefined): Promise<Names> {
  const names = word === undefined ? [] : word.split('/');
  if (names.some((name) => name === '')) throw new UsageError(`"${word ?? ''}" has an empty name between two slashes`);
  const [first, assembly, ...inside] = names;
  if (assembly !== undefined && first === organization) return { assembly, inside, declared: [] };
  const graph = graphHere(organization, stack ?? (await selectedStack()));
  return { assembly: graph.assembly, inside: names, declared: graph.environments.map(({ name }) => name) };
}

/** An assembly, or an environment. */
export const assemblyOrEnvironment = ({ assembly, inside }: Names): Place => {
  const [environment] = atMost(1, inside);
  return { assembly, environment };
};

/** An assembly, or what is in it. */
export const anyPlace = ({ assembly, inside }: Names): Place => {
  const [environment, platform, component] = atMost(3, inside);
  return { assembly, environment, platform, component };
};

/** An environment: without a name the only one of the stack. */
export const environmentIn = ({ assembly, inside, declared }: Names): InEnvironment => {
  const [environment] = atMost(1, inside);
  return { assembly, environment: environment ?? onlyOne(assembly, declared) };
};

/** A component: without an environment in the only one of the stack. */
export const componentIn = ({ assembly, inside, declared }: Names): Component => {
  const names = atMost(3, inside);
  if (names.length < 2 || (names.length === 2 && (declared.length === 0 || declared.includes(names[0] ?? ''))))
    throw new UsageError(`"${names.join('/')}" names no component: write it like prod/web/tomcat`);
  const [component = '', platform = '', environment = onlyOne(assembly, declared)] = [...names].reverse();
  return { assembly, environment, platform, component };
};

function atMost(count: number, names: readonly string[]): readonly string[] {
  if (names.length <= count) return names;
  const like = ['prod', 'web', 'tomcat'].slice(0, count).join('/');
  throw new UsageError(`"${names.join('/')}" has too many names: write it like ${like}, or acme/shop/${like}`);
}

function onlyOne(assembly: string, declared: readonly string[]): string {
  const [only, ...others] = declared;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    only === undefined
      ? `name an environment of assembly "${assembly}": acme/shop/prod`
      : `name an environment: the stack has ${declared.join(', ')}`,
  );
}

/** What the stack file in this folder declares. Throws UsageError without a file, and for one with mistakes. */
function graphHere(organization: string, stack: string | undefined): StackGraph {
  const names = projectHere()?.files ?? [STANDARD_FILE];
  const otherwise = `write an address, as in ${organization}/shop/prod`;
  if (!names.every((name) => existsSync(name)))
    throw new UsageError(`no stack file here names an assembly: ${otherwise}`);
  const { plan } = readStackHere(names, { stack, catalogue: 'off' });
  if (plan !== undefined) return graphOf(plan);
  throw new UsageError(
    `the assembly is not known, because ${names.join(' and ')} has mistakes: see pulumi-oneops check, or ${otherwise}`,
  );
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
  const named = LEVELS.flatMap((each) => ({ ...each, name: place[each.level] ?? '' })).filter(
    ({ name }) => name !== '',
  );
  const found = await orNone<unknown>(api.call((named.at(-1) ?? LEVELS[0]).read, { address }));
  if (found !== undefined) return;
  for (const [index, { level, name, list }] of named.entries()) {
    const known = (await api.call(list, { address })).map(({ ciName }) => ciName);
    if (known.includes(name)) continue;
    const outer = named[index - 1];
    const within = outer === undefined ? '' : ` of ${outer.level} "${outer.name}"`;
    const hint = didYouMean(name, known, known.length === 0 ? 'there is none' : undefined);
    throw new WrongInput(`there is no ${level}${within} called "${name}": ${hint}`);
  }
}

/** The address of a place in the form that a route takes. */
export const addressOf = (place: Place): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(place).flatMap(([name, word]) => (word === undefined ? [] : [[name, String(word)]])),
  );
