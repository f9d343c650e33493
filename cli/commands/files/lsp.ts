// `pulumi-oneops lsp`: a language server for stack files.
import { commandOf } from '../../command';
import { serveEditor } from '../../lsp/server';
import { flag, STACK_OPTIONS, text } from '../../options';

export const command = commandOf({
  usage: ['lsp [options]'],
  about: `Runs a language server for stack files on standard input and output. An editor starts it. It
reports what "check" reports while you write, goes to definitions, and corrects misspelt names.
Completion and descriptions come from stack.schema.json: docs/editors.md says how to set up both.
Sends no request.`,
  options: {
    stdio: flag('the default, for editors that name it'),
    ...STACK_OPTIONS,
    catalogue: text('LEVEL', 'how findings of the packaged catalogue count: auto, strict, warn or off'),
  },
  exits: { done: 'the editor ended it', failed: 'the editor is gone' },
  most: 0,
  run({ values }) {
    serveEditor(process.stdin, process.stdout, values);
    // The connection ends the process.
    return new Promise(() => undefined);
  },
});
