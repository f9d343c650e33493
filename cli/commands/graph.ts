// `pulumi-oneops graph`: what depends on what in a stack, and what runs where.
// It must not know how a graph is found or drawn.
import { nearest } from '../../provider';
import { graphOf, readStack, renderFindings, STANDARD_FILE, type StackGraph } from '../../stack';
import { parseWords, UsageError, type Command } from '../command';
import { graphMermaid, graphText } from '../graph/text';
import { choicesHere, projectHere, surroundingsHere, textFrom } from '../project';
import { judgedBy, knownHere } from '../read-stack';

const OPTIONS = {
  format: { type: 'string' },
  json: { type: 'boolean', default: false },
  stack: { type: 'string' },
  overlay: { type: 'string' },
} as const;

const FORMATS: { readonly [format: string]: (graph: StackGraph) => string } = {
  text: graphText,
  mermaid: graphMermaid,
  json: (graph) => JSON.stringify(graph, null, 2),
};

const HELP = `usage: pulumi-oneops graph [FILE...] [options]

Shows which platforms of a stack depend on which, and on which clouds each
environment runs. Sends no request. Without a FILE, reads the files that
Pulumi.yaml in this folder names, or ${STANDARD_FILE}.

  --format FORMAT   text (default), mermaid or json
  --json            the same as --format json
  --stack NAME      stack whose configuration and overlay count
  --overlay NAME    another overlay

exit codes: 0 shown, 1 a file cannot be read, 2 something is wrong with a file`;

/** The graph command. */
export const graphCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const draw = formatOf(values.json ? 'json' : (values.format ?? 'text'));
    const names = positionals.length > 0 ? positionals : (projectHere()?.files ?? [STANDARD_FILE]);
    const files = names.map((name) => ({ name, text: textFrom(name) }));
    const environment = {
      ...judgedBy(knownHere()),
      catalogue: 'off' as const,
      ...surroundingsHere(),
      choices: choicesHere(names, values),
    };
    const { findings, plan, files: sources } = readStack(files, environment);
    if (plan === undefined) {
      process.stderr.write(renderFindings(findings, sources, { colour: process.stderr.isTTY }));
      return Promise.resolve(2);
    }
    process.stdout.write(`${draw(graphOf(plan))}\n`);
    return Promise.resolve(0);
  },
};

function formatOf(word: string): (graph: StackGraph) => string {
  const found = Object.hasOwn(FORMATS, word) ? FORMATS[word] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(FORMATS);
  const near = nearest(word, known);
  throw new UsageError(
    `there is no format "${word}": ${near ? `did you mean "${near}"?` : `there are ${known.join(', ')}`}`,
  );
}
