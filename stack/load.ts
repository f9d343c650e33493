// Reads the files and the configuration of a stack, and returns a plan to register, or one text with all findings.
// It must not know the engine.
import { dirname, resolve } from 'node:path';
import { classMetadata, templateClass } from '../api/contract';
import { readStack } from './bind/bind-stack';
import { bindConfig } from './bind/config';
import type { CatalogueLevel } from '../provider';
import { renderFindings } from './findings/render';
import type { StackEnvironment } from './bind/scope';
import { readTextFile, readTextFileIn } from './text-file';
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
  /** Severity of findings of the packaged catalogue; default `auto`. */
  readonly catalogue?: CatalogueLevel;
  /** Names of the configuration values that are secrets. */
  readonly secretConfig?: ReadonlySet<string>;
}

/** A plan with its configuration and warnings; or the problem, as text for a terminal. */
type LoadedStack =
  | { readonly plan: StackPlan; readonly config: { readonly [name: string]: unknown }; readonly warnings: string }
  | { readonly problem: string };

/** What a stack in a folder reads besides its own files: files that its functions name, and the environment. */
export function stackSurroundings(directory: string): Pick<StackEnvironment, 'readFile' | 'env'> {
  return {
    readFile(path, from, where) {
      const file = resolve(directory, dirname(from), path);
      return where === 'anywhere' ? readTextFile(file) : readTextFileIn(directory, file);
    },
    env: process.env,
  };
}

/** Reads and validates a whole stack before anything is registered. */
export function loadStack({ files, directory, config, secretConfig, catalogue }: StackSource): LoadedStack {
  const contents = files.map((name) => ({ name, content: readTextFile(resolve(directory, name)) }));
  const missing = contents.flatMap(({ name, content }) =>
    'problem' in content ? [`cannot read ${name}: ${content.problem}`] : [],
  );
  if (missing.length > 0) return { problem: missing.join('\n') };
  const texts = contents.flatMap(({ name, content }) => ('text' in content ? [{ name, text: content.text }] : []));
  const { findings, plan } = readStack(texts, {
    classMetadata,
    templateClass,
    ...(secretConfig ? { secretConfig } : {}),
    ...(catalogue ? { catalogue } : {}),
    ...stackSurroundings(directory),
  });
  const show = (all: typeof findings): string => renderFindings(all, texts).trimEnd();
  const unusable = (all: typeof findings): LoadedStack => ({
    problem: `${files.join(', ')} cannot be used\n${show(all)}`,
  });
  if (plan === undefined) return unusable(findings);
  const bound = bindConfig(plan, config);
  if (bound.findings.some(({ severity }) => severity === 'error')) return unusable([...findings, ...bound.findings]);
  return { plan, config: bound.values, warnings: show([...findings, ...bound.findings]) };
}
