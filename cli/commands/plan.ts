// `pulumi-oneops plan`: the commands for a plan that `pulumi preview --save-plan` saved.
import { helpText } from '../help-text';
import { nearest } from '../../provider';
import { UsageError, type Command, type CommandEntry } from '../command';

const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'show',
    summary: 'show what a saved plan does, as a comment for a pull request',
    load: async () => (await import('./plan/show.js')).showCommand,
  },
  {
    name: 'digest',
    summary: 'print the digest that names a saved plan and its start',
    load: async () => (await import('./plan/digest.js')).digestCommand,
  },
  {
    name: 'verify',
    summary: 'say whether the start of a saved plan is as it was; GETs only',
    load: async () => (await import('./plan/verify.js')).verifyCommand,
  },
];

const HELP = [
  'usage: pulumi-oneops plan COMMAND FILE [options]',
  '',
  'Works on a plan that "pulumi preview --save-plan FILE" saved. "pulumi up --plan',
  'FILE" refuses steps that are not in the plan, but does not notice that the',
  'state or the service changed since: verify does.',
  '',
  ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`),
  '',
  'example',
  '  pulumi preview --save-plan plan.json',
  '  pulumi-oneops plan verify plan.json --live',
  '  pulumi up --plan plan.json --skip-preview --yes',
].join('\n');

/** The plan command. */
export const planCommand: Command = {
  help: HELP,
  options: {},
  commands: COMMANDS,
  async run(words) {
    const [name, ...rest] = words;
    if (name === '--help' || name === '-h') {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    const names = COMMANDS.map((each) => each.name);
    const found = COMMANDS.find((each) => each.name === name);
    if (found === undefined) {
      const meant = name === undefined ? undefined : nearest(name, names);
      throw new UsageError(
        name === undefined
          ? `plan takes one of ${names.join(', ')}`
          : `plan has no command "${name}"; ${meant === undefined ? `it has ${names.join(', ')}` : `did you mean "${meant}"?`}`,
      );
    }
    const command = await found.load();
    if (!rest.includes('--help') && !rest.includes('-h')) return command.run(rest);
    process.stdout.write(`${helpText(command.help)}\n`);
    return 0;
  },
};
