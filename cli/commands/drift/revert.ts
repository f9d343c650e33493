// `pulumi-oneops drift revert`: shows the requests that restore what is declared, and sends them.
import { messageOf, plural, Unauthenticated } from '../../../api/errors';
import {
  applyReversals,
  comingAlong,
  deployAgain,
  describeReversal,
  environmentsOf,
  isRevertible,
  planRevert,
  recordOf,
  findingSubject,
  leftToDeploy,
  type Reversal,
  type RevertContext,
} from '../../../drift';
import { agreed } from '../../prompts';
import { commandOf, type Parsed } from '../../command';
import { decideOnFindingsOrCause, inStack, type InFleet } from './by-cause';
import { chosen, expectReviewOf, reviewNow, savedReview, withReview, type OpenedReview } from './sources';
import { CAUSE_OPTION, CHOICE_OPTIONS, flag } from '../../options';
import { EXIT, UsageError } from '../../exit';

const OPTIONS = {
  all: flag('every finding that a revert restores, instead of named ones'),
  'dry-run': flag('show the requests and stop'),
  yes: flag('send them without asking'),
  others: flag(
    `with --deploy: deploy what others committed, too. Without it, --deploy is refused where something of
      others waits to be deployed`,
  ),
  deploy: flag(
    `commit, pull and deploy afterwards. Without it the machines keep what they have, and pulumi up does not
      deploy either, because neither file nor state changed`,
  ),
  ...CAUSE_OPTION,
  ...CHOICE_OPTIONS,
} as const;

export const command = commandOf({
  usage: ['drift revert [ID...] [options]'],
  about: `Shows the requests that restore the declared values of exactly these attributes, and sends them if you agree. For a record that needs several requests, it shows the first. A deleted record is created again as declared. What changed again since the review is left as it is. A review of another stack or service is refused.

The first failure ends the work: the command reports what was restored before, and does not send the rest.`,
  options: OPTIONS,
  exits: {
    done: 'restored',
    failed: 'refused, or not agreed to: nothing was sent',
    inPart:
      'something failed on the way, or was refused among --all, or an environment that --deploy needs was deleted, or none exists',
  },
  run(asked) {
    const { values, positionals } = asked;
    const { all, cause, from } = values;
    if (all && cause !== undefined) throw new UsageError('--all means every finding: leave out --cause');
    if (all && positionals.length > 0) throw new UsageError('--all means every finding: leave out the ids');
    const named = cause === undefined ? [...(all ? ['--all'] : []), ...positionals] : ['--cause', cause];
    const again = from === undefined ? undefined : `${named.join(' ')} --from ${from}`;
    return decideOnFindingsOrCause(asked, (own) => restore(own, again));
  },
});

/** Restores findings; `again`: how a later call names them. */
function restore(
  { values, positionals, stack, review: saved }: Parsed<typeof OPTIONS> & InFleet,
  again: string | undefined,
): Promise<number> {
  return withReview(values, undefined, async (opened) => {
    const review = saved ?? savedReview(values) ?? (await reviewNow(opened));
    expectReviewOf(review, opened);
    const findings = values.all ? review.findings.filter(isRevertible) : chosen(review, positionals);
    const world = revertContext(opened, stack);
    const { reversals, held, refused } = await planRevert(world, findings);
    for (const { finding, reason } of refused)
      process.stderr.write(`${inStack(stack)}${finding.id} ${findingSubject(finding)}: ${reason}\n`);
    for (const finding of held)
      process.stdout.write(`${finding.id} ${findingSubject(finding)}: is already as declared\n`);
    for (const reversal of reversals) process.stdout.write(`${describeReversal(reversal)}\n`);
    // With --all, what is refused leaves the others their turn.
    const isLeft = refused.length > 0;
    if (isLeft && (!values.all || reversals.length === 0)) return EXIT.failed;
    const done = isLeft ? EXIT.inPart : EXIT.done;
    // What is as declared may still wait for its deployment.
    const asDeclared = held.flatMap((finding) => recordOf(world.declared, [finding]) ?? []);
    const records = [...reversals, ...asDeclared.map((record) => ({ record }))];
    const along = values.deploy ? await comingAlong(world, { records, findings }) : [];
    if (along.length > 0) process.stdout.write(alongText(along));
    if (values['dry-run']) return done;
    if (along.length > 0 && !values.others && !(await agreedToOthers(values))) return EXIT.failed;
    const question = `send ${plural(reversals.length, 'request')}?`;
    if (reversals.length > 0 && !values.yes && !(await agreed(question))) return EXIT.failed;
    const failure = await sendReversals(world, reversals, stack);
    if (failure) {
      if (failure.done === 0 && failure.error instanceof Unauthenticated) throw failure.error;
      return failure.done === 0 ? EXIT.failed : EXIT.inPart;
    }
    const environments = environmentsOf(world.declared, records).map(({ inputs }) => String(inputs['name']));
    if (!values.deploy) {
      if (environments.length > 0) {
        // It is set back: a question without an answer changes no more than the hint.
        const { along: left, isAny } = await leftToDeploy(world, { records, findings }).catch(() => ({
          along: [],
          isAny: true,
        }));
        process.stdout.write(
          isAny
            ? openWork(environments, again, deployOptions(left))
            : `nothing of what was set back is left to deploy in ${environments.join(', ')}\n`,
        );
      }
      return done;
    }
    return (await deployed(world, records, { stack, again, options: deployOptions(along) })) ? done : EXIT.inPart;
  });
}

export const revertContext = ({ api, code, state }: OpenedReview, stack?: string): RevertContext => ({
  api,
  declared: code ?? state?.records ?? [],
  ...(state === undefined ? {} : { applied: state.records }),
  tell: (message) => void process.stderr.write(`${inStack(stack)}${message}\n`),
});

/** Sends reversals and reports each; returns how many were sent before one failed, if any. */
export async function sendReversals(
  world: RevertContext,
  reversals: readonly Reversal[],
  stack?: string,
): Promise<{ readonly done: number; readonly error: unknown } | undefined> {
  const { done, failed } = await applyReversals(world, reversals);
  for (const reversal of done) {
    const isNew = reversal.remove === undefined && reversal.update === undefined;
    const next = isNew ? '\n  it was created again: pulumi up --refresh takes it into the state' : '';
    process.stdout.write(`set back: ${inStack(stack)}${subjectsIn(reversal)}${next}\n`);
  }
  if (failed === undefined) return undefined;
  const lines = [
    `not set back: ${inStack(stack)}${subjectsIn(failed.reversal)}`,
    messageOf(failed.error),
    `${done.length} of ${reversals.length} records of this stack were set back; what came after in it was not sent, and nothing in it was deployed`,
    'next: review again, and decide on what is still found',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  return { done: done.length, error: failed.error };
}

const deployOptions = (along: readonly string[]): string => (along.length > 0 ? '--deploy --others' : '--deploy');

/** Deploys what was set back; returns whether it could. `again`: how a later call names it. */
export async function deployed(
  world: RevertContext,
  records: readonly Pick<Reversal, 'record'>[],
  {
    stack,
    again,
    options = '--deploy',
  }: { readonly stack?: string | undefined; readonly again?: string | undefined; readonly options?: string },
): Promise<boolean> {
  try {
    return await deployAgain(world, records);
  } catch (error) {
    const byHand = 'commit, pull and deploy it in OneOps; pulumi up alone does not';
    const next = again === undefined ? byHand : `pulumi-oneops drift revert ${again} ${options}`;
    process.stderr.write(`${inStack(stack)}it is set back, but not deployed: ${messageOf(error)}\nnext: ${next}\n`);
    return false;
  }
}

/** What is left to do. A new review lacks what was set back; a saved one has it. */
function openWork(environments: readonly string[], again: string | undefined, options: string): string {
  const open = `not deployed: what runs in ${environments.join(', ')} stays as it is until the next deployment;\n  pulumi up alone does not start one`;
  if (again === undefined) return `${open}; drift revert ${options} does\n`;
  return `${open}\nnext: pulumi-oneops drift revert ${again} ${options}\n`;
}

const subjectsIn = ({ findings }: Reversal): string =>
  findings.map((finding) => `${finding.id} ${findingSubject(finding)}`).join(', ');

export const alongText = (along: readonly string[]): string =>
  `the deployment also brings what others committed:\n${along.map((line) => `  ${line}\n`).join('')}`;

async function agreedToOthers({ yes }: { readonly yes: boolean }): Promise<boolean> {
  if (!yes && process.stdin.isTTY) return agreed('deploy what others committed, too?');
  process.stderr.write('nothing was sent: --others deploys what others committed, too\n');
  return false;
}
