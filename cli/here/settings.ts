// The service that a command calls: by options, the environment, and the stack in this folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApi, MOST_ATTEMPTS, type Api, type ClientOptions, type Observe } from '../../api/client';
import { messageOf, WrongInput } from '../../api/errors';
import { masked } from '../../provider/secrets';
import { didYouMean, defined } from '../../provider/values';
import { resolveSettings, serviceIdentity, wordsFor, type Settings } from '../../provider/session/settings';
import type { ValuesOf } from '../command';
import type { SETTINGS_OPTIONS } from '../options';
import { bareName, projectHere } from './project';
import { Unauthorized, isNotLetIn } from '../exit';
import { pulumiPrints, pulumiReason, stackNames } from '../pulumi-cli';

/** `directory`: folder of the project; default: the current one. `state`: where the stack is found instead. */
export type SettingsOptions = ValuesOf<typeof SETTINGS_OPTIONS> & {
  readonly directory?: string | undefined;
  readonly state?: string | undefined;
};

/** The configuration of a stack by full key, and the keys of its secrets. */
interface FoundConfiguration {
  readonly configuration: StackConfiguration;
  readonly secrets: ReadonlySet<string>;
  /** Why the configuration was not read; undefined when it was, or without a project. */
  readonly unread: string | undefined;
}

/** Settings, and the stack configuration that they come from. */
export type FoundSettings = Awaited<ReturnType<typeof commandSettings>>;

interface StackConfiguration {
  readonly [key: string]: unknown;
}

const NO_PROJECT = 'there is no Pulumi.yaml in this folder or above it, so no stack gives settings';

/**
 * The settings: options, then those of a run. `note`: why a stack's were not read. Throws WrongInput
 * for a stack that does not exist.
 */
export async function commandSettings(options: SettingsOptions, environment: NodeJS.ProcessEnv = process.env) {
  const found = await stackConfiguration(options, environment);
  const { configuration } = found;
  // A token is never sent to an address it was not given for.
  const isElsewhere = options.url !== undefined && addressOf(options.url) !== addressOf(configuration['oneops:url']);
  const { 'oneops:token': token, ...others } = configuration;
  const given = chosenOver(isElsewhere ? others : configuration, options);
  const read = (key: string): unknown => given[key];
  const project = projectHere(options.directory);
  const resolved = resolveSettings(read, environment, { keys: Object.keys(given), project: project?.name });
  const note =
    isElsewhere && token !== undefined && environment['ONEOPS_TOKEN'] === undefined
      ? `the stack's token is not sent to ${String(options.url)}, which is not the stack's address: set ONEOPS_TOKEN`
      : (found.unread ?? ('problem' in resolved && project === undefined ? NO_PROJECT : undefined));
  return {
    ...found,
    resolved,
    // The service that is asked, also without a token.
    service: serviceIdentity(read, environment),
    note,
  };
}

/** A configuration with what options choose. */
export const chosenOver = (
  configuration: StackConfiguration,
  { url, organization }: Pick<SettingsOptions, 'url' | 'organization'>,
): StackConfiguration => ({
  ...configuration,
  ...defined({ 'oneops:url': url, 'oneops:organization': organization }),
});

const addressOf = (url: unknown): string => (typeof url === 'string' ? url.replace(/\/+$/, '') : '');

/** Throws WrongInput where Pulumi lists the stacks of a project, and not this one. */
async function expectStack(stack: string, directory: string): Promise<void> {
  const known = await stackNames([], directory).catch(() => undefined);
  if (known === undefined || known.some((each) => bareName(each) === bareName(stack))) return;
  const hint = known.length === 0 ? `pulumi stack init ${stack} makes it` : didYouMean(stack, known);
  throw new WrongInput(`the project has no stack named '${stack}': ${hint}`);
}

async function stackConfiguration(
  { stack, directory = '.', state }: SettingsOptions,
  environment: NodeJS.ProcessEnv,
): Promise<FoundConfiguration> {
  const nothing: FoundConfiguration = { configuration: {}, secrets: new Set(), unread: undefined };
  if (!existsSync(join(directory, 'Pulumi.yaml'))) return nothing;
  try {
    const words = ['config', '--json', '--show-secrets', '--non-interactive', ...(stack ? ['--stack', stack] : [])];
    const values = JSON.parse(await pulumiPrints(words, { directory, environment })) as {
      readonly [key: string]: { readonly value?: unknown; readonly secret?: boolean };
    };
    return {
      configuration: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
      secrets: new Set(Object.entries(values).flatMap(([key, { secret }]) => (secret === true ? [key] : []))),
      unread: undefined,
    };
  } catch (error) {
    if (stack !== undefined && state === undefined) await expectStack(stack, directory);
    return { ...nothing, unread: `the configuration of the stack was not read: ${pulumiReason(error)}` };
  }
}

/** The selected stack of this folder; undefined without one, or without `pulumi`. */
export async function selectedStack(): Promise<string | undefined> {
  if (!existsSync('Pulumi.yaml')) return undefined;
  const words = ['stack', '--show-name', '--non-interactive'];
  const said = await pulumiPrints(words).catch(() => '');
  return /^[\w./-]+$/.exec(said.trim())?.[0];
}

/** Settings to use. Throws Unauthorized where the token is missing, WrongInput where another setting is. */
export function usable({ resolved, note }: Pick<FoundSettings, 'resolved' | 'note'>): Settings {
  if ('settings' in resolved) return resolved.settings;
  const problem = note === undefined ? resolved.problem : `${note}\n${resolved.problem}`;
  throw resolved.lacksToken ? new Unauthorized(problem) : new WrongInput(problem);
}

/** Takes the token, and the secrets of the stack's configuration, out of texts. */
export function hiding({ token }: Settings, { configuration, secrets }: FoundConfiguration): (text: string) => string {
  const values = [...secrets].flatMap((key) => configuration[key] ?? []).map(String);
  return (text) => masked(text, [token, ...values]);
}

/** Works with a client. Errors are without the token. */
export async function withService<T>(settings: Settings, work: (api: Api) => Promise<T>): Promise<T> {
  const api = apiOf(settings);
  try {
    return await closing(api, work);
  } catch (error) {
    if (error instanceof WrongInput) throw error;
    const message = masked(messageOf(error), [settings.token]);
    throw isNotLetIn(error) ? new Unauthorized(message) : new Error(message, { cause: error });
  }
}

/** Works with what was opened, and closes it in any case. */
export async function closing<O extends { close(): unknown }, T>(
  opened: O,
  work: (opened: O) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Makes a client whose hints name settings of a stack. Throws BadSettings. */
export function apiOf(settings: Settings, { attempts = MOST_ATTEMPTS, ...options }: Partial<ClientOptions> = {}): Api {
  const waiting = process.stderr.isTTY ? { observe: sayingWaits(settings.url, attempts, options.observe) } : {};
  return createApi({ ...settings, words: wordsFor(settings), ...options, attempts, ...waiting });
}

/** Says on a terminal, on a line that is written over, that an answer takes longer than 5 seconds. */
function sayingWaits(url: string, attempts: number, observe?: Observe): Observe {
  const waiting = new Map<string, { readonly since: number; readonly attempt: number }>();
  let isSaid = false;
  const say = (): void => {
    const { since = Infinity, attempt } = [...waiting.values()][0] ?? {};
    const seconds = Math.floor((Date.now() - since) / 1000);
    if (seconds < 5) return;
    process.stderr.write(`\r\u001b[Kwaiting for ${new URL(url).host}: ${seconds} s, attempt ${attempt} of ${attempts}`);
    isSaid = true;
  };
  setInterval(say, 1000).unref();
  return (event) => {
    observe?.(event);
    const call = `${event.method} ${event.path}`;
    const since = waiting.get(call)?.since ?? Date.now();
    waiting.delete(call);
    if (event.kind === 'request' || event.kind === 'retry') waiting.set(call, { since, attempt: event.attempt });
    if (isSaid) process.stderr.write('\r\u001b[K');
    isSaid = false;
  };
}
