// The files of a new project.
import { existsSync, readFileSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../../provider/values';
import { type SourceFile, STANDARD_FILE, documentText } from '../../../stack';
import { isHostCached, PACKAGE } from '../../pulumi-cli';

export interface ProjectFacts {
  readonly name: string;
  readonly owner: string;
  /** `source/pack:version`. */
  readonly pack: string;
  readonly organization?: string;
  /** Cloud of an environment `dev`; without it, there is no environment. */
  readonly cloud?: string;
}

export const projectFiles = (facts: ProjectFacts): readonly SourceFile[] => [
  { name: 'Pulumi.yaml', text: projectText(facts, 'oneops') },
  { name: STANDARD_FILE, text: stackText(facts) },
];

/** A program; without a .gitignore where the folder has its own. */
export const programFiles = (facts: ProjectFacts, folder: string): readonly SourceFile[] => [
  { name: 'Pulumi.yaml', text: projectText(facts, { name: 'nodejs', options: { packagemanager: 'npm' } }) },
  { name: 'index.ts', text: programText(facts) },
  ...['package.json', 'tsconfig.json', '.gitignore']
    .filter((name) => name !== '.gitignore' || newFilesProblem(folder, [name]) === undefined)
    .map((name) => ({ name, text: templateText(name).replace('${PROJECT}', facts.name.toLowerCase()) })),
];

/** The text of a file of the template for `pulumi new`: in a repository, or in the package. */
function templateText(name: string): string {
  const packed = join(PACKAGE, 'dist', 'plugins', 'language', 'templates', 'oneops-typescript');
  const folder = existsSync(join(PACKAGE, 'templates')) ? join(PACKAGE, 'templates', 'oneops-typescript') : packed;
  // npm packs no .gitignore.
  const file = join(folder, name);
  return readFileSync(existsSync(file) ? file : join(folder, name.replace(/^\./, '')), 'utf8');
}

const programText = ({ name, owner, pack, cloud }: ProjectFacts): string => {
  const [source, packName, version] = pack.split(/[/:]/).map((part) => quoted(part));
  return [
    `import * as oneops from 'pulumi-oneops';`,
    '',
    `const assembly = new oneops.Assembly(${quoted(name)}, { owner: ${quoted(owner)} });`,
    `const web = new oneops.Platform('web', { assembly, source: ${source}, pack: ${packName}, version: ${version} });`,
    ...(cloud === undefined
      ? []
      : [
          `const dev = new oneops.Environment('dev', { assembly, clouds: { ${/^[a-z]\w*$/i.test(cloud) ? cloud : quoted(cloud)}: { priority: 1 } } });`,
          `export const deployment = new oneops.Deployment('dev', { environment: dev }).deploymentId;`,
        ]),
    'export const platform = web.name;',
    '',
  ].join('\n');
};

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** What a folder with a stack file lacks to be a project; nothing over files that exist. */
export const missingAround = (folder: string, name: string): readonly SourceFile[] =>
  newFilesProblem(folder, ['Pulumi.yaml']) === undefined
    ? [
        { name: 'Pulumi.yaml', text: projectText({ name }, 'oneops') },
        {
          name: '.gitignore',
          text: '*.log\n# Secrets that wait to be set, and the file of an import, which contains those that are known.\n*.secret\nimport.json\n',
        },
      ].filter((file) => newFilesProblem(folder, [file.name]) === undefined)
    : [];

const projectText = ({ name, organization }: Pick<ProjectFacts, 'name' | 'organization'>, runtime: unknown): string =>
  documentText({
    name,
    runtime,
    ...(organization === undefined ? {} : { config: { 'oneops:organization': { value: organization } } }),
  });

const stackText = ({ name, owner, pack, cloud }: ProjectFacts): string => {
  const design = { assembly: { name, owner }, platforms: { web: { pack } } };
  return cloud === undefined
    ? `${documentText(design)}\n# environments:\n#   dev:\n#     clouds: [NAME]\n`
    : documentText({ ...design, environments: { dev: { clouds: [cloud] } } });
};

/** The commands in a folder with new files: for the language host, or a program's packages. */
export const firstSteps = (written: readonly string[], folder = '.'): readonly string[] => [
  ...(folder === '.' ? [] : [`cd ${shellWord(folder)}`]),
  ...(written.includes('package.json')
    ? ['npm install']
    : written.includes('Pulumi.yaml') && !isHostCached()
      ? ['npx pulumi-oneops setup']
      : []),
];

/** The commands for what a new project does not know yet of its service. */
export const serviceSettings = (organization?: string): readonly string[] => [
  'pulumi config set oneops:url URL',
  ...(organization === undefined ? ['pulumi config set oneops:organization NAME'] : []),
  'pulumi config set --secret oneops:token',
];

/** Why files cannot be made in a folder; undefined when they can. Dead links count, too. */
export function newFilesProblem(folder: string, names: readonly string[]): string | undefined {
  const own = statSync(folder, { throwIfNoEntry: false });
  if (own === undefined) return undefined;
  if (!own.isDirectory()) return `${folder} is no folder`;
  const there = names.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
  return there.length > 0 ? `${folder} already has ${there.join(', ')}` : undefined;
}

/** Throws Error when one of the files exists. */
export function expectNew(folder: string, files: readonly SourceFile[]): void {
  const names = files.map(({ name }) => name);
  const problem = newFilesProblem(folder, names);
  if (problem !== undefined) throw new Error(`nothing was written: ${problem}`);
}

/** Writes new files; returns their names. Throws Error, and writes none, when one exists. */
export function writeNewFiles(folder: string, files: readonly SourceFile[]): readonly string[] {
  expectNew(folder, files);
  mkdirSync(folder, { recursive: true });
  // Not over a file that somebody made in between.
  for (const { name, text } of files) writeFileSync(join(folder, name), text, { flag: 'wx' });
  return files.map(({ name }) => name);
}
