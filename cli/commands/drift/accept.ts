// `pulumi-oneops drift accept`: writes live values into the stack's files.
import {
  findingSubject,
  acceptFindings,
  changedStacks,
  type Accepted,
  type DriftFinding,
  type OtherStacks,
  type Review,
} from '../../../drift';
import { commandOf, type Parsed } from '../../command';
import { decideOnFindingsOrCause, inStack, type InFleet } from './by-cause';
import { chosen, reviewFrom, textIn } from './sources';
import { newDrafts, type Drafts } from './drafts';
import { Bug, WrongInput } from '../../../api/errors';
import { renderFindings, withTexts, type StackEnvironment } from '../../../stack';
import { areSettingsValid, projectHere, settingErrorsHere, stackFile, stacksHere } from '../../here/project';
import { environmentHere, knownHere } from '../../here/read-stack';
import { CAUSE_OPTION, CHOICE_OPTIONS, flag, texts } from '../../options';
import { EXIT } from '../../exit';

const OPTIONS = {
  file: texts(
    'FILE',
    `a file of the stack; can be repeated; default: the files of the project, or those that declare the
      findings`,
  ),
  partial: flag('accept what can be accepted, even if something cannot'),
  patch: flag('print a unified diff instead of writing; with --cause, one for all stacks'),
  ...CAUSE_OPTION,
  ...CHOICE_OPTIONS,
} as const;

export const command = commandOf({
  usage: ['drift accept ID... [options]'],
  about: `Writes the live value of each finding into the stack's files, if it is written once and as
it is, also in an included file. Comments, order and quotes stay. A value that is composed (by a
template, each, an overlay, a reference, an anchor) is refused, with its line and what to write. The
result is checked before it is written: it must declare what was accepted, and nothing else may have
changed. Sends no request with --from, and only GETs without it.`,
  options: OPTIONS,
  exits: {
    done: 'accepted',
    failed: 'refused: nothing was written',
    inPart: 'accepted in part',
  },
  async run(asked) {
    const patch = newDrafts();
    // Without a patch, each stack is written before the next one is read.
    const draftsOf = asked.values.patch ? () => patch : newDrafts;
    const code = await decideOnFindingsOrCause(asked, (own) => acceptIn(own, draftsOf()));
    process.stdout.write(patch.diff());
    return code;
  },
});

type Asked = Parsed<typeof OPTIONS> & InFleet;

/** Accepts in one stack, into drafts, which are written where no patch is wanted. */
async function acceptIn({ values, positionals, stack, review: saved }: Asked, drafts: Drafts): Promise<number> {
  const review = saved ?? (await reviewFrom(values));
  const outcome = acceptHere(chosen(review, positionals), review, values.file, drafts);
  reportRefusals(outcome, stack);
  if (outcome.refused.length > 0 && !values.partial) {
    process.stderr.write(
      `${inStack(stack)}nothing was written: leave these out, or accept the others with --partial\n`,
    );
    return EXIT.failed;
  }
  for (const { name, text } of outcome.files) drafts.put(name, text);
  if (values.patch)
    for (const line of otherStacksText(outcome.otherStacks, { isWritten: false }))
      process.stderr.write(`${inStack(stack)}${line}\n`);
  else {
    drafts.write();
    reportAccepted(outcome, drafts.names());
  }
  return outcome.refused.length > 0 ? EXIT.inPart : EXIT.done;
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
  // A pull refuses what another user left open there, also where the file declares it now.
  const open = accepted.flatMap(({ author, setIn }) => (setIn && author?.stage === 'design' ? setIn.environment : []));
  const first = [...new Set(open)].map((name) => `commit environment ${name} in the service, then `);
  process.stdout.write(`next: ${first.join('')}pulumi up --refresh\n`);
}

type Drafted = Drafts['textOf'];

interface AcceptedHere extends Accepted {
  /** Those that have settings here. */
  readonly otherStacks: OtherStacks;
}

/**
 * The files with the live values in them; nothing is written. `named`: the files that a person
 * names, if any. `drafted`: the text that a file is to have already, instead of the one that it has.
 * Throws Error for a file that cannot be read.
 */
export function acceptHere(
  findings: readonly DriftFinding[],
  review: Review,
  named: readonly string[],
  { textOf: drafted }: Pick<Drafts, 'textOf'>,
): AcceptedHere {
  const names = named.length > 0 ? named : filesToAccept(findings);
  const before = names.map((name) => ({ name, text: drafted(name) ?? textIn(name).text }));
  const { organization } = review;
  const accepted = acceptFindings(findings, before, {
    organization,
    environment: environmentOf(review.stack, names, drafted),
  });
  // Without the name of its stack, it is not known which ones are others.
  const own = review.stack?.split('/').at(-1);
  if (own === undefined || accepted.accepted.length === 0)
    return { ...accepted, otherStacks: { changed: [], unknown: [] } };
  const others = stacksHere().filter((name) => name !== own);
  const stacks = others.map((name) => ({ name, environment: readable(name, names, drafted) }));
  return { ...accepted, otherStacks: changedStacks(before, accepted.files, stacks) };
}

/** The lines about other stacks that change, too, or may change; none where there are none. */
export function otherStacksText(
  { changed, unknown }: OtherStacks,
  { isWritten }: { readonly isWritten: boolean },
): readonly string[] {
  const [first, second] = unknown;
  const declare = isWritten
    ? 'declare something else for other stacks now'
    : 'would declare something else for other stacks';
  const whose = second === undefined ? 'its' : 'their';
  return [
    ...(changed.length === 0 ? [] : [`the same files ${declare}, too: ${changed.join(', ')}`]),
    ...(first === undefined
      ? []
      : [
          `whether they declare something else is not known for: ${unknown.join(', ')}, because ${whose} files or settings are not valid: see ${stackFile(first)}, and pulumi-oneops check --stack ${first}`,
        ]),
  ];
}

/** What another stack is read with; undefined when its settings are not valid. */
function readable(name: string, names: readonly string[], drafted: Drafted): StackEnvironment | undefined {
  try {
    return areSettingsValid(name) ? environmentOf(name, names, drafted) : undefined;
  } catch (error) {
    if (error instanceof Bug || !(error instanceof Error)) throw error;
    return undefined;
  }
}

function environmentOf(stack: string | undefined, names: readonly string[], drafted: Drafted): StackEnvironment {
  const wrong = settingErrorsHere(stack);
  if (wrong.findings.length > 0) throw new WrongInput(renderFindings(wrong.findings, wrong.files).trimEnd());
  return withTexts(environmentHere(names, { stack, known: knownHere() }), drafted);
}

/** The files of the project, or those that declare the findings. */
export function filesToAccept(findings: readonly DriftFinding[]): readonly string[] {
  const main = projectHere()?.files;
  // One of several files is no stack by itself, nor is one that another one includes.
  if (main !== undefined) return main;
  const names = new Set(findings.flatMap(({ at }) => (at && /\.ya?ml$/i.test(at.file) ? [at.file] : [])));
  return names.size > 0 ? [...names] : ['oneops.yaml'];
}
