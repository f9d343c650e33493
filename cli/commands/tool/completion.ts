// `pulumi-oneops completion`: a script that completes commands and options in a shell, made from
// the commands' own tables of options.
import { commandOf } from '../../command';
import { UsageError } from '../../exit';
import { allCommands } from '../../table';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface CompletedCommand {
  /** Its name, after that of the command it belongs to: `['drift', 'accept']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly { readonly name: string; readonly takesValue: boolean }[];
  /** Words it takes besides options and names of files. */
  readonly words: readonly string[];
}

const PROGRAM = 'pulumi-oneops';

function scriptFor(shell: Shell, commands: readonly CompletedCommand[]): string {
  return `${{ bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands).join('\n')}\n`;
}

const namesOf = (commands: readonly CompletedCommand[]): readonly string[] =>
  commands.filter(({ path }) => path.length === 1).map(({ path }) => path[0] ?? '');

/** The innermost commands first, so that the first case that fits is the right one. */
const deepestFirst = (commands: readonly CompletedCommand[]): readonly CompletedCommand[] =>
  [...commands].sort((left, right) => right.path.length - left.path.length);

const wordsAfter = ({ options, words }: CompletedCommand): string =>
  [...words, ...options.map(({ name }) => `--${name}`), '--help'].join(' ');

/** Cases of bash and zsh: the words to offer after the words that exist. */
const cases = (commands: readonly CompletedCommand[]): readonly string[] => [
  ...deepestFirst(commands).map((command) => `    '${command.path.join(' ')} '*) offered='${wordsAfter(command)}' ;;`),
  `    *) offered='${[...namesOf(commands), '--help', '--version'].join(' ')}' ;;`,
];

const bashScript = (commands: readonly CompletedCommand[]): readonly string[] => [
  `# Completes ${PROGRAM} in bash: source <(${PROGRAM} completion bash)`,
  '_pulumi_oneops() {',
  '  local current="${COMP_WORDS[COMP_CWORD]}" offered',
  '  local -a before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")',
  '  case "${before[*]} " in',
  ...cases(commands),
  '  esac',
  '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
  '}',
  `complete -o default -F _pulumi_oneops ${PROGRAM}`,
];

const zshScript = (commands: readonly CompletedCommand[]): readonly string[] => [
  `#compdef ${PROGRAM}`,
  `# Completes ${PROGRAM} in zsh, after compinit: source <(${PROGRAM} completion zsh)`,
  '_pulumi_oneops() {',
  '  local offered',
  '  local -a before=("${(@)words[2,CURRENT-1]}")',
  '  case "${before[*]} " in',
  ...cases(commands),
  '  esac',
  '  compadd -- ${=offered}',
  '  _files',
  '}',
  `compdef _pulumi_oneops ${PROGRAM}`,
];

function fishScript(commands: readonly CompletedCommand[]): readonly string[] {
  const seen = (word: string): string => `__fish_seen_subcommand_from ${word}`;
  const inner = (name: string): readonly string[] =>
    commands.filter(({ path }) => path.length === 2 && path[0] === name).map(({ path }) => path[1] ?? '');
  const lines = commands.flatMap(({ path, summary, options, words }) => {
    const [name = '', own] = path;
    const others = inner(name);
    const outside = others.length === 0 ? '' : `; and not ${seen(others.join(' '))}`;
    const condition = own === undefined ? `${seen(name)}${outside}` : `${seen(name)}; and ${seen(own)}`;
    const after = `complete -c ${PROGRAM} -n '${condition}'`;
    return [
      ...(own === undefined
        ? [`complete -c ${PROGRAM} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`]
        : []),
      ...words.map((word) => `${after} -a ${word}`),
      ...options.map((option) => `${after} -l ${option.name}${option.takesValue ? ' -r' : ''}`),
      `${after} -l help`,
    ];
  });
  return [
    `# Completes ${PROGRAM} in fish: ${PROGRAM} completion fish | source`,
    ...lines,
    `complete -c ${PROGRAM} -n __fish_use_subcommand -l version`,
  ];
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const command = commandOf({
  usage: ['completion bash|zsh|fish'],
  about: `Prints a script that completes commands and options. Load it in the shell's start file:

  bash   source <(pulumi-oneops completion bash)
  zsh    source <(pulumi-oneops completion zsh)      (after compinit)
  fish   pulumi-oneops completion fish | source`,
  options: {},
  exits: { done: 'printed' },
  words: SHELLS,
  async run({ positionals }) {
    const shell = SHELLS.find((each) => each === positionals[0]);
    if (shell === undefined || positionals.length > 1) throw new UsageError('completion takes bash, zsh or fish');
    process.stdout.write(scriptFor(shell, await completedCommands()));
  },
});

/** Every command with its options, those of a group by both names: `drift accept`. */
export async function completedCommands(): Promise<readonly CompletedCommand[]> {
  return (await allCommands()).map(({ path, summary, command }) => ({
    path,
    summary,
    options: Object.entries(command.options).map(([name, { type }]) => ({ name, takesValue: type === 'string' })),
    words: [...(command.commands ?? []).map(({ name }) => name), ...(command.words ?? [])],
  }));
}
