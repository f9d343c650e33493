// Of all processes of this machine only the hosts of providers of one engine are ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sharedFolder } from '../../test/folder';
import { endOrphans, isWholeDestroy, mayBeTargeted, mayReplace } from './engine';

describe('engine', () => {
  const GONE = '127.0.0.1:1';
  const OTHER = '127.0.0.1:2';

  const SLEEPS = 'process.stdout.write("up"); setInterval(() => undefined, 1000);';
  const folder = sharedFolder({ files: { 'pulumi-resource-pulumi-nodejs': SLEEPS, 'something-else': SLEEPS } });
  const children: ChildProcess[] = [];

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** A process that waits for good, started as an engine starts a provider. */
  async function started(name: string, ...words: readonly string[]): Promise<ChildProcess> {
    const child = spawn(process.execPath, [join(folder.path, name), ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
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
});

// What the command line and the environment of the CLI say about a run.

/** This process below a shell below a command of the CLI. */
const below =
  (...command: readonly string[]) =>
  (id: number) =>
    id === process.pid
      ? { parent: 7, words: ['node', 'provider'] }
      : id === 7
        ? { parent: 8, words: ['sh'] }
        : { parent: 1, words: command };

test.each<[string, boolean, boolean, boolean]>([
  ['pulumi destroy --yes', false, true, false],
  ['/usr/bin/pulumi down -s qa', false, true, false],
  ['pulumi --non-interactive destroy --skip-preview', false, true, false],
  ['pulumi destroy --target urn:a', true, false, false],
  ['pulumi destroy --exclude=urn:a', true, false, false],
  ['pulumi destroy --exclude-protected', true, false, false],
  ['pulumi up -m destroy', false, false, false],
  ['pulumi up --yes', false, false, false],
  ['pulumi up --replace=urn:a', false, false, true],
  ['pulumi preview --target-replace urn:a', true, false, true],
  ['node program.js', true, false, true],
])('%s', (command, ...said) => {
  expect([mayBeTargeted, isWholeDestroy, mayReplace].map((ask) => ask({}, below(...command.split(' '))))).toEqual(said);
});

test('variables of the CLI count like its flags', () => {
  const processAt = below('pulumi', 'destroy');
  expect(mayReplace({ PULUMI_OPTION_REPLACE: 'urn:a' }, processAt)).toBe(true);
  expect(isWholeDestroy({ PULUMI_OPTION_TARGET: 'urn:a' }, processAt)).toBe(false);
  expect(isWholeDestroy({ PULUMI_OPTION_EXCLUDE_PROTECTED: 'true' }, processAt)).toBe(false);
});
