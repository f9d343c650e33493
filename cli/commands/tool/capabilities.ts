// `pulumi-oneops capabilities`: commands, options, exit codes and schemas, for programs.
import { commandOf, exitsOf, plain } from '../../command';
import { EXIT, EXIT_WORDS, type ExitName } from '../../exit';
import { JSON_OPTION } from '../../options';
import { ownVersion } from '../../pulumi-cli';
import { allCommands } from '../../table';

/** The schemas in this package, by what they describe. */
const SCHEMAS = {
  'stack files': 'schemas/stack.schema.json',
  'drift.yaml': 'schemas/drift-file.schema.json',
  'the output of drift --json': 'schemas/drift.schema.json',
  'the output of rehearse --json': 'schemas/rehearsal.schema.json',
  'the output of status, instances, deployment, logs, run and history --json': 'schemas/operate.schema.json',
  'the package for Pulumi': 'schema.json',
  'the API': 'schemas/openapi.json',
};

export const command = commandOf({
  usage: ['capabilities [--json]'],
  about: `Prints what this version can do: every command with its options and exit codes, what the exit codes
mean, and which files of this package describe its formats. Sends no request.`,
  options: JSON_OPTION,
  exits: { done: 'printed' },
  most: 0,
  async run({ print }) {
    print(await capabilities(), ({ commands }) =>
      commands.map(({ name, summary }) => `${name.padEnd(18)} ${summary}\n`).join(''),
    );
  },
});

async function capabilities() {
  const commands = await allCommands();
  return {
    version: ownVersion(),
    exitCodes: (Object.keys(EXIT) as ExitName[]).map((name) => ({ code: EXIT[name], name, means: EXIT_WORDS[name] })),
    schemas: Object.entries(SCHEMAS).map(([of, file]) => ({ of, file })),
    commands: commands.map(({ path, summary, command: { usage, about, options, exits } }) => ({
      name: path.join(' '),
      summary,
      usage: usage.map((call) => `pulumi-oneops ${call}`),
      about: plain(about),
      options: Object.entries(options).map(
        ([name, { type, value, multiple = false, default: standard, words: on }]) => ({
          name: `--${name}`,
          ...(value === undefined ? {} : { value }),
          ...(type === 'boolean' || standard === undefined ? {} : { default: standard }),
          repeatable: multiple,
          about: plain(on),
        }),
      ),
      exitCodes: exitsOf({ exits, options }).map(([code, words]) => ({ code, means: plain(words) })),
    })),
  };
}
