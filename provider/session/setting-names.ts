// The names that settings can have, and what to say of another one: a misspelt setting would be ignored, a switch that forbids writes, too.
// It must not know what a setting means, nor where it is read.
import { isTypo, nearest } from '../values/nearest';

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
