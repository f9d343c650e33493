// The entry point of the CLI: finds the command, prints its help, and turns a failure into one message and an exit code.
// It must not know what any command does.
import { createRequire } from 'node:module';
import { helpText } from './help-text';
import { UsageError } from './command';
import { COMMANDS } from './table';

const USAGE = [
  'pulumi-oneops: a Pulumi provider for the Assembly and Operations Management API',
  '',
  'usage: pulumi-oneops <command> [options]',
  '',
  ...COMMANDS.map((command) => `  ${command.name.padEnd(16)} ${command.summary}`),
  '',
  'pulumi-oneops <command> --help lists the options of a command; pulumi-oneops --version prints the version.',
].join('\n');

/** The version of this package. */
const versionOfPackage = (): string =>
  (createRequire(__filename)('pulumi-oneops/package.json') as { readonly version: string }).version;

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(`${helpText(USAGE)}\n`);
    return name === undefined ? 1 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${versionOfPackage()}\n`);
    return 0;
  }
  const found = COMMANDS.find((candidate) => candidate.name === name);
  if (!found) throw new UsageError(`there is no command "${name}"`);
  const command = await found.load();
  if (command.commands === undefined && (rest.includes('--help') || rest.includes('-h'))) {
    process.stdout.write(`${helpText(command.help)}\n`);
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
