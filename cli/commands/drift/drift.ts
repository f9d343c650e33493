// `pulumi-oneops drift`: the review itself, and the decisions on what it found, each its own
// command.
import { runGroup, type Command, entry, type CommandEntry } from '../../command';
import { command as reviewCommand } from './review';

const COMMANDS: readonly CommandEntry[] = [
  entry('accept', 'write the live value into the file', async () => (await import('./accept.js')).command),
  entry(
    'revert',
    'restore the declared value of a finding in the service',
    async () => (await import('./revert.js')).command,
  ),
  entry(
    'ignore',
    'leave a finding out of reviews, with a reason and an owner',
    async () => (await import('./ignore.js')).command,
  ),
  entry(
    'record',
    'write undeclared values of environments to drift.yaml, so that reviews expect them',
    async () => (await import('./record.js')).command,
  ),
  entry('merge', 'join the shards of the review of a fleet', async () => (await import('./merge.js')).command),
  entry('diff', 'compare two saved reviews', async () => (await import('./diff.js')).command),
];

/** The drift command: `review` is what `drift` alone means. */
export const command: Command = {
  ...reviewCommand,
  commands: COMMANDS,
  run: (words) => runGroup({ name: 'drift', commands: COMMANDS }, words, (own) => reviewCommand.run(own)),
};
