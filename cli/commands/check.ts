// `pulumi-oneops check`: everything wrong with a stack file, without an engine and without a request.
// It must not know what makes a stack right.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack, renderFindings } from '../../stack';
import { parseWords, UsageError, type Command } from '../command';

const HELP = `usage: pulumi-oneops check [FILE] [options]

Reads a stack file (default oneops.yaml) and tells everything that is wrong with it, each finding with its line. Sends no request.

  --json            findings as JSON

exit codes: 0 nothing wrong, 1 the file cannot be read, 2 something is wrong`;

/** The check command. */
export const checkCommand: Command = {
  help: HELP,
  run(words) {
    const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
    if (positionals.length > 1) throw new UsageError('check takes one file');
    const name = positionals[0] ?? 'oneops.yaml';
    const text = textOf(name);
    const { findings } = readStack([{ name, text }], {
      classMetadata,
      templateClass,
      readFile: (path, from) => {
        try {
          return { text: readFileSync(resolve(dirname(from), path), 'utf8') };
        } catch (error) {
          return { problem: reasonOf(error) };
        }
      },
    });
    if (values.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    else if (findings.length === 0) process.stdout.write(`${name}: nothing wrong\n`);
    else process.stderr.write(renderFindings(findings, [{ name, text }], { colour: process.stderr.isTTY }));
    return Promise.resolve(findings.some(({ severity }) => severity === 'error') ? 2 : 0);
  },
};

function textOf(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${name}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EISDIR' ? 'it is a folder' : String(code ?? error);
}
