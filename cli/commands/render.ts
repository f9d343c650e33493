// `pulumi-oneops render`: a stack file with everything in it resolved: includes, templates, loops, conditions and the overlay of a stack.
// It must not know how a file is composed.
import { unifiedDiff } from '../../drift';
import {
  readStack,
  renderFindings,
  resolvedLines,
  STANDARD_FILE,
  withKnownValues,
  type ResolvedLine,
} from '../../stack';
import { parseWords, UsageError, type Command } from '../command';
import { unknownStack } from '../config-here';
import { choicesHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from '../project';
import { judgedBy, knownHere } from '../read-stack';

const OPTIONS = {
  stack: { type: 'string' },
  overlay: { type: 'string' },
  explain: { type: 'boolean', default: false },
  diff: { type: 'boolean', default: false },
} as const;

const HELP = `usage: pulumi-oneops render [FILE] [options]
       pulumi-oneops render [FILE] --diff STACK STACK

Prints a stack file as a run reads it: files are included, templates, loops and
conditions are resolved, and the overlay of the stack is laid over the result.
That is a stack file again. References such as \${config.owner} stay, but not with
--diff; comments do not. Sends no request. Without a FILE, reads the files that Pulumi.yaml in this
folder names, or ${STANDARD_FILE}.

  --stack NAME       takes the configuration in Pulumi.NAME.yaml, and the overlay
                     of this stack
  --overlay NAME     another overlay; default: oneops:overlay of the stack, or the
                     overlay with the name of the stack
  --explain          before each line, where it comes from: FILE:LINE
  --diff ONE OTHER   how two stacks differ, as a patch. Values of the configuration
                     and \${pulumi.stack} stand in place of the references to
                     them, and secrets as (secret)

exit codes: 0 printed, 1 a file cannot be read,
2 something is wrong with the files`;

/** The render command. */
export const renderCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const stacks = values.diff ? positionals.slice(-2) : [];
    if (values.diff && (stacks.length < 2 || values.stack !== undefined || values.overlay !== undefined))
      throw new UsageError('--diff takes the names of two stacks, and no other option');
    const named = values.diff ? positionals.slice(0, -2) : positionals;
    const names = named.length > 0 ? named : (projectHere()?.files ?? [STANDARD_FILE]);
    // What is a secret in one stack is none to show in the other one.
    const hidden = values.diff ? new Set(stacks.flatMap((stack) => [...secretConfigHere(stack)])) : undefined;
    const chosen = values.diff ? stacks.map((stack) => ({ stack })) : [values];
    const read = chosen.map((choice) => linesOf(names, choice, hidden));
    // Two stacks of one file often have the same findings.
    for (const said of new Set(read.flatMap((each) => each.said))) process.stderr.write(said);
    const rendered = read.map(({ lines }) => lines);
    const [first, second] = rendered;
    if (first === undefined || rendered.includes(undefined)) return Promise.resolve(2);
    if (second === undefined) process.stdout.write(values.explain ? explained(first) : textOf(first));
    else process.stdout.write(unifiedDiff(names[0] ?? '', textOf(first), textOf(second), stacks));
    if (second !== undefined && textOf(first) === textOf(second))
      process.stderr.write(`${stacks.join(' and ')} do not differ\n`);
    return Promise.resolve(0);
  },
};

/**
 * The lines of the resolved file, undefined when something is wrong; and what there is to say about it. With `hidden`, the names of secrets of the
 * configuration, values are in place of references.
 */
function linesOf(
  names: readonly string[],
  choice: { readonly stack?: string | undefined; readonly overlay?: string | undefined },
  hidden?: ReadonlySet<string>,
): { readonly lines: readonly ResolvedLine[] | undefined; readonly said: readonly string[] } {
  const { stack } = choice;
  const choices = choicesHere(names, choice);
  const { findings, files, root } = readStack(
    names.map((name) => ({ name, text: textFrom(name) })),
    {
      ...judgedBy(knownHere()),
      catalogue: 'off',
      ...surroundingsHere(),
      secretConfig: secretConfigHere(stack),
      choices,
    },
  );
  const shown = root && hidden ? withKnownValues(root, choices, hidden) : root;
  return {
    lines: shown && resolvedLines(shown, names[0] ?? ''),
    said: [unknownStack(stack) ?? '', renderFindings(findings, files, { colour: process.stderr.isTTY })],
  };
}

const textOf = (lines: readonly ResolvedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** Each line with the place that it comes from before it. */
function explained(lines: readonly ResolvedLine[]): string {
  const places = lines.map(({ place: { at } }) => `${at.file}:${at.start.line}`);
  const width = places.reduce((most, place) => Math.max(most, place.length), 0);
  return lines.map(({ text }, index) => `${(places[index] ?? '').padEnd(width)}  ${text}`.trimEnd() + '\n').join('');
}
