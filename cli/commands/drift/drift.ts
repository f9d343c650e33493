// `pulumi-oneops drift`: the review itself, and the decisions on what it found, each its own
// command.
import { groupOf, entry } from '../../command';
import { command as reviewCommand } from './review';

/** The drift command: `review` is what `drift` alone means. */
export const command = groupOf('drift', {
  ...reviewCommand,
  commands: [
    entry('accept', 'write the live value into the file', () => import('./accept.js')),
    entry('revert', 'restore the declared value of a finding in the service', () => import('./revert.js')),
    entry('ignore', 'leave a finding out of reviews, with a reason and an owner', () => import('./ignore.js')),
    entry(
      'record',
      'write undeclared values of environments to drift.yaml, so that reviews expect them',
      () => import('./record.js'),
    ),
    entry('merge', 'join the shards of the review of a fleet', () => import('./merge.js')),
    entry('diff', 'compare two saved reviews', () => import('./diff.js')),
  ],
});
