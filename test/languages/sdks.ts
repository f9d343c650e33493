// SDKs in other languages: Pulumi's generators write them from schema.json, with the example of each resource, and tools of this machine compile both.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../world/engine';

/** Runs a command. One that fails rejects with what it printed. */
export const run = promisify(execFile);

/** As engine/make.mjs builds the CLI, so that Go compiles what both need once. */
export const GO = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-tags', 'osusergo,grpcnotrace'];
const ENGINE = join(REPOSITORY, 'engine');
const AT_MOST = { maxBuffer: 1 << 26 };

/** Builds the generators and writes SDKs and examples into a folder. `older`: also those of .NET and Java. */
export async function generateSdks(folder: string, older: boolean): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const build = (name: string, ...words: readonly string[]) =>
    run('go', ['build', ...GO, '-o', join(folder, name), ...words], { cwd: ENGINE, ...AT_MOST });
  await build('.current', './sdks');
  await run(join(folder, '.current'), ['schema.json', folder], { cwd: REPOSITORY });
  if (!older) return;
  await build('.older', '-modfile=sdks/older.mod', 'sdks/main.go', 'sdks/older.go', 'sdks/java.go');
  await run(join(folder, '.older'), [join(folder, 'schema.json'), folder], { cwd: REPOSITORY });
}

/** How the SDK of a language and the examples are compiled; rejects with what the compiler says. `tool` has to be on the machine. */
interface Compiler {
  readonly tool: readonly string[];
  compile(folder: string): Promise<unknown>;
}

/** By folder of the SDK. */
export const COMPILERS: { readonly [language: string]: Compiler } = {
  go: { tool: ['go', 'version'], compile: compileGo },
  nodejs: { tool: [process.execPath, '--version'], compile: compileNode },
  python: {
    tool: ['python3', '--version'],
    compile: (folder) =>
      run('python3', ['-m', 'compileall', '-q', join(folder, 'python'), join(folder, 'examples', 'python')], AT_MOST),
  },
  java: { tool: ['mvn', '--version'], compile: compileJava },
  dotnet: { tool: ['dotnet', '--version'], compile: (folder) => run('dotnet', ['build', join(folder, 'dotnet')]) },
};

/** Whether the compiler of a language is on this machine. */
export async function canCompile(language: string): Promise<boolean> {
  const [command = '', ...words] = COMPILERS[language]?.tool ?? [];
  return run(command, words).then(
    () => true,
    () => false,
  );
}

/** The versions of engine/go.mod, for the package and all programs next to it. `go list -export` compiles programs and does not link them. */
async function compileGo(folder: string): Promise<void> {
  const pinned = await readFile(join(ENGINE, 'go.mod'), 'utf8');
  const module = pinned
    .replace(/^module .*$/m, 'module github.com/pulumi-oneops/pulumi-oneops/sdk')
    .replace(/^tool \([^]*?^\)$/m, '');
  await writeFile(join(folder, 'go.mod'), module);
  await writeFile(join(folder, 'go.sum'), await readFile(join(ENGINE, 'go.sum')));
  await run('go', ['list', '-export', ...GO, '-f', '', './go/...', './examples/...'], { cwd: folder, ...AT_MOST });
}

async function compileNode(folder: string): Promise<void> {
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined);
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
    ...{ target: 'es2022', module: 'node16', moduleResolution: 'node16' },
    paths: { '@pulumi-oneops/plugin-sdk': ['./nodejs/index.ts'] },
  };
  const config = { compilerOptions: options, include: ['nodejs', 'examples/nodejs'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [join(REPOSITORY, 'node_modules', '.bin', 'tsc'), '-p', folder], AT_MOST);
}

/** Version of Pulumi's package for Java, which the generator of engine/sdks/older.mod writes for. */
const JAVA = '0.9.9';

async function compileJava(folder: string): Promise<void> {
  const dependency = (group: string, name: string, version: string): string =>
    `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>oneops</groupId><artifactId>oneops</artifactId><version>0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>${dependency('com.pulumi', 'pulumi', JAVA)}${dependency('com.google.code.findbugs', 'jsr305', '3.0.2')}</dependencies>
<build><testSourceDirectory>../examples/java</testSourceDirectory></build>
</project>`;
  await writeFile(join(folder, 'java', 'pom.xml'), project);
  await run('mvn', ['-B', '-q', 'test-compile'], { cwd: join(folder, 'java'), ...AT_MOST });
}
