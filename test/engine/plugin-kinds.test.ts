// Every kind in every scope through the plugin on the real engine: made, imported by its type, name
// and id, and the code that the CLI prints pasted into a program in Pulumi YAML. The next preview
// is unchanged.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLED, programOf, sampledAs } from '../world/samples';
import { titleOf } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { programFiles, REPOSITORY, setUp, stateOf, type Project, type Run, type StateResource } from '../world/engine';
import { openStories } from './story';

const PLUGINS = join(REPOSITORY, 'dist', 'plugins');
const PROVIDERS = `  providers: [{ name: oneops, path: ${PLUGINS}/resource }]\n`;
const YAML = `name: story\nruntime: yaml\nplugins:\n${PROVIDERS}`;
const ownRuntime = `name: story
runtime: { name: oneops, options: { resources: plugin } }
plugins:
  languages: [{ name: oneops, path: ${PLUGINS}/language }]
${PROVIDERS}`;

/** Secrets of the samples, of those that a read shows, too. */
const SECRET = /s3cret|k3y-|canary/;

describe.each(dialectsInTurn(0))('every kind through the plugin, %s', (dialect) => {
  const { live, open: opened } = openStories(dialect);
  let stood: readonly StateResource[];

  const open = (files: { readonly [path: string]: string }): Promise<Project> =>
    opened({
      files,
      config: { 'oneops:resources': 'plugin' },
      secrets: { key: 's3cret-variable', 'sample-auth': 'k3y-one' },
    });

  const succeeds = async (project: Project, ...args: readonly string[]): Promise<Run> => {
    const run = await project.succeeds(...args);
    expect(run.output).not.toMatch(SECRET);
    expect(await project.state()).not.toMatch(SECRET);
    return run;
  };

  /** Imports resources by type, name and id, and answers the code that the CLI writes. */
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

  test('imported into a project of stack files: its code is a comment that names the command for one', async () => {
    const own = 'assembly: { name: home, owner: team@acme.io }\n';
    const project = await open({ 'Pulumi.yaml': ownRuntime, 'oneops.yaml': own });
    const code = await imported(project, ({ token, name }) => `${token}-${name}`);
    expect(code.trimEnd().split('\n')).toEqual([expect.stringMatching(/^# pulumi-oneops export /)]);
    expect(live.writes()).toEqual([]);
  });

  test('taken over under the names of a stack file, several with one name: the code is unchanged', async () => {
    const project = await open({ 'Pulumi.yaml': YAML });
    await setUp(project);
    const taking = ['import', '--from', 'oneops', '--protect=false', '--skip-preview', '--out', 'code.yaml'];
    await succeeds(project, ...taking, '--', 'acme/home', '--below', '--resources', 'plugin');
    await project.write('Main.yaml', await readFile(join(project.dir, 'code.yaml'), 'utf8'));
    await succeeds(project, 'preview', '--diff', '--expect-no-changes');
    expect(live.writes()).toEqual([]);
  });
});
