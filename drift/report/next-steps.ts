// What a reader can do about a review as a whole.
// What to do about one finding is part of the finding.
import { isDrift, wasLetIn } from '../review/outcome';
import type { Review } from '../review/review';

/** One thing to do: a sentence, and the command that does it when there is one. */
interface NextStep {
  readonly what: string;
  readonly command?: string;
}

const DEPLOY = 'pulumi up --refresh';

const POLICY_STEP: NextStep = {
  what: 'Change what breaks a policy, or say in the policy file, with the reason, why it is an exception',
};

/** What to do, most urgent first; empty when there is nothing. */
export function nextSteps({ outcome, findings, problems, unread, policies = [] }: Review): readonly NextStep[] {
  const has = (classification: string): boolean =>
    findings.some((finding) => finding.classification === classification);
  const steps: readonly (readonly [boolean, NextStep])[] = [
    [
      !wasLetIn({ unread }),
      { what: 'The service refused the token: find out why, then review again', command: 'pulumi-oneops doctor' },
    ],
    [
      outcome === 'refused',
      {
        what: 'So many records are missing that a wrong setting or a failure is likely: check the address, the organization and the rights of the token, then review again',
        command: 'pulumi-oneops doctor',
      },
    ],
    [
      outcome === 'incomplete' && wasLetIn({ unread }),
      { what: 'Not everything could be read: review again when the service answers' },
    ],
    [
      findings.some(
        ({ classification, advice }) => classification === 'undeployed' && advice.commands?.revert === DEPLOY,
      ),
      { what: 'Deploy what was written but does not run', command: DEPLOY },
    ],
    [findings.some(isDrift), { what: 'Restore what was declared', command: 'pulumi-oneops drift revert ID…' }],
    [
      findings.some((finding) => isDrift(finding) && finding.advice.accept !== undefined),
      { what: 'Keep what is live: write it into the file', command: 'pulumi-oneops drift accept ID…' },
    ],
    [
      has('unexpected'),
      {
        what: 'Expect the values of environments that are live, without declaring them',
        command: 'pulumi-oneops drift record',
      },
    ],
    [
      findings.some(isDrift),
      {
        what: 'Leave it as it is, for a time and a reason',
        command: 'pulumi-oneops drift ignore ID… --reason TEXT --owner NAME --until DAY',
      },
    ],
    [has('pending'), { what: 'Apply what waits in the code', command: 'pulumi up' }],
    [
      has('healed'),
      { what: 'Record in the state what is already as declared, and deploy it', command: 'pulumi up --refresh' },
    ],
    [
      has('undeclared'),
      {
        what: 'Declare and import the records that nobody declares, or ignore them',
        command: 'pulumi-oneops import-file KIND:ADDRESS',
      },
    ],
    [policies.length > 0, POLICY_STEP],
    [problems.length > 0, { what: 'Repair the rule files' }],
  ];
  return steps.flatMap(([applies, step]) => (applies ? [step] : []));
}
