// Which service a run speaks to, and as whom: from the provider's configuration and the environment (architecture §3).
import type { Diagnostic } from '../api/contract';
import type { NamedSetting, SettingWords } from '../api/errors';
import { isTypo, nearest } from './values/text';

export interface Settings {
  /** Base address of the service, without a trailing slash. */
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  readonly dialect: 'auto' | 'documented' | 'classic';
  /** Whether the token may cross a network unencrypted. */
  readonly allowHttp: boolean;
  /** Whether a refresh reads a list once for all of its records, and each answer once. */
  readonly readCache: boolean;
  /** How findings of the packaged catalogue count. */
  readonly catalogue: CatalogueLevel;
  /** Whether every write is refused before it is sent. */
  readonly readOnly: boolean;
  /** Whether a run begins without asking the service who it is: for previews without a service. */
  readonly offlinePreview: boolean;
  /** File that records each request; relative to the folder of the project. */
  readonly audit: string | undefined;
  /** Whether each request is reported. */
  readonly trace: boolean;
}

/** Settings, or one text that says what is missing or wrong and how to set it; and whether there is no token, so that nobody is let in. */
export type Resolved =
  | {
      readonly settings: Settings;
      /** What was set and has no effect. */
      readonly warnings?: readonly string[];
    }
  | { readonly problem: string; readonly lacksToken: boolean };

/** Which service a run speaks to, as far as something names it: nothing secret, and equal for equal services. */
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

const DIALECTS = ['auto', 'documented', 'classic'] as const;
/** The configuration of a stack turns some of them into flags. */
const SWITCH: { readonly [word: string]: boolean } = { on: true, off: false, true: true, false: false };

/**
 * Configuration first; `ONEOPS_URL`, `ONEOPS_ORGANIZATION` and `ONEOPS_TOKEN` fill its gaps. The environment's token wins over the configured
 * one, since refresh and destroy see the one saved by the last run, but only when the address it is meant for is the one in use. A provider
 * declared in a program (`oneops:explicit`) never takes those three: it names its own variable for the token (`oneops:tokenEnv`).
 * `ONEOPS_LOG=debug` traces requests, whoever declared the provider. `ONEOPS_READ_ONLY` and `ONEOPS_AUDIT` reach every provider too, since
 * refresh and destroy see saved configuration: whichever of setting and variable forbids writes does, and the variable's file wins. So does
 * `ONEOPS_OFFLINE_PREVIEW`.
 * Of `given`, what is set, a misspelt key is a problem before anything else, because it could be the one that forbids writes.
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
  const dialect = present(configuration('oneops:dialect')) ?? 'auto';
  const known = DIALECTS.find((word) => word === dialect);
  if (known === undefined) {
    const near = nearest(dialect, DIALECTS);
    const meant = near ? `; did you mean "${near}"?` : '';
    return wrong(`oneops:dialect is "${dialect}", which is not one of ${DIALECTS.join(', ')}${meant}`);
  }
  const problem = wrongUrl(url, allowHttp);
  if (problem !== undefined) return wrong(problem);
  const word = switchWord(configuration('oneops:readCache')) ?? 'on';
  const readCache = SWITCH[word];
  if (readCache === undefined) return wrong(`oneops:readCache is "${word}", which is neither on nor off`);
  const catalogue = catalogueLevel(configuration('oneops:catalogue'));
  if ('problem' in catalogue) return wrong(catalogue.problem);
  const readOnly = eitherSwitch('readOnly', 'ONEOPS_READ_ONLY', configuration, environment);
  if (typeof readOnly === 'string') return wrong(readOnly);
  const offlinePreview = eitherSwitch('offlinePreview', 'ONEOPS_OFFLINE_PREVIEW', configuration, environment);
  if (typeof offlinePreview === 'string') return wrong(offlinePreview);
  const audit = present(environment['ONEOPS_AUDIT']) ?? present(configuration('oneops:audit'));
  const trace = present(environment['ONEOPS_LOG'])?.toLowerCase() === 'debug';
  const switches = { allowHttp, readCache, catalogue: catalogue.level, readOnly, offlinePreview, audit, trace };
  return { settings: { url: trimmed(url), organization, token, dialect: known, ...switches } };
}

/** The service that a run with this configuration, in this environment, speaks to. It needs no token. */
export function serviceIdentity(configuration: Configuration, environment: Environment): ServiceIdentity {
  const { url, organization } = namedService(configuration, (name) => present(environment[name]));
  const spelled = url === undefined ? undefined : spelledUrl(url);
  return {
    ...(spelled === undefined ? {} : { url: spelled }),
    ...(organization === undefined ? {} : { organization }),
  };
}

/** Addresses differ in spelling alone: the case of the host, the usual port, a slash at the end. A user and a query may be secret. */
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

/** The level that `oneops:catalogue` sets, `auto` when it is not set; or what is wrong with the word. */
export function catalogueLevel(value: unknown): { readonly level: CatalogueLevel } | { readonly problem: string } {
  // YAML reads `off` as false.
  const word = { false: 'off', true: 'auto' }[String(value)] ?? present(value) ?? 'auto';
  const level = CATALOGUE_LEVELS.find((each) => each === word);
  if (level !== undefined) return { level };
  const near = nearest(word, CATALOGUE_LEVELS);
  const meant = near ? `; did you mean "${near}"?` : '';
  return { problem: `oneops:catalogue is "${word}", which is not one of ${CATALOGUE_LEVELS.join(', ')}${meant}` };
}

const wrong = (problem: string, lacksToken = false): Resolved => ({ problem, lacksToken });

/** Whether a setting or its variable is on, or what is wrong with their words: a misspelt one must not let writes through. */
function eitherSwitch(
  setting: 'readOnly' | 'offlinePreview',
  variable: string,
  configuration: Configuration,
  environment: Environment,
): boolean | string {
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

/** What is wrong with the address: no URL, another protocol, or a token that would cross a network in clear. */
function wrongUrl(url: string, allowHttp: boolean): string | undefined {
  const shape = 'give it as https://host or http://127.0.0.1:port';
  if (!URL.canParse(url)) return `oneops:url is not a URL\n  ${shape}`;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '')
    return 'oneops:url contains a user name or password\n  the token goes into oneops:token';
  if (protocol !== 'https:' && protocol !== 'http:') return `oneops:url has the protocol ${protocol}\n  ${shape}`;
  if (protocol === 'https:' || allowHttp || isLoopback(hostname)) return undefined;
  return `oneops:url would send the token unencrypted to ${hostname}\n  use https, or allow it: pulumi config set oneops:allowHttp true`;
}

/** Whether a host name is that of this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

const trimmed = (url: string): string => url.replace(/\/+$/, '');

const present = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const switchWord = (value: unknown): string | undefined => present(typeof value === 'boolean' ? String(value) : value);

const isTrue = (value: unknown): boolean => value === true || value === 'true';

// The names that settings can have, and what to say of another one: a misspelt setting would be ignored, a switch that forbids writes, too.

/** The settings of a provider, by their names without `oneops:`. */
const PROVIDER_SETTINGS = [
  'url',
  'organization',
  'token',
  'tokenEnv',
  'dialect',
  'allowHttp',
  'readCache',
  'catalogue',
  'readOnly',
  'offlinePreview',
  'audit',
] as const;

/** The settings of a stack that are not for its provider. */
const STACK_SETTINGS = ['overlay', 'resources'] as const;

/** What Pulumi, or this package, gives a provider besides what a user wrote. */
const GIVEN = ['explicit', 'version', 'pluginDownloadURL', 'pluginChecksums', 'parameterization'];

/** The keys of a configuration, `oneops:url`; those of other namespaces count for nothing. */
export interface GivenKeys {
  readonly keys: readonly string[];
  /** The project, whose own configuration has its name as namespace. */
  readonly project?: string | undefined;
}

/** A key that no setting has. */
interface UnknownSetting {
  readonly key: string;
  /** The key that is surely, or perhaps, meant. */
  readonly near: string | undefined;
  /** Whether it differs from a known one in case or by a typo: then a run must not go on without it. */
  readonly isMisspelt: boolean;
}

const NAMESPACE = 'oneops:';

/** The keys in the namespace of this package that are no settings. A project called `oneops` has its own configuration there. */
export function unknownSettings({ keys, project }: GivenKeys): readonly UnknownSetting[] {
  const known = [...PROVIDER_SETTINGS, ...STACK_SETTINGS];
  const isNamesake = `${project}:` === NAMESPACE;
  return keys.flatMap((key) => {
    const name = key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : undefined;
    const isKnown = name === undefined || name.startsWith('__') || [...known, ...GIVEN].includes(name);
    if (isKnown) return [];
    const near = nearest(name, known);
    const isCase = near?.toLowerCase() === name.toLowerCase();
    if (isNamesake && !isCase) return [];
    const isMisspelt = near !== undefined && (isCase || isTypo(name.toLowerCase(), near.toLowerCase()));
    return [{ key, near: near && `${NAMESPACE}${near}`, isMisspelt }];
  });
}

/** What is said of a key that no setting has, and what to do. */
export const unknownSettingWords = ({
  key,
  near,
  isMisspelt,
}: UnknownSetting): { readonly says: string; readonly hint: string } => ({
  says: `there is no setting ${key}${isMisspelt ? '' : ', so that it has no effect'}`,
  hint: near
    ? `did you mean ${near}?`
    : `there are ${[...PROVIDER_SETTINGS, ...STACK_SETTINGS].map((name) => `${NAMESPACE}${name}`).join(', ')}`,
});

/** One text for the settings that are misspelt, with what to do; undefined without one. `explicit`: they are arguments in a program. */
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

// How hints name the settings in a stack: as Pulumi's configuration and the environment.

const given = (setting: NamedSetting): string => `oneops:${setting} or ONEOPS_${setting.toUpperCase()}`;

/** The words of everything that runs in Pulumi, or next to it. */
export const pulumiWords: SettingWords = {
  named: (setting) => `oneops:${setting}`,
  given,
  seeUrl: ': pulumi config get oneops:url',
  giveToken: 'pulumi config set --secret oneops:token, which asks for it, or ONEOPS_TOKEN',
  allowWrites:
    'to write, unset oneops:readOnly and ONEOPS_READ_ONLY; refresh and destroy see the configuration of the last up, unless --run-program is given',
  largeAnswer:
    'check oneops:url; where the service itself answers so much, divide the records among more assemblies: no setting allows more',
  largeRequest: 'divide what is declared there: no setting allows more',
};

// The levels at which findings of the packaged catalogue are reported.

/** How findings of the catalogue are reported: `auto` as each rule says, `strict` as errors, `warn` as warnings, `off` not at all. */
const CATALOGUE_LEVELS = ['auto', 'strict', 'warn', 'off'] as const;
export type CatalogueLevel = (typeof CATALOGUE_LEVELS)[number];

/** The findings of the catalogue that a level reports, with their severity at that level. */
export const atLevel = (level: CatalogueLevel, findings: readonly Diagnostic[]): readonly Diagnostic[] =>
  level === 'off' ? [] : findings.map((finding) => ({ ...finding, severity: severityAt(level, finding) }));

const severityAt = (level: CatalogueLevel, { severity }: Diagnostic): Diagnostic['severity'] =>
  level === 'strict' ? 'error' : level === 'warn' ? 'warning' : severity;
