// `pulumi-oneops drift`: the review itself, and the decisions on what it found, each its own command.
import { existsSync } from 'node:fs';
import { helpText } from '../help-text';
import { Unauthenticated } from '../../api/errors';
import { nearest } from '../../provider';
import { DRIFT_FILE } from '../../stack';
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
    name: 'record',
    summary: 'write undeclared values of environments to drift.yaml, so that reviews expect them',
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

/** Words that are no longer taken, and what to write in their place. */
const EARLIER: { readonly [word: string]: string } = {
  baseline: 'write pulumi-oneops drift ignore --all --reason TEXT --owner NAME --until DAY',
  '--baseline': 'write pulumi-oneops drift ignore --all --reason TEXT --owner NAME --until DAY',
  '--policy': `write severities to ${DRIFT_FILE}; policies of an organization are --policies`,
  '--recorded': `write expected values to ${DRIFT_FILE}, with pulumi-oneops drift record`,
};

/** Throws UsageError for a word of an earlier form. */
function expectNoneOf(words: readonly string[]): void {
  const earlier = words
    .map((word, index) => (index === 0 || word.startsWith('--') ? (word.split('=')[0] ?? '') : ''))
    .find((word) => Object.hasOwn(EARLIER, word));
  if (earlier !== undefined) throw new UsageError(`drift takes no ${earlier}: ${EARLIER[earlier]}`);
}

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
    expectNoneOf(words);
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
