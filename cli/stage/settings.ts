// Configuration with placeholders for secrets, and a catalogue with a stack's clouds, for a stage.
import { WrongInput } from '../../api/errors';
import { loadCatalogue, type Catalogue } from '../../service';
import { markedSecret, secretIn } from '../../provider';
import { SETTINGS } from '../../provider/session/settings';
import { changedInside, isPlainObject, textAt } from '../../provider/values';
import { dataIn, entryOf, type Node, type Project } from '../../stack';
import { renderedHere } from '../here/read-stack';
import { projectHere, settingsHere, stackConfigHere } from '../here/project';

/**
 * The project of the current folder. Throws WrongInput where a program declares it: a program may
 * use other providers and services, which have no stand-in on a stage.
 */
export function stagedProject(command: string, folder: string): Project {
  const project = projectHere();
  if (project === undefined) throw new WrongInput(`there is no Pulumi.yaml in ${folder}`);
  if (project.files === undefined)
    throw new WrongInput(
      `${command} takes a project with runtime: oneops, and a program declares the stack of ${folder}: a program may reach other services, and nothing replaces these; declare the stack in oneops.yaml, or run the program with ONEOPS_URL of pulumi-oneops serve`,
    );
  return project;
}

/** Settings that name no service, user or file, and do not forbid writes. */
const SAME: readonly string[] = ['dialect', 'allowHttp', 'readCache', 'catalogue', 'offlinePreview'];

/** Keys of settings that a stage replaces: they could lead a run to the live service. */
export const ELSEWHERE: readonly string[] = Object.keys(SETTINGS)
  .filter((name) => !SAME.includes(name))
  .map((name) => `oneops:${name}`);

/** The configuration of a stack on a stage, with placeholders for secrets. */
export function settingsOf(stack: string, config: object): { readonly [key: string]: unknown } {
  const files = settingsHere([stack]).filter((file) => file.stack === stack);
  const written = files.flatMap(({ map }) => {
    const entry = entryOf(map, 'config')?.value;
    return entry?.form === 'map' ? entry.entries : [];
  });
  const project = projectHere()?.name ?? '';
  const { secrets } = stackConfigHere(stack);
  const kept = written.filter(({ key }) => !ELSEWHERE.includes(key));
  const values = kept.map(({ key, value }): readonly [string, unknown] => {
    const isSecret = secrets.has(key.slice(project.length + 1)) || isEncryptedNode(value);
    return [key, isSecret ? placeholderOf(key) : dataIn(value)];
  });
  return { ...fullNames(Object.fromEntries(values), project), ...fullNames(config, project) };
}

export const secretsIn = (settings: { readonly [key: string]: unknown }): readonly string[] =>
  Object.keys(settings).filter((key) => String(settings[key]).startsWith(PLACEHOLDER));

const isEncryptedNode = (node: Node): boolean => node.form === 'map' && entryOf(node, 'secure') !== undefined;

/** Values of the configuration by full name; a name alone belongs to the project. */
export const fullNames = (config: object, project: string): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name.includes(':') ? name : `${project}:${name}`, value as unknown]),
  );

/** The rendered stack of the project in the current folder, as data. */
export function renderedData(stack: string): { readonly [key: string]: unknown } {
  const { root } = renderedHere(projectHere()?.files ?? [], { stack }, new Set());
  const data = root && dataIn(root);
  return isPlainObject(data) ? data : {};
}

/** How many checks the deployments of a rendered stack have. */
export const checksIn = ({ environments }: { readonly [key: string]: unknown }): number =>
  Object.values(isPlainObject(environments) ? environments : {}).reduce<number>((sum, environment) => {
    const deploy = isPlainObject(environment) ? environment['deploy'] : undefined;
    const checks = isPlainObject(deploy) ? deploy['checks'] : undefined;
    return sum + Object.keys(isPlainObject(checks) ? checks : {}).length;
  }, 0);

/** The packaged catalogue with an organization, and with clouds of these names beside its own. */
export function catalogueWith(organization: string | undefined, names: readonly string[]): Catalogue {
  const catalogue = loadCatalogue();
  const seed = catalogue.seed();
  const [model] = seed.clouds;
  const known = new Set(seed.clouds.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  const clouds = model === undefined ? [] : missing.map((name) => ({ ...model, name }));
  const name = organization ?? seed.organization.name;
  return {
    ...catalogue,
    seed: () => ({ ...seed, organization: { ...seed.organization, name }, clouds: [...seed.clouds, ...clouds] }),
  };
}

/** How the placeholder of a secret begins. */
export const PLACEHOLDER = 'placeholder-of-';

export const placeholderOf = (key: string): string => `${PLACEHOLDER}${key.split(':').at(-1)}`;

/** Placeholders by their values, longest first: no value is part of a later one. */
type Placeholders = readonly (readonly [value: string, placeholder: string])[];

/** Placeholders for the secret settings of a stack. */
export const placeholdersFor = (
  configuration: { readonly [key: string]: unknown },
  secrets: ReadonlySet<string>,
): Placeholders =>
  [...secrets]
    .map((key) => [textAt(configuration, key, ''), placeholderOf(key)] as const)
    .filter(([value]) => value !== '')
    .sort(([left], [right]) => right.length - left.length);

/**
 * An exported state with placeholders in its secrets. A secret that no setting explains gets one of
 * its own, in each text of a list or map; one with something of a setting in it keeps the rest.
 * `written`: texts that the file says in clear, such as a reference to a variable: they stay.
 */
export function withPlaceholders(
  value: unknown,
  placeholders: Placeholders,
  written: ReadonlySet<string> = new Set(),
): unknown {
  const secret = secretIn(value);
  if (secret === 'encrypted') return markedSecret(`${PLACEHOLDER}an-unreadable-secret`);
  if (secret === undefined) return changedInside(value, (item) => withPlaceholders(item, placeholders, written));
  const hidden = replaced(secret.value, placeholders);
  const unexplained = (text: string): string =>
    text === '' || written.has(text) ? text : `${PLACEHOLDER}another-secret`;
  const isUnexplained = JSON.stringify(hidden) === JSON.stringify(secret.value);
  return markedSecret(isUnexplained ? inTexts(hidden, unexplained) : hidden);
}

const replaced = (value: unknown, placeholders: Placeholders): unknown =>
  inTexts(value, (text) =>
    placeholders.reduce((shown, [secret, placeholder]) => shown.replaceAll(secret, placeholder), text),
  );

const inTexts = (value: unknown, by: (text: string) => string): unknown =>
  typeof value === 'string' ? by(value) : changedInside(value, (item) => inTexts(item, by));
