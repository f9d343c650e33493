// Reads the files and the configuration of a stack, and returns a plan to register, or one text with all findings.
// It must not know the engine.
import { dirname, resolve } from 'node:path';
import { classMetadata, templateClass } from '../api/contract';
import { readStack } from './bind/bind-stack';
import { bindConfig, clearSecrets, misspeltConfig, type HowToSet } from './bind/config';
import type { CatalogueLevel, KnownCatalogue } from '../provider';
import type { Choices } from './compose/composition';
import type { Finding } from './findings/finding';
import { findingLines, renderFindings } from './findings/render';
import type { StackEnvironment } from './bind/scope';
import { readTextFile, readTextFileIn } from './text-file';
import { includedFiles } from './included-files';
import type { StackPlan } from './values/plan';

/** File of a stack when `Pulumi.yaml` names none. */
export const STANDARD_FILE = 'oneops.yaml';

/** The files and settings of a stack. */
export interface StackSource {
  /** Names of its files as findings show them: relative to `directory`, or absolute. */
  readonly files: readonly string[];
  /** Absolute path of the folder that relative names start from. */
  readonly directory: string;
  /** Configuration of the project as Pulumi stores it: text by name, structured values as JSON. */
  readonly config: { readonly [name: string]: string | undefined };
  /** Names of further configuration values, which are known only in the run. */
  readonly later?: ReadonlySet<string>;
  /** Severity of findings of the packaged catalogue; default `auto`. */
  readonly catalogue?: CatalogueLevel;
  /** What packs and arguments are judged by; default: the packaged catalogue. */
  readonly known?: KnownCatalogue;
  /** Default: with `pulumi config set`. */
  readonly howToSet?: HowToSet;
  /** Names of the configuration values that are secrets. */
  readonly secretConfig?: ReadonlySet<string>;
  /** Names of the configuration values that the settings of the stack hold in clear; default: none is known to be. */
  readonly clearConfig?: ReadonlySet<string>;
  /** Whether these files alone use the configuration: then a name that is nearly a declared one is reported. Default no: a program may use it. */
  readonly ownsConfig?: boolean;
  /** Name of the stack, and of its project: conditions and overlays of the files can depend on them. */
  readonly stack?: string;
  readonly project?: string;
  /** Name of an overlay; default: that of the stack, where the files have one. */
  readonly overlay?: string;
}

/** A plan with its configuration and warnings, as text for a log; or the problem, as text for a terminal. `lines`: one for each finding, for a list. */
type LoadedStack =
  | {
      readonly plan: StackPlan;
      readonly config: { readonly [name: string]: unknown };
      readonly warnings: string;
      readonly lines: readonly string[];
    }
  | UnusableStack;

/** Why the files of a stack cannot be used. */
interface UnusableStack {
  readonly problem: string;
  readonly lines: readonly string[];
}

/** What a stack in a folder reads besides its own files: files that its functions name, and the environment. */
export function stackSurroundings(directory: string): Pick<StackEnvironment, 'readFile' | 'env'> {
  return {
    readFile(path, from, where) {
      const file = resolve(directory, dirname(from), path);
      const content = where === 'anywhere' ? readTextFile(file) : readTextFileIn(directory, file);
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
  const bound = bindConfig(plan, source.config, source.later, { howToSet: source.howToSet });
  const misspelt = source.ownsConfig ? misspeltConfig(plan, Object.keys(source.config)) : [];
  const clear = clearSecrets(plan, source.clearConfig ?? new Set());
  const all = [...findings, ...bound.findings, ...misspelt, ...clear];
  if (all.some(({ severity }) => severity === 'error')) return unusable(source, show(all), all);
  return { plan, config: bound.values, warnings: show(all, false), lines: findingLines(all) };
}

const unusable = ({ files }: StackSource, shown: string, findings: readonly Finding[]): UnusableStack => ({
  problem: `${files.join(', ')} cannot be used\n${shown}`,
  lines: findingLines(findings.filter(({ severity }) => severity === 'error')),
});

/** A plan without the values of its configuration. */
interface ReadSource {
  readonly plan: StackPlan;
  readonly findings: readonly Finding[];
  /** Findings as text for a terminal. */
  readonly show: (findings: readonly Finding[], withSeverity?: boolean) => string;
}

/** Reads the files of a stack; values of its configuration may be missing. */
export function readSource(source: StackSource): ReadSource | UnusableStack {
  const { files, directory, secretConfig = new Set(), catalogue, known } = source;
  const contents = files.map((name) => ({ name, content: readTextFile(resolve(directory, name)) }));
  const missing = contents.flatMap(({ name, content }) =>
    'problem' in content ? [`cannot read ${name}: ${content.problem}`] : [],
  );
  if (missing.length > 0) return { problem: missing.join('\n'), lines: missing };
  const texts = contents.flatMap(({ name, content }) => ('text' in content ? [{ name, text: content.text }] : []));
  const {
    findings,
    plan,
    files: read,
  } = readStack(texts, {
    classMetadata: known?.classMetadata ?? classMetadata,
    templateClass: known?.templateClass ?? templateClass,
    ...(known ? { known } : {}),
    secretConfig,
    ...(catalogue ? { catalogue } : {}),
    ...stackSurroundings(directory),
    choices: choicesOf(source),
  });
  const show: ReadSource['show'] = (all, withSeverity = true) => renderFindings(all, read, { withSeverity }).trimEnd();
  return plan === undefined ? unusable(source, show(findings), findings) : { plan, findings, show };
}

/** What composing the files of a stack depends on. */
const choicesOf = ({ files, directory, config, stack, project, overlay }: StackSource): Choices => ({
  config,
  include: includedFiles(directory, files[0] ?? STANDARD_FILE),
  ...(stack === undefined ? {} : { stack }),
  ...(project === undefined ? {} : { project }),
  ...(overlay === undefined ? {} : { overlay }),
});
