// `pulumi-oneops completion`: a script that completes commands and options in a shell.
import { commandOf, type Command } from '../../command';
import { UsageError } from '../../exit';
import { allCommands } from '../../table';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

type Commands = Awaited<ReturnType<typeof allCommands>>;

const PROGRAM = 'pulumi-oneops';

function scriptFor(shell: Shell, commands: Commands): string {
  return `${{ bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands).join('\n')}\n`;
}

const namesOf = (commands: Commands): readonly string[] =>
  commands.filter(({ path }) => path.length === 1).map(({ path }) => path[0] ?? '');

/** The innermost commands first, so that the first case that fits is the right one. */
const deepestFirst = (commands: Commands): Commands =>
  [...commands].sort((left, right) => right.path.length - left.path.length);

/** Words that a command takes besides options and names of files. */
export const wordsOf = ({ commands = [], words = [] }: Command): readonly string[] => [
  ...commands.map(({ name }) => name),
  ...words,
];

const wordsAfter = (command: Command): string =>
  [...wordsOf(command), ...Object.keys(command.options).map((name) => `--${name}`), '--help'].join(' ');

/** Cases of bash and zsh: the words to offer after the words that exist. */
const cases = (commands: Commands): readonly string[] => [
  ...deepestFirst(commands).map(
    ({ path, command }) => `    '${path.join(' ')} '*) offered='${wordsAfter(command)}' ;;`,
  ),
  `    *) offered='${[...namesOf(commands), '--help', '--version'].join(' ')}' ;;`,
];

const bashScript = (commands: Commands): readonly string[] => [
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

const zshScript = (commands: Commands): readonly string[] => [
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

function fishScript(commands: Commands): readonly string[] {
  const seen = (word: string): string => `__fish_seen_subcommand_from ${word}`;
  const inner = (name: string): readonly string[] =>
    commands.filter(({ path }) => path.length === 2 && path[0] === name).map(({ path }) => path[1] ?? '');
  const lines = commands.flatMap(({ path, summary, command }) => {
    const [name = '', own] = path;
    const others = inner(name);
    const outside = others.length === 0 ? '' : `; and not ${seen(others.join(' '))}`;
    const condition = own === undefined ? `${seen(name)}${outside}` : `${seen(name)}; and ${seen(own)}`;
    const after = `complete -c ${PROGRAM} -n '${condition}'`;
    return [
      ...(own === undefined
        ? [`complete -c ${PROGRAM} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`]
        : []),
      ...wordsOf(command).map((word) => `${after} -a ${word}`),
      ...Object.entries(command.options).map(
        ([word, { type }]) => `${after} -l ${word}${type === 'string' ? ' -r' : ''}`,
      ),
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
    process.stdout.write(scriptFor(shell, await allCommands()));
  },
});
