// What already exists, on the real engine: referred to and never touched, taken over when it is the same, and, when it differs, reported with a
// line that takes it over when it is pasted into a shell.
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import {
  findEngine,
  messagesOfRun,
  newProject,
  programFile,
  programFiles,
  REPOSITORY,
  stateOf,
  type ProgramResource,
  type Project,
  type Run,
} from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

const resource = (key: string) => ({ resource: key });
const SHOP = { assembly: resource('Assembly::of theirs') };

const THEIRS: readonly ProgramResource[] = [
  { token: 'Assembly', name: 'of theirs', args: { name: 'shop', existing: true } },
  { token: 'Platform', name: 'web', args: { ...SHOP, existing: true, source: 'oneops', pack: 'custom', version: '1' } },
  { token: 'Cloud', name: 'east', args: { existing: true } },
];
const SAME: ProgramResource = {
  token: 'Variable',
  name: 'same',
  args: { ...SHOP, name: 'SAME', value: 'one', adopt: true },
};
/** Its logical name needs quotes in a shell. */
const OTHER: ProgramResource = {
  token: 'Variable',
  name: "it's other",
  args: { ...SHOP, name: 'OTHER', value: 'ours' },
};

const dialects = dialectsInTurn(0);

describe.each(dialects)('%s', (dialect) => {
  let live: LiveService;
  let project: Project;

  beforeAll(async () => {
    live = await startService(dialect);
    const cms_ci = { ciName: 'shop', ciAttributes: { owner: 'maria@acme.io' } };
    await live.other.call(routes.assemblies.create, { body: { cms_ci } });
    const address = { assembly: 'shop' };
    const web = { ciName: 'web', ciAttributes: { source: 'oneops', pack: 'custom', version: '1' } };
    await live.other.call(routes.platforms.create, { address, body: { cms_dj_ci: web } });
    for (const [ciName, value] of Object.entries({ SAME: 'one', OTHER: 'theirs' })) {
      const body = { cms_dj_ci: { ciName, ciAttributes: { value, secure: 'false' } } };
      await live.other.call(routes.designVariables.create, { address, body });
    }
    project = await newProject({
      engine: await findEngine(),
      files: programFiles([...THEIRS, SAME]),
      config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
      secrets: { 'oneops:token': TOKEN },
    });
    live.requests();
  });

  afterAll(async () => {
    await project.remove();
    await live.stop();
  });

  const valueOf = async (variable: string): Promise<string | null | undefined> => {
    const record = await live.other.call(routes.designVariables.read, { address: { assembly: 'shop', variable } });
    return record.ciAttributes['value'];
  };

  /** What a person does with a line: the package's commands are on PATH, and whoever is asked says yes. */
  const paste = async (line: string): Promise<Pick<Run, 'code' | 'output'>> => {
    const bin = join(project.dir, 'bin');
    await mkdir(bin);
    await symlink(join(REPOSITORY, 'bin', 'pulumi-oneops'), join(bin, 'pulumi-oneops'));
    const env = {
      ...project.environment,
      PATH: `${bin}:${project.environment['PATH']}`,
      PULUMI_SKIP_CONFIRMATIONS: 'true',
      PULUMI_STACK: 'dev',
    };
    return new Promise((resolve) => {
      const child = execFile('sh', ['-c', line], { cwd: project.dir, env }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  };

  test('what the file asks for is taken over and its row says so; another is refused, with what differs and what to do', async () => {
    const asked = await project.run('up', '--skip-preview', '--json');
    expect([asked.code, live.writes().filter((write) => !write.startsWith('POST designVariables'))]).toEqual([0, []]);
    const rows = asked.output.split('\n').filter((line) => line.includes('"diagnosticEvent"'));
    const told = rows.filter((line) => line.includes('taken over'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"urn":"[^"]*oneops:Variable::same".*was already there with these values: taken over/);

    await project.write('program.json', programFile([...THEIRS, SAME, OTHER]));
    const run = await project.run('up', '--skip-preview', '--json');
    expect([run.code, live.writes()]).toEqual([1, []]);
    const errors = messagesOfRun(run.output, 'error').join('\n');
    expect(errors).toContain('value: there "theirs", declared "ours"');

    const line = /^ *(pulumi-oneops import-file .*)$/m.exec(errors)?.[1] ?? '';
    const pasted = await paste(line);
    expect(pasted.code === 0 ? '' : `${line}\n${pasted.output}`).toBe('');
    expect((await stateOf(project)).map(({ key }) => key)).toContain(`Variable::it's other`);
    expect(await valueOf('OTHER')).toBe('theirs');
    const up = await project.run('up', '--skip-preview');
    expect(up.code === 0 ? '' : up.output).toBe('');
    expect(await valueOf('OTHER')).toBe('ours');
    const preview = await project.run('preview', '--expect-no-changes', '--diff');
    expect(preview.code === 0 ? '' : preview.output).toBe('');
  });
});
