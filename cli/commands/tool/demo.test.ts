// The demo refuses before it makes anything; the story `readme` runs it to its end, and stops it half-way.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { demoCommand } from './demo';

test('without a CLI there is a reason, and nothing is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oneops-demo-test-'));
  try {
    await expect(runCommand(demoCommand, { PATH: folder, TMPDIR: folder })).rejects.toThrow(
      /^demo needs Pulumi's CLI 3\.259 or later, and there is no pulumi on PATH\n {2}install it:/,
    );
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
