// A program as the Automation API runs it inline, by program-driver.cjs in the folder of a project.
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ts from 'typescript';
import { findEngine, newProject, type Project } from '../world/engine';

interface Driven {
  readonly ok: boolean;
  readonly outputs: { readonly [name: string]: unknown };
  readonly changes: object;
  /** What the engine showed. */
  readonly shown: string;
}

export interface InlineProgram extends Project {
  /** Runs an operation of the program's stack, with its configuration. */
  drive(config: { readonly [key: string]: string }, ...operation: readonly string[]): Promise<Driven>;
}

/** JavaScript of a program in TypeScript, whose types typed-program.test.ts checks. */
const javascriptOf = (text: string): string =>
  ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  }).outputText;

/** A project that runs `program.js`, or what `program.ts` comes to. */
export async function inlineProgram(
  files: { readonly [path: string]: string },
  environment: { readonly [name: string]: string } = {},
): Promise<InlineProgram> {
  const engine = await findEngine();
  const yaml = 'name: program\nruntime: nodejs\n';
  const { 'program.ts': program, ...others } = files;
  const made = program === undefined ? {} : { 'program.js': javascriptOf(program) };
  const project = await newProject({ engine, files: { 'Pulumi.yaml': yaml, ...others, ...made }, environment });
  await copyFile(join(__dirname, 'program-driver.cjs'), join(project.dir, 'program-driver.cjs'));
  const drive: InlineProgram['drive'] = (config, ...operation) => {
    const env = { ...project.environment, ENGINE_ROOT: engine.root, STACK_CONFIG: JSON.stringify(config) };
    return new Promise((resolve) => {
      const words = ['program-driver.cjs', ...operation];
      execFile(process.execPath, words, { cwd: project.dir, env }, (error, shown) => {
        const result = JSON.parse(/^RESULT (.*)$/m.exec(shown)?.[1] ?? '{}') as Partial<Driven>;
        resolve({ ok: error === null, outputs: {}, changes: {}, ...result, shown });
      });
    });
  };
  return { ...project, drive };
}
