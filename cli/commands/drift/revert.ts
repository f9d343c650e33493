// `pulumi-oneops drift revert`: sets named attributes back to what is declared, after showing the requests.
// It must not know how a record is written.
import { createInterface } from 'node:readline/promises';
import { OneOpsError } from '../../../api/errors';
import {
  carryOut,
  deployAgain,
  describeReversal,
  environmentsOf,
  planRevert,
  subjectOf,
  type Reversal,
  type RevertWorld,
} from '../../../drift';
import { parseWords, type Command } from '../../command';
import { CHOICE_HELP, CHOICE_OPTIONS, chosen, reviewNow, savedReview } from './chosen';
import { openReview, SOURCE_HELP } from './sources';

const HELP = `usage: pulumi-oneops drift revert ID... [options]

Shows the requests that set exactly these attributes back to what is declared, and sends them once you agree. A record that was deleted
is made again as declared. What somebody changed again since the review is left alone.

${SOURCE_HELP}
${CHOICE_HELP}
  --dry-run             show the requests and stop
  --yes                 send them without asking
  --deploy              commit, pull and deploy afterwards: until then machines keep what they have, and a run of pulumi up does not
                        do it, since neither file nor state changed

exit codes: 0 set back, 1 wrong use, 4 the token is missing or refused, 5 refused: nothing was sent`;

/** The revert command. */
export const revertCommand: Command = {
  help: HELP,
  async run(words) {
    const { values, positionals } = parseWords(words, {
      ...CHOICE_OPTIONS,
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      deploy: { type: 'boolean', default: false },
    });
    const opened = await openReview(values, undefined);
    try {
      const review = values.from === undefined ? await reviewNow(opened) : savedReview(values.from);
      const findings = chosen(review, positionals);
      const world: RevertWorld = {
        api: opened.api,
        declared: opened.code?.records ?? opened.state?.records ?? [],
        tell: (message) => void process.stderr.write(`${message}\n`),
      };
      const { reversals, held, refused } = await planRevert(world, findings);
      for (const { finding, reason } of refused)
        process.stderr.write(`${finding.id} ${subjectOf(finding)}: ${reason}\n`);
      for (const finding of held) process.stdout.write(`${finding.id} ${subjectOf(finding)}: stands as declared\n`);
      for (const reversal of reversals) process.stdout.write(`${describeReversal(reversal)}\n`);
      if (refused.length > 0) return 5;
      if (values['dry-run']) return 0;
      if (reversals.length > 0 && !values.yes && !(await agreed(reversals.length))) return 5;
      if (!(await sent(world, reversals))) return 3;
      // What stands as declared may wait for its deployment still.
      const all = [...reversals, ...held.flatMap((finding) => recordsOf(world, finding.address))];
      const environments = environmentsOf(world.declared, all).map(({ inputs }) => String(inputs['name']));
      if (values.deploy) await deployAgain(world, all);
      else if (environments.length > 0)
        process.stdout.write(
          `open: machines of ${environments.join(', ')} have it once it is deployed\nnext: pulumi-oneops drift revert ${positionals.join(' ')} ${values.from === undefined ? '' : `--from ${values.from} `}--deploy\n`,
        );
      return 0;
    } finally {
      opened.api.close();
    }
  },
};

/** Sends one after the other; false when one was refused after others went through. Throws when nothing went through. */
async function sent(world: RevertWorld, reversals: readonly Reversal[]): Promise<boolean> {
  for (const [index, reversal] of reversals.entries()) {
    try {
      await carryOut(world, reversal);
    } catch (error) {
      if (index === 0 || !(error instanceof OneOpsError)) throw error;
      for (const finding of reversal.findings)
        process.stderr.write(`${finding.id} ${subjectOf(finding)}: ${error.message}\n`);
      process.stderr.write(`${index} of ${reversals.length} were set back, and nothing was deployed\n`);
      return false;
    }
  }
  return true;
}

const recordsOf = ({ declared }: RevertWorld, address: string) =>
  declared.filter(({ id }) => id === address).map((record) => ({ record }));

async function agreed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('nothing was sent: agree with --yes\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // An input that ends answers nothing; a last line comes before its end.
    const ended = new Promise<string>((resolve) => void terminal.once('close', () => setImmediate(resolve, '')));
    const answer = terminal.question(`send ${count} request${count === 1 ? '' : 's'}? (yes/no) `);
    return /^y(es)?$/i.test((await Promise.race([answer, ended])).trim());
  } finally {
    terminal.close();
  }
}
