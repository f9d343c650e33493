// Every kind in every scope through the plugin on the real engine: made, imported by its type, name and id, and the code that the CLI prints pasted into
// a program, in Pulumi YAML and in our own YAML. The next preview is unchanged.
// What does not hold is here as data, with its reason.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLED, programOf, sampledAs } from '../conformance/samples';
import { kindOf, titleOf } from '../conformance/world';
import { dialectsInTurn } from '../dialects-in-turn';
import {
  findEngine,
  newProject,
  programFiles,
  REPOSITORY,
  setUp,
  stateOf,
  stepsOfPreview,
  type Engine,
  type Project,
  type Run,
  type StateResource,
} from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const PLUGINS = join(REPOSITORY, 'dist', 'plugins');
const PROVIDERS = `  providers: [{ name: oneops, path: ${PLUGINS}/resource }]\n`;
const YAML = `name: story\nruntime: yaml\nplugins:\n${PROVIDERS}`;
const ownRuntime = (resources: string): string => `name: story
runtime: { name: oneops, options: { resources: ${resources} } }
plugins:
  languages: [{ name: oneops, path: ${PLUGINS}/language }]
${PROVIDERS}`;

/** Secrets of the samples, of those that a read shows, too. */
const SECRET = /s3cret|k3y-|canary/;

/** Whether one stack file cannot declare it: its kind has no place in files, or it is a second assembly. */
const isApart = ({ key, token }: StateResource): boolean => key === 'Assembly::sample' || !kindOf(token).inFile;

/** Resources that a preview changes after an import into a stack file, and why. */
const SETTLED: { readonly [token: string]: string } = {
  DesignRelease: 'an import of one record knows no other one: the file lists every record that it declares',
  Deployment: 'the same',
  Environment: 'it pulls the release',
  Variable: 'no read shows the value of the secret one: the next run writes it',
};

/** Whether a step has no such reason. */
const isOpen = (step: string): boolean => !((/^\S+ (\w+)::/.exec(step)?.[1] ?? '') in SETTLED);

describe.each(dialectsInTurn(0))('every kind through the plugin, %s', (dialect) => {
  let engine: Engine;
  let live: LiveService;
  let stood: readonly StateResource[];
  /** The stack file that an import of single records printed. */
  let printed: string;
  const projects: Project[] = [];

  const open = async (files: { readonly [path: string]: string }): Promise<Project> => {
    const project = await newProject({
      engine,
      files,
      config: { 'oneops:url': live.url, 'oneops:organization': 'acme', 'oneops:resources': 'plugin' },
      secrets: { 'oneops:token': TOKEN, key: 's3cret-variable', 'sample-auth': 'k3y-one' },
    });
    projects.push(project);
    return project;
  };

  const succeeds = async (project: Project, ...args: readonly string[]): Promise<Run> => {
    const run = await project.run(...args);
    expect(run.code === 0 ? '' : run.output).toBe('');
    expect(run.output).not.toMatch(SECRET);
    expect(await project.state()).not.toMatch(SECRET);
    return run;
  };

  /** Keys of what a preview would change. */
  const changed = async (project: Project): Promise<readonly string[]> => {
    const steps = stepsOfPreview((await succeeds(project, 'preview', '--json')).stdout);
    return steps.filter(({ op }) => op !== 'same').map(({ key, op }) => `${op} ${key}`);
  };

  /** Runs `pulumi import` on resources by type, name and id, and answers the code that it writes. */
  const imported = async (project: Project, named: (of: StateResource) => string | undefined): Promise<string> => {
    const resources = stood.flatMap((of) => {
      const name = named(of);
      return name === undefined ? [] : [{ type: `oneops:index:${of.token}`, name, id: of.id }];
    });
    await project.write('import.json', JSON.stringify({ resources }));
    const run = await succeeds(project, 'import', '--file', 'import.json', '--protect=false', '--out', 'code.yaml');
    // A secret of the sample that code cannot have is all that is warned of.
    expect([...new Set(run.output.match(/warning: [^:]*/g))]).toEqual(['warning: no code has the secret auth']);
    const code = await readFile(join(project.dir, 'code.yaml'), 'utf8');
    expect(code).not.toMatch(SECRET);
    return code;
  };

  beforeAll(async () => {
    engine = await findEngine();
    live = await startService(dialect);
  });

  afterAll(async () => {
    await live.stop();
    await Promise.all(projects.map((project) => project.remove()));
  });

  test('made, and nothing is left to do', async () => {
    const files = programFiles(programOf('create', dialect));
    const project = await open({ ...files, 'Pulumi.yaml': `${files['Pulumi.yaml']}${PROVIDERS}` });
    await succeeds(project, 'up', '--skip-preview');
    expect(await project.state()).not.toContain('pulumi-nodejs:dynamic');
    stood = await stateOf(project);
    const made = stood.flatMap(({ key }) => sampledAs(key) ?? []);
    expect(made.map(titleOf).sort()).toEqual(SAMPLED.map(titleOf).sort());
    await succeeds(project, 'preview', '--refresh', '--expect-no-changes', '--diff');
    live.writes();
  });

  test('imported into a program in Pulumi YAML: with the printed code, the preview is unchanged', async () => {
    const project = await open({ 'Pulumi.yaml': YAML });
    await project.write('Main.yaml', await imported(project, ({ token, name }) => `${token}-${name}`));
    await succeeds(project, 'preview', '--diff', '--expect-no-changes');
    expect(live.writes()).toEqual([]);
  });

  test('imported into a stack file: with the printed code, only what the file settles changes', async () => {
    const own = {
      'Pulumi.yaml': ownRuntime('plugin'),
      'oneops.yaml': 'assembly: { name: home, owner: team@acme.io }\n',
    };
    const project = await open(own);
    // The CLI writes no code for two resources of one name: each has its kind in its name, and the file an alias.
    printed = await imported(project, (of) => (isApart(of) ? undefined : `${of.token}-${of.name}`));
    await project.write('oneops.yaml', printed);
    expect((await changed(project)).filter(isOpen)).toEqual([]);
    expect(live.writes()).toEqual([]);
  });

  /** Takes over by the converter, in the project's folder. */
  const taken = async (project: Project, ...words: readonly string[]): Promise<void> => {
    await setUp(project);
    await succeeds(project, 'import', '--from', 'oneops', '--protect=false', '--skip-preview', ...words);
  };

  test.each(['plugin', 'dynamic'])(
    'declared in that file, and taken over as %s: the preview is unchanged',
    async (resources) => {
      const project = await open({ 'Pulumi.yaml': ownRuntime(resources), 'oneops.yaml': printed });
      await taken(project, '--generate-code=false', '--', '--declared');
      await succeeds(project, 'preview', '--diff', '--expect-no-changes');
      expect(live.writes()).toEqual([]);
    },
  );

  test('taken over under the names of a stack file, several with one name: the code of both languages is unchanged', async () => {
    for (const [runtime, file] of [
      [YAML, 'Main.yaml'],
      [ownRuntime('plugin'), 'oneops.yaml'],
    ] as const) {
      const project = await open({ 'Pulumi.yaml': runtime });
      await project.write('oneops.yaml', 'assembly: { name: home, owner: team@acme.io }\n');
      await taken(project, '--out', 'code.yaml', '--', 'acme/home', '--below', '--resources', 'plugin');
      await project.write(file, await readFile(join(project.dir, 'code.yaml'), 'utf8'));
      const steps = await changed(project);
      expect(runtime === YAML ? steps : steps.filter(isOpen)).toEqual([]);
    }
    expect(live.writes()).toEqual([]);
  });
});
