// `make sdks`: writes SDKs and examples into sdks/, compiles those whose tools are on this machine, runs programs with them, and prints what was done.
import { join } from 'node:path';
import { REPOSITORY } from '../world/engine';
import { RUNNERS, runOnEngine } from './running';
import { canCompile, COMPILERS, generateSdks } from './sdks';

/** `yes`, or `no` with what was printed. */
async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'yes';
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    process.stdout.write(`${stdout + stderr || message}\n`);
    process.exitCode = 1;
    return 'no';
  }
}

async function rowOf(language: string, folder: string): Promise<readonly string[]> {
  const compiler = COMPILERS[language];
  if (compiler === undefined || !(await canCompile(language)))
    return [language, 'yes', `no: ${compiler?.tool[0] ?? language} is not on this machine`];
  const compiled = await outcome(() => compiler.compile(folder));
  const runner = RUNNERS[language];
  const ran = runner && compiled === 'yes' ? outcome(async () => runOnEngine(await runner(folder))) : 'not tried';
  return [language, 'yes', compiled, await ran];
}

async function main(): Promise<void> {
  const folder = join(REPOSITORY, 'sdks');
  await generateSdks(folder, true);
  const rows: (readonly string[])[] = [['language', 'generated', 'compiled', 'ran']];
  for (const language of Object.keys(COMPILERS)) rows.push(await rowOf(language, folder));
  const lines = rows.map((row) =>
    row
      .map((cell) => cell.padEnd(11))
      .join('')
      .trimEnd(),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}

void main();
