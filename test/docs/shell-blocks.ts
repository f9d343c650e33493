// The shell blocks of a page, and a terminal that runs them as a reader would, one after the other.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** A block between ```sh and ```. */
export interface ShellBlock {
  /** Line of the page it begins at, from 1. */
  readonly line: number;
  readonly text: string;
  /** Why it is not run: its first line says `# not run: …`. */
  readonly notRun: string | undefined;
  /** Statuses of refusals it shows on purpose: a line says `# answers 403`. */
  readonly refusals: readonly number[];
  /** The block of text that follows it: what it prints. */
  readonly shown: string | undefined;
}

/** The shell blocks of a page, in order. */
export function shellBlocks(page: string): readonly ShellBlock[] {
  return [...page.matchAll(/^```sh\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)].map((match) => {
    const text = match[1] ?? '';
    return {
      line: page.slice(0, match.index).split('\n').length,
      text,
      notRun: /^# not run: (.+)$/m.exec(text.split('\n')[0] ?? '')?.[1],
      refusals: [...text.matchAll(/# answers (\d{3})/g)].map(([, status]) => Number(status)),
      shown: match[2],
    };
  });
}

/** How a block ended. */
interface Outcome {
  readonly code: number | null;
  /** What it printed, both streams in one. */
  readonly output: string;
}

/** A terminal in a separate folder; variables, functions and the working folder stay from block to block. */
export interface Terminal {
  readonly folder: string;
  /** Runs a block to its end. One that only serves (`pulumi-oneops serve …`) continues until the next one that serves, or `close`. */
  run(block: Pick<ShellBlock, 'text'>): Promise<Outcome>;
  /** Ends what still serves, and removes the folder. */
  close(): Promise<void>;
}

interface TerminalOptions {
  /** Where programs are looked for besides ours; default: the path of this process. */
  readonly path?: string;
  /** Further variables of its environment. */
  readonly environment?: { readonly [name: string]: string };
  /** Longest that a block may take, in ms: then it ends with what it printed so far. Default: 20 s. */
  readonly patience?: number;
}

/** The port pages write; a free one takes its place. */
const WRITTEN_PORT = '9090';

/** Ports that systems do not give away by themselves: those of connections, and of servers that listen on port 0, begin at 32768. */
const UNASSIGNED = { from: 10_240, to: 32_767 };

/** A port of loopback that nothing listens on, and that the system gives to no other test. */
export async function freePort(): Promise<number> {
  const port = randomInt(UNASSIGNED.from, UNASSIGNED.to + 1);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a program is on a path. */
function isOn(path: string, program: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Fills a folder with the programs the pages use: ours from source, and `curl` where the machine has none. */
function fillPrograms(folder: string, path: string): void {
  mkdirSync(folder);
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  const source = [process.execPath, '--require', join(ROOT, 'test', 'run-source.cjs'), join(ROOT, 'cli', 'main.ts')];
  write('pulumi-oneops', `#!/bin/sh\nexec ${source.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  if (isOn(path, 'curl')) return;
  copyFileSync(join(__dirname, 'curl.cjs'), join(folder, 'curl.cjs'));
  write('curl', `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'curl.cjs')}' "$@"\n`);
}

/** The one command of a block that serves and does nothing else. */
function servingIn(text: string): string | undefined {
  const commands = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return commands.length === 1 && /^(?:npx )?pulumi-oneops serve\b/.test(commands[0] ?? '') ? commands[0] : undefined;
}

/** Opens a terminal in a new folder. */
export async function openTerminal(options: TerminalOptions = {}): Promise<Terminal> {
  const { path = process.env['PATH'] ?? '', patience = 20_000 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'oneops-page-'));
  const [programs, state, work] = ['programs', 'state', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  fillPrograms(programs, path);
  mkdirSync(work);
  const port = String(await freePort());
  const environment = { ...process.env, ...options.environment, PATH: `${programs}${delimiter}${path}` };
  let serving: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;

  const stop = async (): Promise<void> => {
    if (serving === undefined) return;
    const { child, ended } = serving;
    serving = undefined;
    child.kill('SIGTERM');
    await ended;
  };
  const begin = (
    script: string,
    cwd: string,
  ): { child: ChildProcess; read: () => string; ended: Promise<number | null> } => {
    const child = spawn('bash', ['-c', script], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, read: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
  };
  /** Brings back what the block before left. */
  const restored = (): string => (existsSync(state) ? `source '${state}'; cd "$PAGE_FOLDER"` : ':');
  const serve = async (command: string): Promise<Outcome> => {
    await stop();
    const { child, read, ended } = begin(`${restored()}\nexec ${command}`, work);
    serving = { child, ended };
    let code: number | null = 0;
    const failed = ended.then((status) => {
      code = status ?? 1;
    });
    while (code === 0 && !/^serving /m.test(read()))
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), failed]);
    return { code, output: read() };
  };
  return {
    folder: work,
    run: async ({ text }) => {
      const written = text.replaceAll(WRITTEN_PORT, port);
      const command = servingIn(written);
      if (command !== undefined) return serve(command);
      const after = `PAGE_FOLDER=$PWD; { export -p; declare -f; } > '${state}'`;
      const { child, read, ended } = begin(`${restored()}\nset -aeuo pipefail\n${written}\n${after}\n`, work);
      const end = setTimeout(() => child.kill(), patience);
      const code = await ended;
      clearTimeout(end);
      return { code, output: read() };
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Statuses of the refusals in what a block printed, as far as answers show them: those of the service are `errors`, `error` or `code`, in no other member. */
export function refusalsIn(output: string): number {
  return [...output.matchAll(/(?<!:)\{"(?:errors":\[|error":"|code":500)/g)].length;
}
