// Of all processes of this machine only the hosts of providers of one engine are ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphans, isWholeDestroy, mayBeTargeted } from './engine';

const GONE = '127.0.0.1:1';
const OTHER = '127.0.0.1:2';

let folder: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-orphans-'));
  for (const name of ['pulumi-resource-pulumi-nodejs', 'something-else'])
    writeFileSync(join(folder, name), 'process.stdout.write("up"); setInterval(() => undefined, 1000);');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that waits for good, started as an engine starts a provider. */
async function started(name: string, ...words: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folder, name), ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

test('a host of the engine that no longer exists is ended; one of another engine, and any other process, lives on', async () => {
  const orphan = await started('pulumi-resource-pulumi-nodejs', GONE);
  const ended = once(orphan, 'exit');
  const others = [
    await started('pulumi-resource-pulumi-nodejs', OTHER),
    await started('pulumi-resource-pulumi-nodejs', GONE, 'and more'),
    await started('something-else', GONE),
  ];
  endOrphans(GONE);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(others.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual(others.map(() => [null, null]));
});

/** This process below a shell below a command of the CLI. */
const below =
  (...command: readonly string[]) =>
  (id: number) =>
    id === process.pid
      ? { parent: 7, words: ['node', 'provider'] }
      : id === 7
        ? { parent: 8, words: ['sh'] }
        : { parent: 1, words: command };

test.each<[string, boolean, boolean]>([
  ['pulumi destroy --yes', false, true],
  ['/usr/bin/pulumi down -s qa', false, true],
  ['pulumi --non-interactive destroy --skip-preview', false, true],
  ['pulumi destroy --target urn:a', true, false],
  ['pulumi destroy --exclude=urn:a', true, false],
  ['pulumi destroy --exclude-protected', true, false],
  ['pulumi up -m destroy', false, false],
  ['pulumi up --yes', false, false],
  ['node program.js', true, false],
])('%s', (command, isTargeted, isDestroy) => {
  const processAt = below(...command.split(' '));
  expect([mayBeTargeted({}, processAt), isWholeDestroy({}, processAt)]).toEqual([isTargeted, isDestroy]);
});

test('variables of the CLI count like its flags', () => {
  const processAt = below('pulumi', 'destroy');
  expect(isWholeDestroy({ PULUMI_OPTION_TARGET: 'urn:a' }, processAt)).toBe(false);
  expect(isWholeDestroy({ PULUMI_OPTION_EXCLUDE_PROTECTED: 'true' }, processAt)).toBe(false);
});
