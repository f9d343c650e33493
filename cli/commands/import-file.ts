// `pulumi-oneops import-file`: the file for `pulumi import --file`, from what the service contains at given addresses. Sends GETs only.
// It must not know how records are read, nor what an entry of the file holds.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../api/errors';
import type { ImportFile } from '../../provider';
import { parseWords, Unauthorized, UsageError, type Command } from '../command';
import { notesOf, importList, TAKE_OVER_HELP, TAKE_OVER_OPTIONS } from '../import/take-over';
import { SETTINGS_HELP } from '../settings';

const HELP = `usage: pulumi-oneops import-file ADDRESS... [options]
       pulumi-oneops import-file --declared [options]

Writes the file with which Pulumi takes records over into a stack:
  pulumi import --file FILE --generate-code=false --protect=false
Run pulumi up once after it, so that the engine stores the dependencies. Nothing is written to the service.

${TAKE_OVER_HELP}
  --output FILE         the file to write; default: the standard output

${SETTINGS_HELP}

exit codes: 0 written, 1 wrong use or no such record, 3 written, but it lacks a record,
4 the token is missing, unknown or refused`;

const OPTIONS = { ...TAKE_OVER_OPTIONS, output: { type: 'string' } } as const;

/** The import-file command. */
export const importFileCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    try {
      const file = await importList(positionals, values);
      write(file, values.output);
      process.stderr.write(`${[countOf(file, values.output), ...notesOf(file)].join('\n')}\n`);
      return file.leftOut.length > 0 ? 3 : 0;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`pulumi-oneops: ${messageOf(error)}\n`);
      return error instanceof Unauthorized ? 4 : 1;
    }
  },
};

/** Only its owner may read it: what it marks as secret is in it in clear. */
function write({ resources }: ImportFile, output: string | undefined): void {
  const text = `${JSON.stringify({ resources }, undefined, 2)}\n`;
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  const descriptor = openSync(output, 'w', 0o600);
  try {
    // A file that existed has its own mode.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

const countOf = ({ resources }: ImportFile, output: string | undefined): string =>
  `${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}${output === undefined ? '' : ` in ${output}`}`;
