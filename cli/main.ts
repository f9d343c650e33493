// What a person types: finds the command, prints its help, turns failures into one message and an exit code (architecture §7).
// It must not know what any command does.
import { UsageError, type Command } from './command';

/** Loaded when called for: the service needs none of the engine's libraries, and memory is what it is measured by. */
const COMMANDS: readonly {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
  /** It has commands of its own, and prints their help. */
  readonly decides?: true;
}[] = [
  {
    name: 'serve',
    summary: 'run the embedded API service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    name: 'check',
    summary: 'tell everything wrong with a stack file',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  {
    name: 'packs',
    summary: 'list the packs of the packaged catalogue, their templates and attributes',
    load: async () => (await import('./commands/packs.js')).packsCommand,
  },
  {
    name: 'preview-comment',
    summary: 'turn a preview into a comment for a pull request',
    load: async () => (await import('./commands/preview-comment.js')).previewCommentCommand,
  },
  {
    name: 'import-file',
    summary: 'write the file that takes records over into a stack',
    load: async () => (await import('./commands/import-file.js')).importFileCommand,
  },
  {
    name: 'doctor',
    summary: 'look whether everything a run needs is there',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    name: 'drift',
    summary: 'tell what changed behind the stack, who did it, and where it stands in the file',
    load: async () => (await import('./commands/drift.js')).driftCommand,
    decides: true,
  },
];

const USAGE = [
  'pulumi-oneops: a Pulumi provider for the Assembly and Operations Management API, and what belongs to it',
  '',
  'usage: pulumi-oneops <command> [options]',
  '',
  ...COMMANDS.map((command) => `  ${command.name.padEnd(16)} ${command.summary}`),
  '',
  "pulumi-oneops <command> --help tells each command's options.",
].join('\n');

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return name === undefined ? 1 : 0;
  }
  const found = COMMANDS.find((candidate) => candidate.name === name);
  if (!found) throw new UsageError(`there is no command "${name}"`);
  const command = await found.load();
  if (!found.decides && (rest.includes('--help') || rest.includes('-h'))) {
    process.stdout.write(`${command.help}\n`);
    return 0;
  }
  return command.run(rest);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const advice =
      error instanceof UsageError ? '\npulumi-oneops --help lists the commands; <command> --help its options' : '';
    process.stderr.write(`pulumi-oneops: ${error instanceof Error ? error.message : String(error)}${advice}\n`);
    process.exitCode = 1;
  },
);
