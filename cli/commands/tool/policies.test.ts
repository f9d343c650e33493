// The policies command: rules, and the exceptions of a file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULE_NAMES } from '../../../policy';
import { runCommand } from '../../../test/run-command';
import { policiesCommand } from './policies';

test('each rule has a line', async () => {
  const { stdout } = await runCommand(policiesCommand, {});
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...RULE_NAMES, '']);
});

test('exceptions are listed; one whose last day has passed ends the list with 5', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'policies-'));
  const except = (until: string): string => `{ record: shop/dev, reason: a trial, owner: maria, until: ${until} }`;
  const listed = (...exceptions: readonly string[]): ReturnType<typeof runCommand> => {
    const file = join(folder, 'policies.yaml');
    writeFileSync(file, `policies: { autorepair: { except: [${exceptions.join()}] } }\n`);
    return runCommand(policiesCommand, {}, '--exceptions', '--policies', file, '--json');
  };
  const held = await listed(except('2999-12-31'));
  expect([held.code, JSON.parse(held.stdout)]).toEqual([
    0,
    [expect.objectContaining({ owner: 'maria', ended: false })],
  ]);
  expect(await listed(except('2999-12-31'), except('2020-01-31'))).toExitWith(5);
  rmSync(folder, { recursive: true });
});
