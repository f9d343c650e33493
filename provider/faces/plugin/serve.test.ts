// A plugin whose engine was killed before it asked for anything ends by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const REPOSITORY = join(__dirname, '..', '..', '..');

test('ends when nobody listens at the address of its engine', async () => {
  const words = ['--require', join(REPOSITORY, 'test', 'run-source.cjs'), join(__dirname, 'main.ts'), '127.0.0.1:1'];
  const child = spawn(process.execPath, words, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    expect(String(port)).toMatch(/^\d+\n$/);
    expect(await once(child, 'exit')).toEqual([1, null]);
  } finally {
    child.kill('SIGKILL');
  }
}, 30_000);
