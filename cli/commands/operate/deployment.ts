// `pulumi-oneops deployment`: lists, shows and follows deployments, and moves them on.
import { routes, type Deployment } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import { moveDeployment } from '../../../provider/kinds';
import { agreed } from '../../prompts';
import { commandOf, entry, groupOf, type Command, type Parsed } from '../../command';
import { EXIT } from '../../exit';
import { flag, JSON_OPTION, SETTINGS_OPTIONS } from '../../options';
import {
  deploymentOf,
  goesOn,
  numbered,
  progressOf,
  releaseOf,
  statusOf,
  supportOf,
  waitingApprovals,
} from './deployments';
import { addressOf, environmentIn, operate, type InEnvironment, type Operation } from './place';
import { followLines, moment, second, table } from '../../here/terminal';

const READ_OPTIONS = { ...JSON_OPTION, ...SETTINGS_OPTIONS } as const;

/** Works on the deployment that a call names: the newest one without a number. */
function onDeployment(
  { values, positionals }: Parsed<typeof READ_OPTIONS>,
  work: (operation: Operation<InEnvironment>, deployment: Deployment) => Promise<number | void>,
): Promise<number | void> {
  const { word, number } = numbered(positionals);
  return operate(word, values, environmentIn, async (operation) =>
    work(operation, await deploymentOf(operation, number)),
  );
}

const listCommand = commandOf({
  usage: ['deployment list [ENVIRONMENT] [options]'],
  about: 'Lists the deployments of an environment, newest first. Only reads.',
  options: READ_OPTIONS,
  exits: { done: 'listed' },
  most: 1,
  async run({ values, positionals }) {
    return operate(positionals[0], values, environmentIn, async ({ api, place, print }) => {
      const all = await api.call(routes.deployments.list, { address: addressOf(place) });
      const sorted = [...all].sort((left, right) => right.deploymentId - left.deploymentId);
      const head = ['DEPLOYMENT', 'STATE', 'BY', 'STARTED', 'COMMENT'];
      const rowOf = (each: Deployment): readonly string[] => [
        String(each.deploymentId),
        each.deploymentState,
        each.createdBy ?? '',
        moment(each.created),
        each.comments ?? '',
      ];
      print(sorted, (shown) =>
        shown.length === 0 ? `nothing was ever deployed in ${place.environment}\n` : table(head, shown.map(rowOf)),
      );
    });
  },
});

const showCommand = commandOf({
  usage: ['deployment show [ENVIRONMENT] [NUMBER] [options]'],
  about: 'Shows what a deployment did, what failed and why, and what it waits for. Default: the newest. Only reads.',
  options: READ_OPTIONS,
  exits: { done: 'shown', failed: 'shown, and it failed or was canceled' },
  most: 2,
  run: (call) =>
    onDeployment(call, async (operation, found) => {
      const { api, place, print } = operation;
      const { deployment, orders, line } = await progressOf(operation, found, await releaseOf(operation, found));
      const { state_history: moves, approvals } = await api.call(routes.deployments.edit, {
        address: { ...addressOf(place), deployment: String(found.deploymentId) },
      });
      print({ ...deployment, orders, moves, approvals }, (shown) =>
        [
          `deployment ${shown.deploymentId} of ${place.environment}, by ${shown.createdBy ?? 'somebody'} at ${moment(shown.created)}`,
          line,
          ...(shown.comments ? [`comment: ${shown.comments}`] : []),
          ...shown.moves.map((each) => `${second(each.updated)}  ${each.newState}  ${each.updatedBy ?? ''}`.trimEnd()),
          ...shown.approvals.map((each) => `approval ${each.approvalId} of ${supportOf(each)}: ${each.state}`),
          '',
          table(
            ['WHAT', 'ACTION', 'STATE', 'WHY'],
            shown.orders.map(({ name, action, state, comments }) => [name, action, state, comments]),
          ),
        ].join('\n'),
      );
      return ['failed', 'canceled'].includes(deployment.deploymentState) ? EXIT.failed : EXIT.done;
    }),
});

const followCommand = commandOf({
  usage: ['deployment follow [ENVIRONMENT] [NUMBER] [options]'],
  about: 'Follows a deployment to its end, or until it is paused. Default: the newest. Only reads.',
  options: READ_OPTIONS,
  exits: { done: 'it is complete', failed: 'it failed, was canceled, or is paused' },
  most: 2,
  run: (call) => onDeployment(call, followed),
});

async function followed(operation: Operation<InEnvironment>, deployment: Deployment): Promise<number> {
  const release = await releaseOf(operation, deployment);
  const end = await followLines(
    () => progressOf(operation, deployment, release),
    (now) => !goesOn(now.deployment),
    ({ line }) => line,
    operation.say,
  );
  end.failures.forEach((line) => operation.say(line));
  operation.print({ ...end.deployment, orders: end.orders }, () => '');
  return end.deployment.deploymentState === 'complete' ? EXIT.done : EXIT.failed;
}

const WRITE_OPTIONS = {
  others: flag('also for a deployment that another user started'),
  follow: flag('follow it afterwards'),
  yes: flag('do it without asking'),
  ...READ_OPTIONS,
} as const;

interface Move {
  readonly name: string;
  readonly summary: string;
  readonly from: readonly string[];
  readonly send: (operation: Operation<InEnvironment>, deployment: Deployment) => Promise<unknown>;
}

/** Moves a deployment to a state (service-facts §3.4). */
const moveTo =
  (state: 'active' | 'paused' | 'canceled') =>
  ({ api, place }: Operation<InEnvironment>, deployment: Deployment): Promise<unknown> =>
    moveDeployment({ api, at: addressOf(place) }, deployment, state);

/** Settles every approval of the deployment. The environment has a cloud's token. */
const settleAs =
  (state: 'approved' | 'rejected') =>
  async (operation: Operation<InEnvironment>, deployment: Deployment): Promise<unknown> => {
    const waiting = await waitingApprovals(operation, deployment);
    const token = process.env['ONEOPS_APPROVAL_TOKEN'];
    const approvals = waiting.map(({ approvalId }) => ({ approvalId, state, ...(token ? { token } : {}) }));
    try {
      return await operation.api.call(routes.deployments.settle, {
        address: { ...addressOf(operation.place), deployment: String(deployment.deploymentId) },
        body: { approvals },
      });
    } catch (error) {
      if (!isApiError(error) || error.status !== 422) throw error;
      const hint = `where an approval asks for a token, ${token ? 'correct' : 'set'} ONEOPS_APPROVAL_TOKEN`;
      throw new Error(`${error.message}\n  ${hint}`, { cause: error });
    }
  };

/** Pauses a running deployment, whose work orders run out, before it is canceled. */
async function cancel(operation: Operation<InEnvironment>, deployment: Deployment): Promise<unknown> {
  if (['active', 'pausing'].includes(deployment.deploymentState)) {
    if (deployment.deploymentState === 'active') await moveTo('paused')(operation, deployment);
    const paused = await followLines(
      () => statusOf(operation, deployment.deploymentId),
      ({ deploymentState }) => !['active', 'pausing'].includes(deploymentState),
      () => `deployment ${deployment.deploymentId} is paused first: what is in progress ends`,
      operation.say,
    );
    if (paused.deploymentState === 'complete')
      throw new Error(`deployment ${deployment.deploymentId} completed before it was paused`);
  }
  return moveTo('canceled')(operation, deployment);
}

const MOVES: readonly Move[] = [
  { name: 'retry', summary: 'run again what failed', from: ['failed'], send: moveTo('active') },
  { name: 'resume', summary: 'let a paused deployment go on', from: ['paused'], send: moveTo('active') },
  { name: 'pause', summary: 'start no further work orders', from: ['active'], send: moveTo('paused') },
  {
    name: 'approve',
    summary: 'approve it for all clouds that it waits for',
    from: ['pending'],
    send: settleAs('approved'),
  },
  { name: 'reject', summary: 'reject it, which cancels it', from: ['pending'], send: settleAs('rejected') },
  {
    name: 'cancel',
    summary: 'end it; what is done stays',
    from: ['pending', 'active', 'pausing', 'paused', 'failed'],
    send: cancel,
  },
];

const moveCommand = ({ name, summary, from, send }: Move): Command =>
  commandOf({
    usage: [`deployment ${name} [ENVIRONMENT] [NUMBER] [options]`],
    about: `Asks the service: ${summary}. Default: the newest deployment. It says what it will do, and asks.`,
    options: WRITE_OPTIONS,
    exits: {
      done: 'done; with --follow: it is complete',
      failed: `nothing was sent: its state does not allow it, you did not agree, or another user started it; or
      the service refused; with --follow: it did not complete`,
    },
    most: 2,
    run({ values, positionals }) {
      return onDeployment({ values, positionals }, async (operation, deployment) => {
        const { api, place, print } = operation;
        const { deploymentId, deploymentState, createdBy } = deployment;
        const subject = `deployment ${deploymentId} of ${place.environment}`;
        if (!from.includes(deploymentState))
          throw new Error(
            `cannot ${name} ${subject}: it is ${deploymentState}; ${name} needs one that is ${from.join(' or ')}`,
          );
        const { username } = await api.call(routes.profile.read, {});
        const isForeign = createdBy !== username;
        if (isForeign && !values.others)
          throw new Error(`nothing was sent: ${createdBy ?? 'somebody'} started ${subject}; ask them, or use --others`);
        process.stderr.write(
          `${subject}, ${deploymentState}, started by ${createdBy ?? 'somebody'} at ${moment(deployment.created)}\n`,
        );
        if (!values.yes && !(await agreed(`${name} it?`))) return EXIT.failed;
        await send(operation, deployment);
        if (values.follow) return followed(operation, deployment);
        const now = await statusOf(operation, deploymentId);
        return print(now, (shown) => `${subject} is ${shown.deploymentState}\n`);
      });
    },
  });

export const command = groupOf('deployment', {
  usage: ['deployment COMMAND [ENVIRONMENT] [NUMBER] [options]'],
  about: `Lists, shows and follows the deployments of an environment, and moves them on. Without an
ENVIRONMENT, the only one of the stack in this folder is meant, and without a NUMBER the newest deployment. Commands that write say what they will do and ask; they refuse a deployment of
another user without --others.`,
  options: {},
  exits: { done: 'as the command of the group says' },
  commands: [
    entry('list', 'list deployments', () => listCommand),
    entry('show', 'show what one did, what failed and why', () => showCommand),
    entry('follow', 'follow one to its end', () => followCommand),
    ...MOVES.map((move) => entry(move.name, move.summary, () => moveCommand(move))),
  ],
});
