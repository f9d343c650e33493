// The schema command prints the schema that the package contains, byte for byte.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { schemaCommand } from './schema';

test('prints the schema of stack files', async () => {
  const { code, stdout, stderr } = await runCommand(schemaCommand, {});
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(readFileSync(join(__dirname, '..', '..', '..', 'stack.schema.json'), 'utf8'));
});

test('takes no arguments', async () => {
  await expect(runCommand(schemaCommand, {}, 'stack')).rejects.toThrow('schema takes no arguments');
});
