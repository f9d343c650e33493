// `pulumi-oneops drift revert`: sets named attributes back to what is declared, after showing the requests.
import { messageOf, ReadOnly, Unauthenticated } from '../../../api/errors';
import {
  applyReversals,
  deployAgain,
  describeReversal,
  environmentsOf,
  planRevert,
  recordOf,
  readReview,
  findingSubject,
  type DriftFinding,
  type Reversal,
  type RevertContext,
} from '../../../drift';
import { agreed } from '../../agree';
import { parseWords, type Command } from '../../command';
import { CHOICE_HELP, CHOICE_OPTIONS, chosen, reviewNow } from './chosen';
import { openReview, SOURCE_HELP, textIn } from './sources';

const HELP = `usage: pulumi-oneops drift revert ID... [options]

Shows the requests that restore the declared values of exactly these attributes, and sends them if you agree. For a record that needs
several requests, it shows the first. A deleted record is created again as declared. What changed again since the review is left as it is.

${SOURCE_HELP}
${CHOICE_HELP}
  --dry-run             show the requests and stop
  --yes                 send them without asking
  --deploy              commit, pull and deploy afterwards. Without it the machines keep what they have, and pulumi up does not
                        deploy either, because neither file nor state changed

The first failure ends the work: the command reports what was restored before, and does not send the rest.

exit codes: 0 restored, 1 wrong use, 3 something failed on the way, 4 the token is missing or refused,
5 refused, or not agreed to: nothing was sent`;

const OPTIONS = {
  ...CHOICE_OPTIONS,
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  deploy: { type: 'boolean', default: false },
} as const;

/** The revert command. */
export const revertCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const opened = await openReview(values, undefined);
    try {
      const review = values.from === undefined ? await reviewNow(opened) : readReview(textIn(values.from));
      const findings = chosen(review, positionals);
      const world: RevertContext = {
        api: opened.api,
        declared: opened.code?.records ?? opened.state?.records ?? [],
        applied: opened.state?.records ?? [],
        tell: (message) => void process.stderr.write(`${message}\n`),
      };
      const { reversals, held, refused } = await planRevert(world, findings);
      for (const { finding, reason } of refused)
        process.stderr.write(`${finding.id} ${findingSubject(finding)}: ${reason}\n`);
      for (const finding of held)
        process.stdout.write(`${finding.id} ${findingSubject(finding)}: is already as declared\n`);
      for (const reversal of reversals) process.stdout.write(`${describeReversal(reversal)}\n`);
      if (refused.length > 0) return 5;
      if (values['dry-run']) return 0;
      if (reversals.length > 0 && !values.yes && !(await agreed(sends(reversals.length)))) return 5;
      const { done, failed } = await applyReversals(world, reversals);
      for (const reversal of done) process.stdout.write(`set back: ${subjectsIn(reversal)}\n`);
      if (failed) {
        if (done.length === 0 && failed.error instanceof Unauthenticated) throw failed.error;
        process.stderr.write(
          `not set back: ${subjectsIn(failed.reversal)}\n${messageOf(failed.error)}\n${done.length} of ${reversals.length} records were set back; what came after was not sent\n`,
        );
        return done.length === 0 && failed.error instanceof ReadOnly ? 5 : 3;
      }
      // What is as declared may still wait for its deployment.
      const all = [...reversals, ...held.flatMap((finding) => recordsOf(world, finding))];
      const environments = environmentsOf(world.declared, all).map(({ inputs }) => String(inputs['name']));
      if (!values.deploy) {
        if (environments.length > 0) process.stdout.write(openWork(environments, positionals, values.from));
        return 0;
      }
      try {
        await deployAgain(world, all);
        return 0;
      } catch (error) {
        process.stderr.write(`it is set back, but not deployed: ${messageOf(error)}\n`);
        return 3;
      }
    } finally {
      opened.api.close();
    }
  },
};

/** What is left to do. A review made anew no longer has what was set back: only a saved one can be named again. */
function openWork(environments: readonly string[], ids: readonly string[], from: string | undefined): string {
  const open = `not deployed: what runs in ${environments.join(', ')} changes with the next deployment;\n  pulumi up alone does not start one`;
  if (from === undefined) return `${open}; drift revert --deploy does\n`;
  return `${open}\nnext: pulumi-oneops drift revert ${ids.join(' ')} --from ${from} --deploy\n`;
}

const subjectsIn = ({ findings }: Reversal): string =>
  findings.map((finding) => `${finding.id} ${findingSubject(finding)}`).join(', ');

function recordsOf({ declared }: RevertContext, finding: DriftFinding): readonly Pick<Reversal, 'record'>[] {
  const record = recordOf(declared, [finding]);
  return record === undefined ? [] : [{ record }];
}

const sends = (count: number): string => `send ${count} request${count === 1 ? '' : 's'}?`;
