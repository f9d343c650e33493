// Deciding on reviews on a real terminal: keys, questions, and what they leave behind. script(1) makes
// the terminal; the service runs in process.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { routes } from '../../api/contract';
import { openCommandWorld, FILE, type CommandWorld } from '../world/command-world';
import { REPOSITORY } from '../world/engine';

const hasScript = spawnSync('script', ['--version']).error === undefined;

let at: CommandWorld;
beforeAll(async () => {
  at = await openCommandWorld('documented');
  await at.tamper({ description: 'somebody was here' });
});
afterAll(() => at.close());

/** Runs a line on a terminal of 80 columns, where a person types the next keys once it shows a text. */
async function onTerminal(line: string, typed: readonly (readonly [shown: RegExp, keys: string])[]): Promise<string> {
  const shell = `stty cols 80 rows 24; ${line}`;
  const words = process.platform === 'linux' ? ['-qec', shell, '/dev/null'] : ['-q', '/dev/null', 'sh', '-c', shell];
  const child = spawn('script', words, {
    cwd: at.folder,
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', ...at.settings },
  });
  let [output, read, done] = ['', 0, 0];
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString();
    const [shown, keys] = typed[done] ?? [];
    if (shown === undefined || !shown.test(stripVTControlCharacters(output.slice(read)))) return;
    done += 1;
    read = output.length;
    child.stdin.write(keys);
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect([done, output]).toEqual([typed.length, expect.any(String)]);
  return stripVTControlCharacters(output).replaceAll('\r', '');
}

const DRIFT = `${process.execPath} ${join(REPOSITORY, 'bin', 'pulumi-oneops')} drift`;
const REVIEW = `${DRIFT} --state state.json`;
const [ACCEPT, REVERT] = [/What do you accept\?/, /What do you revert\?/];
const [TAKE, ENTER, CTRL_C] = ['\t', '\r', '\u0003'];

const description = async (): Promise<unknown> => {
  const address = { assembly: 'shop', platform: 'web' };
  const listed = await at.world.api.call(routes.components.list, { address });
  return listed.find(({ ciName }) => ciName === 'deployer')?.ciAttributes?.['description'];
};

/** Without script(1), the test says so and passes. */
const terminalTest = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    if (hasScript) return body();
    process.stderr.write(
      'not run: script(1) is missing; cli/commands/drift/decisions.test.ts has the same on a fake terminal\n',
    );
  });

terminalTest('Ctrl-C writes nothing, and leaves the terminal as it was', async () => {
  const output = await onTerminal(`${REVIEW}; echo "code $?"; stty -a`, [[ACCEPT, `${TAKE}${CTRL_C}`]]);
  expect(output).toMatch(/nothing is decided\ncode 2\n/);
  expect(output).toMatch(/ icanon /);
  expect([at.read('oneops.yaml'), await description()]).toEqual([FILE, 'somebody was here']);
});

terminalTest('what is reverted is in the service, and the next review is clean', async () => {
  const output = await onTerminal(`${REVIEW}; echo "code $?"`, [
    [ACCEPT, ENTER],
    [REVERT, `descr${TAKE}${ENTER}`],
    [/deploy prod, once it is set back\?/, 'n'],
    [/send 1 request\?/, 'y'],
  ]);
  expect(output).toMatch(/set back: [^]*\nIN SYNC: [^]*\ncode 0\n$/);
  expect(await description()).toBe('deploys');
});
