// `pulumi-oneops render`: a stack file with everything in it resolved: includes, templates, loops, conditions and the overlay of a stack.
// It must not know how a file is composed.
import { classMetadata, templateClass } from '../../api/contract';
import { unifiedDiff } from '../../drift';
import { readStack, renderFindings, resolvedLines, STANDARD_FILE, type ResolvedLine } from '../../stack';
import { parseWords, UsageError, type Command } from '../command';
import { choicesHere, projectHere, secretConfigHere, surroundingsHere, textFrom } from '../project';

const OPTIONS = {
  stack: { type: 'string' },
  overlay: { type: 'string' },
  explain: { type: 'boolean', default: false },
  diff: { type: 'boolean', default: false },
} as const;

const HELP = `usage: pulumi-oneops render [FILE] [options]
       pulumi-oneops render [FILE] --diff STACK STACK

Prints a stack file as it counts: files included, templates used, loops and conditions carried out, the overlay of the stack laid over it.
The result is a stack file again; references such as \${config.owner} stay, and comments do not. Sends no request. Without a FILE, reads the
files that Pulumi.yaml in this folder names, or ${STANDARD_FILE}.

  --stack NAME       stack whose Pulumi.NAME.yaml holds the configuration, and whose overlay counts
  --overlay NAME     another overlay; default: oneops:overlay of the stack, or the overlay with the name of the stack
  --explain          before each line, where it comes from: FILE:LINE
  --diff ONE OTHER   how two stacks differ

exit codes: 0 printed, 1 a file cannot be read, 2 something is wrong with the files`;

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
    const rendered = (values.diff ? stacks : [values.stack]).map((stack) => linesOf(names, stack, values.overlay));
    const [first, second] = rendered;
    if (first === undefined || rendered.includes(undefined)) return Promise.resolve(2);
    if (second === undefined) process.stdout.write(values.explain ? explained(first) : textOf(first));
    else process.stdout.write(unifiedDiff(names[0] ?? '', textOf(first), textOf(second), stacks));
    return Promise.resolve(0);
  },
};

/** The lines of the resolved file; undefined when something is wrong, which was reported. */
function linesOf(
  names: readonly string[],
  stack: string | undefined,
  overlay: string | undefined,
): readonly ResolvedLine[] | undefined {
  const { findings, files, root } = readStack(
    names.map((name) => ({ name, text: textFrom(name) })),
    {
      classMetadata,
      templateClass,
      catalogue: 'off',
      ...surroundingsHere(),
      secretConfig: secretConfigHere(stack),
      choices: choicesHere(names, { stack, overlay }),
    },
  );
  if (findings.length > 0) process.stderr.write(renderFindings(findings, files, { colour: process.stderr.isTTY }));
  return root && resolvedLines(root, names[0] ?? '');
}

const textOf = (lines: readonly ResolvedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** Each line with the place that it comes from before it. */
function explained(lines: readonly ResolvedLine[]): string {
  const places = lines.map(({ place: { at } }) => `${at.file}:${at.start.line}`);
  const width = places.reduce((most, place) => Math.max(most, place.length), 0);
  return lines.map(({ text }, index) => `${(places[index] ?? '').padEnd(width)}  ${text}`.trimEnd() + '\n').join('');
}
