// `pulumi-oneops export`: the shortest stack file that says what the service has. GETs only.
import { join } from 'node:path';
import { plural } from '../../../api/errors';
import { survey } from '../../../provider/import';
import type { Kind } from '../../../provider';
import { STANDARD_FILE } from '../../../stack';
import { exportedStack, type ExportedStack } from '../../../stack/export/export';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { missingAround, firstSteps, newFilesProblem, serviceSettings, writeNewFiles } from '../files/new-project';
import { commandSettings, usable, withService } from '../../here/settings';
import { flag, SETTINGS_OPTIONS, text } from '../../options';

export const command = commandOf({
  usage: ['export --assembly NAME [options]'],
  about: `Writes the shortest stack file that says what the service has: only what differs from packs,
templates and environments. Secrets become configuration, also those that the service shows in clear:
no value is copied. Nothing is written to the service.`,
  options: {
    assembly: text('NAME', 'the assembly'),
    environments: flag('includes its environments'),
    out: text(
      'DIR',
      `writes DIR/oneops.yaml, and the other files of a project if there is no DIR/Pulumi.yaml; default: the
        standard output`,
    ),
    json: flag('the file, the secrets, the next commands and what is missing as JSON'),
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'written',
    failed: 'could not be done: no such assembly',
    inPart: 'written, but it lacks something, or check reports an error in it',
  },
  async run({ values, positionals }) {
    const { assembly, environments, out, json } = values;
    if (assembly === undefined || assembly === '' || positionals.length > 0)
      throw new UsageError('export needs an assembly: pulumi-oneops export --assembly shop');
    const problem = out === undefined ? undefined : newFilesProblem(out, [STANDARD_FILE]);
    if (problem !== undefined) throw new UsageError(`${problem}: name another folder`);
    const settings = usable(await commandSettings(values));
    const place = `${settings.organization}/${assembly}`;
    return withService(settings, async (api) => {
      const isWanted = ({ stage }: Kind): boolean => environments || stage !== 'environment';
      const read = await survey(api, { address: `Assembly:${place}`, isWanted });
      const stack = exportedStack(read, headOf(place, environments));
      const file = { name: STANDARD_FILE, text: stack.text };
      const written = out === undefined ? [] : writeNewFiles(out, [file, ...missingAround(out, assembly)]);
      show(stack, { place, out, json, environments, written });
      return stack.notes.length + stack.faults.length > 0 ? EXIT.inPart : EXIT.done;
    });
  },
});

const headOf = (place: string, environments: boolean): readonly string[] => [
  `Written by pulumi-oneops export from ${place}.`,
  environments
    ? 'No read shows procedures, replacements and options of deployments: they are not in it.'
    : 'Its environments are not in it.',
];

interface Shown {
  readonly place: string;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly environments: boolean;
  readonly written: readonly string[];
}

function show(stack: ExportedStack, { place, out, json, environments, written }: Shown): void {
  const { text, secrets, packSecrets, notes, faults, declared } = stack;
  const commands = commandsFor(stack, out, written);
  if (json) {
    const file = out === undefined ? { text } : { file: join(out, STANDARD_FILE) };
    const document = {
      version: 1,
      assembly: place,
      environments,
      declared,
      ...file,
      secrets,
      packSecrets,
      commands,
      notes,
      faults,
    };
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
    return;
  }
  if (out === undefined) process.stdout.write(text);
  const where = out === undefined ? '' : ` in ${join(out, STANDARD_FILE)}`;
  const lines = [
    `${place}: ${plural(declared, 'resource')}${where}`,
    ...secrets.map(secretLine),
    ...packSecrets.map(({ kind, id, path }) => `stays with its pack: secret ${path.join('.')} of ${kind} ${id}`),
    ...notes.map(({ kind, id, says }) => `not exported: ${kind} ${id}: ${says}`),
    ...faults.map((fault) => `check reports an error: ${fault}`),
    ...(written.length > 1 ? [`also written: ${written.slice(1).join(', ')}`] : []),
    'To bring the records into a stack, run:',
    ...commands.map((command) => `  ${command}`),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** What is said of a secret, and of one that everybody can read in the service. */
function secretLine({ name, kind, id, path, readable, file }: ExportedStack['secrets'][number]): string {
  const lines = file === undefined ? '' : `; write its lines to ${file}`;
  const clear = {
    stays: `: its value is not copied, but stays readable in the service${lines}`,
    encrypted: `: its value is not copied, and is readable in the service: pulumi up encrypts it${lines}`,
  };
  return `secret ${name}: ${kind} ${id} ${path.join('.')}${readable === undefined ? '' : clear[readable]}`;
}

/** What a person runs next: values of secrets are typed in, and are on no command line. */
const commandsFor = (
  { secrets }: ExportedStack,
  out: string | undefined,
  written: readonly string[],
): readonly string[] => [
  ...firstSteps(written, out),
  'pulumi stack init',
  ...(written.includes('Pulumi.yaml') ? serviceSettings() : []),
  ...secrets.map(({ name, file }) => `pulumi config set --secret ${name}${file === undefined ? '' : ` < ${file}`}`),
  'pulumi-oneops import-file --declared --output import.json',
  'pulumi import --file import.json --generate-code=false --protect=false',
  'rm import.json',
  'pulumi preview',
  'pulumi up',
];
