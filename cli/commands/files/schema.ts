// `pulumi-oneops schema`: the JSON Schema of stack files, for projects without node_modules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../../command';
import { PACKAGE } from '../../pulumi-cli';

export const command = commandOf({
  usage: ['schema'],
  about: `Prints the JSON Schema of stack files, with the packs, templates and attributes of the packaged
catalogue. Editors complete and describe the keys of a stack file with it. In a project with
node_modules, the same file is node_modules/pulumi-oneops/schemas/stack.schema.json. Sends no request.`,
  options: {},
  exits: { done: 'printed' },
  after: `example
  pulumi-oneops schema > .oneops.schema.json
  and in the first line of oneops.yaml:
  # yaml-language-server: $schema=.oneops.schema.json`,
  most: 0,
  run() {
    process.stdout.write(readFileSync(join(PACKAGE, 'schemas/stack.schema.json'), 'utf8'));
  },
});
