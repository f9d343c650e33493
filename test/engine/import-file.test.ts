// A whole stack taken over by the file of `pulumi-oneops import-file`, and by an exported file, on the real engine, as docs/importing.md and docs/exporting.md
// say: nothing is written, and nothing left to do.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialectsInTurn } from '../dialects-in-turn';
import { findEngine, newProject, REPOSITORY, stateOf, type Engine, type Project, type Run } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

const VARIABLE_CANARY = 'canary-variable-77b1';
const PASSWORD_CANARY = 'canary-password-19e4';

const SECRETS = { key: VARIABLE_CANARY, password: PASSWORD_CANARY };

const FILE = `config:
  key: { type: string, secret: true }
  password: { type: string, secret: true }
assembly: { name: shop, owner: team@acme.io, description: Web shop }
variables:
  LEVEL: info
  KEY: '\${config.key}'
platforms:
  web:
    pack: oneops/tomcat:1
    description: front
    links: [db]
    variables: { HOME: /home/one }
    components:
      compute: { size: M }
      user:
        deployer:
          username: deployer
          sudoer: true
          authorized_keys: ['ssh-rsa AAAAB3 deployer@acme.io']
          attachments:
            motd:
              path: /etc/motd
              content: |
                Welcome to the $OO_LOCAL{HOME}.
                Zwei Zeilen: ä, 日本, 🚀
              runs_on: [after-add, after-update]
            licences:
              source: https://files.acme.io/licences.tgz
              basic_auth_user: reader
              basic_auth_password: '\${config.password}'
  db:
    pack: oneops/mysql:1
    components:
      mysql: { port: 3307 }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 }, west: { priority: 2, pct_scale: 50 } }
    variables: { LEVEL: warn }
    platforms:
      web: { clouds: { west: { dpmt_order: 2 } } }
    deploy: {}
  staging:
    clouds: { east: { priority: 1 } }
`;

/** How the engine knows a secret in a separate file. */
const secret = (value: string): object => ({
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  plaintext: JSON.stringify(value),
});

interface Entry {
  readonly type: string;
  readonly logicalName: string;
  readonly inputs: { [name: string]: unknown };
  readonly outputs: { [name: string]: unknown };
}

let engine: Engine;

beforeAll(async () => {
  engine = await findEngine();
});

describe.each(dialectsInTurn(1))('a stack is taken over completely, %s', (dialect) => {
  let live: LiveService;
  const projects: Project[] = [];

  const open = async (text = FILE, secrets: { readonly [name: string]: string } = SECRETS): Promise<Project> => {
    const project = await newProject({
      engine,
      files: { 'oneops.yaml': text },
      config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
      secrets: { 'oneops:token': TOKEN, ...secrets },
    });
    projects.push(project);
    return project;
  };

  const succeeded = (run: Run): Run => {
    expect(run.code === 0 ? '' : run.output).toBe('');
    return run;
  };

  /** The command as a person types it in the project's folder: settings come from the stack. */
  const command = (project: Project, ...words: readonly string[]): Promise<Omit<Run, 'output'>> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(REPOSITORY, 'bin', 'pulumi-oneops'), ...words],
        { cwd: project.dir, env: project.environment },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  beforeAll(async () => {
    live = await startService(dialect);
  });

  afterAll(async () => {
    await Promise.all(projects.map((project) => project.remove()));
    await live.stop();
  });

  test('by the file, and the first up only tells the engine what depends on what', async () => {
    const first = await open();
    succeeded(await first.run('up', '--skip-preview'));
    const made = await stateOf(first);

    const second = await open();
    live.requests();
    const told = await command(second, 'import-file', 'acme/shop', '--below', '--output', 'import.json');
    expect(live.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect(told).toMatchObject({ code: 0, stdout: '' });
    expect(told.stderr.trim().split('\n').sort()).toEqual([
      `${made.length} resources in import.json`,
      expect.stringMatching(/^Attachment .*licences: no read shows basicAuthPassword/) as string,
      expect.stringMatching(/^Component acme\/shop\/db\/mysql: no read shows attributes.password/) as string,
      expect.stringMatching(/^Variable acme\/shop\/variables\/KEY: no read shows encryptedValue/) as string,
      expect.stringMatching(
        /^Variable acme\/shop\/variables\/KEY: the engine takes it .*an encrypted value if it is a secret/,
      ) as string,
    ]);

    const path = join(second.dir, 'import.json');
    const file = JSON.parse(await readFile(path, 'utf8')) as { readonly resources: readonly Entry[] };
    const keyOf = ({ type, logicalName }: Entry): string => `${type.split(':').at(-1)}::${logicalName}`;
    expect(file.resources.map(keyOf).sort()).toEqual(made.map(({ key }) => key).sort());
    // What a person adds.
    for (const entry of file.resources) {
      const added =
        keyOf(entry) === 'Variable::variables/KEY'
          ? { encryptedValue: secret(VARIABLE_CANARY) }
          : keyOf(entry) === 'Attachment::web/licences'
            ? { basicAuthPassword: secret(PASSWORD_CANARY) }
            : {};
      Object.assign(entry.inputs, added);
      Object.assign(entry.outputs, added);
    }
    await second.write('import.json', JSON.stringify(file));

    live.requests();
    succeeded(await second.run('import', '--file', 'import.json', '--generate-code=false', '--protect=false'));
    succeeded(await second.run('preview', '--expect-no-changes', '--diff'));
    succeeded(await second.run('up', '--skip-preview', '--expect-no-changes'));
    expect(live.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
    const state = await second.state();
    expect([state.includes(VARIABLE_CANARY), state.includes(PASSWORD_CANARY)]).toEqual([false, false]);

    const exported = await command(second, 'export', '--assembly', 'shop', '--environments');
    expect([exported.code, exported.stderr.includes('not exported')]).toEqual([0, false]);
    const secrets = { KEY: VARIABLE_CANARY, 'web-deployer-licences-basic_auth_password': PASSWORD_CANARY };
    const third = await open(exported.stdout, secrets);
    live.requests();
    expect(await command(third, 'import-file', '--declared', '--output', 'import.json')).toExitWith(0);
    succeeded(await third.run('import', '--file', 'import.json', '--generate-code=false', '--protect=false'));
    succeeded(await third.run('preview', '--expect-no-changes', '--diff'));
    expect(live.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);

    if (dialect === 'documented') return;
    // From here on it is like any other stack: a refresh finds nothing, a change is deployed, and its end leaves nothing behind.
    succeeded(await second.run('refresh', '--preview-only', '--expect-no-changes', '--diff'));
    await second.write('oneops.yaml', FILE.replace('path: /etc/motd', 'path: /etc/motd2'));
    live.writes();
    succeeded(await second.run('up', '--skip-preview'));
    expect(live.writes()).toEqual(
      expect.arrayContaining(['PUT attachments.update', 'POST environments.pull', 'POST deployments.create']),
    );
    succeeded(await second.run('destroy', '--skip-preview'));
    expect(await live.assemblies()).toEqual([]);
  });
});
