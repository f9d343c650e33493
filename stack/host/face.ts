// The provider that carries out the resources of a project's stack file: the dynamic one, which
// needs packages in the project's folder, or the plugin.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { shellWord } from '../../provider/values';
import type { ResourceFace } from '../../sdk';
import { foldersFrom } from '../yaml/text-file';
import type { ProgramRequest } from './language-runtime';

/** The dynamic provider loads these from the project's folder upwards. */
const NEEDED = ['@pulumi/pulumi', 'pulumi-oneops'];

const FACES: readonly unknown[] = ['dynamic', 'plugin'] satisfies readonly ResourceFace[];

/** The facts that the choice depends on. */
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
  const manifests = foldersFrom(directory).map((folder) => join(folder, 'package.json'));
  const asking = manifests.find(asksForPackages);
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
  foldersFrom(directory).some((folder) => existsSync(join(folder, 'node_modules', name)));

/** `pulumi install` installs in the folder of the project alone. */
const installing = (directory: string, manifest: string): string =>
  dirname(manifest) === directory ? 'pulumi install' : `npm install --prefix ${shellWord(dirname(manifest))}`;

/** Whether a package.json requests this package. */
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
