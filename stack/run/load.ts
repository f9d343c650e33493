// Reads the files and the configuration of a stack, and returns a plan to register, or one text
// with all findings. Finds the files that `include` names, which are never outside of the project's
// folder.
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { bindConfig, type HowToSet } from '../bind/config';
import type { StackEnvironment } from '../bind/scope';
import { readStack } from '../bind/stack';
import type { Choices } from '../compose/composition';
import type { Finding } from '../findings/finding';
import { findingLines, renderFindings } from '../findings/show';
import type { StackPlan } from '../plan';
import type { SourceFile } from '../yaml/source';
import { foldersFrom, isWithin, readTextFile, readTextFileIn, STANDARD_FILE } from '../yaml/text-file';
import type { PlanRun } from './register';

export interface StackSource
  extends
    Pick<StackEnvironment, 'catalogue' | 'known' | 'secretConfig'>,
    Pick<Choices, 'stack' | 'project' | 'overlay'> {
  /** Names of its files as findings show them: relative to `directory`, or absolute. */
  readonly files: readonly string[];
  /** Absolute path of the folder that relative names start from. */
  readonly directory: string;
  /** Configuration of the project as Pulumi stores it: text by name, structured values as JSON. */
  readonly config: { readonly [name: string]: string | undefined };
  /** Further configuration values by name, which are known only in the run. */
  readonly later?: ReadonlyMap<string, unknown>;
  /** Default: with `pulumi config set`. */
  readonly howToSet?: HowToSet;
  /** Names of configuration values that the settings hold in clear. Default: none known. */
  readonly clearConfig?: ReadonlySet<string>;
  /** Whether only these files use the configuration: then misspelt names are reported. */
  readonly ownsConfig?: boolean;
}

/** A plan to register with its warnings, or the problem, as text and single lines. */
type LoadedStack = (PlanRun & { readonly warnings: string; readonly lines: readonly string[] }) | UnusableStack;

/** Why the files of a stack cannot be used. */
interface UnusableStack {
  readonly problem: string;
  readonly lines: readonly string[];
  /** Whether nothing is wrong but values that the configuration does not set. */
  readonly lacksOnlyConfig?: boolean;
}

/** Inputs of a stack besides its own files: files of its functions, and the environment. */
export function stackSurroundings(directory: string): Pick<StackEnvironment, 'readFile' | 'env'> {
  return {
    readFile(path, from) {
      const content = readTextFileIn(directory, resolve(directory, dirname(from), path));
      // A byte order mark is no part of what the file says.
      return 'text' in content ? { text: content.text.replace(/^\uFEFF/, '') } : content;
    },
    env: process.env,
  };
}

/** Reads and validates a whole stack before anything is registered. */
export function loadStack(source: StackSource): LoadedStack {
  const read = readSource(source);
  if ('problem' in read) return read;
  const { plan, findings, show } = read;
  const set = source.ownsConfig ? Object.keys(source.config) : [];
  const {
    directory,
    howToSet,
    clearConfig: clear,
    later = new Map<string, unknown>(),
    secretConfig = new Set(),
  } = source;
  const bound = bindConfig(plan, source.config, later, { howToSet, clear, set });
  const all = [...findings, ...bound.findings];
  if (all.some(({ severity }) => severity === 'error')) return unusable(source, show(all), all);
  return {
    plan,
    config: { ...bound.values, ...Object.fromEntries(later) },
    secretConfig,
    pathOf: (file) => resolve(directory, file),
    warnings: show(all, false),
    lines: findingLines(all),
  };
}

function unusable({ files }: StackSource, shown: string, findings: readonly Finding[]): UnusableStack {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return {
    problem: `${files.join(', ')} cannot be used\n${shown}`,
    lines: findingLines(errors),
    lacksOnlyConfig: errors.every(({ code }) => code === 'config-required'),
  };
}

interface ReadSource {
  readonly plan: StackPlan;
  readonly findings: readonly Finding[];
  /** Findings as text for a terminal. */
  readonly show: (findings: readonly Finding[], withSeverity?: boolean) => string;
}

/** Reads the files of a stack; values of its configuration may be missing. */
export function readSource(source: StackSource): ReadSource | UnusableStack {
  const { files, directory } = source;
  const contents = files.map((name) => ({ name, content: readTextFile(resolve(directory, name)) }));
  const missing = contents.flatMap(({ name, content }) =>
    'problem' in content ? [`cannot read ${name}: ${content.problem}${howToBegin(name, directory)}`] : [],
  );
  if (missing.length > 0) return { problem: missing.join('\n'), lines: missing };
  const texts = contents.flatMap(({ name, content }) => ('text' in content ? [{ name, text: content.text }] : []));
  const { findings, plan, ...read } = readStack(texts, {
    ...source,
    ...stackSurroundings(directory),
    choices: { ...source, include: includedFiles(directory, files[0] ?? STANDARD_FILE) },
  });
  const show: ReadSource['show'] = (all, withSeverity = true) =>
    renderFindings(all, read.files, { withSeverity }).trimEnd();
  return plan === undefined ? unusable(source, show(findings), findings) : { plan, findings, show };
}

/** The folder of a missing oneops.yaml, and the command that writes one. */
const howToBegin = (name: string, directory: string): string =>
  name !== STANDARD_FILE || existsSync(resolve(directory, name))
    ? ''
    : ` in ${resolve(directory)}; pulumi-oneops init writes one`;

/**
 * Returns the `include` of a stack. `directory` is where relative names of files start; `file` is
 * the name of its main file. The project's folder is the one with `Pulumi.yaml` at or above the
 * main file; without one, `directory`, or the folder of the file if that is elsewhere.
 */
export function includedFiles(directory: string, file: string): NonNullable<Choices['include']> {
  const folder = dirname(resolve(directory, file));
  const ofProject = foldersFrom(folder).find((each) => existsSync(join(each, 'Pulumi.yaml')));
  const root = ofProject ?? (isWithin(resolve(directory), folder) ? resolve(directory) : folder);
  return (pattern, from) => {
    if (isAbsolute(pattern)) return { problem: 'write a path relative to this file' };
    const named = pathsMatching(pattern, dirname(resolve(directory, from)));
    // A folder that a pattern matches need not contain the file that is named in it; a file that is
    // named without a pattern must be there.
    const paths = /[*?]/.test(pattern) ? named.filter((path) => existsSync(path)) : named;
    const outside = paths.find((path) => !isWithin(root, path));
    if (outside !== undefined) return { problem: `it is outside of the project's folder, ${root}` };
    if (paths.length === 0) return { problem: 'no file matches' };
    const name = (path: string): string => (isAbsolute(from) ? path : relative(resolve(directory), path));
    return { files: paths.map((path) => ({ name: name(path), content: readTextFileIn(root, path) })) };
  };
}

/** The paths of a pattern from a folder: `*` and `?` in a name, `**` for any folders. */
export const pathsMatching = (pattern: string, start: string): readonly string[] =>
  pattern
    .split('/')
    .reduce<readonly string[]>((found, part) => [...new Set(found.flatMap((path) => step(path, part)))], [start]);

/** The paths of one part of a pattern; `**`: the folder and all folders in it. */
function step(path: string, part: string): readonly string[] {
  if (part === '**') return foldersIn(path);
  if (!/[*?]/.test(part)) return [join(path, part)];
  const literal = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const matches = new RegExp(`^${literal(part).replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`);
  const names = namesIn(path).filter((name) => matches.test(name) && (part.startsWith('.') || !name.startsWith('.')));
  return names.map((name) => join(path, name));
}

/** A folder and the folders in it, without hidden ones, those of packages, and links. */
function foldersIn(folder: string): readonly string[] {
  const isFolder = (name: string): boolean =>
    !name.startsWith('.') && name !== 'node_modules' && lstatSync(join(folder, name)).isDirectory();
  return [
    folder,
    ...namesIn(folder)
      .filter(isFolder)
      .flatMap((name) => foldersIn(join(folder, name))),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // A folder that does not exist, or that this user may not read, contains no file that matches.
    return [];
  }
}

interface Surroundings {
  readonly files?: { readonly [name: string]: string };
  /** The configuration of the stack. */
  readonly config?: { readonly [name: string]: string };
}

/** The one file next to examples. */
const FILES = { 'motd.txt': 'Welcome\n' };

/** The one environment variable that examples can read. */
const ENV = { LEVEL: 'info' };

/** The setting of a stack that names an overlay. */
const OVERLAY = 'oneops:overlay';

/** All findings of a text that is a whole stack, for examples. Reads only what is given. */
export function examine(
  text: string,
  { files = FILES, config = {} }: Surroundings = {},
): { readonly file: SourceFile; readonly findings: readonly Finding[] } {
  const file = { name: STANDARD_FILE, text };
  const { findings, plan } = readStack([file], {
    env: ENV,
    choices: {
      config,
      stack: 'dev',
      stacks: ['dev', 'prod'],
      overlay: config[OVERLAY],
      include: (name) => {
        const found = name === STANDARD_FILE ? text : files[name as keyof typeof files];
        if (found === undefined) return { problem: 'there is no such file' };
        return { files: [{ name, content: { text: found } }] };
      },
    },
    readFile: (path) => {
      const found = files[path as keyof typeof files];
      return found === undefined ? { problem: 'there is no such file' } : { text: found };
    },
  });
  if (plan === undefined) return { file, findings };
  const set = Object.keys(config).filter((name) => name !== OVERLAY);
  return { file, findings: [...findings, ...bindConfig(plan, config, new Set(), { set }).findings] };
}
