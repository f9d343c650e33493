// `pulumi-oneops drift`: the review itself, and the decisions on what it found, each its own command.
import { existsSync } from 'node:fs';
import { helpText } from '../help-text';
import { Unauthenticated } from '../../api/errors';
import { nearest } from '../../provider';
import { Unauthorized, UsageError, type Command, type CommandEntry } from '../command';

/** Loaded when called for. `review` is what `drift` alone means. */
const SUBCOMMANDS: readonly CommandEntry[] = [
  {
    name: 'accept',
    summary: 'write the live value into the file',
    load: async () => (await import('./drift/accept.js')).acceptCommand,
  },
  {
    name: 'revert',
    summary: 'restore the declared value of a finding in the service',
    load: async () => (await import('./drift/revert.js')).revertCommand,
  },
  {
    name: 'ignore',
    summary: 'leave a finding out of reviews, with a reason and an owner',
    load: async () => (await import('./drift/ignore.js')).ignoreCommand,
  },
  {
    name: 'baseline',
    summary: 'save what is found now, so that later reviews show only what is new',
    load: async () => (await import('./drift/baseline.js')).baselineCommand,
  },
  {
    name: 'record',
    summary: 'record undeclared values of environments, so that reviews expect them',
    load: async () => (await import('./drift/record.js')).recordCommand,
  },
  {
    name: 'merge',
    summary: 'join the shards of the review of a fleet',
    load: async () => (await import('./drift/merge.js')).mergeCommand,
  },
  {
    name: 'diff',
    summary: 'compare two saved reviews',
    load: async () => (await import('./drift/diff.js')).diffCommand,
  },
];

const NAMES = SUBCOMMANDS.map(({ name }) => name);

const review = async (): Promise<Command> => (await import('./drift/review.js')).reviewCommand;

const table = SUBCOMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`);

/** Runs a decision; 4 when the service does not let it in. */
async function decided(command: Command, words: readonly string[]): Promise<number> {
  try {
    return await command.run(words);
  } catch (error) {
    if (!(error instanceof Unauthorized || error instanceof Unauthenticated)) throw error;
    process.stderr.write(`pulumi-oneops: ${error.message}\n`);
    return 4;
  }
}

/** The drift command. */
export const driftCommand: Command = {
  help: table.length === 0 ? '' : ['', '', 'decisions: pulumi-oneops drift <decision> [options]', ...table].join('\n'),
  commands: SUBCOMMANDS,
  itself: review,
  async run(words) {
    const [name, ...rest] = words;
    const found = SUBCOMMANDS.find((candidate) => candidate.name === name);
    const meant = found || name?.startsWith('-') ? undefined : nearest(name ?? '', NAMES);
    if (meant !== undefined && !existsSync(name ?? ''))
      throw new UsageError(`drift has no decision "${name}"; did you mean "${meant}"?`);
    const command = found ? await found.load() : await review();
    const own = found ? rest : words;
    if (own.includes('--help') || own.includes('-h')) {
      process.stdout.write(`${helpText(`${command.help}${found ? '' : driftCommand.help}`)}\n`);
      return 0;
    }
    return found ? await decided(command, own) : command.run(own);
  },
};
