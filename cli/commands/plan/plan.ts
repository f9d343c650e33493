// `pulumi-oneops plan`: the commands for a plan that `pulumi preview --save-plan` saved. `show`
// shows what it does, as the comment on a pull request; `digest` names the plan and its start, by
// which it is approved; `verify` says whether it may still be applied.
import {
  describePlan,
  planDigest,
  readStart,
  stackOfPlan,
  type PlanFile,
  readPlanText,
  type Verification,
  type VerifyOptions,
  verificationText,
  verifyPlan,
  plannedResources,
  type PolicyVerdict,
  withLive,
} from '../../../preview';
import { commandOf, entry, groupOf } from '../../command';
import { flag, JSON_OPTION, SETTINGS_OPTIONS, STATE_OPTION, text, POLICIES_OPTION } from '../../options';
import { messageOf, WrongInput } from '../../../api/errors';
import { serviceIdentity, type ServiceIdentity, type Settings } from '../../../provider/session/settings';
import { UsageError, EXIT } from '../../exit';
import { bareName, projectHere, textFrom, writtenSettings } from '../../here/project';
import {
  apiOf,
  chosenOver,
  closing,
  commandSettings,
  type FoundSettings,
  type SettingsOptions,
  usable,
} from '../../here/settings';
import { inExport, stackExport, serviceTime } from '../drift/sources';
import { judgeRun, policiesHere } from '../../here/policies';
import { digestOption, writePlan } from './preview-comment';
import { isPlanRule } from '../../../policy';

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
    return writePlan({ ...plan, service }, { ...values, digest: planDigest(file, start, service) });
  },
});

const digestCommand = commandOf({
  usage: ['plan digest FILE [options]'],
  about: `Prints the SHA-256 digest of a saved plan: of its steps, its goals, the state it starts from, and the
service and organization that the settings here name. Run it where the plan was made, with the same
settings. The order of the file and its time do not count. A plan that writes a secret gets another
digest with each preview, because secrets take part only as they are encrypted: nobody can guess one
from the digest.`,
  options: {
    json: flag('digest, service, stack and times as JSON'),
    ...STATE_OPTION,
    ...SETTINGS_OPTIONS,
    stack: { ...SETTINGS_OPTIONS.stack, words: 'stack whose configuration is read; default: the stack of the plan' },
  },
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

const verifyCommand = commandOf({
  usage: ['plan verify FILE [options]'],
  about: `Says whether a plan saved by "pulumi preview --save-plan" may still be applied. The state
and the settings of the stack must be those it was made from. With --live, a review of the stack must
also find nothing that changed since: no record that somebody changed, deleted or created, and no
release or deployment that would come along. The plan must also keep the policies that apply now: a
freeze window may have begun since it was approved. Sends only GETs.`,
  options: {
    live: flag('ask the service'),
    digest: text(
      'DIGEST',
      `digest of the approved plan: the plan, its start and the service must be exactly those; without it, a
        state that was saved after the plan counts as another one`,
    ),
    ...POLICIES_OPTION,
    json: flag('the same as JSON, for programs'),
    ...STATE_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'it may be applied',
    differs: 'it is stale',
    policy: 'its start is as it was, and it breaks a mandatory policy',
    inPart: 'the state or something in the service could not be read',
  },
  async run({ values, positionals, print }) {
    const plan = planIn('verify', positionals);
    const digest = digestOption(values.digest);
    let exported: unknown;
    try {
      exported = await exportedStart(plan, values);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`pulumi-oneops: ${messageOf(error)}\n`);
      return EXIT.inPart;
    }
    const found = await planSettings(plan, values);
    const { service } = found;
    const stack = values.stack ?? stackOfPlan(plan)?.stack;
    const settings = stack === undefined ? undefined : writtenSettings(stack);
    const verified = async (options: Partial<VerifyOptions> = {}): Promise<number> => {
      const judged = { plan, exported, service, api: options.api };
      const policies = await policyVerdict(judged, values);
      const verification = await verifyPlan({ plan, exported, digest, service, settings, policies, ...options });
      print(verification, verificationText);
      return CODES[verification.outcome];
    };
    if (!values.live) return verified();
    const settled = usable(found);
    const time = serviceTime();
    // The answers are of this service, whatever the plan's own configuration names.
    const about = { ahead: time.ahead, service: identityOf(settled) };
    const opened = apiOf(settled, { readOnly: true, observe: time.observe });
    return closing(opened, (api) => verified({ ...about, api }));
  },
});

const identityOf = ({ url, organization }: Settings): ServiceIdentity =>
  serviceIdentity((key) => ({ 'oneops:url': url, 'oneops:organization': organization })[key], {});

const CODES: { readonly [outcome in Verification['outcome']]: number } = {
  current: EXIT.done,
  stale: EXIT.differs,
  incomplete: EXIT.inPart,
  authentication: EXIT.notLetIn,
  refused: EXIT.policy,
};

/** Judges a plan by a policy file. `stack`: its name where the plan names none. */
async function policyVerdict(
  { plan, exported, service, api }: Pick<VerifyOptions, 'plan' | 'exported' | 'api'> & { service: ServiceIdentity },
  { policies: file, stack }: { readonly policies?: string | undefined; readonly stack?: string | undefined },
): Promise<PolicyVerdict> {
  const policies = policiesHere(file).filter(({ level }) => level !== 'disabled');
  if (policies.length === 0) return { broken: [], notes: [], unread: [] };
  const start = readStart(exported);
  const described = describePlan(plan, start, { stack, organization: service.organization });
  const needsLive = policies.some(({ rule }) => isPlanRule(rule) && (rule.needsLive || rule.countsRecords === true));
  const asked = api !== undefined && needsLive ? await withLive(described, api) : described;
  const { violations, unjudged } = judgeRun(policies, asked, { resources: plannedResources(plan, start), unlisted: 0 });
  const authentication = asked.live?.authentication === true ? { authentication: true } : {};
  return {
    broken: violations
      .filter(({ level }) => level === 'mandatory')
      .map(({ policy, address, message, at }) => ({
        of: 'policy',
        address: address === '' ? 'the run' : address,
        message: `policy ${policy}: ${message}${at === undefined ? '' : ` (${at})`}`,
      })),
    notes: [
      ...violations
        .filter(({ level }) => level !== 'mandatory')
        .map(({ policy, level, message }) => `Policy ${policy} (${level}): ${message}.`),
      ...unjudged
        .filter(({ level }) => api === undefined || level !== 'mandatory')
        .map(({ policy, reason }) => `Policy ${policy} was not judged in full: ${reason}.`),
    ],
    unread: unjudged
      .filter(({ level }) => api !== undefined && level === 'mandatory')
      .map(({ policy, reason }) => ({
        ...{ kind: 'Policy', address: `policy ${policy}` },
        ...{ reason: `it was not judged in full: ${reason}`, ...authentication },
      })),
  };
}

export const command = groupOf('plan', {
  usage: ['plan COMMAND FILE [options]'],
  about: `Works on a plan that "pulumi preview --save-plan FILE" saved. "pulumi up --plan FILE" refuses steps
that are not in the plan, but does not notice that the state or the service changed since: verify
does.`,
  options: {},
  commands: [
    entry('show', 'show what a saved plan does, as a comment for a pull request', () => showCommand),
    entry('digest', 'print the digest that names a saved plan and its start', () => digestCommand),
    entry('verify', 'say whether the start of a saved plan is as it was; GETs only', () => verifyCommand),
  ],
  exits: { done: 'done', failed: 'could not be done' },
  after: `example
  pulumi preview --save-plan plan.json
  pulumi-oneops plan verify plan.json --live
  pulumi up --plan plan.json --skip-preview --yes`,
});

// A saved plan and the state that it starts from, as the commands find them.

/** The plan that a command names. Throws UsageError without one, Error for another file. */
function planIn(command: string, positionals: readonly string[]): PlanFile {
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError(`plan ${command} takes one file`);
  const text = textFrom(name);
  try {
    return readPlanText(text);
  } catch (error) {
    throw new WrongInput(`${name} cannot be used as a plan: ${messageOf(error)}`, { cause: error });
  }
}

/** The export of the plan's stack: its JSON, parsed. Throws Error without one. */
async function exportedStart(
  plan: PlanFile,
  { state, stack }: { readonly state?: string | undefined; readonly stack?: string | undefined },
): Promise<unknown> {
  const { stack: own, project: ownProject } = stackOfPlan(plan) ?? {};
  if (own !== undefined && stack !== undefined && bareName(stack) !== own)
    throw new UsageError(`the plan is of stack ${own}, not of ${stack}`);
  const project = projectHere();
  if (state === undefined && project !== undefined && ownProject !== undefined && project.name !== ownProject)
    throw new UsageError(`the plan is of project ${ownProject}, and the one in this folder is ${project.name}`);
  const found = await stackExport({ state, stack: stack ?? own }, project !== undefined);
  if ('absent' in found) throw new Error(found.absent);
  return inExport(found, (exported) => {
    const isOwn = (urn: string): boolean => urn.startsWith(`urn:pulumi:${own}::${ownProject}::`);
    const foreign = [...readStart(exported).resources.keys()].find((urn) => !isOwn(urn));
    if (foreign !== undefined && own !== undefined)
      throw new Error(`it is not of stack ${own} of project ${ownProject}`);
    return exported;
  });
}

/** The settings of a run of the plan's stack, or those in the plan itself. */
async function planSettings(plan: PlanFile, options: SettingsOptions): Promise<FoundSettings> {
  const { stack = stackOfPlan(plan)?.stack } = options;
  const found = await commandSettings({ ...options, stack });
  const { configuration, note } = found;
  const isRead = Object.keys(configuration).length > 0 || (projectHere() !== undefined && note === undefined);
  if (isRead) return found;
  const given = chosenOver(plan.config ?? {}, options);
  return { ...found, service: serviceIdentity((key) => given[key], process.env) };
}
