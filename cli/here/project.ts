// The Pulumi project in the current folder, without an engine: name, files, plain configuration.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WrongInput } from '../../api/errors';
import type { WrittenSettings } from '../../preview';
import { isPlainObject, defined } from '../../provider/values';
import {
  dataIn,
  entryOf,
  faceOf,
  foldersFrom,
  includedFiles,
  isEncrypted,
  optionFindings,
  ownConfigIn,
  projectIn,
  readTextFile,
  readYaml,
  sourceFile,
  STANDARD_FILE,
  settingFindings,
  stackSurroundings,
  scalarText,
  wordIn,
  type Choices,
  type Finding,
  type MapNode,
  type Node,
  type Project,
  type SettingsFile,
  type SourceFile,
} from '../../stack';
import { takesPath, type OptionTable } from '../command';

/** The project of a folder's Pulumi.yaml; undefined without one. Throws Error. */
export function projectHere(directory = '.'): Project | undefined {
  const map = mapOf(join(directory, 'Pulumi.yaml'));
  return map === undefined ? undefined : projectIn(map);
}

/** Whether a stack file declares the project here, and Pulumi.yaml names no plugins of its own. */
export const needsInstalledHost = (): boolean =>
  projectHere()?.files !== undefined && entryOf(mapOf('Pulumi.yaml'), 'plugins') === undefined;

/** The files of a stack that a command names, or those of the project in the current folder. */
export const filesOr = (named: readonly string[]): readonly string[] =>
  named.length > 0 ? named : (projectHere()?.files ?? [STANDARD_FILE]);

/** What is wrong, and the texts that it is found in. */
export interface Found {
  readonly findings: readonly Finding[];
  readonly files: readonly SourceFile[];
}

export const NOTHING: Found = { findings: [], files: [] };

export const joined = (all: readonly Found[]): Found => ({
  findings: all.flatMap(({ findings }) => findings),
  files: all.flatMap(({ files }) => files),
});

/** What is wrong with the files that Pulumi.yaml here names, and the text that names them. */
export function namedFilesHere(): Found {
  const reading = readingOf('Pulumi.yaml');
  if (reading === undefined) return NOTHING;
  const files = [reading.file];
  if (reading.errors.length > 0) return { findings: reading.errors, files };
  const map = mapIn(reading);
  if (map === undefined) return NOTHING;
  const problemOf = (name: string): string | undefined => {
    const content = readTextFile(name);
    return 'problem' in content ? content.problem : undefined;
  };
  return { findings: optionFindings(map, problemOf), files };
}

/** Languages of Pulumi whose programs cannot declare dynamic resources of Node. */
const WITHOUT_DYNAMIC: readonly string[] = ['dotnet', 'go', 'java', 'python', 'yaml'];

/**
 * The provider that carries out the resources of the project in the current folder, as far as its
 * files and its configuration say: the dynamic one where there is no project.
 */
export function faceHere(config: { readonly [key: string]: unknown }): 'dynamic' | 'plugin' {
  const map = mapOf('Pulumi.yaml');
  const runtime = entryOf(map, 'runtime')?.value;
  const parts = runtime?.form === 'map' ? runtime : undefined;
  const language = parts ? wordIn(parts, 'name') : scalarText(runtime);
  const given = config['oneops:resources'] === 'plugin' ? 'plugin' : 'dynamic';
  if (WITHOUT_DYNAMIC.includes(language ?? '')) return 'plugin';
  if (map === undefined || language !== 'oneops') return given;
  const options = entryOf(parts, 'options')?.value;
  const resources = wordIn(options?.form === 'map' ? options : undefined, 'resources');
  const directory = join(process.cwd(), wordIn(map, 'main'));
  const chosen = faceOf({ options: resources === '' ? {} : { resources }, config, directory });
  return ('face' in chosen ? chosen.face : undefined) ?? given;
}

/** A plain configuration value of a stack or project; undefined for a secret or none. */
export function configuredHere(key: string, stack: string | undefined): string | undefined {
  const names = [...(stack === undefined ? [] : [stackFile(stack)]), 'Pulumi.yaml'];
  for (const name of names) {
    const config = entryOf(mapOf(name), 'config')?.value;
    const node = config?.form === 'map' ? entryOf(config, key)?.value : undefined;
    const value = node?.form === 'map' ? wordIn(node, 'value') || wordIn(node, 'default') : scalarText(node);
    if (value !== '') return value;
  }
  return undefined;
}

/** The configuration in a stack's own file, by full key; undefined without the file. */
export function writtenSettings(stack: string): WrittenSettings | undefined {
  const file = settingsHere([stack]).find((each) => each.stack === stack);
  if (file === undefined) return undefined;
  const config = entryOf(file.map, 'config')?.value;
  const values = config === undefined ? {} : dataIn(config);
  return {
    values: isPlainObject(values) ? values : {},
    // An environment of Pulumi, or Pulumi.yaml, can give more.
    isWhole: entryOf(file.map, 'environment') === undefined && entryOf(mapOf('Pulumi.yaml'), 'config') === undefined,
  };
}

/** A stack's plain configuration of its project, and the names of its secrets. */
export function stackConfigHere(stack: string | undefined): {
  readonly values: { readonly [name: string]: string };
  readonly secrets: ReadonlySet<string>;
} {
  const project = projectHere()?.name ?? '';
  const files = settingsHere(stack === undefined ? [] : [stack]);
  const entries = files
    .flatMap((file) => ownConfigIn(file, project))
    .flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  const values = entries
    .filter(({ value }) => !isEncrypted(value))
    .map(({ name, value }) => [name, configText(value)] as const);
  return {
    values: Object.fromEntries(values.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
    secrets: new Set(entries.filter(({ value }) => isEncrypted(value)).map(({ name }) => name)),
  };
}

/** Pulumi.yaml and the settings of stacks, where they exist. Throws Error. */
export const settingsHere = (stacks: readonly string[]): readonly (SettingsFile & Pick<Reading, 'file'>)[] =>
  [undefined, ...stacks].flatMap((stack) => {
    const name = stack === undefined ? 'Pulumi.yaml' : stackFile(stack);
    const reading = readingOf(name);
    const map = mapIn(reading);
    return reading === undefined || map === undefined ? [] : [{ name, stack, map, file: reading.file }];
  });

/**
 * What is wrong with Pulumi.yaml and the settings of a stack: keys that are no settings, and values
 * in clear that the stack files declare as secrets, by name. Without a stack, the settings of every
 * stack count that can be read.
 */
export function settingFindingsHere(secrets: ReadonlySet<string>, stack: string | undefined): Found {
  const stacks = stack === undefined ? stacksHere().filter(isReadable) : [stack];
  const files = settingsHere(stacks);
  const project = projectHere()?.name ?? '';
  return {
    findings: settingFindings(files, project, secrets),
    files: files.map(({ file }) => file),
  };
}

/** Errors in Pulumi.yaml and in the settings of a stack, which stop a run. */
export function settingErrorsHere(stack: string | undefined): Found {
  const { findings, files } = settingFindingsHere(new Set(), stack);
  return { findings: findings.filter(({ severity }) => severity === 'error'), files };
}

const isReadable = (stack: string): boolean => 'text' in readTextFile(stackFile(stack));

/** The folder of stacks' settings; empty: that of Pulumi.yaml. `config`: an earlier name. */
function settingsFolder(): string {
  const map = mapOf('Pulumi.yaml');
  return wordIn(map, 'stackConfigDir') || wordIn(map, 'config');
}

/** The name of a stack without organization and project. */
export const bareName = (stack: string): string => stack.split('/').at(-1) ?? stack;

export const stackFile = (stack: string): string => join(settingsFolder(), `Pulumi.${bareName(stack)}.yaml`);

/** The Pulumi.yaml of a program made of this project; undefined without a project. */
export function projectTextHere(): string | undefined {
  const map = mapOf('Pulumi.yaml');
  const kept = (map?.entries ?? []).filter(({ key }) => ['name', 'description', 'config'].includes(key));
  if (map === undefined) return undefined;
  const data = Object.fromEntries(kept.map(({ key, value }) => [key, dataIn(value)]));
  return `${JSON.stringify({ ...data, runtime: 'oneops' }, null, 2)}\n`;
}

/** A value as Pulumi stores it: its text, or JSON. */
function configText(node: Node): string | undefined {
  if (node.form === 'scalar') return node.value === null ? undefined : node.source;
  return JSON.stringify(dataIn(node));
}

/** Names of the configuration values of a stack that are secrets. */
export const secretConfigHere = (stack: string | undefined): ReadonlySet<string> => stackConfigHere(stack).secrets;

/** What the engine cannot read in files of Pulumi. Throws Error for unreadable ones. */
export const yamlErrorsHere = (names: readonly string[]): Found =>
  joined(
    names.flatMap((name) => readingOf(name) ?? []).map(({ errors, file }) => ({ findings: errors, files: [file] })),
  );

/** Whether a stack's settings are a map of YAML, or empty. Throws Error. */
export function areSettingsValid(stack: string): boolean {
  const reading = readingOf(stackFile(stack));
  if (reading === undefined) throw new WrongInput(`cannot read ${stackFile(stack)}: there is no such file`);
  const { root, errors } = reading;
  const isEmpty = root === undefined || (root.form === 'scalar' && root.value === null);
  return errors.length === 0 && (isEmpty || root.form === 'map');
}

/** Names of the stacks of the project in the current folder that have settings. */
export function stacksHere(): readonly string[] {
  const folder = settingsFolder() || '.';
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? []);
}

/** The overlay that a stack's settings choose, if they can be read. */
function overlayOf(stack: string): readonly string[] {
  try {
    return [configuredHere('oneops:overlay', stack) ?? stack];
  } catch {
    return [];
  }
}

/** What composing the files here depends on, for a named stack and overlay. */
export function choicesHere(
  files: readonly string[],
  { stack, overlay, stacks }: Pick<Choices, 'stacks'> & { stack?: string | undefined; overlay?: string | undefined },
): Choices {
  const project = projectHere();
  const chosen = overlay ?? configuredHere('oneops:overlay', stack);
  return {
    config: stackConfigHere(stack).values,
    include: includedFiles(process.cwd(), files[0] ?? STANDARD_FILE),
    stacks: stacks ?? stacksHere().flatMap((each) => [each, ...overlayOf(each)]),
    ...defined({ stack: stack && bareName(stack), project: project?.name, overlay: chosen }),
  };
}

type Reading = NonNullable<ReturnType<typeof readingOf>>;

/** A file of Pulumi with its tree and its errors; undefined when it is not there. Throws Error. */
function readingOf(name: string) {
  if (!existsSync(name)) return undefined;
  const file = sourceFile(name, textFrom(name));
  const { root, findings } = readYaml(file);
  return { file, root, errors: findings.filter(({ severity }) => severity === 'error') };
}

const mapIn = (reading: Reading | undefined): MapNode | undefined =>
  reading?.root?.form === 'map' ? reading.root : undefined;

const mapOf = (name: string): MapNode | undefined => mapIn(readingOf(name));

/** The text of a file or descriptor. Throws Error with the reason and the given name. */
export function textFrom(name: string, file: string | number = name): string {
  const content = readTextFile(file);
  if ('text' in content) return content.text;
  throw new WrongInput(`cannot read ${name}: ${content.problem}`);
}

/** What the stack here reads besides its own files, relative to the current folder. */
export function surroundingsHere(): ReturnType<typeof stackSurroundings> {
  const { readFile, env } = stackSurroundings(join(process.cwd(), wordIn(mapOf('Pulumi.yaml'), 'main')));
  return { readFile: (path, from) => readFile(path, resolve(from)), ...(env ? { env } : {}) };
}

/** The folder of the repository that a folder is in, or the folder itself. */
export const repositoryOf = (folder: string): string =>
  foldersFrom(folder).find((above) => existsSync(join(above, '.git'))) ?? folder;

/** What an act answers in a folder, one at a time. Throws WrongInput where there is no such folder. */
export function inFolder<T>(folder: string, act: () => T): T {
  const before = process.cwd();
  try {
    process.chdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = { ENOENT: 'there is no such folder', ENOTDIR: 'it is no folder' }[code ?? ''] ?? message;
    throw new WrongInput(`cannot read the project in ${folder}: ${reason}`);
  }
  try {
    const answer = act();
    if (answer instanceof Promise) return answer.finally(() => process.chdir(before)) as T;
    process.chdir(before);
    return answer;
  } catch (error) {
    process.chdir(before);
    throw error;
  }
}

// As Pulumi does, every command looks for Pulumi.yaml upwards. Files that the user names stay relative
// to the folder of the call.

/**
 * The folder of the project that a command called in a folder is about; undefined where it is that
 * folder, or where there is none. A stack file without a Pulumi.yaml that the project above does
 * not name is a stack by itself.
 */
export function projectFolder(folder: string): string | undefined {
  const nearest = foldersFrom(folder).find((each) => existsSync(join(each, 'Pulumi.yaml')));
  return nearest === undefined || nearest === folder || isAlone(folder, nearest) ? undefined : nearest;
}

const isAlone = (folder: string, project: string): boolean =>
  existsSync(join(folder, STANDARD_FILE)) &&
  projectHere(project)?.files?.some((file) => join(project, file) === join(folder, STANDARD_FILE)) !== true;

/** The words of a call in `folder`, with their paths as they are named from `project`. */
export function wordsFrom(
  words: readonly string[],
  options: OptionTable,
  { folder, project }: { readonly folder: string; readonly project: string },
): readonly string[] {
  const way = relative(project, folder);
  const moved = (path: string): string => (path === '' || path === '-' || isAbsolute(path) ? path : join(way, path));
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  const all = [...words];
  for (const token of tokens) {
    if (token.kind === 'positional' && isFile(join(folder, token.value))) all[token.index] = moved(token.value);
    if (token.kind !== 'option' || token.value === undefined) continue;
    const option = options[token.name];
    if (option === undefined || !takesPath(option)) continue;
    const value =
      option.value === 'FORMAT=FILE'
        ? token.value.replace(/=(.+)$/s, (_, path: string) => `=${moved(path)}`)
        : moved(token.value);
    if (token.inlineValue === true) all[token.index] = `${token.rawName}=${value}`;
    else all[token.index + 1] = value;
  }
  return all;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
