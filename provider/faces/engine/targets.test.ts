// What the command line and the environment of the CLI say about a run.
import { isWholeDestroy, mayBeTargeted } from './targets';

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
