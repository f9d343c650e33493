// Prepares a run request for registration: finds the stack's files, its configuration, and the
// provider of its resources.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KnownCatalogue } from '../../provider/kinds/catalogue';
import { resolveSettings } from '../../provider/session/settings';
import { chooseFace, type ResourceFace } from '../../sdk';
import { dayOf, DRIFT_FILE, readDriftFile, UnusableDriftFile, withRules, type DriftFile } from '../run/drift-file';
import { loadStack } from '../run/load';
import { catalogueName, catalogueOfRun, namedCatalogue, ownConfig, RUNTIME_OPTIONS } from '../run/project';
import { registerInTurns } from '../run/register';
import { readTextFile, STANDARD_FILE } from '../yaml/text-file';
import { faceOf } from './face';
import type { Prepared, ProgramRequest } from './language-runtime';

/** Shows a warning; the run continues. */
type Warn = (text: string) => void;

/** Reads and validates the stack of a project. The returned program registers it. */
export function prepare(
  request: ProgramRequest,
  warn: Warn,
  today: string = dayOf(),
): Prepared | { readonly problem: string } {
  const files = filesOf(request.options);
  if ('problem' in files) return files;
  const chosen = faceOf(request);
  if ('problem' in chosen) return chosen;
  const { face } = chosen;
  const disabled = disabledProvider(request.config, face);
  if (disabled !== undefined) return { problem: disabled };
  const { directory } = request;
  const saved = savedCatalogueOf(request.options, directory);
  if ('problem' in saved) return saved;
  const judging = catalogueOfRun(request.config, saved.known);
  if ('problem' in judging) return judging;
  const { project, stack } = request;
  const own = ownConfig(request.config, project, (key) => request.secretKeys.includes(key));
  const overlay = request.config['oneops:overlay'];
  const loaded = loadStack({
    ...{ ...own, ...judging, files: files.names, directory, project, stack, overlay },
    ownsConfig: true,
  });
  if ('problem' in loaded)
    return { problem: [loaded.problem, ...(loaded.lacksOnlyConfig ? missingSettings(request) : [])].join('\n') };
  if (loaded.warnings !== '') warn(loaded.warnings);
  const rules = rulesIn(directory);
  if ('problem' in rules) return rules;
  const ruled = withRules(loaded, rules.file, { stack, project, day: today });
  ruled.warnings.forEach(warn);
  const place = { file: resolve(directory, files.names[0] ?? STANDARD_FILE), line: 1, column: 1 };
  const program = async (): Promise<object> => {
    if (face !== undefined) chooseFace(face);
    return (await registerInTurns({ ...loaded, plan: ruled.plan })).outputs;
  };
  return { program, place };
}

/** The missing settings, too, so that one message names everything to set. */
function missingSettings({ config, project }: ProgramRequest): readonly string[] {
  const resolved = resolveSettings((key) => config[key], process.env, { keys: Object.keys(config), project });
  return 'problem' in resolved ? [resolved.problem] : [];
}

const DISABLED = 'pulumi:disable-default-providers';

/** Why the engine would refuse every resource: the configuration forbids its provider. */
function disabledProvider(config: ProgramRequest['config'], face: ResourceFace | undefined): string | undefined {
  const isPlugin = face === undefined ? config['oneops:resources'] === 'plugin' : face === 'plugin';
  const name = isPlugin ? 'oneops' : 'pulumi-nodejs';
  const word = [name, '*'].find((each) => config[DISABLED]?.includes(`"${each}"`));
  if (word === undefined) return undefined;
  return [
    `the configuration ${DISABLED} has "${word}", which forbids the provider ${name} that a stack file uses`,
    `  take it out of the list, or: pulumi config rm ${DISABLED}`,
  ].join('\n');
}

/** The rules beside the stack. */
function rulesIn(directory: string): { readonly file: DriftFile } | { readonly problem: string } {
  const path = resolve(directory, DRIFT_FILE);
  const content = existsSync(path) ? readTextFile(path) : { text: '' };
  if ('problem' in content) return { problem: `cannot read ${DRIFT_FILE}: ${content.problem}` };
  try {
    return { file: readDriftFile({ name: DRIFT_FILE, text: content.text }) };
  } catch (error) {
    if (!(error instanceof UnusableDriftFile)) throw error;
    return { problem: `${DRIFT_FILE} cannot be used\n${error.message}` };
  }
}

/** `options: { file: oneops.yaml }`, or a list. `manifest`: the file with the options. */
export function filesOf(
  options: ProgramRequest['options'],
  manifest = 'Pulumi.yaml',
): { readonly names: readonly string[] } | { readonly problem: string } {
  const unknown = Object.keys(options).filter((name) => !RUNTIME_OPTIONS.includes(name));
  if (unknown.length > 0)
    return {
      problem: `${manifest}: runtime.options contains ${unknown.join(', ')}; known are ${RUNTIME_OPTIONS.slice(0, -1).join(', ')} and ${RUNTIME_OPTIONS.at(-1)}`,
    };
  const names: readonly unknown[] = options['file'] === undefined ? [STANDARD_FILE] : [options['file']].flat();
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';
  if (names.length > 0 && names.every(isName)) return { names };
  return { problem: `${manifest}: runtime.options.file must be the name of a file, or a list of names` };
}

/** `options: { catalogue: catalogue.json }`: another catalogue than the packaged one. */
export function savedCatalogueOf(
  { catalogue }: ProgramRequest['options'],
  directory: string,
  manifest = 'Pulumi.yaml',
): { readonly known?: KnownCatalogue } | { readonly problem: string } {
  return namedCatalogue(catalogue === undefined ? undefined : catalogueName(catalogue, manifest), directory);
}
