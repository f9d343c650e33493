// `pulumi-oneops lsp`: a language server for stack files.
// It must not know the protocol of editors.
import { parseWords, UsageError, type Command } from '../command';
import { serveEditor } from '../lsp/server';

const OPTIONS = {
  stdio: { type: 'boolean', default: false },
  stack: { type: 'string' },
  overlay: { type: 'string' },
  catalogue: { type: 'string' },
} as const;

const HELP = `usage: pulumi-oneops lsp [options]

Runs a language server for stack files on standard input and output. An editor
starts it. It reports what "check" reports while you write, goes to definitions,
and corrects misspelt names. Completion and descriptions come from
stack.schema.json: docs/editors.md says how to set up both. Sends no request.

  --stdio            the default, for editors that name it
  --stack NAME       stack whose Pulumi.NAME.yaml holds the configuration, and
                     whose overlay counts; default: none
  --overlay NAME     another overlay
  --catalogue LEVEL  how findings of the packaged catalogue count: auto, strict,
                     warn or off

exit codes: 0 the editor ended it, 1 the editor is gone`;

/** The lsp command. */
export const lspCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('lsp takes no file: the editor names them');
    serveEditor(process.stdin, process.stdout, values);
    // The connection ends the process.
    return new Promise(() => undefined);
  },
};
