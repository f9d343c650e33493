// The files of a new project.
// It must not know where they are written.
import { createRequire } from 'node:module';
import { STANDARD_FILE } from '../../stack';
import { newFilesProblem } from '../new-files';

/** What a new project is made from. */
export interface ProjectFacts {
  readonly name: string;
  readonly owner: string;
  /** `source/pack:version`. */
  readonly pack: string;
  readonly organization?: string;
  /** Cloud of an environment `dev`; without it, there is no environment. */
  readonly cloud?: string;
}

interface Manifest {
  readonly version: string;
  readonly devDependencies: { readonly [name: string]: string };
}

/** Each file of a new project, by name. */
export function projectFiles(facts: ProjectFacts): readonly NewFile[] {
  const [project, ...rest] = filesAround(facts);
  return [...(project ? [project] : []), { name: STANDARD_FILE, text: stackText(facts) }, ...rest];
}

interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** The files that make a project of a folder with a stack file. The first one is that of Pulumi. */
const filesAround = (facts: Pick<ProjectFacts, 'name' | 'organization'>): readonly NewFile[] => [
  { name: 'Pulumi.yaml', text: projectText(facts) },
  { name: 'package.json', text: `${JSON.stringify(manifestOf(facts), null, 2)}\n` },
  {
    name: '.gitignore',
    text: 'node_modules/\n*.log\n# Secrets that wait to be set, and the file of an import, which contains those that are known.\n*.secret\nimport.json\n',
  },
];

/** Those of them that a folder needs: none where there is a project already, and nothing over a file that exists. */
export const missingAround = (folder: string, name: string): readonly NewFile[] =>
  newFilesProblem(folder, ['Pulumi.yaml']) === undefined
    ? filesAround({ name }).filter((file) => newFilesProblem(folder, [file.name]) === undefined)
    : [];

const projectText = ({ name, organization }: Pick<ProjectFacts, 'name' | 'organization'>): string =>
  [
    `name: ${scalar(name)}`,
    'runtime: oneops',
    ...(organization === undefined ? [] : ['config:', '  oneops:organization:', `    value: ${scalar(organization)}`]),
    '',
  ].join('\n');

const stackText = ({ name, owner, pack, cloud }: ProjectFacts): string =>
  [
    '# yaml-language-server: $schema=node_modules/pulumi-oneops/stack.schema.json',
    'assembly:',
    `  name: ${scalar(name)}`,
    `  owner: ${scalar(owner)}`,
    'platforms:',
    '  web:',
    `    pack: ${scalar(pack)}`,
    ...(cloud === undefined
      ? ['', '# environments:', '#   dev:', '#     clouds: [NAME]']
      : ['environments:', '  dev:', `    clouds: [${scalar(cloud)}]`]),
    '',
  ].join('\n');

function manifestOf({ name }: Pick<ProjectFacts, 'name'>): object {
  const { version, devDependencies } = createRequire(__filename)('pulumi-oneops/package.json') as Manifest;
  const pulumi = '@pulumi/pulumi';
  return {
    name: name.toLowerCase(),
    private: true,
    dependencies: { [pulumi]: devDependencies[pulumi], 'pulumi-oneops': version },
  };
}

/** A text as a value of YAML: plain where nothing else can be read, in quotes otherwise. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z/][\w./@:-]*$/.test(text) && !/:$|^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
