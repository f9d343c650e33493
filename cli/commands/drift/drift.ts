// `pulumi-oneops drift`: the review itself, and the decisions on what it found, each its own
// command.
import { runGroup, type Command, type CommandEntry } from '../../command';
import { reviewCommand } from './review';

const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'accept',
    summary: 'write the live value into the file',
    load: async () => (await import('./accept.js')).acceptCommand,
  },
  {
    name: 'revert',
    summary: 'restore the declared value of a finding in the service',
    load: async () => (await import('./revert.js')).revertCommand,
  },
  {
    name: 'ignore',
    summary: 'leave a finding out of reviews, with a reason and an owner',
    load: async () => (await import('./ignore.js')).ignoreCommand,
  },
  {
    name: 'record',
    summary: 'write undeclared values of environments to drift.yaml, so that reviews expect them',
    load: async () => (await import('./record.js')).recordCommand,
  },
  {
    name: 'merge',
    summary: 'join the shards of the review of a fleet',
    load: async () => (await import('./merge.js')).mergeCommand,
  },
  {
    name: 'diff',
    summary: 'compare two saved reviews',
    load: async () => (await import('./diff.js')).diffCommand,
  },
];

/** The drift command: `review` is what `drift` alone means. */
export const driftCommand: Command = {
  ...reviewCommand,
  commands: COMMANDS,
  run: (words) => runGroup({ name: 'drift', commands: COMMANDS }, words, (own) => reviewCommand.run(own)),
};
