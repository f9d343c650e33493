// `pulumi-oneops check`: everything wrong with the files of a stack, without an engine and without a request.
// It must not know what makes a stack right.
import { classMetadata, templateClass } from '../../api/contract';
import { catalogueLevel, type CatalogueLevel } from '../../provider';
import { readStack, renderFindings, STANDARD_FILE } from '../../stack';
import { parseWords, type Command } from '../command';
import { configuredHere, projectHere, surroundingsHere, textFrom } from '../project';

const OPTIONS = {
  json: { type: 'boolean', default: false },
  catalogue: { type: 'string' },
  stack: { type: 'string' },
} as const;

const HELP = `usage: pulumi-oneops check [FILE...] [options]

Reads the files of a stack and reports everything that is wrong with them, each finding with its line. Sends no request. Several files
together declare one assembly. Without a FILE, reads the files that Pulumi.yaml in this folder names, or ${STANDARD_FILE}.

  --catalogue LEVEL  how findings of the packaged catalogue count: auto, strict, warn or off; default: oneops:catalogue in Pulumi.yaml or in
                     the file of the stack
  --stack NAME       stack whose Pulumi.NAME.yaml holds that setting
  --json             findings as JSON

exit codes: 0 nothing wrong, 1 a file cannot be read, 2 something is wrong`;

/** The check command. */
export const checkCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const names = positionals.length > 0 ? positionals : (projectHere()?.files ?? [STANDARD_FILE]);
    const files = names.map((name) => ({ name, text: textFrom(name) }));
    const { findings } = readStack(files, {
      classMetadata,
      templateClass,
      catalogue: levelOf(values.catalogue ?? configuredHere('oneops:catalogue', values.stack)),
      ...surroundingsHere(),
    });
    if (values.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    else if (findings.length === 0) process.stdout.write(`${names.join(', ')}: nothing wrong\n`);
    else process.stderr.write(renderFindings(findings, files, { colour: process.stderr.isTTY }));
    return Promise.resolve(findings.some(({ severity }) => severity === 'error') ? 2 : 0);
  },
};

function levelOf(word: string | undefined): CatalogueLevel {
  const found = catalogueLevel(word);
  if ('problem' in found) throw new Error(found.problem);
  return found.level;
}
