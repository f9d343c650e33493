// The README's YAML and its TypeScript, as they stand there, on the real engine: both go up, and they declare the same.
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as ts from 'typescript';
import { findEngine, newProject, type Engine, type Project } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const REPOSITORY = join(__dirname, '..', '..');
const README = join(REPOSITORY, 'README.md');

/** The first block of a language after a heading. */
async function blockAfter(heading: string, language: string): Promise<string> {
  const text = await readFile(README, 'utf8');
  const after = text.slice(text.indexOf(`## ${heading}`));
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(after)?.[1] ?? `no ${language} after ${heading}`;
}

let engine: Engine;
let live: LiveService;

beforeAll(async () => {
  engine = await findEngine();
  live = await startService();
});

afterAll(async () => {
  await live.stop();
});

const settings = (): { readonly [key: string]: string } => ({ 'oneops:url': live.url, 'oneops:organization': 'acme' });

describe('the YAML', () => {
  let project: Project;

  beforeAll(async () => {
    project = await newProject({
      engine,
      files: { 'oneops.yaml': await blockAfter('Ten lines of YAML', 'yaml') },
      config: settings(),
      secrets: { 'oneops:token': TOKEN },
    });
  });

  afterAll(() => project.remove());

  test('has ten lines, goes up, has nothing to do again, and goes away', async () => {
    expect((await blockAfter('Ten lines of YAML', 'yaml')).trimEnd().split('\n')).toHaveLength(10);
    const up = await project.run('up', '--skip-preview');
    expect(up.output).toContain('+ 7 created');
    expect(await live.running('shop')).toEqual(['prod/web']);
    const again = await project.run('up', '--skip-preview', '--expect-no-changes');
    expect(again.code).toBe(0);
    const destroy = await project.run('destroy', '--skip-preview');
    expect([destroy.code, await live.assemblies()]).toEqual([0, []]);
  });
});

describe('the TypeScript', () => {
  let project: Project;

  const drive = async (
    ...words: readonly string[]
  ): Promise<{
    readonly outputs: { readonly [name: string]: unknown };
    readonly changes: object;
    readonly output: string;
  }> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['program-driver.cjs', ...words], {
      cwd: project.dir,
      env: {
        ...project.environment,
        ENGINE_ROOT: engine.root,
        STACK_CONFIG: JSON.stringify({ ...settings(), 'oneops:token': TOKEN }),
      },
    });
    return {
      ...(JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '{}') as {
        outputs: { [name: string]: unknown };
        changes: object;
      }),
      output: stdout,
    };
  };

  beforeAll(async () => {
    project = await newProject({
      engine,
      files: {
        'program.ts': await blockAfter('The same in TypeScript', 'ts'),
        'Pulumi.yaml': 'name: program\nruntime: nodejs\n',
      },
    });
    await copyFile(join(__dirname, 'program-driver.cjs'), join(project.dir, 'program-driver.cjs'));
  });

  afterAll(() => project.remove());

  test("has no type errors under Pulumi's own template options", async () => {
    const program = ts.createProgram([join(project.dir, 'program.ts')], {
      strict: true,
      outDir: project.dir,
      target: ts.ScriptTarget.ES2020,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      pretty: true,
      experimentalDecorators: true,
      noFallthroughCasesInSwitch: true,
      noImplicitReturns: true,
      forceConsistentCasingInFileNames: true,
      types: [],
      typeRoots: [],
    });
    const findings = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
    expect(findings.map((finding) => ts.flattenDiagnosticMessageText(finding.messageText, '\n'))).toEqual([]);
    expect(await readFile(join(project.dir, 'program.js'), 'utf8')).toContain('pulumi-oneops');
  });

  test('goes up as an inline program, has nothing to do again, and goes away', async () => {
    live.requests();
    const preview = await drive('preview');
    expect(preview.changes).toEqual({ create: 7 });
    expect(live.requests()).toEqual(['GET clouds.list']);
    const up = await drive('up');
    expect(up.changes).toEqual({ create: 7 });
    expect(up.outputs['deployment']).toEqual(expect.any(Number));
    expect(await live.running('shop')).toEqual(['prod/web']);
    live.requests();
    const again = await drive('up', 'expectNoChanges');
    expect(again.changes).toEqual({ same: 7 });
    expect(live.requests()).toEqual([]);
    await drive('destroy');
    expect(await live.assemblies()).toEqual([]);
  });
});
