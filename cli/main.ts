// The entry point of the CLI: finds the command, and turns a failure into one message and a code.
import { messageOf } from '../api/errors';
import { helpOf, innermost, labelled, type CommandEntry } from './command';
import { EXIT, exitCodeOf, UsageError } from './exit';
import { ownVersion } from './pulumi-cli';
import { COMMANDS } from './table';

const USAGE = [
  'pulumi-oneops: a Pulumi provider for the Assembly and Operations Management API',
  '',
  'usage: pulumi-oneops <command> [options]',
  '',
  ...COMMANDS.flatMap(({ name, summary }) => labelled(`  ${name}`, summary)),
  '',
  'pulumi-oneops <command> --help lists the options of a command;',
  'pulumi-oneops --version prints the version.',
].join('\n');

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  // `help drift` is `drift --help`.
  const isHelp = name !== undefined && ['help', '--help', '-h'].includes(name);
  if (isHelp && rest.some((word) => !word.startsWith('-'))) return main([...rest, '--help']);
  if (name === undefined || isHelp) {
    process.stdout.write(`${USAGE}\n`);
    return name === undefined ? EXIT.wrong : EXIT.done;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${ownVersion()}\n`);
    return EXIT.done;
  }
  const found = COMMANDS.find((candidate) => candidate.name === name);
  if (!found)
    throw new UsageError(`there is no command "${name}"`, { word: name, known: COMMANDS.map((each) => each.name) });
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${helpOf((await innermost(found, rest)).command)}\n`);
    return EXIT.done;
  }
  return (await found.load()).run(ELSEWHERE.includes(name) ? rest : await inProject(found, rest));
}

/** Commands that begin a project, or have nothing to do with one. */
const ELSEWHERE: readonly string[] = [
  'serve',
  'init',
  'demo',
  'setup',
  'explain',
  'convert',
  'schema',
  'completion',
  'capabilities',
  'lsp',
  'affected',
];

/** Goes up to the folder of the project. Returns the words as they are meant there. */
async function inProject(entry: CommandEntry, words: readonly string[]): Promise<readonly string[]> {
  const { projectFolder, wordsFrom } = await import('./here/project.js');
  const folder = process.cwd();
  const project = projectFolder(folder);
  if (project === undefined) return words;
  const { options } = (await innermost(entry, words)).command;
  process.chdir(project);
  return wordsFrom(words, options, { folder, project });
}

/** The advice after a wrong call: the word that was probably meant, and the help. */
async function adviceOn({ unknown }: UsageError, words: readonly string[]): Promise<string> {
  // It is loaded for a wrong word only: with it comes the whole provider.
  const near = unknown && (await import('../provider/values/index.js')).nearest(unknown.word, unknown.known);
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  const found = COMMANDS.find(({ name }) => name === words[0]);
  if (found === undefined) return `${meant}\npulumi-oneops --help lists the commands`;
  const { path } = await innermost(found, words.slice(1));
  return `${meant}\npulumi-oneops ${path.join(' ')} --help says how to call it`;
}

async function mainOf(words: readonly string[]): Promise<void> {
  let isUnwritten = false;
  // What the command does goes on to its end: it may be writing to a service.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (!isUnwritten && code !== 'EPIPE')
      process.stderr.write(`pulumi-oneops: cannot write to the standard output: ${message}\n`);
    isUnwritten = true;
    process.exitCode = EXIT.failed;
  });
  process.stderr.on('error', () => undefined);
  const ended = (code: number): void =>
    void (process.exitCode = isUnwritten && code === EXIT.done ? EXIT.failed : code);
  try {
    ended(await main(words));
  } catch (error) {
    const advice = error instanceof UsageError ? await adviceOn(error, words) : '';
    process.stderr.write(`pulumi-oneops: ${messageOf(error)}${advice}\n`);
    ended(exitCodeOf(error));
  }
}

void mainOf(process.argv.slice(2));
