// `pulumi-oneops drift accept`: writes live values into the stack's files.
import { findingSubject } from '../../../drift';
import { parseWords, type Command } from '../../command';
import { acceptHere, filesToAccept, otherStacksText, type AcceptedHere } from './accepting';
import { CAUSE_HELP, CAUSE_OPTION, decideOnCause, inStack } from './by-cause';
import { CHOICE_HELP, CHOICE_OPTIONS, chosen, reviewFrom } from './chosen';
import { newDrafts, type Drafts } from './drafts';
import { replaceFile } from '../../replace-file';
import { textIn } from './sources';

const HELP = `usage: pulumi-oneops drift accept ID... [options]

Writes the live value of each finding into the stack's files, if it is written
once and as it is, also in an included file. Comments, order and quotes stay. A
value that is composed (by a template, each, an overlay, a reference, an anchor)
is refused, with its line and what to write. The result is checked before it is
written: it must declare what was accepted, and nothing else may have changed.
Sends no request with --from, and only GETs without it.

${CHOICE_HELP}
${CAUSE_HELP}
  --file FILE           a file of the stack; can be repeated; default: the files of the project, or those that declare the findings
  --partial             accept what can be accepted, even if something cannot
  --patch               print a unified diff instead of writing; with --cause, one for all stacks

exit codes: 0 accepted, 1 wrong use, 3 accepted in part, 4 the token is missing or refused, 5 refused: nothing was written`;

const OPTIONS = {
  ...CHOICE_OPTIONS,
  ...CAUSE_OPTION,
  file: { type: 'string', multiple: true, default: [] as string[] },
  partial: { type: 'boolean', default: false },
  patch: { type: 'boolean', default: false },
} as const;

/** The accept command. */
export const acceptCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run: (words) => accept(words),
};

/** Accepts findings, or prints what would change as one patch, also of several stacks. */
async function accept(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(words, OPTIONS);
  const { cause } = values;
  // Without a patch, each stack is written before the next one is read.
  const drafts = values.patch ? newDrafts() : undefined;
  const run = (own: readonly string[], stack?: string): Promise<number> => acceptIn(own, { stack, drafts });
  const code =
    cause === undefined ? await run(words) : await decideOnCause({ run }, words, { ...values, cause, positionals });
  if (drafts !== undefined) process.stdout.write(drafts.diff());
  return code;
}

/** What accepting in a folder depends on. */
interface Accepting {
  /** Name of the stack, where there are several. */
  readonly stack: string | undefined;
  /** Where changes of files are kept; undefined when they are written. */
  readonly drafts: Drafts | undefined;
}

/** Accepts findings of the stack in the current folder. */
async function acceptIn(words: readonly string[], { stack, drafts }: Accepting): Promise<number> {
  const { values, positionals } = parseWords(words, OPTIONS);
  const review = await reviewFrom(values);
  const findings = chosen(review, positionals);
  const names = values.file.length > 0 ? values.file : filesToAccept(findings);
  const outcome = acceptHere(findings, review, names, drafts?.textOf);
  reportRefusals(outcome, stack);
  if (outcome.refused.length > 0 && !values.partial) {
    process.stderr.write(
      `${inStack(stack)}nothing was written: leave these out, or accept the others with --partial\n`,
    );
    return 5;
  }
  const changed = outcome.files
    .map(({ name, text }) => ({ name, text, before: textIn(name).text }))
    .filter(({ text, before }) => text !== before);
  for (const { name, text } of changed)
    if (drafts === undefined) replaceFile(name, text);
    else drafts.put(name, text);
  if (drafts !== undefined)
    for (const line of otherStacksText(outcome.otherStacks, { isWritten: false }))
      process.stderr.write(`${inStack(stack)}${line}\n`);
  else
    reportAccepted(
      outcome,
      changed.map(({ name }) => name),
    );
  return outcome.refused.length > 0 ? 3 : 0;
}

function reportRefusals({ refused }: AcceptedHere, stack: string | undefined): void {
  for (const { finding, reason, at } of refused) {
    const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column} `;
    process.stderr.write(
      `${inStack(stack)}${finding.id} ${findingSubject(finding)} is not accepted\n  ${place}${reason}\n`,
    );
  }
}

function reportAccepted({ accepted, held, otherStacks }: AcceptedHere, names: readonly string[]): void {
  for (const finding of accepted) process.stdout.write(`accepted ${finding.id} ${findingSubject(finding)}\n`);
  for (const finding of held)
    process.stdout.write(`unchanged ${finding.id} ${findingSubject(finding)}: the file has this value already\n`);
  if (names.length === 0) return;
  process.stdout.write(`written: ${names.join(', ')}\n`);
  for (const line of otherStacksText(otherStacks, { isWritten: true })) process.stdout.write(`${line}\n`);
  process.stdout.write('next: pulumi up --refresh\n');
}
