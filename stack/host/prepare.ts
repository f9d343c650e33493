// Turns a run request into a stack that is ready to be registered: finds its files, its
// configuration, and the provider that carries out its resources.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { catalogueAt, type KnownCatalogue } from '../../provider/kinds/catalogue';
import { catalogueLevel } from '../../provider/session/settings';
import { shellWord } from '../../provider/values';
import { chooseFace, type ResourceFace } from '../../sdk';
import { DRIFT_FILE, readDriftFile, UnusableDriftFile, type DriftFile } from '../drift-file';
import { withRules } from '../run/kept-attributes';
import { loadStack, STANDARD_FILE } from '../run/load';
import { catalogueName, namedCatalogue, ownConfig, RUNTIME_OPTIONS } from '../run/project';
import { registerInTurns } from '../run/register';
import { readTextFile } from '../text-file';
import type { Prepared, ProgramRequest } from './language-runtime';

/** Shows a warning; the run continues. */
type Warn = (text: string) => void;

/** Reads and validates the stack of a project. The returned program registers it. */
export function prepare(
  request: ProgramRequest,
  warn: Warn,
  today: string = new Date().toISOString().slice(0, 10),
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
  const catalogue = catalogueLevel(request.config['oneops:catalogue']);
  if ('problem' in catalogue) return catalogue;
  const { project, stack } = request;
  const own = ownConfig(request.config, project, (key) => request.secretKeys.includes(key));
  const overlay = request.config['oneops:overlay'];
  const loaded = loadStack({
    ...{ ...own, files: files.names, directory, catalogue: catalogue.word, project, stack, overlay },
    known: saved.known ?? catalogueAt(request.config['oneops:url'] ?? process.env['ONEOPS_URL']),
    ownsConfig: true,
  });
  if ('problem' in loaded) return loaded;
  if (loaded.warnings !== '') warn(loaded.warnings);
  const rules = rulesIn(directory);
  if ('problem' in rules) return rules;
  const ruled = withRules(loaded, rules.file, { stack, project, day: today });
  ruled.warnings.forEach(warn);
  const run = {
    ...loaded,
    plan: ruled.plan,
    secretConfig: own.secretConfig,
    pathOf: (file: string) => resolve(directory, file),
  };
  const place = { file: resolve(directory, files.names[0] ?? STANDARD_FILE), line: 1, column: 1 };
  const program = async (): Promise<object> => {
    if (face !== undefined) chooseFace(face);
    return (await registerInTurns(run)).outputs;
  };
  return { program, place };
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
  if (!existsSync(path)) return { file: readDriftFile({ name: DRIFT_FILE, text: '' }) };
  const content = readTextFile(path);
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

/** The dynamic provider loads these from the project's folder upwards. */
const NEEDED = ['@pulumi/pulumi', 'pulumi-oneops'];

const FACES: readonly unknown[] = ['dynamic', 'plugin'] satisfies readonly ResourceFace[];

/** What the choice depends on. */
interface FaceSource extends Pick<ProgramRequest, 'options' | 'directory'> {
  readonly config: { readonly [key: string]: unknown };
}

type Chosen = { readonly face: ResourceFace | undefined } | { readonly problem: string };

/**
 * `options: { resources: plugin }` decides, or `oneops:resources` of the stack (face: undefined).
 * If neither exists, a folder without packages gets the plugin, because the dynamic provider cannot
 * be loaded from it. Packages that are requested, there, in a folder above or by
 * `resources: dynamic`, and only not installed yet are a problem: the plugin would take over the
 * resources of a stack for one run.
 */
export function faceOf({ options, config, directory }: FaceSource): Chosen {
  const { resources } = options;
  if (resources !== undefined && !FACES.includes(resources)) {
    const given = JSON.stringify(resources);
    return { problem: `Pulumi.yaml: runtime.options.resources is ${given}; it must be dynamic or plugin` };
  }
  const face = resources as ResourceFace | undefined;
  const named = face ?? config['oneops:resources'];
  const missing = named === 'plugin' ? [] : NEEDED.filter((name) => !isInstalled(directory, name));
  if (missing.length === 0) return { face };
  const asking = manifestAsking(directory);
  if (asking === undefined && named === undefined) return { face: 'plugin' };
  const [whose, run] =
    asking === undefined
      ? ['resources: dynamic', `npm install ${NEEDED.join(' ')}`]
      : [relative(directory, asking), installing(directory, asking)];
  return {
    problem: [
      `the packages of ${whose} are not installed: ${missing.join(', ')}`,
      `  run: ${run}`,
      '  or do without packages: write "resources: plugin" below runtime.options in Pulumi.yaml',
    ].join('\n'),
  };
}

const isInstalled = (directory: string, name: string): boolean =>
  existsSync(join(directory, 'node_modules', name)) ||
  (dirname(directory) !== directory && isInstalled(dirname(directory), name));

/** `pulumi install` installs in the folder of the project alone. */
const installing = (directory: string, manifest: string): string =>
  dirname(manifest) === directory ? 'pulumi install' : `npm install --prefix ${shellWord(dirname(manifest))}`;

/** The package.json, of the folder or one above, that requests this package. */
function manifestAsking(directory: string): string | undefined {
  const manifest = join(directory, 'package.json');
  if (asksForPackages(manifest)) return manifest;
  return dirname(directory) === directory ? undefined : manifestAsking(dirname(directory));
}

function asksForPackages(file: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { readonly [key: string]: object };
    return ['dependencies', 'devDependencies', 'optionalDependencies'].some(
      (key) => 'pulumi-oneops' in (manifest[key] ?? {}),
    );
  } catch {
    return false;
  }
}
