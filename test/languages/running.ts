// Programs of docs/languages.md on the engine, with the SDKs that were generated: preview, up, preview and destroy.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { findEngine, newProject, REPOSITORY, type Project } from '../world/engine';
import { startService, TOKEN } from '../engine/live-service';
import { GO, run } from './sdks';

/** Changes of a command by operation: `{ create: 5 }`. */
interface Changes {
  readonly command: string;
  readonly changes: { readonly [operation: string]: number };
}

/** Builds what runs the program of a language, and returns the command. */
export const RUNNERS: { readonly [language: string]: (folder: string) => Promise<readonly string[]> } = {
  async go(folder) {
    await mkdir(join(folder, 'program'), { recursive: true });
    await writeFile(join(folder, 'program', 'main.go'), (await block('go')).replace('pulumi.Run(', 'run('));
    await copyFile(join(__dirname, 'run.go'), join(folder, 'program', 'run.go'));
    const program = join(folder, '.program');
    await run('go', ['build', ...GO, '-o', program, './program'], { cwd: folder });
    return [program];
  },
  async python(folder) {
    const bin = join(folder, '.venv', 'bin');
    const { version: cli } = await findEngine();
    await writeFile(join(folder, 'program.py'), await block('python'));
    await run('python3', ['-m', 'venv', join(folder, '.venv')]);
    // Its project file names a page that the generator leaves to others.
    await writeFile(join(folder, 'python', 'README.md'), '');
    await run(join(bin, 'pip'), ['install', '--quiet', `pulumi==${cli}`, join(folder, 'python')], {
      maxBuffer: 1 << 26,
    });
    return [join(bin, 'python'), join(__dirname, 'run.py'), join(folder, 'program.py')];
  },
};

async function block(language: string): Promise<string> {
  const page = await readFile(join(REPOSITORY, 'docs', 'languages.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
}

/** Runs a command with a separate service, home and state. Rejects if a command of the program fails, or changes what it should not. */
export async function runOnEngine([command = '', ...words]: readonly string[]): Promise<void> {
  const live = await startService('classic');
  let project: Project | undefined;
  try {
    const environment = { ONEOPS_URL: live.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: TOKEN };
    project = await newProject({ engine: await findEngine(), environment });
    const plugin = join(REPOSITORY, 'dist', 'plugins', 'resource');
    await project.run('plugin', 'install', 'resource', 'oneops', version, '--file', plugin);
    const { stdout } = await run(command, words, { env: project.environment, maxBuffer: 1 << 26 });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    const done = lines.map((line) => JSON.parse(line) as Changes).filter(({ command: of }) => of !== 'stack');
    const created = done[1]?.changes['create'] ?? 0;
    const expected = [{ create: created }, { create: created }, { same: created }, { delete: created }];
    const found = done.map(({ changes }) => changes);
    if (created < 5 || JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(done));
    if ((await live.assemblies()).includes('shop')) throw new Error('destroy left the assembly');
  } finally {
    await project?.remove();
    await live.stop();
  }
}
