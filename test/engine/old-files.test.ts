// Old files on the real engine: a Boo template goes up with the commands of its conversion. New
// stacks take over the design that the service then exports, and the export of everything,
// unchanged.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { findEngine, newProject, type Project, type Run } from '../world/engine';
import { TOKEN } from './live-service';
import { openStories } from './story';

const KEY = '-----BEGIN PRIVATE KEY-----\ncanary-line-31f0\n-----END PRIVATE KEY-----';

/** What a person enters, by the last word of the name of each secret. */
const ANSWERS: { readonly [word: string]: string } = {
  token: TOKEN,
  DB_PASS: 'canary-variable-90aa',
  API_TOKEN: 'canary-token-11b7',
  DB_PASSWORD: 'canary-attribute-5d21',
  content: 'exec java -Dpassword=canary-option-c0c4 -Dlevel=$1',
};

const userOf = (name: string): string =>
  `        ${name}: { username: ${name}, sudoer: 'true', login_shell: /bin/zsh, description: one of those who deploy the shop }\n`;

const BOO = `# The shop, as Boo deployed it

boo:
  oneops_host: '{{host}}'
  organization: acme
  api_key: '{{api_key}}'
  email: team@acme.io
  environment_name: dev
assembly: { name: shop, auto_gen: false }
variables: { LEVEL: info, API_TOKEN: ${ANSWERS['API_TOKEN']} }
platforms:
  web:
    pack: oneops/tomcat
    pack_version: '1'
    links: [db]
    variables: { HOME: /home/one, HTTPS: yes }
    encrypted_variables: { DB_PASS: ${ANSWERS['DB_PASS']} }
    components:
      artifact:
        app:
          repository: releases
          location: https://files.acme.io/app.war
          environment: { DB_PASSWORD: ${ANSWERS['DB_PASSWORD']}, LEVEL: '$OO_GLOBAL{LEVEL}' }
          attachments:
            key:
              path: /etc/app/key.pem
              content: |
                # of the app
${KEY.replace(/^/gm, '                ')}
              run_on: after-add,after-update
            start:
              path: /etc/app/start
              content: '${ANSWERS['content']}'
      user:
${['one', 'two', 'four', 'five'].map(userOf).join('')}        three: { username: three, sibling_depends_on: '["two"]' }
  db: { pack: oneops/mysql, pack_version: '1' }
scale: { web: { scaling: { compute: { current: '3', min: '2', max: '5' } } } }
environment:
  availability: redundant
  clouds:
    {{cloud}}: { priority: '1' }
    west: { priority: '2' }
  platforms:
    web: { auto_healing: { autorepair: false } }
`;

describe.each(dialectsInTurn(0))('old files become stacks, %s', (dialect) => {
  const { live, open } = openStories(dialect);

  /** A line of a shell in the project's folder, with what a person enters. */
  const shell = async ({ dir, environment }: Project, line: string, input = ''): Promise<void> => {
    const running = promisify(execFile)('sh', ['-c', line], { cwd: dir, env: environment });
    running.child.stdin?.end(input);
    await running;
  };

  const ours = async (project: Project, ...words: readonly string[]): Promise<string> => {
    const run = await project.oneops(words);
    expect(run).toExitWith(0);
    return run.output;
  };

  /** Runs the commands that a conversion wrote, each with its answer, or the file that it reads. */
  const configure = async (project: Project, lines: readonly string[]): Promise<void> => {
    for (const line of lines) {
      const [, name = '', file] = /--secret (\S+?)(?: < (\S+))?$/.exec(line) ?? [];
      if (file !== undefined) await project.write(file, `# of the app\n${KEY}\n`);
      const answer = ANSWERS[name.split(/[-:]/).at(-1) ?? ''];
      if (name !== '' && file === undefined) expect([line, answer]).toEqual([line, expect.any(String)]);
      await shell(project, line, answer);
    }
  };

  const scriptOf = async (project: Project): Promise<readonly string[]> =>
    (await readFile(join(project.dir, 'configure.sh'), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('pulumi '));

  const succeeds = async (project: Project, ...words: readonly string[]): Promise<Run> => {
    const run = await project.succeeds(...words);
    expect(run.output).not.toContain('canary');
    return run;
  };

  /** Takes over what the files declare. Nothing is written, and nothing is left to do. */
  const takeOver = async (project: Project): Promise<void> => {
    live.requests();
    await ours(project, 'import-file', '--declared', '--output', 'import.json');
    await succeeds(project, 'import', '--file', 'import.json', '--generate-code=false', '--protect=false');
    await succeeds(project, 'preview', '--expect-no-changes', '--diff');
    expect(live.writes()).toEqual([]);
  };

  test('a Boo template goes up as it says, and has no secret in its stack file', async () => {
    const profile = `[dev]\nhost = ${live.url}\napi_key = ${TOKEN}\ncloud = east\n`;
    const project = await newProject({ engine: await findEngine(), files: { 'boo.yaml': BOO, 'config.ini': profile } });
    const printed = await ours(project, 'convert', 'boo.yaml', '--profile', 'config.ini', '--out', '.');
    expect(printed).not.toContain('left behind ONE');
    for (const name of ['oneops.yaml', 'configure.sh', 'report.txt'])
      expect(await readFile(join(project.dir, name), 'utf8')).not.toContain('canary');
    await configure(project, await scriptOf(project));
    await ours(project, 'check', '--stack', 'dev');
    await succeeds(project, 'up', '--skip-preview');
    await succeeds(project, 'preview', '--expect-no-changes', '--diff');
    expect(await project.state()).not.toContain('canary');

    expect(await live.running('shop')).toEqual(['dev/db', 'dev/web']);
    const computes = (await live.instances('shop')).filter(({ ciClassName }) => /\.Compute$/.test(ciClassName));
    const counts = ['web', 'db'].map((name) => computes.filter(({ nsPath }) => nsPath.split('/')[5] === name).length);
    expect(counts).toEqual([6, 2]);
    const address = { assembly: 'shop', platform: 'web', component: 'app' };
    const { ciAttributes } = await live.other.call(routes.components.read, { address });
    expect(JSON.parse(String(ciAttributes['environment']))).toEqual({
      DB_PASSWORD: ANSWERS['DB_PASSWORD'],
      LEVEL: '$OO_GLOBAL{LEVEL}',
    });
    const contents = await Promise.all(
      ['key', 'start'].map(async (attachment) => {
        const read = await live.other.call(routes.attachments.read, { address: { ...address, attachment } });
        return read.ciAttributes['content'];
      }),
    );
    expect(contents).toEqual([`# of the app\n${KEY}\n`, ANSWERS['content']]);
    await project.remove();
  });

  test('the design that the service exports is taken over', async () => {
    const design = await live.other.call(routes.design.extractYaml, { address: { assembly: 'shop' } });
    const project = await open({ files: { 'design.yaml': design } });
    await ours(project, 'convert', 'design.yaml', '--assembly', 'shop', '--out', '.');
    expect(await readFile(join(project.dir, 'oneops.yaml'), 'utf8')).not.toContain('canary');
    const lines = await scriptOf(project);
    await configure(
      project,
      lines.map((line) => line.replace(/ owner$/, ' owner team@acme.io')),
    );
    await takeOver(project);
  });

  test('the export of everything is taken over', async () => {
    const project = await open();
    const printed = await ours(project, 'export', '--assembly', 'shop', '--environments', '--out', '.');
    expect(await readFile(join(project.dir, 'oneops.yaml'), 'utf8')).not.toContain('canary');
    await configure(project, printed.match(/pulumi config set --secret .+/g) ?? []);
    await takeOver(project);
  });
});
