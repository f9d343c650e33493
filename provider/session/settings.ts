// Settings of a provider, and what a run reads of them (architecture §3).
import type { Diagnostic } from '../../api/contract';
import type { Api, Observe } from '../../api/client';
import { isLoopback, type NamedSetting, type SettingWords, urlProblem } from '../../api/errors';
import { isTypo, nearest } from '../values/text';
import { defined } from '../values/plain';

const DIALECTS = ['auto', 'documented', 'classic'] as const;
/** `auto` reports findings of the catalogue as each rule says. */
const CATALOGUE_LEVELS = ['auto', 'strict', 'warn', 'off'] as const;
export type CatalogueLevel = (typeof CATALOGUE_LEVELS)[number];

/** One setting: a key of a stack's configuration, and an argument of a Provider in a program. */
export interface Setting {
  readonly type: 'string' | 'boolean';
  /** The only values. Default: any. */
  readonly words?: readonly string[];
  /** Environment variable that gives it, too. */
  readonly variable?: string;
  readonly secret?: boolean;
  /** Whether a Provider in a program has to give it. */
  readonly required?: boolean;
  /** What it is, for the package schema and the pages. */
  readonly text: string;
  /** What the text of a Provider's argument adds. */
  readonly inProgram?: string;
}

/** The one table of settings: for the schema, a Provider's arguments, known keys and the pages. */
export const SETTINGS = {
  url: { type: 'string', required: true, variable: 'ONEOPS_URL', text: 'Base address of the service.' },
  organization: {
    type: 'string',
    required: true,
    variable: 'ONEOPS_ORGANIZATION',
    text: 'Organization whose records are declared.',
  },
  token: {
    type: 'string',
    variable: 'ONEOPS_TOKEN',
    secret: true,
    text: "A user's API token.",
    inProgram: 'Kept as a secret.',
  },
  tokenEnv: {
    type: 'string',
    text: 'Environment variable that holds the token, instead of ONEOPS_TOKEN.',
    inProgram: 'It wins over `token`, so that refresh and destroy see a renewed one.',
  },
  dialect: {
    type: 'string',
    words: DIALECTS,
    text: 'Dialect of the service: `auto` (default), `documented` or `classic`.',
  },
  allowHttp: {
    type: 'boolean',
    text: 'Whether the token may cross a network unencrypted; loopback is always allowed.',
  },
  readCache: {
    type: 'string',
    words: ['on', 'off'],
    text: 'Whether a refresh reads each list once for all of its records: `on` (default) or `off`.',
  },
  catalogue: {
    type: 'string',
    words: CATALOGUE_LEVELS,
    text: 'How findings of the packaged catalogue count: `auto` (default), `strict` as errors, `warn` as warnings, `off` not at all.',
  },
  readOnly: {
    type: 'boolean',
    variable: 'ONEOPS_READ_ONLY',
    text: 'Whether every write is an error before it is sent.',
    inProgram: 'Default false; `ONEOPS_READ_ONLY=true` forbids writes to every provider.',
  },
  offlinePreview: {
    type: 'boolean',
    variable: 'ONEOPS_OFFLINE_PREVIEW',
    text: 'Whether a preview begins without asking the service for the clouds of the organization, so that it needs no service. It then does not find a wrong address, organization or token.',
    inProgram: 'Default false; `ONEOPS_OFFLINE_PREVIEW=true` holds for every provider.',
  },
  audit: {
    type: 'string',
    variable: 'ONEOPS_AUDIT',
    text: 'File that a line of JSON is appended to for each request; relative to the folder of the project.',
    inProgram: '`ONEOPS_AUDIT` wins over it.',
  },
} as const satisfies { readonly [name: string]: Setting };

export interface Settings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  /** The variable that the token comes from; absent for a configured one. */
  readonly tokenVariable?: string;
  readonly dialect: (typeof DIALECTS)[number];
  readonly allowHttp: boolean;
  readonly readCache: boolean;
  readonly catalogue: CatalogueLevel;
  readonly readOnly: boolean;
  readonly offlinePreview: boolean;
  readonly audit: string | undefined;
  /** Whether each request is reported. */
  readonly trace: boolean;
  /** Whether the machines of the service are simulated: on a stage. */
  readonly simulated: boolean;
}

/** Settings with warnings; or what is missing or wrong, and how to set it. */
export type Resolved =
  | { readonly settings: Settings; readonly warnings?: readonly string[] }
  | { readonly problem: string; readonly lacksToken: boolean };

/** The service that a run speaks to: nothing secret, and equal for equal services. */
export interface ServiceIdentity {
  /** Base address in one spelling, without a user, a query and a trailing slash. */
  readonly url?: string;
  readonly organization?: string;
}

/** Reads a configuration value by its full key, `oneops:url`. */
export type Configuration = (key: string) => unknown;

interface Environment {
  readonly [name: string]: string | undefined;
}

/** The configuration of a stack turns some words into flags. */
const SWITCH: { readonly [word: string]: boolean } = { on: true, off: false, true: true, false: false };

/**
 * The settings of a run. Configuration comes first; ONEOPS_URL, ONEOPS_ORGANIZATION and
 * ONEOPS_TOKEN fill its gaps. Refresh and destroy see the configuration that the last run saved:
 * the environment's token wins over the configured one, if it is meant for the address in use. A
 * provider declared in a program (`oneops:explicit`) takes none of the three, and names its own
 * variable for the token (`oneops:tokenEnv`). ONEOPS_READ_ONLY, ONEOPS_OFFLINE_PREVIEW,
 * ONEOPS_AUDIT and ONEOPS_LOG=debug reach every provider: a switch is on if setting or variable is,
 * and the variable's file wins. A misspelt key among the `given` ones comes first: it could be the
 * one that forbids writes.
 */
export function resolveSettings(
  configuration: Configuration,
  environment: Environment,
  given: GivenKeys = { keys: [] },
): Resolved {
  const unknown = unknownSettings(given);
  const misspelt = misspeltSettings(unknown, isTrue(configuration('oneops:explicit')));
  if (misspelt !== undefined) return wrong(misspelt);
  const resolved = knownSettings(configuration, environment);
  if ('problem' in resolved || unknown.length === 0) return resolved;
  const warnings = unknown.map(unknownSettingWords).map(({ says, hint }) => `${says}: ${hint}`);
  return { ...resolved, warnings };
}

function knownSettings(configuration: Configuration, environment: Environment): Resolved {
  const explicit = isTrue(configuration('oneops:explicit'));
  const fallback = (name: string): string | undefined => (explicit ? undefined : present(environment[name]));
  const { url, organization } = namedService(configuration, fallback);
  const tokenVariable = present(configuration('oneops:tokenEnv'));
  const token = tokenFrom(configuration, environment, { variable: tokenVariable, url }, fallback);
  if (url === undefined || organization === undefined || token === undefined) {
    const unused = token === undefined ? unusedToken(url, fallback) : '';
    return wrong(`${missing({ url, organization, token }, explicit, tokenVariable)}${unused}`, token === undefined);
  }
  const allowHttp = isTrue(configuration('oneops:allowHttp'));
  const dialect = wordOf('dialect', present(configuration('oneops:dialect')), DIALECTS);
  if ('problem' in dialect) return wrong(dialect.problem);
  const problem = urlProblem(url, allowHttp, pulumiWords);
  if (problem !== undefined) return wrong(`${problem.what}\n  ${problem.hint}`);
  const word = switchWord(configuration('oneops:readCache')) ?? 'on';
  const readCache = SWITCH[word];
  if (readCache === undefined) return wrong(`oneops:readCache is "${word}", which is neither on nor off`);
  const catalogue = catalogueLevel(configuration('oneops:catalogue'));
  if ('problem' in catalogue) return wrong(catalogue.problem);
  const readOnly = eitherSwitch('readOnly', configuration, environment);
  if (typeof readOnly === 'string') return wrong(readOnly);
  const offlinePreview = eitherSwitch('offlinePreview', configuration, environment);
  if (typeof offlinePreview === 'string') return wrong(offlinePreview);
  const audit = present(environment['ONEOPS_AUDIT']) ?? present(configuration('oneops:audit'));
  const trace = present(environment['ONEOPS_LOG'])?.toLowerCase() === 'debug';
  // A stage is on this machine: the variable must not keep checks of another service from running.
  const simulated = present(environment['ONEOPS_SIMULATED']) === 'true' && isLoopback(new URL(url).hostname);
  const switches = {
    allowHttp,
    readCache,
    catalogue: catalogue.word,
    readOnly,
    offlinePreview,
    audit,
    trace,
    simulated,
  };
  const isConfigured = token === present(configuration('oneops:token'));
  const source = isConfigured ? {} : { tokenVariable: tokenVariable ?? 'ONEOPS_TOKEN' };
  return { settings: { url: trimmed(url), organization, token, ...source, dialect: dialect.word, ...switches } };
}

/** The service for a configuration and an environment. It needs no token. */
export function serviceIdentity(configuration: Configuration, environment: Environment): ServiceIdentity {
  const { url, organization } = namedService(configuration, (name) => present(environment[name]));
  const spelled = url === undefined ? undefined : spelledUrl(url);
  return defined({ url: spelled, organization });
}

/** One spelling of an address, without user and query, which may be secret. */
function spelledUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return trimmed(`${protocol}//${host}${pathname}`);
}

const namedService = (
  configuration: Configuration,
  fallback: (name: string) => string | undefined,
): { readonly url: string | undefined; readonly organization: string | undefined } => ({
  url: present(configuration('oneops:url')) ?? fallback('ONEOPS_URL'),
  organization: present(configuration('oneops:organization')) ?? fallback('ONEOPS_ORGANIZATION'),
});

/** The level that `oneops:catalogue` sets, or what is wrong with the word. */
export const catalogueLevel = (value: unknown): Word<CatalogueLevel> =>
  // YAML reads `off` as false.
  wordOf('catalogue', { false: 'off', true: 'auto' }[String(value)] ?? present(value), CATALOGUE_LEVELS);

type Word<W> = { readonly word: W } | { readonly problem: string };

/** One of the words of a setting, `auto` when it is not set; or what is wrong with it. */
function wordOf<W extends string>(setting: string, word = 'auto', words: readonly W[]): Word<W> {
  const known = words.find((each) => each === word);
  if (known !== undefined) return { word: known };
  const near = nearest(word, words);
  const meant = near ? `; did you mean "${near}"?` : '';
  return { problem: `oneops:${setting} is "${word}", which is not one of ${words.join(', ')}${meant}` };
}

const wrong = (problem: string, lacksToken = false): Resolved => ({ problem, lacksToken });

/** Whether a setting or its variable is on: a misspelt word must not let writes through. */
function eitherSwitch(
  setting: 'readOnly' | 'offlinePreview',
  configuration: Configuration,
  environment: Environment,
): boolean | string {
  const { variable } = SETTINGS[setting];
  const words = {
    [`oneops:${setting}`]: switchWord(configuration(`oneops:${setting}`)),
    [variable]: present(environment[variable]),
  };
  const wrong = Object.entries(words).find(([, word]) => word !== undefined && SWITCH[word] === undefined);
  if (wrong !== undefined) return `${wrong[0]} is "${wrong[1]}", which is neither true nor false`;
  return Object.values(words).some((word) => word !== undefined && SWITCH[word] === true);
}

function tokenFrom(
  configuration: Configuration,
  environment: Environment,
  { variable, url }: { readonly variable: string | undefined; readonly url: string | undefined },
  fallback: (name: string) => string | undefined,
): string | undefined {
  const configured = present(configuration('oneops:token'));
  if (variable !== undefined) return present(environment[variable]) ?? configured;
  const meantFor = fallback('ONEOPS_URL');
  const fits = meantFor === undefined || (url !== undefined && trimmed(meantFor) === trimmed(url));
  return (fits ? fallback('ONEOPS_TOKEN') : undefined) ?? configured;
}

/** Why the environment's token is not taken though it exists. */
function unusedToken(url: string | undefined, fallback: (name: string) => string | undefined): string {
  const meantFor = fallback('ONEOPS_URL');
  if (fallback('ONEOPS_TOKEN') === undefined || meantFor === undefined || url === undefined) return '';
  return `\n  ONEOPS_TOKEN is not sent to ${url}: it is meant for ONEOPS_URL, which is ${meantFor}. Unset ONEOPS_URL, or give both for one service`;
}

function missing(
  found: { readonly [name: string]: string | undefined },
  explicit: boolean,
  tokenVariable: string | undefined,
): string {
  const names = Object.keys(found).filter((name) => found[name] === undefined);
  const keys = names.map((name) => `oneops:${name}`).join(', ');
  if (explicit) {
    const variable =
      tokenVariable !== undefined && names.includes('token')
        ? `; the variable ${tokenVariable}, named by tokenEnv, is not set`
        : '';
    return `the provider declared in the program has no ${names.join(', ')}${variable}\n  give it as an argument of the Provider`;
  }
  const ways = names.map((name) => `  ${setCommand(name)}   (or set ONEOPS_${name.toUpperCase()})`);
  return [
    `the service to speak to is not configured: ${keys} ${names.length === 1 ? 'is' : 'are'} missing`,
    ...ways,
  ].join('\n');
}

const setCommand = (name: string): string =>
  // Without a value the command asks for it, so that no token is on a command line.
  `pulumi config set ${name === 'token' ? '--secret oneops:token' : `oneops:${name} <${name}>`}`;

const trimmed = (url: string): string => url.replace(/\/+$/, '');

const present = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const switchWord = (value: unknown): string | undefined => present(typeof value === 'boolean' ? String(value) : value);

const isTrue = (value: unknown): boolean => value === true || value === 'true';

// A misspelt setting would be ignored, a switch that forbids writes, too.

/** The settings of a stack that are not for its provider. */
const STACK_SETTINGS = ['overlay', 'resources'] as const;
const KNOWN: readonly string[] = [...Object.keys(SETTINGS), ...STACK_SETTINGS];

/** What Pulumi, or this package, gives a provider besides what a user wrote. */
const GIVEN = ['explicit', 'version', 'pluginDownloadURL', 'pluginChecksums', 'parameterization'];

/** The keys of a configuration, `oneops:url`; those of other namespaces count for nothing. */
export interface GivenKeys {
  readonly keys: readonly string[];
  /** The project, whose own configuration has its name as namespace. */
  readonly project?: string | undefined;
}

interface UnknownSetting {
  readonly key: string;
  /** The key that is surely, or perhaps, meant. */
  readonly near: string | undefined;
  /** Whether it differs in case or by a typo: then a run must not go on. */
  readonly isMisspelt: boolean;
}

const NAMESPACE = 'oneops:';

/** Keys that are no settings. A project `oneops` has its own configuration there. */
export function unknownSettings({ keys, project }: GivenKeys): readonly UnknownSetting[] {
  const isNamesake = `${project}:` === NAMESPACE;
  return keys.flatMap((key) => {
    const name = key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : undefined;
    const isKnown = name === undefined || name.startsWith('__') || [...KNOWN, ...GIVEN].includes(name);
    if (isKnown) return [];
    const near = nearest(name, KNOWN);
    const isCase = near?.toLowerCase() === name.toLowerCase();
    if (isNamesake && !isCase) return [];
    const isMisspelt = near !== undefined && (isCase || isTypo(name.toLowerCase(), near.toLowerCase()));
    return [{ key, near: near && `${NAMESPACE}${near}`, isMisspelt }];
  });
}

export const unknownSettingWords = ({
  key,
  near,
  isMisspelt,
}: UnknownSetting): { readonly says: string; readonly hint: string } => ({
  says: `there is no setting ${key}${isMisspelt ? '' : ', so that it has no effect'}`,
  hint: near ? `did you mean ${near}?` : `there are ${KNOWN.map((name) => `${NAMESPACE}${name}`).join(', ')}`,
});

/** One text for misspelt settings. `explicit`: they are arguments in a program. */
export function misspeltSettings(unknown: readonly UnknownSetting[], explicit: boolean): string | undefined {
  const misspelt = unknown.filter(({ isMisspelt }) => isMisspelt);
  if (misspelt.length === 0) return undefined;
  const bare = (key: string): string => (explicit ? key.slice(NAMESPACE.length) : key);
  return [
    ...misspelt.map(
      ({ key, near = '' }) =>
        `${explicit ? 'the provider declared in the program has' : 'there is'} no setting ${bare(key)}: did you mean ${bare(near)}?`,
    ),
    ...(explicit ? [] : misspelt.map(({ key, near }) => `  pulumi config rm ${key}, then pulumi config set ${near}`)),
    '  refresh, destroy and import see the configuration of the last up: run pulumi up after the change, or give --run-program',
  ].join('\n');
}

const given = (setting: NamedSetting): string => `oneops:${setting} or ONEOPS_${setting.toUpperCase()}`;

/** The words of everything that runs in Pulumi, or next to it. */
export const pulumiWords: SettingWords = {
  named: (setting) => `oneops:${setting}`,
  given,
  seeUrl: ': pulumi config get oneops:url, or ONEOPS_URL',
  giveToken: 'pulumi config set --secret oneops:token, which asks for it, or ONEOPS_TOKEN',
  allowHttp: 'allow it: pulumi config set oneops:allowHttp true',
  allowWrites:
    'to write, unset oneops:readOnly and ONEOPS_READ_ONLY; refresh and destroy see the configuration of the last up, unless --run-program is given',
  largeAnswer:
    'check oneops:url; where the service itself answers so much, divide the records among more assemblies: no setting allows more',
  largeRequest: 'divide what is declared there: no setting allows more',
};

/** The words for a run's settings: configuration replaces no refused token of a variable. */
export const wordsFor = ({ tokenVariable }: Settings): SettingWords =>
  tokenVariable === undefined
    ? pulumiWords
    : { ...pulumiWords, giveToken: `the refused one is that of ${tokenVariable}, which wins over oneops:token` };

/** Makes a client, loaded only for requests. `observe` receives its events. */
export async function openApi(settings: Settings, observe?: Observe): Promise<Api> {
  const { createApi } = await import('../../api/client/index.js');
  return createApi({ ...settings, words: wordsFor(settings), ...(observe ? { observe } : {}) });
}

/** The findings of the catalogue that a level reports, with their severity at that level. */
export const atLevel = (level: CatalogueLevel, findings: readonly Diagnostic[]): readonly Diagnostic[] =>
  level === 'off' ? [] : findings.map((finding) => ({ ...finding, severity: severityAt(level, finding) }));

const severityAt = (level: CatalogueLevel, { severity }: Diagnostic): Diagnostic['severity'] =>
  level === 'strict' ? 'error' : level === 'warn' ? 'warning' : severity;
