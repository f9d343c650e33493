// `pulumi-oneops import-file`: the file for `pulumi import --file`, from what the service contains
// at given addresses. Sends GETs only.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { plural } from '../../../api/errors';
import type { ImportFile } from '../../../provider/import';
import { commandOf } from '../../command';
import { EXIT } from '../../exit';
import { notesOf, importList } from './take-over';
import { TAKE_OVER_OPTIONS, text } from '../../options';

export const command = commandOf({
  usage: ['import-file ADDRESS... [options]', 'import-file --declared [options]'],
  about: `Writes the file with which Pulumi takes records over into a stack:
  pulumi import --file FILE --generate-code=false --protect=false
Run pulumi up once after it, so that the engine stores the dependencies. Nothing is written to the service.`,
  arguments: {
    ADDRESS: `acme/shop, acme/shop/web/deployer; Kind:ADDRESS if the address fits several records, and for
      actions (Deployment:acme/shop/prod). ADDRESS=NAME: its logical name; default: the one a stack file gives
      it`,
  },
  options: {
    output: text('FILE', 'the file to write; default: the standard output'),
    ...TAKE_OVER_OPTIONS,
  },
  exits: {
    done: 'written',
    failed: 'could not be done: no such record',
    inPart: 'written, but it lacks a record',
  },
  async run({ values, positionals }) {
    const file = await importList(positionals, values);
    write(file, values.output);
    process.stderr.write(`${[countOf(file, values.output), ...notesOf(file)].join('\n')}\n`);
    return file.leftOut.length > 0 ? EXIT.inPart : EXIT.done;
  },
});

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
  `${plural(resources.length, 'resource')}${output === undefined ? '' : ` in ${output}`}`;
