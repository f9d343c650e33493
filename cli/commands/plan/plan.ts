// `pulumi-oneops plan`: the commands for a plan that `pulumi preview --save-plan` saved. `show`
// shows what it does, as the comment on a pull request; `digest` names the plan and its start, by
// which it is approved; `verify` is a file of its own.
import { describePlan, planDigest, readStart, stackOfPlan } from '../../../preview';
import { commandOf, entry, groupOf } from '../../command';
import { flag, JSON_OPTION, SETTINGS_OPTIONS, STATE_OPTION, text } from '../../options';
import { exportedStart, planIn, planSettings } from './sources';

const showCommand = commandOf({
  usage: ['plan show FILE [options]'],
  about: `Shows what a plan saved by "pulumi preview --save-plan" does, as preview-comment does: risks,
environments that deploy, every changed attribute, and the digest with the service and the
organization that it binds. Values before come from the state of the stack. Secrets stay hidden; one
that is next to a changed value is listed too, because encrypted values cannot be compared.`,
  options: {
    title: text('TEXT', 'headline; default "Preview of STACK"'),
    ...JSON_OPTION,
    live: flag(
      `ask the service, with GETs only, which instances are affected, and which releases of others come along`,
    ),
    ...STATE_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'shown',
    failed: 'the state cannot be read',
    notLetIn: 'with --live: the token is missing, or the service refuses it',
    inPart: 'with --live: something could not be read',
  },
  async run({ values, positionals }) {
    const file = planIn('show', positionals);
    const start = readStart(await exportedStart(file, values));
    const { service } = await planSettings(file, values);
    const plan = describePlan(file, start, { stack: values.stack, organization: service.organization });
    const { writePlan } = await import('./preview-comment.js');
    return writePlan({ ...plan, service }, { ...values, digest: planDigest(file, start, service) });
  },
});

const DIGEST_OPTIONS = {
  json: flag('digest, service, stack and times as JSON'),
  ...STATE_OPTION,
  ...SETTINGS_OPTIONS,
  stack: { ...SETTINGS_OPTIONS.stack, words: 'stack whose configuration is read; default: the stack of the plan' },
} as const;

const digestCommand = commandOf({
  usage: ['plan digest FILE [options]'],
  about: `Prints the SHA-256 digest of a saved plan: of its steps, its goals, the state it starts from, and the
service and organization that the settings here name. Run it where the plan was made, with the same
settings. The order of the file and its time do not count. A plan that writes a secret gets another
digest with each preview, because secrets take part only as they are encrypted: nobody can guess one
from the digest.`,
  options: DIGEST_OPTIONS,
  exits: { done: 'printed', failed: 'the state cannot be read' },
  after: `example
  pulumi stack export --file start.json
  pulumi preview --save-plan plan.json
  pulumi-oneops plan digest plan.json --state start.json`,
  async run({ values, positionals, print }) {
    const plan = planIn('digest', positionals);
    const start = readStart(await exportedStart(plan, values));
    const { service, note } = await planSettings(plan, values);
    const digest = planDigest(plan, start, service);
    if (service.url === undefined) process.stderr.write(unboundText(note));
    const { stack = '', project = '' } = stackOfPlan(plan) ?? {};
    const saved = start.saved === undefined ? {} : { saved: start.saved };
    const planned = Date.parse(plan.manifest.time);
    const named = { version: 1, digest, service, stack, project, planned, ...saved };
    print(named, (shown) => `${shown.digest}\n`);
  },
});

const unboundText = (note: string | undefined): string =>
  [
    ...(note === undefined ? [] : [`pulumi-oneops: ${note}`]),
    'pulumi-oneops: the digest does not name the address of a service: neither oneops:url of the stack nor ONEOPS_URL does.',
    'Set one of them, so that the plan cannot be applied to another service.\n',
  ].join('\n');

export const command = groupOf('plan', {
  usage: ['plan COMMAND FILE [options]'],
  about: `Works on a plan that "pulumi preview --save-plan FILE" saved. "pulumi up --plan FILE" refuses steps
that are not in the plan, but does not notice that the state or the service changed since: verify
does.`,
  options: {},
  commands: [
    entry('show', 'show what a saved plan does, as a comment for a pull request', () => ({ command: showCommand })),
    entry('digest', 'print the digest that names a saved plan and its start', () => ({ command: digestCommand })),
    entry('verify', 'say whether the start of a saved plan is as it was; GETs only', () => import('./verify.js')),
  ],
  exits: { done: 'done', failed: 'could not be done' },
  after: `example
  pulumi preview --save-plan plan.json
  pulumi-oneops plan verify plan.json --live
  pulumi up --plan plan.json --skip-preview --yes`,
});
