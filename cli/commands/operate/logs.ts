// `pulumi-oneops logs`: what was logged of a deployment's work orders or a procedure's actions.
import { routes, type LogEntry } from '../../../api/contract';
import { instancesAt, isRunning } from '../../../provider/kinds';
import { orNone } from '../../../api/errors';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { flag, SETTINGS_OPTIONS, text } from '../../options';
import { deploymentOf, goesOn, numbered, progressOf, releaseOf } from './deployments';
import { procedureIn } from './run';
import { addressOf, environmentIn, operate, type InEnvironment, type Operation } from './place';
import type { Outputs } from './outputs';
import { fitLines, follow, second } from '../../here/terminal';

type Entry = Outputs['logs'];

export const command = commandOf({
  usage: ['logs [ENVIRONMENT] [NUMBER] [options]'],
  about: `Prints what was logged of each work order of a deployment (default: the newest), or of each action of
a procedure. Without an ENVIRONMENT, the only one of the stack in this folder is meant. Only reads. Machines may log secrets: those of the stack's configuration are masked, and no others.`,
  options: {
    procedure: text('NUMBER', 'of a procedure, in place of a deployment'),
    follow: flag('prints what is logged later, too, until the end'),
    json: flag('one line of JSON for each entry'),
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'printed',
    failed: 'with --follow: what is followed did not complete',
  },
  most: 2,
  run({ values, positionals }) {
    const { word, number } = numbered(positionals);
    const { procedure } = values;
    if (procedure !== undefined && number !== undefined)
      throw new UsageError('name a deployment or --procedure, not both');
    return operate(word, values, environmentIn, async (operation) => {
      const look =
        procedure === undefined ? await deploymentLog(operation, number) : () => procedureLog(operation, procedure);
      const printed = new Map<string, number>();
      const end = await follow(
        look,
        ({ isOver }) => !values.follow || isOver,
        ({ entries }) => {
          const seen = new Map<string, number>();
          for (const entry of entries) {
            const shown = operation.hidden(entry);
            const line = values.json ? JSON.stringify(shown) : fitLines(entryText(shown));
            const key = JSON.stringify(shown);
            // The same can be logged twice in one moment.
            const count = (seen.get(key) ?? 0) + 1;
            seen.set(key, count);
            if (count <= (printed.get(key) ?? 0)) continue;
            printed.set(key, count);
            process.stdout.write(`${line}\n`);
          }
        },
      );
      return values.follow && end.hasFailed ? EXIT.failed : EXIT.done;
    });
  },
});

const entryText = ({ of, time, level, message }: Entry): string =>
  `${second(time)}  ${level.padEnd(5)}  ${of}  ${message}`;

async function deploymentLog(
  operation: Operation<InEnvironment>,
  id: string | undefined,
): Promise<() => ReturnType<typeof procedureLog>> {
  const { api, place } = operation;
  const found = await deploymentOf(operation, id);
  const release = await releaseOf(operation, found);
  const address = { ...addressOf(place), deployment: String(found.deploymentId) };
  return async () => {
    const { deployment, orders } = await progressOf(operation, found, release);
    const logs = (await orNone(api.call(routes.deployments.logData, { address }))) ?? [];
    const nameOf = new Map(orders.map(({ recordId, name }) => [recordId, name]));
    return {
      entries: entriesOf(logs, nameOf),
      isOver: !goesOn(deployment),
      hasFailed: deployment.deploymentState !== 'complete',
    };
  };
}

async function procedureLog({ api, place }: Operation<InEnvironment>, id: string) {
  const procedure = await procedureIn(api, place, id);
  const { log_data: logs, actions } = await api.call(routes.procedures.status, { address: { procedure: id } });
  const instances = await instancesAt({ api, at: addressOf(place) });
  const nameOf = new Map(
    (actions ?? []).map(({ actionId, actionName, ciId }) => {
      const instance = instances.find((each) => each.ciId === ciId)?.ciName ?? `record ${ciId}`;
      return [actionId, `${actionName} on ${instance}`];
    }),
  );
  return {
    entries: entriesOf(logs, nameOf),
    isOver: !isRunning(procedure),
    hasFailed: procedure.procedureState !== 'complete',
  };
}

const entriesOf = (logs: readonly LogEntry[], nameOf: ReadonlyMap<number, string>): readonly Entry[] =>
  logs
    .flatMap(({ id, logData }) =>
      logData.map(({ timestamp, level, message }) => ({
        of: nameOf.get(id) ?? String(id),
        time: timestamp,
        level,
        message,
      })),
    )
    .sort((left, right) => left.time - right.time);
