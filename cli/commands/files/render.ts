// `pulumi-oneops render`: a stack file with everything in it resolved: includes, templates, loops, conditions and the overlay of a stack.
import { unifiedDiff } from '../../../drift';
import {
  readStack,
  renderFindings,
  resolvedLines,
  STANDARD_FILE,
  withKnownValues,
  type ResolvedLine,
} from '../../../stack';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { unknownStack } from './check';
import { choicesHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from '../../here/project';
import { judgedBy, knownHere } from '../../here/read-stack';
import { flag, STACK_OPTIONS } from '../../options';

const OPTIONS = {
  ...STACK_OPTIONS,
  explain: flag('before each line, where it comes from: FILE:LINE'),
  diff: flag(
    `how two stacks differ, as a patch. Values of the configuration and \${pulumi.stack} stand in place of
      the references to them, and secrets as (secret)`,
  ),
} as const;

/** The render command. */
export const renderCommand: Command = {
  usage: ['render [FILE] [options]', 'render [FILE] --diff STACK STACK'],
  about: `Prints a stack file as a run reads it: files are included, templates, loops and conditions
are resolved, and the overlay of the stack is laid over the result. That is a stack file again.
References such as \${config.owner} stay, but not with --diff; comments do not. Sends no request.
Without a FILE, reads the files that Pulumi.yaml in this folder names, or ${STANDARD_FILE}.`,
  options: OPTIONS,
  exits: { done: 'printed' },
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
    if (first === undefined || rendered.includes(undefined)) return Promise.resolve(EXIT.wrong);
    if (second === undefined) process.stdout.write(values.explain ? explained(first) : textOf(first));
    else process.stdout.write(unifiedDiff(names[0] ?? '', textOf(first), textOf(second), stacks));
    if (second !== undefined && textOf(first) === textOf(second))
      process.stderr.write(`${stacks.join(' and ')} do not differ\n`);
    return Promise.resolve(EXIT.done);
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
