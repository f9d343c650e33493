// The configuration that a converted stack needs: declared values, and the commands that set them.
import { mayNameSecret } from '../../provider/secrets';
import { shellWord } from '../../provider/values';
import { profileText, type Profile } from './profile';
import { writtenOf, writtenText, type WrittenEntry } from './written';

export type ConfigUse = 'string' | 'integer' | 'boolean';

interface Declared {
  readonly name: string;
  type: ConfigUse;
  secret: boolean;
  /** Tag of the template that it takes the place of. */
  readonly tag?: string;
  /** File whose text it is. */
  readonly path?: string;
}

/** A setting of the provider: `oneops:url`. */
interface ProviderSetting {
  readonly key: string;
  readonly secret: boolean;
  readonly tags: readonly string[];
  /** Its value in a profile; undefined where only a person knows it. */
  valueIn(profile: Profile | undefined): string | undefined;
}

/** Facts about a secret besides its place. */
interface SecretForm {
  readonly use?: ConfigUse;
  readonly hasLines?: boolean;
}

/** Names are names of files, too, which take 255 characters. */
export const LONGEST_NAME = 120;

/** The word of the service, and of design exports, in place of a secret. */
export const MASK = '::ENCRYPTED::';

/** A text as the configuration stores it: a file is read without line breaks at its end. */
export const keptOf = (text: string): string => text.replace(/(?<![\r\n])[\r\n]+$/, '');

/** The file of a secret with several lines, which the `.gitignore` of a project covers. */
export const fileOfSecret = (name: string): string => `${name}.secret`;

/** Collects declared values and settings of the provider. One for each conversion. */
export type ConfigurationBook = ReturnType<typeof newConfiguration>;

/** An empty configuration. `isSecretTag`: whether a tag is a secret despite its name. */
export function newConfiguration(isSecretTag: (tag: string) => boolean) {
  const declared = new Map<string, Declared>();
  const settings: ProviderSetting[] = [];
  const nameFor = namesIn(declared);
  const declare = (wanted: string, secret: boolean, { use = 'string', hasLines = false }: SecretForm = {}): string => {
    const name = nameFor(wanted);
    declared.set(name, { name, type: use, secret, ...(hasLines ? { path: fileOfSecret(name) } : {}) });
    return name;
  };
  return {
    /** The name under which a tag of the template is declared. */
    ofTag(tag: string, use: ConfigUse, secret: boolean): string {
      const path = /^file\((.*)\)$/.exec(tag)?.[1]?.replace(/^["']|["']$/g, '');
      const wanted = path === undefined ? tag : (path.split('/').at(-1) ?? path);
      const name = nameFor(wanted, (other) => other.tag === tag);
      const known = declared.get(name);
      const isNamed = mayNameSecret(tag) && !/\.pub\b/.test(tag);
      const isSecret = secret || isNamed || isSecretTag(tag) || known?.secret === true;
      declared.set(name, {
        name,
        type: use === 'string' ? (known?.type ?? 'string') : use,
        secret: isSecret,
        tag,
        ...(path === undefined ? {} : { path }),
      });
      return name;
    },
    /**
     * The name under which a secret is declared that the source contains, or says that there is.
     * One with several lines is read from a file of its name: nobody can type it.
     */
    ofSecret: (place: readonly string[], form?: SecretForm): string => declare(place.join('-'), true, form),
    /** The name under which a value is declared that only a person knows. */
    ofPerson: (name: string): string => declare(name, false),
    provider: (setting: ProviderSetting): void => void settings.push(setting),
    /** Whether a value of the configuration stands for a tag of the template, or has one in it. */
    holdsTag: (tag: string): boolean =>
      [...declared.values()].some((each) => each.tag === tag) || settings.some(({ tags }) => tags.includes(tag)),
    entries: (): readonly WrittenEntry[] => [...declared.values()].map(entryOf),
    /** The commands for the stack of a profile, or for `dev`, which create it where missing. */
    commands: (profile: Profile | undefined): readonly string[] => [
      `pulumi stack select --create ${profile === undefined ? 'dev' : shellWord(profile.name)}`,
      ...settings.map((setting) => command(profile, setting.key, setting.secret, { value: setting.valueIn(profile) })),
      ...[...declared.values()].map(({ name, secret, path, tag }) => {
        const value = tag === undefined || profile === undefined ? undefined : profileText(profile, tag);
        return command(profile, name, secret, { path, value });
      }),
    ],
  };
}

/** Names for declarations: one that nothing has yet, or that of a declaration that is the same. */
function namesIn(declared: ReadonlyMap<string, Declared>) {
  /** How many names of a word are known to be taken. */
  const taken = new Map<string, number>();
  return (wanted: string, isSame?: (other: Declared) => boolean): string => {
    const clean =
      wanted
        .replace(/[^\w-]+/g, '_')
        .replace(/^[^A-Za-z]+/, '')
        .slice(0, LONGEST_NAME) || 'value';
    for (let count = isSame ? 1 : (taken.get(clean) ?? 0) + 1; ; count += 1) {
      const name = count === 1 ? clean : `${clean}_${count}`;
      const other = declared.get(name);
      if (other === undefined) taken.set(clean, count);
      if (other === undefined || isSame?.(other) === true) return name;
    }
  };
}

function entryOf({ name, type, secret }: Declared): WrittenEntry {
  const entries = [
    { key: 'type', value: writtenText(type) },
    ...(secret ? [{ key: 'secret', value: writtenOf(true) }] : []),
  ];
  return { key: name, value: { is: 'map', entries, isShort: true } };
}

interface Given {
  readonly value?: string | undefined;
  readonly path?: string | undefined;
}

/** Without a value the command asks for it, so a secret is on no command line. */
function command(profile: Profile | undefined, name: string, secret: boolean, { value, path }: Given): string {
  const words = ['pulumi config set'];
  if (profile !== undefined) words.push('--stack', shellWord(profile.name));
  if (secret) words.push('--secret');
  words.push(shellWord(name));
  if (path !== undefined) words.push('<', path.startsWith('~/') ? `~/${shellWord(path.slice(2))}` : shellWord(path));
  else if (!secret && value !== undefined && value !== '')
    words.push(...(value.startsWith('-') ? ['--'] : []), shellWord(value));
  return words.join(' ');
}
